-- What a buyer wants to buy as soon as a top-up is approved. It becomes one order or ends for one reason.
create table order_wishes (
  topup_id       uuid primary key references topup_requests,
  user_id        uuid not null references users,
  price_id       uuid not null references prices,
  quantity       integer not null check (quantity between 1 and 100),
  -- One key may cost this at most.
  expected_paise bigint not null check (expected_paise > 0),
  ended_at       timestamptz,
  end_reason     text check (end_reason in ('bought', 'price', 'stock', 'money', 'not-for-sale', 'cancelled', 'rejected',
                                            'replaced', 'expired', 'account')),
  order_id       uuid unique references orders,
  created_at     timestamptz not null,
  check ((ended_at is null) = (end_reason is null)),
  check ((order_id is not null) = (end_reason is not distinct from 'bought'))
);
-- A buyer has one wish at a time.
create unique index order_wishes_one on order_wishes (user_id) where ended_at is null;
create index order_wishes_by_user on order_wishes (user_id, created_at desc);
create index order_wishes_ended on order_wishes (ended_at) where order_id is null;
