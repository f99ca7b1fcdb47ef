-- Every row of weir.api_token keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select id, 'api_token_digest_form' as broken
from weir.api_token
where not (secret_digest ~ '^[0-9a-f]{64}$'::text)
union all
select id, 'api_token_expires_later' as broken
from weir.api_token
where not (expires_at > created_at)
union all
select id, 'api_token_role_known' as broken
from weir.api_token
where not (role = ANY (ARRAY['worker'::text, 'operator'::text, 'viewer'::text, 'admin'::text]))
union all
select id, 'api_token_digest_once' as broken
from (
    select *, count(*) over (partition by secret_digest) as same
    from weir.api_token
where num_nulls(secret_digest) = 0
) as counted
where same > 1
union all
select id, 'api_token_pk' as broken
from (
    select *, count(*) over (partition by id) as same
    from weir.api_token
where num_nulls(id) = 0
) as counted
where same > 1
order by 1, 2
