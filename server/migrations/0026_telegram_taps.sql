-- A button under a message in an admin's chat. Its text is a nonce, which works once and only for the linked person.
create table telegram_taps (
  nonce_hash bytea primary key,
  link_id    uuid not null references telegram_links,
  topup_id   uuid not null,
  -- What it does: ask, approve, reasons, back, or a reason's number.
  what       text not null,
  created_at timestamptz not null,
  used_at    timestamptz
);
create index telegram_taps_by_topup on telegram_taps (topup_id) where used_at is not null;
create index telegram_taps_old on telegram_taps (created_at);

-- A link ends when its admin gets another role.
alter table telegram_links add column role text;
update telegram_links set role = admins.role from admins where admins.id = telegram_links.admin_id;
