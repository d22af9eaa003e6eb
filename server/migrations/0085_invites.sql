-- Buyers invite friends. Both get credit when a statement of the bank shows the friend's own payment.

-- Waits for what moves money in the order in which it takes tables, or each would wait for the other.
lock table wallets, users, topup_requests, wallet_movements;

-- 48 random bits. Nodes of the version before write none.
alter table users
  add column invite_code text not null default ('I-' || upper(left(replace(gen_random_uuid()::text, '-', ''), 12)));
create unique index users_invite_code on users (invite_code);

-- One row. Whoever pays locks it, so that the month's budget is read and used by one payment at a time.
create table invite_settings (
  id              boolean  primary key default true check (id),
  is_on           boolean  not null default false,
  reward_paise    bigint   not null default 2500 check (reward_paise >= 0),
  friend_paise    bigint   not null default 2500 check (friend_paise >= 0),
  min_paise       bigint   not null default 20000 check (min_paise > 0),
  days            smallint not null default 60 check (days between 7 and 365),
  month_max_paise bigint   not null default 50000 check (month_max_paise >= 0),
  budget_paise    bigint   not null default 500000 check (budget_paise >= 0),
  check (2 * (reward_paise + friend_paise) <= min_paise)
);
insert into invite_settings default values;

-- What the owner gives one inviter in place of the store's terms.
create table invite_terms (
  user_id         uuid primary key references users,
  reward_paise    bigint check (reward_paise >= 0),
  month_max_paise bigint check (month_max_paise >= 0),
  paused_at       timestamptz
);

create table invites (
  friend_id        uuid primary key references users,
  inviter_id       uuid not null references users check (inviter_id <> friend_id),
  -- The terms of the day on which the friend signed up.
  reward_paise     bigint not null check (reward_paise >= 0),
  friend_paise     bigint not null check (friend_paise >= 0),
  min_paise        bigint not null,
  days             smallint not null,
  -- The friend signed up in a browser in which another account had been logged in.
  same_browser     boolean not null,
  ended_at         timestamptz,
  -- After 180 days it is only known that it did not count.
  outcome          text check (outcome in ('paid', 'payer', 'phone', 'device', 'name', 'no-payer', 'account', 'late',
                                           'not-counted')),
  -- The friend's payment that counted.
  topup_id         uuid unique references topup_requests,
  -- None if the inviter's month was full.
  reward_id        uuid unique references wallet_movements,
  friend_reward_id uuid unique references wallet_movements,
  taken_back_at    timestamptz,
  -- What was spent before it was taken back.
  lost_paise       bigint not null default 0 check (lost_paise >= 0),
  created_at       timestamptz not null,
  check (2 * (reward_paise + friend_paise) <= min_paise),
  check ((ended_at is null) = (outcome is null)),
  check ((outcome is not distinct from 'paid') = (topup_id is not null)),
  check (topup_id is not null or num_nonnulls(reward_id, friend_reward_id, taken_back_at) = 0)
);
create index invites_open on invites (created_at) where ended_at is null;
create index invites_by_inviter on invites (inviter_id, ended_at);
create index invites_paid on invites (ended_at) where outcome = 'paid';
create index topup_requests_taken_back on topup_requests (id) where taken_back is not null;

/*
 * The accounts that have something in common with one, and what: that one as well. A match counts also if it was
 * undone. The bank matches a payer of two accounts to one, so the number of the other one's request counts, too.
 * Phone numbers go with an account that is erased, and its browsers a month later. The payer stays.
 */
create function accounts_of_same_person(which uuid) returns table (user_id uuid, common text)
language sql stable as $$
  select other.user_id, 'phone'
    from topup_requests mine join topup_requests other on other.phone = mine.phone
   where mine.user_id = which and mine.phone <> ''
   union
  select other.user_id, 'device'
    from user_sessions mine join user_sessions other on other.device_hash = mine.device_hash
   where mine.user_id = which
   union
  select paid.user_id, 'payer'
    from topup_requests mine
   cross join lateral (
         select credit_id from bank_matches where topup_id = mine.id
          union all
         select credit_id from bank_credit_refs where ref = mine.utr and mine.status = 'approved') money
    join bank_credits own on own.id = money.credit_id
    join bank_credits other on other.payer_key = own.payer_key
   cross join lateral (
         select topup.user_id from bank_matches match join topup_requests topup on topup.id = match.topup_id
          where match.credit_id = other.id
          union all
         select topup.user_id from bank_credit_refs reference
           join topup_requests topup on topup.utr = reference.ref and topup.status = 'approved'
          where reference.credit_id = other.id) paid
   where mine.user_id = which
$$;
