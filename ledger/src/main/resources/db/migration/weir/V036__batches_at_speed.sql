-- An event of a batch of reports is a few kilobytes: as it is, it fits on a page of its table, and
-- compressing it took longer than anything else that was done for it.
alter table weir.event set (toast_tuple_target = 8160);
