-- Whether a browser has kept its device cookie. A login that came without one sends it with its answer, and neither may
-- ever arrive: such a lock holds for minutes (contract/limits.ts), until a call shows the cookie.
alter table users
  -- When the device's browser was sent a cookie that no call has shown yet; null once one has.
  add column unshown_since timestamptz,
  add check (unshown_since is null or device_hash is not null);
