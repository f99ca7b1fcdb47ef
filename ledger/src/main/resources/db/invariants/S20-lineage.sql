-- Every row of weir.lineage keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select run_id, 'lineage_books_known' as broken
from weir.lineage
where not (books = ANY (ARRAY['OWN'::text, 'OUTSIDE'::text]))
union all
select run_id, 'lineage_counts_are_possible' as broken
from weir.lineage
where not (("position" >= 0) AND (attempts >= 0))
union all
select run_id, 'lineage_ended_after_start' as broken
from weir.lineage
where not ((NOT ended) OR ("position" > 0))
union all
select run_id, 'lineage_pk' as broken
from (
    select *, count(*) over (partition by run_id) as same
    from weir.lineage
where num_nulls(run_id) = 0
) as counted
where same > 1
order by 1, 2
