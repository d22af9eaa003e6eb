-- Claims: a buyer reports a bad key, and the store answers once. A recall opens them for the keys of a batch.
create table key_claims (
  id             uuid primary key,
  number         bigint generated always as identity (start with 1001),
  key_id         uuid not null references license_keys,
  order_id       uuid not null references orders,
  user_id        uuid not null references users,
  batch_id       uuid references key_batches,
  -- The admin who recalled the batch; null for the buyer.
  opened_by      uuid references admins,
  reason         text not null check (reason in ('never-worked', 'already-used', 'stopped', 'wrong-product', 'other', 'recalled')),
  note           text not null default '',
  status         text not null default 'open' check (status in ('open', 'replaced', 'refunded', 'rejected', 'withdrawn')),
  answer         text,
  decided_at     timestamptz,
  decided_by     uuid references admins,
  replacement_id uuid references license_keys,
  movement_id    uuid unique references wallet_movements,
  refund_paise   bigint check (refund_paise > 0),
  rule           text check (rule in ('full', 'unused', 'terms', 'other')),
  -- When admins were told that the answer is due.
  due_told_at    timestamptz,
  created_at     timestamptz not null,
  check ((status = 'open') = (decided_at is null)),
  check ((status = 'refunded') = (movement_id is not null)),
  check ((status = 'refunded') = (refund_paise is not null)),
  check ((status = 'refunded') = (rule is not null)),
  check ((status = 'replaced') = (replacement_id is not null))
);
create unique index key_claims_open on key_claims (key_id) where status = 'open';
-- A key is settled once, whatever the code believes.
create unique index key_claims_settled on key_claims (key_id) where status in ('replaced', 'refunded');
create unique index key_claims_number on key_claims (number);
create unique index key_claims_replacement on key_claims (replacement_id) where replacement_id is not null;
create index key_claims_by_key on key_claims (key_id);
create index key_claims_by_user on key_claims (user_id, created_at desc);
create index key_claims_by_order on key_claims (order_id);
create index key_claims_by_batch on key_claims (batch_id, created_at) where batch_id is not null;
create index key_claims_waiting on key_claims (created_at, id) where status = 'open';
create index key_claims_newest on key_claims (created_at desc, id desc);

-- The key that it was given for; such a key is no original of its purchase.
alter table license_keys
  add column replaces uuid references license_keys,
  add check (replaces is null or order_id is not null);
create unique index license_keys_replaces on license_keys (replaces) where replaces is not null;

-- Keys that a recall took out of stock. Their texts never come back into it.
create table withdrawn_keys (
  id           uuid primary key,
  batch_id     uuid references key_batches,
  price_id     uuid  not null references prices,
  sealed       bytea not null,
  fingerprint  bytea not null unique,
  reason       text  not null,
  admin_id     uuid references admins,
  withdrawn_at timestamptz not null
);

alter table key_batches
  add column recalled_at timestamptz,
  add column recalled_by uuid references admins;

-- What the refund rule of the terms takes off, and what the owner adds to the refund policy.
alter table settings
  add column refund_fee_paise bigint not null default 2000 check (refund_fee_paise = 0 or refund_fee_paise between 2000 and 5000),
  add column refund_note text not null default '';
