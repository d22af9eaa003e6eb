-- Senders that an owner has added to an account. One is on trial until a statement proves a message of it.
create table bank_senders (
  id         uuid primary key,
  account_id uuid not null references bank_accounts,
  header     text not null check (header ~ '^[A-Z]{6}$'),
  added_by   uuid not null references admins,
  added_at   timestamptz not null,
  proven_at  timestamptz,
  ended_at   timestamptz,
  ended_why  text,
  check ((ended_at is null) = (ended_why is null))
);
create unique index bank_senders_open on bank_senders (account_id, header) where ended_at is null;

-- Wordings that no template fits, without names and numbers, and how often statements agreed with them.
create table bank_forms (
  id           uuid primary key,
  form_key     bytea   not null unique,
  bank         text    not null,
  text_sealed  bytea   not null,
  seen         integer not null default 0,
  proven       integer not null default 0,
  contradicted integer not null default 0,
  seen_at      timestamptz not null
);

-- What messages in such wordings said, until a statement proves or contradicts it.
create table bank_readings (
  account_id   uuid   not null references bank_accounts,
  ref          text   not null,
  form_id      uuid   not null references bank_forms,
  sender_id    uuid   references bank_senders,
  amount_paise bigint not null,
  day          date   not null,
  seen_at      timestamptz not null,
  primary key (account_id, ref)
);

-- The account that a message of an unknown sender names.
alter table bank_heard add column account_id uuid references bank_accounts;
