-- Admins' second factor, their sessions' proofs, and links for a forgotten password.

alter table settings
  -- Every admin must enrol a second factor, and proves it again for what matters.
  add column second_factor_required boolean not null default false,
  -- An enrolled admin who changes a balance by more than this is asked for a new proof.
  add column step_up_above_paise bigint not null default 1000000 check (step_up_above_paise >= 0);

-- A secret that was shown and not confirmed yet, sealed.
alter table admins add column totp_pending bytea;

alter table admin_sessions
  add column id uuid not null default gen_random_uuid(),
  -- When the session has last proven who holds it, other than by logging in.
  add column proven_at timestamptz,
  -- SHA-256 of the browser's device cookie: a known device keeps its tries when strangers use up all others.
  add column device_hash bytea;
create unique index admin_sessions_id on admin_sessions (id);
create index admin_sessions_by_device on admin_sessions (device_hash, admin_id) where device_hash is not null;

alter table user_sessions add column id uuid not null default gen_random_uuid();
create unique index user_sessions_id on user_sessions (id);

-- For an admin whose authenticator is lost: each code works once. 80 random bits, so a plain hash does.
create table admin_recovery_codes (
  admin_id  uuid  not null references admins,
  code_hash bytea not null,
  used_at   timestamptz,
  primary key (admin_id, code_hash)
);

-- A link with which a user sets a new password. Only its hash is stored.
create table password_resets (
  token_hash bytea primary key,
  user_id    uuid not null references users,
  admin_id   uuid not null references admins,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index password_resets_by_user on password_resets (user_id) where used_at is null;
