-- Work that is done by the clock, one row a job: whichever node finds one due takes it (`for update skip locked`),
-- moves `next_at` on, and does it. What a node that dies leaves undone is taken again when it is next due.
create table jobs (
  name        text primary key,
  next_at     timestamptz not null,
  started_at  timestamptz,
  finished_at timestamptz,
  -- How often it failed since it last went well, and how the last time ended.
  failures    integer not null default 0,
  error       text,
  -- What the last run that went well had to say, such as the invariants that it found broken.
  result      jsonb
);

-- Wallets on which something will lapse, soonest first.
create index wallets_by_lapse on wallets (next_lapse_at) where next_lapse_at is not null;
-- Sessions too old for any browser to hold are forgotten.
create index user_sessions_by_age on user_sessions (created_at);
