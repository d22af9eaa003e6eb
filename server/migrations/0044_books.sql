-- The books of days that are over: what was sold of which batch. A batch’s cost and supplier are not repeated here, so
-- they can be entered later.
create table book_days (
  day            date not null,
  price_id       uuid not null references prices,
  -- The batch of the sold, refunded or replaced keys. Keys from before there were batches have none.
  batch_id       uuid references key_batches,
  -- The batch of the keys that the buyers got: for a replacement, that of the new one.
  cost_batch_id  uuid references key_batches,
  keys           integer not null,
  revenue_paise  bigint not null,
  refunded_paise bigint not null,
  bonus_paise    bigint not null,
  warranty_keys  integer not null
);
create unique index book_days_rows on book_days (day, price_id, batch_id, cost_batch_id) nulls not distinct;
create index book_days_by_batch on book_days (batch_id);

-- The last day that is in `book_days`, with all days before it.
create table book_closing (
  id             boolean primary key default true check (id),
  closed_through date not null
);

-- What promotions bore of a lot. A purchase posts to another account.
create index wallet_entries_promotions on wallet_entries (movement_id) where account = 'promotions';
-- All that changes wallets besides purchases, by day. It has what the index of top-ups had.
drop index wallet_movements_by_day;
create index wallet_movements_by_day on wallet_movements (created_at) where kind <> 'purchase';
