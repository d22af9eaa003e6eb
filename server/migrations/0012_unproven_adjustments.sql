-- What admins have added to wallets and taken from them without a new proof; of the last day it counts towards what asks for
-- one (server/users/unproven-adjustments.ts).
create table unproven_adjustments (
  admin_id     uuid not null references admins,
  -- Whether it was added or taken makes no difference.
  amount_paise bigint not null check (amount_paise > 0),
  created_at   timestamptz not null
);
create index unproven_adjustments_by_admin on unproven_adjustments (admin_id, created_at);
