-- A link that shows that a buyer reads the mail of an address (server/users/email-proofs.ts).
create table email_proofs (
  token_hash bytea primary key,
  user_id    uuid not null references users,
  email      text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index email_proofs_by_user on email_proofs (user_id, created_at);
-- A link that the reader of a proven address asked for has no admin.
alter table password_resets alter column admin_id drop not null;
