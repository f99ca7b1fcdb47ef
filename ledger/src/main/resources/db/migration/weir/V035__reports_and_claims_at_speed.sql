-- Who claims the next of the partitions that it remembers asks first whether one was given back:
-- that one is earlier in the split, and nobody reads it.
create index partition_given_back on weir.partition (run_id) where state = 'RETRY';
