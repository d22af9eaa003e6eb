-- The audit log of some days, found without reading all that came after them.
create index audit_entries_by_day on audit_entries (at);
