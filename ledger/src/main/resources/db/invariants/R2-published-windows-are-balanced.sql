-- A window opens with a balance; less what went out, plus what came in, it closes with the other.

select job, source_table, epoch, to_position
from weir.replica_window
where state in ('OPEN', 'PUBLISHED', 'UNKNOWN')
  and not coalesce(
    closing_rows = opening_rows - removed_rows + appended_rows
    and (closing_digest_sum - opening_digest_sum + removed_digest_sum - appended_digest_sum)
        % 340282366920938463463374607431768211456 = 0
    and (before_rows is null or after_rows is null or (
        closing_rows = opening_rows - before_rows + after_rows
        and (closing_digest_sum - opening_digest_sum + before_digest_sum - after_digest_sum)
            % 340282366920938463463374607431768211456 = 0)), false)
order by 1, 2, 3
