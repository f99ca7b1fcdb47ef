-- What a stop is about, apart from its sentence, for programs: the row and what differs in it.
alter table weir.replica
    add column stop_key text,
    add column stop_expected text,
    add column stop_found text,
    add constraint replica_facts_of_a_stop check (
        stop_code is not null or num_nulls(stop_key, stop_expected, stop_found) = 3);
