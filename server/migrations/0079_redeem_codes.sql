-- Credit by codes that an admin makes in batches. A code is kept as its SHA-256 only.
create table code_batches (
  id           uuid primary key,
  name         text not null check (length(name) between 1 and 60),
  count        smallint not null check (count between 1 and 1000),
  -- Of each code.
  amount_paise bigint not null check (amount_paise between 100 and 1000000),
  -- Sold for money: an account may redeem any number. A gift is one each.
  is_sold      boolean not null,
  -- The first moment at which it is too late.
  code_until   timestamptz not null,
  -- So long the credit lasts.
  credit_days  smallint not null check (credit_days between 7 and 730),
  admin_id     uuid not null references admins,
  ended_at     timestamptz,
  created_at   timestamptz not null,
  check (code_until > created_at)
);

create table redeem_codes (
  hash        bytea primary key check (length(hash) = 32),
  batch_id    uuid not null references code_batches,
  -- The batch's, for the index.
  one_each    boolean not null,
  user_id     uuid references users,
  movement_id uuid unique references wallet_movements,
  redeemed_at timestamptz,
  check (num_nonnulls(user_id, movement_id, redeemed_at) in (0, 3))
);
create unique index redeem_codes_one_each on redeem_codes (batch_id, user_id) where one_each and user_id is not null;
create index redeem_codes_by_batch on redeem_codes (batch_id);
