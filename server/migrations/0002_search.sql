-- Lists and searches that stay quick however long the store has been open.

-- Purchases are searched by the product name that they were sold under. There are few different ones, and this
-- index leaps from each to the next.
create index orders_by_name on orders (product_name, created_at desc, id desc);

-- All keys in the order in which they arrived, page by page.
create index license_keys_in_order on license_keys (seq);

-- A buyer's keys as they are shown: newest first.
create index license_keys_by_owner_newest on license_keys (assigned_to, assigned_at desc, seq desc) where order_id is not null;
drop index license_keys_by_owner;

-- A part of a name, e-mail, UTR or phone is found by its trigrams. The extension comes with PostgreSQL and is
-- "trusted", so the owner of the database may add it; where it is missing or not allowed the same searches read
-- the table instead. That choice is the one thing here that plain SQL cannot say.
-- fastupdate is off because a search would have to read the list of what is not filed yet.
do $$
begin
  create extension if not exists pg_trgm;
  create index users_search on users using gin (lower(username) gin_trgm_ops, lower(email) gin_trgm_ops) with (fastupdate = off);
  create index topup_requests_search on topup_requests using gin (utr gin_trgm_ops, phone gin_trgm_ops) with (fastupdate = off);
  create index audit_entries_search on audit_entries using gin (lower(subject || ' ' || admin_name) gin_trgm_ops) with (fastupdate = off);
exception when insufficient_privilege or undefined_file or feature_not_supported then
  raise notice 'pg_trgm is not available: searches read whole tables';
end
$$;
