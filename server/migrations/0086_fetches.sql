-- A buyer orders what is not in stock: a place in the waiting list that may buy for ten minutes.
alter table waiting_places
  -- Until then the store buys for it, whether or not it buys for others who wait.
  add column fetch_until timestamptz,
  -- Why nothing was bought. The place then waits for a message.
  add column fetch_end   text check (fetch_end in ('late', 'supplier', 'short')),
  -- Its Idempotency-Key.
  add column request_key text,
  add check (fetch_end is null or (fetch_until is not null and auto_max_paise is null));
create unique index waiting_fetch_one on waiting_places (user_id)
 where ended_at is null and fetch_until is not null and fetch_end is null;
create unique index waiting_request on waiting_places (user_id, request_key) where request_key is not null;

alter table supply_sources
  -- Keys that are ordered for one buyer at most.
  add column for_buyers smallint not null default 0 check (for_buyers between 0 and 10),
  -- Keys that a buyer can order now. The worker keeps it, so that the list of products asks nobody.
  add column offer      smallint not null default 0 check (offer between 0 and 10);
