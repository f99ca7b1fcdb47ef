-- Every row of weir.audit keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select subject, number, 'audit_hash_form' as broken
from weir.audit
where not (hash ~ '^[0-9a-f]{64}$'::text)
union all
select subject, number, 'audit_number_from_one' as broken
from weir.audit
where not (number > 0)
union all
select subject, number, 'audit_pk' as broken
from (
    select *, count(*) over (partition by subject, number) as same
    from weir.audit
where num_nulls(subject, number) = 0
) as counted
where same > 1
order by 1, 2
