-- A blocked buyer can't log in. Wallet, keys and requests stay.
alter table users
  add column blocked_at timestamptz,
  add column blocked_reason text,
  add check ((blocked_at is null) = (blocked_reason is null));
create index users_blocked on users (blocked_at desc, id) where blocked_at is not null;
