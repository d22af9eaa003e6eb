-- What the store tells people. A message is written in the transaction of what it tells, and holds ids and numbers, never
-- text. A worker makes a delivery of it for each channel and target, and sends those (server/platform/outbox.ts).
create table outbox_messages (
  id         uuid primary key,
  kind       text not null,
  -- Whom it is for: one buyer, or the admins.
  user_id    uuid references users,
  subject_id uuid,
  data       jsonb not null default '{}',
  dedupe     text unique,
  not_before timestamptz not null,
  -- Not worth sending after this.
  gone_after timestamptz,
  -- When its deliveries were made, or it was gathered into another message.
  spread_at  timestamptz,
  created_at timestamptz not null
);
create index outbox_messages_unspread on outbox_messages (not_before, id) where spread_at is null;
create index outbox_messages_spread on outbox_messages (kind, spread_at) where spread_at is not null;

create table outbox_deliveries (
  id           uuid primary key,
  message_id   uuid not null references outbox_messages on delete cascade,
  channel      text not null,
  -- The row that the channel keeps of whom it reaches.
  target       text not null,
  state        text not null default 'waiting' check (state in ('waiting', 'sent', 'dead', 'dropped')),
  attempts     smallint not null default 0,
  next_at      timestamptz not null,
  -- Until then a worker is sending it. A worker that dies leaves it to another one.
  leased_until timestamptz,
  status       int,
  error        text,
  sent_at      timestamptz,
  created_at   timestamptz not null,
  unique (message_id, channel, target)
);
create index outbox_deliveries_due on outbox_deliveries (next_at) where state = 'waiting';
create index outbox_deliveries_of_target on outbox_deliveries (channel, target, next_at) where state = 'waiting';
create index outbox_deliveries_newest on outbox_deliveries (created_at desc, id desc);
create index outbox_deliveries_old on outbox_deliveries (state, created_at) where state <> 'waiting';

create table channels (
  name       text primary key check (name in ('email', 'telegram', 'push')),
  is_on      boolean not null default false,
  -- The password or the token; encrypted.
  sealed     bytea,
  facts      jsonb not null default '{}',
  checked_at timestamptz,
  error      text
);

-- A browser that takes push messages for one account, until its session ends. A renewed token stays the same session.
create table push_subscriptions (
  id            uuid primary key,
  user_id       uuid references users,
  admin_id      uuid references admins,
  user_session  bytea references user_sessions on update cascade on delete cascade,
  admin_session bytea references admin_sessions on update cascade on delete cascade,
  endpoint_hash bytea not null,
  -- The address and the keys; encrypted.
  sealed        bytea not null,
  created_at    timestamptz not null,
  last_ok_at    timestamptz,
  check (num_nonnulls(user_id, admin_id) = 1),
  check ((user_id is null) = (user_session is null) and (admin_id is null) = (admin_session is null))
);
create unique index push_subscriptions_of_users on push_subscriptions (endpoint_hash) where user_id is not null;
create unique index push_subscriptions_of_admins on push_subscriptions (endpoint_hash) where admin_id is not null;
create index push_subscriptions_by_user on push_subscriptions (user_id) where user_id is not null;
create index push_subscriptions_by_admin on push_subscriptions (admin_id) where admin_id is not null;
create index push_subscriptions_by_user_session on push_subscriptions (user_session);
create index push_subscriptions_by_admin_session on push_subscriptions (admin_session);

create table telegram_links (
  id         uuid primary key,
  admin_id   uuid not null references admins,
  -- Absent until the code was sent to the bot.
  code_hash  bytea,
  chat_id    bigint,
  from_id    bigint,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  check (num_nulls(chat_id, from_id) in (0, 2))
);
create index telegram_links_by_admin on telegram_links (admin_id) where revoked_at is null;
create unique index telegram_links_by_code on telegram_links (code_hash) where code_hash is not null;

create table message_choices (
  owner_id uuid    not null,
  kind     text    not null,
  channel  text    not null,
  is_on    boolean not null,
  primary key (owner_id, kind, channel)
);

alter table users add column email_proven_at timestamptz;
