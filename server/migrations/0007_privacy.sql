-- What a buyer has agreed to, and accounts that their owners close.

-- When the account is erased; its owner can keep it until then, and cannot log in.
alter table users add column closes_at timestamptz;
create index users_closing on users (closes_at) where closes_at is not null and deleted_at is null;

-- One row for each yes to the terms. Only ever added; an account that is closed keeps them under its pseudonym.
create table consents (
  id            bigint generated always as identity primary key,
  user_id       uuid not null references users,
  terms_version text not null,
  given_for     text not null check (given_for in ('sign-up', 'payment')),
  topup_id      uuid unique references topup_requests,
  at            timestamptz not null,
  check ((given_for = 'payment') = (topup_id is not null))
);
create unique index consents_one_sign_up on consents (user_id) where given_for = 'sign-up';
create index consents_by_user on consents (user_id, at);

-- Until now there was one text of the terms, and both forms asked for it.
insert into consents (user_id, terms_version, given_for, at)
select id, '2025-07-19', 'sign-up', terms_accepted_at from users;
insert into consents (user_id, terms_version, given_for, topup_id, at)
select user_id, '2025-07-19', 'payment', id, created_at from topup_requests;

-- Rejected requests whose phone is to be forgotten.
create index topup_requests_rejected on topup_requests (decided_at) where status = 'rejected' and phone <> '';

-- Secrets that the store needs for ever, sealed under those that change: the key of the fingerprints.
create table sealed_secrets (
  name   text primary key,
  sealed bytea not null
);
