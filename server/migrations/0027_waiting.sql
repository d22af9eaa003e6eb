-- Buyers who wait for keys of a sold-out duration. The queue of a price is in the order of `seq`.
create table waiting_places (
  id             uuid primary key,
  seq            bigint generated always as identity,
  user_id        uuid not null references users,
  price_id       uuid not null references prices,
  quantity       int not null check (quantity between 1 and 10),
  -- For at most this sum the store buys by itself; null for a message only.
  auto_max_paise bigint check (auto_max_paise > 0),
  -- When he was told of the stock that came last.
  told_at        timestamptz,
  times_told     smallint not null default 0,
  -- Imports at which he had too little money. The second one ends the place.
  times_short    smallint not null default 0,
  ended_at       timestamptz,
  end_reason     text check (end_reason in ('bought', 'left', 'told', 'short', 'expired', 'gone')),
  -- What the store bought for him.
  order_id       uuid references orders,
  created_at     timestamptz not null,
  check ((ended_at is null) = (end_reason is null)),
  check (order_id is null or end_reason = 'bought')
);
create unique index waiting_one on waiting_places (user_id, price_id) where ended_at is null;
create index on waiting_places (price_id, seq) where ended_at is null;
create index on waiting_places (price_id, told_at);
create index on waiting_places (ended_at) where ended_at is not null;

create table waiting_settings (
  id        boolean primary key default true check (id),
  auto_buy  boolean not null default false,
  lead_days smallint not null default 2 check (lead_days between 0 and 60)
);
insert into waiting_settings default values;
