-- An admin's session gets another token with each new proof. The one before it still reads for a moment, for what other tabs
-- of the browser have sent already (server/sessions/admin-sessions.ts).
alter table admin_sessions
  add column previous_hash bytea,
  add column renewed_at    timestamptz,
  add check (num_nulls(previous_hash, renewed_at) in (0, 2));
create unique index admin_sessions_by_previous on admin_sessions (previous_hash) where previous_hash is not null;
