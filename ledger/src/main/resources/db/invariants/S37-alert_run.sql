-- Every row of weir.alert_run keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select channel, run_id, 'alert_run_attempts_counted' as broken
from weir.alert_run
where not (attempts >= 0)
union all
select channel, run_id, 'alert_run_pk' as broken
from (
    select *, count(*) over (partition by channel, run_id) as same
    from weir.alert_run
where num_nulls(channel, run_id) = 0
) as counted
where same > 1
union all
select channel, run_id, 'alert_run_of_channel' as broken
from weir.alert_run as own
where num_nulls(own.channel) = 0
  and not exists (select from weir.alert_channel as other where other.channel = own.channel)
order by 1, 2
