-- The whole store. Money is in paise (bigint), moments are timestamptz, ids on the wire are UUIDs made by
-- the application in time order (version 7). Each constraint repeats a rule of the code, so that neither
-- can break it alone. Written for PostgreSQL 15 and compatible clusters: no PL/pgSQL, no triggers.

-- ── Settings ────────────────────────────────────────────────────────────────────────────────────────────

create table settings (
  id                  boolean primary key default true check (id),
  website_name        text    not null,
  website_title       text    not null,
  notice              text    not null default '',
  upi_id              text    not null default '',
  payment_enabled     boolean not null default true,
  -- The seller's VPA is a verified merchant's: payer apps then take a QR from the gallery above the cap.
  merchant_vpa        boolean not null default false,
  topup_max_paise     bigint  not null default 10000000 check (topup_max_paise >= 100),
  -- Days after which topped-up credit lapses; none by default.
  topup_validity_days integer check (topup_validity_days between 1 and 3650),
  support_url         text    not null default '',
  -- User pages reload when this number changes.
  version             bigint  not null default 1
);

-- ── Admins, users, sessions ─────────────────────────────────────────────────────────────────────────────

create table admins (
  id            uuid primary key,
  username      text not null,
  password_hash text not null,
  role          text not null default 'owner' check (role in ('owner', 'payments', 'stock', 'support', 'read-only')),
  -- AES-GCM sealed; null until the admin enrols a second factor.
  totp_sealed   bytea,
  -- The last 30-second step whose code was accepted: a code works once.
  totp_step     bigint,
  disabled_at   timestamptz,
  created_at    timestamptz not null
);
create unique index admins_username on admins (lower(username));

create table admin_sessions (
  token_hash     bytea primary key,
  admin_id       uuid not null references admins,
  created_at     timestamptz not null,
  last_active_at timestamptz not null,
  ended_at       timestamptz,
  address        text not null default '',
  user_agent     text not null default ''
);
create index admin_sessions_by_admin on admin_sessions (admin_id) where ended_at is null;

create table referral_codes (
  id            uuid primary key,
  code          text    not null,
  description   text    not null,
  max_usage     integer check (max_usage >= 1),
  reward_paise  bigint  not null default 0 check (reward_paise >= 0),
  is_active     boolean not null default true,
  -- Kept with the row so that a registration can claim a use by one conditional update.
  usage_count   integer not null default 0 check (usage_count >= 0),
  created_by    uuid    not null references admins,
  created_at    timestamptz not null,
  deleted_at    timestamptz,
  check (max_usage is null or usage_count <= max_usage)
);
create unique index referral_codes_code on referral_codes (code) where deleted_at is null;

create table users (
  id            uuid primary key,
  email         text not null,
  username      text not null,
  password_hash text not null,
  -- As typed at sign-up, in upper case.
  referral_code text not null,
  usd_cents     bigint not null default 0,
  -- SHA-256 of the one device's cookie, from the first login until logout or reset.
  device_hash   bytea,
  locked_at     timestamptz,
  terms_accepted_at timestamptz not null,
  created_at    timestamptz not null,
  deleted_at    timestamptz,
  check ((device_hash is null) = (locked_at is null))
);
create unique index users_email on users (lower(email));
create unique index users_username on users (lower(username));
create index users_newest on users (created_at desc, id desc) where deleted_at is null;

create table referral_uses (
  user_id     uuid primary key references users,
  referral_id uuid not null references referral_codes,
  created_at  timestamptz not null
);
create index referral_uses_by_code on referral_uses (referral_id);

create table user_sessions (
  token_hash     bytea primary key,
  user_id        uuid  not null references users,
  device_hash    bytea not null,
  created_at     timestamptz not null,
  -- Moved by what a person does, never by polling or an open event stream.
  last_active_at timestamptz not null,
  -- An ended session is kept, so that its browser is told why on every call until it logs in again.
  ended_at       timestamptz,
  end_reason     text check (end_reason in ('logout', 'replaced', 'reset', 'password', 'closed', 'admin')),
  address        text not null default '',
  user_agent     text not null default '',
  check ((ended_at is null) = (end_reason is null))
);
create index user_sessions_open on user_sessions (user_id) where ended_at is null;
create index user_sessions_by_user on user_sessions (user_id, last_active_at desc);

-- ── Catalogue ───────────────────────────────────────────────────────────────────────────────────────────

create table products (
  id          uuid primary key,
  -- Chooses the cover art, so that neighbours differ.
  sequence    integer generated always as identity,
  name        text    not null,
  description text    not null default '',
  hot         boolean not null default false,
  position    integer not null default 0,
  created_at  timestamptz not null,
  deleted_at  timestamptz
);
create unique index products_name on products (lower(name)) where deleted_at is null;

-- A product at one duration: what is priced, stocked and sold. The id is the price row's _id, so that a
-- renamed duration keeps its stock and its custom prices.
create table prices (
  id               uuid primary key,
  product_id       uuid    not null references products,
  duration         text    not null,
  list_paise       bigint  not null check (list_paise >= 0),
  position         integer not null default 0,
  low_stock_below  integer not null default 5 check (low_stock_below >= 0),
  removed_at       timestamptz
);
create unique index prices_duration on prices (product_id, duration) where removed_at is null;

create table custom_prices (
  user_id    uuid   not null references users,
  price_id   uuid   not null references prices,
  paise      bigint not null check (paise >= 0),
  primary key (user_id, price_id)
);
create index custom_prices_by_price on custom_prices (price_id);

create table hidden_products (
  user_id    uuid not null references users,
  product_id uuid not null references products,
  primary key (user_id, product_id)
);

-- ── Wallet ──────────────────────────────────────────────────────────────────────────────────────────────

create table wallets (
  user_id        uuid primary key references users,
  -- What is left of the open lots; `npm run doctor` proves it.
  balance_paise  bigint not null default 0 check (balance_paise >= 0),
  -- The soonest moment at which credit or a deduction lapses: until then the balance stands as it is.
  next_lapse_at  timestamptz
);

-- Top-up requests come before the ledger, which refers to them.
create table topup_plans (
  id           uuid primary key,
  amount_paise bigint  not null check (amount_paise >= 100),
  -- What is credited in all, not the extra.
  bonus_paise  bigint  not null check (bonus_paise >= 100),
  is_active    boolean not null default true,
  created_at   timestamptz not null,
  deleted_at   timestamptz
);

create table topup_requests (
  id             uuid primary key,
  user_id        uuid   not null references users,
  amount_paise   bigint not null check (amount_paise >= 100),
  -- What approval credits, fixed when the request was made.
  credit_paise   bigint not null check (credit_paise >= 100),
  plan_id        uuid references topup_plans,
  utr            text   not null,
  phone          text   not null,
  status         text   not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  reason         text,
  decided_at     timestamptz,
  decided_by     uuid references admins,
  created_at     timestamptz not null,
  check ((status = 'pending') = (decided_at is null))
);
-- One bank transfer is claimed once: a rejected claim frees its UTR, and stays as a warning.
create unique index topup_requests_live_utr on topup_requests (utr) where status in ('pending', 'approved');
create index topup_requests_by_utr on topup_requests (utr);
create index topup_requests_by_phone on topup_requests (phone);
create index topup_requests_by_user on topup_requests (user_id, created_at desc, id desc);
create index topup_requests_newest on topup_requests (created_at desc, id desc);
create index topup_requests_pending on topup_requests (created_at, id) where status = 'pending';

create table orders (
  id                  uuid primary key,
  user_id             uuid    not null references users,
  product_id          uuid    not null references products,
  price_id            uuid    not null references prices,
  -- As they were then: a later rename does not rewrite a sale.
  product_name        text    not null,
  product_description text    not null,
  duration            text    not null,
  quantity            integer not null check (quantity between 1 and 100),
  unit_paise          bigint  not null check (unit_paise > 0),
  amount_paise        bigint  not null,
  refunded_paise      bigint  not null default 0 check (refunded_paise between 0 and amount_paise),
  idempotency_key     text,
  request_hash        bytea,
  created_at          timestamptz not null,
  check (amount_paise = unit_paise * quantity),
  check ((idempotency_key is null) = (request_hash is null))
);
create unique index orders_idempotency on orders (user_id, idempotency_key) where idempotency_key is not null;
create index orders_by_user on orders (user_id, created_at desc, id desc);
create index orders_newest on orders (created_at desc, id desc);
create index orders_by_product on orders (product_id, created_at desc);

-- One line of a wallet's history. Only ever added.
create table wallet_movements (
  id                  uuid primary key,
  seq                 bigint generated always as identity,
  user_id             uuid   not null references wallets,
  kind                text   not null check (kind in ('topup', 'admin_credit', 'refund', 'deduction_lapsed',
                             'referral_reward', 'purchase', 'admin_debit', 'expiry', 'reversal')),
  amount_paise        bigint not null check (amount_paise <> 0),
  balance_after_paise bigint not null check (balance_after_paise >= 0),
  description         text   not null,
  referral_code       text,
  expires_at          timestamptz,
  order_id            uuid references orders,
  topup_id            uuid references topup_requests,
  admin_id            uuid references admins,
  created_at          timestamptz not null,
  check ((kind = 'purchase') <= (order_id is not null)),
  check ((kind = 'topup') <= (topup_id is not null)),
  check ((kind in ('purchase', 'admin_debit', 'expiry', 'reversal')) = (amount_paise < 0))
);
create index wallet_movements_by_user on wallet_movements (user_id, seq desc);
create index wallet_movements_by_admin on wallet_movements (created_at desc, id desc) where kind in ('admin_credit', 'admin_debit');
create index wallet_movements_by_day on wallet_movements (created_at) where kind in ('topup', 'purchase');
-- One credit a request, one debit an order, whatever the code believes.
create unique index wallet_movements_one_credit on wallet_movements (topup_id) where kind = 'topup';
create unique index wallet_movements_one_debit on wallet_movements (order_id) where kind = 'purchase';
create index wallet_movements_by_order on wallet_movements (order_id) where order_id is not null and kind <> 'purchase';

-- Credit that came at one moment from one source and lapses together.
create table wallet_lots (
  id              uuid primary key,
  user_id         uuid   not null references wallets,
  movement_id     uuid   not null references wallet_movements,
  source          text   not null,
  amount_paise    bigint not null check (amount_paise > 0),
  remaining_paise bigint not null check (remaining_paise between 0 and amount_paise),
  expires_at      timestamptz,
  added_at        timestamptz not null
);
create index wallet_lots_open on wallet_lots (user_id, expires_at) where remaining_paise > 0;
create index wallet_lots_lapsing on wallet_lots (expires_at) where remaining_paise > 0 and expires_at is not null;

-- The double entry: each row moves `amount_paise` between a lot of the buyer's wallet and an account of the
-- store, so every movement debits one account and credits another, and the sum over all accounts is zero.
-- Only ever added.
create table wallet_entries (
  id           bigint generated always as identity primary key,
  movement_id  uuid   not null references wallet_movements,
  lot_id       uuid   not null references wallet_lots,
  account      text   not null check (account in ('topups_received', 'promotions', 'sales', 'adjustments', 'lapsed_credit')),
  -- Signed as the wallet sees it: above zero into the lot and out of the account, below zero the other way.
  amount_paise bigint not null check (amount_paise <> 0),
  -- The lot's expiry, or a deduction's own term where that is sooner.
  expires_at   timestamptz
);
create index wallet_entries_by_movement on wallet_entries (movement_id);
create index wallet_entries_by_lot on wallet_entries (lot_id);

-- An admin deduction that lapses before the lot that it was taken from: then the amount returns to the lot.
create table wallet_deductions (
  id           uuid primary key,
  user_id      uuid   not null references wallets,
  lot_id       uuid   not null references wallet_lots,
  movement_id  uuid   not null references wallet_movements,
  amount_paise bigint not null check (amount_paise > 0),
  lapses_at    timestamptz not null,
  returned_at  timestamptz
);
create index wallet_deductions_open on wallet_deductions (user_id, lapses_at) where returned_at is null;

-- The double entry as a ledger of accounts: two rows an entry, whose amounts add up to zero.
create view ledger_postings as
  select entry.id, entry.movement_id, 'wallet:' || movement.user_id as account, entry.amount_paise, movement.created_at
    from wallet_entries entry join wallet_movements movement on movement.id = entry.movement_id
  union all
  select entry.id, entry.movement_id, entry.account, -entry.amount_paise, movement.created_at
    from wallet_entries entry join wallet_movements movement on movement.id = entry.movement_id;

-- ── Stock ───────────────────────────────────────────────────────────────────────────────────────────────

create table key_batches (
  id         uuid primary key,
  price_id   uuid not null references prices,
  supplier   text not null default '',
  cost_paise bigint check (cost_paise >= 0),
  note       text not null default '',
  added      integer not null default 0,
  admin_id   uuid references admins,
  created_at timestamptz not null
);

-- One row a licence key. A key is stock until an order takes it, once and for good. The text is sealed
-- (AES-256-GCM) with the key named by its first byte; the fingerprint (HMAC) finds an equal text.
create table license_keys (
  id          uuid primary key,
  -- Counts up with arrival: the oldest key is sold first.
  seq         bigint generated always as identity,
  price_id    uuid  not null references prices,
  batch_id    uuid references key_batches,
  sealed      bytea not null,
  fingerprint bytea not null,
  order_id    uuid references orders,
  assigned_to uuid references users,
  assigned_at timestamptz,
  expires_at  timestamptz,
  created_at  timestamptz not null,
  check (num_nulls(order_id, assigned_to, assigned_at, expires_at) in (0, 4)),
  check (expires_at > assigned_at)
);
create unique index license_keys_fingerprint on license_keys (fingerprint);
create index license_keys_stock on license_keys (price_id, seq) where order_id is null;
create index license_keys_by_price on license_keys (price_id, seq);
create index license_keys_by_order on license_keys (order_id) where order_id is not null;
create index license_keys_by_owner on license_keys (assigned_to, seq desc) where order_id is not null;

-- How many keys of a price are in stock, as the sum over its shards: counting costs a few rows and not the
-- stock, and buyers of one product do not queue for one counter.
create table stock_counters (
  price_id  uuid     not null references prices,
  shard     smallint not null check (shard between 0 and 7),
  available integer  not null default 0,
  primary key (price_id, shard)
) with (fillfactor = 50);

-- ── Lists, audit, limits ────────────────────────────────────────────────────────────────────────────────

-- Payments that an admin has taken out of the lists: a top-up request, an order or an admin's movement.
create table hidden_payments (
  payment_id uuid primary key,
  admin_id   uuid not null references admins,
  hidden_at  timestamptz not null
);

-- Who changed what. Only ever added; each row's hash covers the row before it.
create table audit_entries (
  id          uuid primary key,
  seq         bigint not null unique,
  at          timestamptz not null,
  admin_id    uuid references admins,
  admin_name  text  not null,
  action      text  not null,
  subject     text  not null,
  before      jsonb,
  after       jsonb,
  address     text  not null,
  user_agent  text  not null,
  hash        bytea not null
);
create index audit_entries_by_action on audit_entries (action, seq desc);

-- The end of the chain, locked while a row is added to it.
create table audit_head (
  id   boolean primary key default true check (id),
  seq  bigint not null,
  hash bytea  not null
);
insert into audit_head (seq, hash) values (0, '\x00');

-- Counters of the rate limiter: worth nothing after a crash, so not worth a flush.
create unlogged table rate_limits (
  key    varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
