-- Why the bot's messages can't be read, for the panel. Sending may work at the same time.
alter table telegram_poller add column error text;
