-- Every row of weir.alert_channel keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select channel, 'alert_channel_known' as broken
from weir.alert_channel
where not (channel = ANY (ARRAY['SLACK'::text, 'WEBHOOK'::text]))
union all
select channel, 'alert_channel_pk' as broken
from (
    select *, count(*) over (partition by channel) as same
    from weir.alert_channel
where num_nulls(channel) = 0
) as counted
where same > 1
order by 1, 2
