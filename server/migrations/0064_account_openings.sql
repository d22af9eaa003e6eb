-- What admins did to open a buyer's account, and when a device that the account did not know came in by it.
create table account_openings (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references users,
  admin_id   uuid not null references admins,
  how        text not null check (how in ('reset-link', 'unlock')),
  created_at timestamptz not null,
  let_in_at  timestamptz
);
create index account_openings_by_user on account_openings (user_id, created_at desc);
