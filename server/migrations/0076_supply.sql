-- Suppliers: other Chaabis from which the store buys by itself, so that its shelves fill themselves.
create table supply_links (
  id            uuid primary key,
  name          text not null,
  kind          text not null default 'chaabi' check (kind = 'chaabi'),
  -- An origin: https://keys.example
  address       text not null,
  -- The token with which the store buys there.
  sealed        bytea not null,
  is_on         boolean not null,
  -- Why the store itself has turned it off. The owner turns it on again.
  paused_why    text check (paused_why in ('address', 'known-key', 'price', 'restored')),
  day_paise     bigint not null check (day_paise > 0),
  low_paise     bigint check (low_paise >= 0),
  -- When a key's time starts. If it is when the store buys it, nothing is kept on the shelf.
  runs_from     text not null check (runs_from in ('use', 'sale')),
  -- What lies in the store's wallet there; null until it is read again.
  balance_paise bigint,
  balance_at    timestamptz,
  token_ends_at timestamptz,
  -- Their list as last read, and what tells it from a newer one.
  products      jsonb not null default '[]',
  etag          text,
  seen_at       timestamptz,
  look_at       timestamptz not null,
  -- Looks in a row that failed, and since when.
  failures      int not null default 0,
  failing_since timestamptz,
  failing_why   text,
  usual_ms      int,
  ended_at      timestamptz,
  created_at    timestamptz not null,
  check (paused_why is null or not is_on),
  check (ended_at is null or not is_on)
);
create index supply_links_due on supply_links (look_at) where is_on;

-- Where one duration of the store is bought, and what it is called there.
create table supply_sources (
  price_id       uuid primary key references prices,
  link_id        uuid not null references supply_links,
  -- As it was when the source was saved, because a price's text can change.
  duration       text not null,
  their_product  uuid not null,
  their_duration text not null,
  their_name     text not null,
  -- One key may cost this at most.
  cap_paise      bigint not null check (cap_paise > 0),
  keep           smallint not null check (keep between 0 and 100),
  -- As last read. Null for what they do not sell to the store.
  their_paise    bigint check (their_paise > 0),
  their_stock    int not null default 0 check (their_stock >= 0),
  -- A price that they list and refused.
  refused_paise  bigint,
  rests_why      text check (rests_why in ('price', 'limit')),
  unique (link_id, their_product, their_duration)
);

-- One purchase there. Its number goes with every try, so that it is bought once.
create table supply_orders (
  id             uuid primary key,
  number         bigint generated always as identity (start with 1001),
  link_id        uuid not null references supply_links,
  price_id       uuid not null references prices,
  duration       text not null,
  their_product  uuid not null,
  their_duration text not null,
  quantity       smallint not null check (quantity between 1 and 10),
  cap_paise      bigint not null check (cap_paise > 0),
  -- Waiting was never sent. Asked is sent again and again, until an answer or a person decides it.
  state          text not null default 'waiting' check (state in ('waiting', 'asked', 'came', 'refused', 'dropped')),
  -- The price that was offered last.
  asked_paise    bigint,
  tries          int not null default 0,
  next_at        timestamptz not null,
  leased_until   timestamptz,
  why            text,
  -- Keys of it that came into stock. Fewer than were bought if the store knew some.
  came           smallint check (came between 0 and quantity),
  unit_paise     bigint check (unit_paise >= 0),
  their_order    text,
  -- Who pressed "Order now".
  admin_id       uuid references admins,
  created_at     timestamptz not null,
  ended_at       timestamptz,
  check ((state in ('waiting', 'asked')) = (ended_at is null)),
  check ((state = 'came') = (came is not null and unit_paise is not null)),
  check (state <> 'waiting' or tries = 0)
);
create index supply_orders_open on supply_orders (next_at) where ended_at is null;
create index supply_orders_of_price on supply_orders (price_id) where ended_at is null;
create index supply_orders_of_day on supply_orders (link_id, created_at);
create index supply_orders_newest on supply_orders (created_at desc, id desc);

create table supply_keys (
  key_id   uuid primary key references license_keys on delete cascade,
  order_id uuid not null references supply_orders
);
create index on supply_keys (order_id);
