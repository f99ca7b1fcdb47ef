-- Every row of weir.alert keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select channel, job, 'alert_counts_are_possible' as broken
from weir.alert
where not (("position" >= 0) AND (cut >= 0) AND (attempts >= 0))
union all
select channel, job, 'alert_pk' as broken
from (
    select *, count(*) over (partition by channel, job) as same
    from weir.alert
where num_nulls(channel, job) = 0
) as counted
where same > 1
union all
select channel, job, 'alert_of_channel' as broken
from weir.alert as own
where num_nulls(own.channel) = 0
  and not exists (select from weir.alert_channel as other where other.channel = own.channel)
union all
select channel, job, 'alert_of_replication' as broken
from weir.alert as own
where num_nulls(own.job) = 0
  and not exists (select from weir.replication as other where other.job = own.job)
order by 1, 2
