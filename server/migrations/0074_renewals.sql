-- A key that the store buys again when it ends, from its buyer's wallet. It becomes one order or ends for one reason.
create table renewals (
  -- The purchase that is renewed.
  order_id   uuid primary key references orders,
  user_id    uuid not null references users,
  price_id   uuid not null references prices,
  -- As it was when the buyer asked, because a price's text can change.
  duration   text not null,
  quantity   smallint not null check (quantity between 1 and 100),
  -- One key may cost this at most.
  max_paise  bigint not null check (max_paise > 0),
  is_repeat  boolean not null,
  -- Written by the store after it had renewed.
  is_auto    boolean not null default false,
  due_at     timestamptz not null,
  told_at    timestamptz,
  -- Since when, and why, it is tried again and again.
  held_at    timestamptz,
  held_why   text check (held_why in ('price', 'stock', 'money')),
  ended_at   timestamptz,
  end_reason text check (end_reason in ('bought', 'price', 'stock', 'money', 'not-for-sale', 'stopped', 'by-hand',
                                        'refunded', 'account', 'unused', 'untold')),
  next_id    uuid unique references orders,
  -- When the buyer asked, or changed it last.
  created_at timestamptz not null,
  check ((held_at is null) = (held_why is null)),
  check ((ended_at is null) = (end_reason is null)),
  check ((next_id is not null) = (end_reason is not distinct from 'bought'))
);
create index renewals_due on renewals (due_at) where ended_at is null;
create index renewals_open on renewals (user_id, price_id) where ended_at is null;
create index renewals_ended on renewals (user_id, ended_at) where ended_at is not null;

-- How many days before their end buyers are reminded of keys: none says the usual ones, 0 never.
alter table products add column remind_days smallint check (remind_days between 0 and 30);
