-- What an admin's change of a user did under an Idempotency-Key: the same call again finds it, and does nothing more.
create table user_changes (
  admin_id        uuid  not null references admins,
  idempotency_key text  not null,
  request_hash    bytea not null,
  created_at      timestamptz not null,
  primary key (admin_id, idempotency_key)
);
create index user_changes_by_age on user_changes (created_at);

-- Which accounts use a phone: the nearest other one is a leap to either side, however often one account used it.
create index topup_requests_by_phone_and_user on topup_requests (phone, user_id);
drop index topup_requests_by_phone;

-- What was decided on one day: the top-ups behind the dashboard's figure of today.
create index topup_requests_by_decision on topup_requests (decided_at, status) where decided_at is not null;
