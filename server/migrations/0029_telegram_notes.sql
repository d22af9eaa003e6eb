-- A message in an admin's chat about one request, until the request is decided and the message says so.
create table telegram_notes (
  link_id    uuid   not null references telegram_links,
  message_id bigint not null,
  topup_id   uuid   not null,
  created_at timestamptz not null,
  primary key (link_id, message_id)
);
create index telegram_notes_old on telegram_notes (created_at);
