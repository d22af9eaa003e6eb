-- Money that a bank says has come, what said so, and which request it pays for.

-- What is automatic, and how much of it is used; one row, locked by every automatic decision.
create table bank_rules (
  id                  boolean primary key default true check (id),
  mode                text    not null default 'propose' check (mode in ('propose', 'auto-known', 'auto')),
  trusts              text    not null default 'statement' check (trusts in ('statement', 'phone')),
  per_request_paise   bigint  not null default 200000 check (per_request_paise >= 100),
  per_buyer_day_paise bigint  not null default 500000 check (per_buyer_day_paise >= 100),
  per_day_paise       bigint  not null default 2500000 check (per_day_paise >= 100),
  unproven_max_paise  bigint  not null default 1000000 check (unproven_max_paise between 0 and 10000000),
  known_after_days    integer not null default 7 check (known_after_days between 0 and 365),
  day                 date    not null default '1970-01-01',
  day_paise           bigint  not null default 0 check (day_paise >= 0),
  unproven_paise      bigint  not null default 0 check (unproven_paise >= 0),
  off_why             text
);
insert into bank_rules default values;

create table bank_accounts (
  id          uuid primary key,
  bank        text not null,
  label       text not null,
  -- The last digits, as many as are known.
  tail        text not null check (tail ~ '^\d{2,6}$'),
  -- Credits here may pay for top-ups.
  feeds_store boolean not null default false,
  created_by  uuid not null references admins,
  created_at  timestamptz not null,
  closed_at   timestamptz
);
create unique index bank_accounts_open on bank_accounts (lower(bank), tail) where closed_at is null;

create table bank_devices (
  id           uuid primary key,
  name         text  not null,
  token_hash   bytea not null unique,
  created_by   uuid  not null references admins,
  created_at   timestamptz not null,
  last_seen_at timestamptz,
  paused_at    timestamptz,
  paused_why   text,
  ended_at     timestamptz
);
create table bank_device_accounts (
  device_id  uuid not null references bank_devices,
  account_id uuid not null references bank_accounts,
  primary key (device_id, account_id)
);
create table bank_pairings (
  code_hash   bytea  primary key,
  name        text   not null,
  account_ids uuid[] not null,
  created_by  uuid   not null references admins,
  expires_at  timestamptz not null,
  used_at     timestamptz
);

create table bank_imports (
  id            uuid primary key,
  account_id    uuid  not null references bank_accounts,
  sha256        bytea not null,
  layout        text  not null,
  balances      text  not null check (balances in ('proven', 'broken', 'none')),
  covers_from   date  not null,
  covers_to     date  not null check (covers_to >= covers_from),
  opening_paise bigint,
  closing_paise bigint,
  lines         integer not null,
  credits       integer not null,
  new_credits   integer not null,
  admin_id      uuid not null references admins,
  created_at    timestamptz not null,
  unique (account_id, sha256)
);

create table bank_credits (
  id            uuid primary key,
  account_id    uuid   not null references bank_accounts,
  amount_paise  bigint not null check (amount_paise > 0),
  -- In India.
  day           date   not null,
  -- The moment, where a source tells it.
  at            timestamptz,
  kind          text not null check (kind in ('payment', 'reversal', 'own')),
  -- The best evidence so far.
  proof         text not null check (proof in ('none', 'alert', 'report', 'statement')),
  proven_at     timestamptz check ((proven_at is null) = (proof in ('none', 'alert'))),
  -- Sources say different things of it.
  differs       boolean not null default false,
  payer_name    text not null default '',
  payer_sealed  bytea,
  payer_key     bytea,
  note          text not null default '',
  -- What tells a statement line without a reference from every other one.
  line_key      bytea unique,
  -- The first statement or report that shows it; its other lines in files leave no row of their own.
  import_id     uuid references bank_imports,
  first_seen_at timestamptz not null,
  set_aside_at  timestamptz,
  set_aside_by  uuid references admins,
  set_aside_why text,
  check (num_nulls(set_aside_at, set_aside_by, set_aside_why) in (0, 3))
);
create index bank_credits_by_account on bank_credits (account_id, day);
create index bank_credits_by_import on bank_credits (import_id) where import_id is not null;
create index bank_credits_newest on bank_credits (day desc, id desc);
create index bank_credits_by_payer on bank_credits (payer_key) where payer_key is not null;

-- A reference belongs to one credit, for good.
create table bank_credit_refs (
  ref       text primary key,
  credit_id uuid not null references bank_credits
);
create index bank_credit_refs_by_credit on bank_credit_refs (credit_id);

-- Alerts, and lines of files that are no plain credit or say otherwise than it.
create table bank_sightings (
  id           uuid  primary key,
  -- HMAC of what was seen: the same again is no new row.
  source_key   bytea not null unique,
  import_id    uuid references bank_imports,
  device_id    uuid references bank_devices,
  credit_id    uuid references bank_credits,
  outcome      text not null check (outcome in ('credit', 'hint', 'unread', 'refused')),
  why          text,
  account_id   uuid references bank_accounts,
  amount_paise bigint,
  day          date,
  at           timestamptz,
  line         integer,
  text_sealed  bytea,
  seen_at      timestamptz not null,
  -- The request that a hint has supported.
  explained_by uuid references topup_requests,
  check (num_nonnulls(import_id, device_id) = 1),
  check ((outcome = 'credit') = (credit_id is not null))
);
create index bank_sightings_by_credit on bank_sightings (credit_id) where credit_id is not null;
create index bank_sightings_open on bank_sightings (seen_at desc) where outcome <> 'credit';

create table bank_matches (
  id           uuid primary key,
  credit_id    uuid not null references bank_credits,
  topup_id     uuid not null references topup_requests,
  how          text not null check (how in ('auto', 'approved', 'credited', 'afterwards')),
  proof_then   text not null check (proof_then in ('none', 'alert', 'report', 'statement')),
  made_at      timestamptz not null,
  admin_id     uuid references admins,
  released_at  timestamptz,
  released_by  uuid references admins,
  released_why text,
  -- What could not be taken back.
  loss_paise   bigint check (loss_paise >= 0),
  check (num_nulls(released_at, released_by, released_why, loss_paise) in (0, 4)),
  check (how <> 'auto' or admin_id is null)
);
create unique index bank_matches_credit on bank_matches (credit_id) where released_at is null;
create unique index bank_matches_topup on bank_matches (topup_id) where released_at is null;
create index bank_matches_by_topup on bank_matches (topup_id);

-- Who else has claimed a transfer.
create table bank_rival_claims (
  utr      text not null,
  user_id  uuid not null references users,
  topup_id uuid not null references topup_requests,
  at       timestamptz not null,
  primary key (utr, user_id)
);
create index bank_rival_claims_by_topup on bank_rival_claims (topup_id);

create table bank_alarms (
  id         uuid primary key,
  kind       text not null check (kind in ('alert-not-in-statement', 'approved-without-money', 'amount-after-approval',
                                           'taken-back-by-bank', 'rival-after-automatic', 'automation-off')),
  credit_id  uuid references bank_credits,
  topup_id   uuid references topup_requests,
  device_id  uuid references bank_devices,
  at         timestamptz not null,
  closed_at  timestamptz,
  closed_by  uuid references admins,
  note       text
);
create index bank_alarms_open on bank_alarms (at) where closed_at is null;
create index bank_alarms_by_topup on bank_alarms (topup_id) where topup_id is not null;

-- References that money left with, as fingerprints: what comes under one of them later is no payment.
create table bank_debit_refs (
  ref_key    bytea not null,
  account_id uuid  not null references bank_accounts,
  day        date  not null,
  primary key (ref_key, account_id)
);

-- How an owner mapped the columns of a layout that the store does not know, by the hash of its header.
create table bank_layouts (
  header_hash bytea primary key,
  columns     jsonb not null,
  created_by  uuid  not null references admins,
  created_at  timestamptz not null
);

-- Whether a request was credited by hand on behalf of its buyer, who then typed nothing.
alter table topup_requests add column filed_by uuid references admins;
