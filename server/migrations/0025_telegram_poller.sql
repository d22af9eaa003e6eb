-- Telegram gives each update to one reader, so one node reads the bot's at a time.
create table telegram_poller (
  id           boolean primary key default true check (id),
  node         text,
  leased_until timestamptz,
  next_update  bigint not null default 0
);
insert into telegram_poller default values;
