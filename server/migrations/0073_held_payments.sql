-- An approved payment whose money a bank holds back, until the bank lets go or the approval is taken back.
alter table topup_requests
  add column held_at timestamptz,
  add column held_by uuid references admins,
  add column held_note text,
  -- The moment of the buyer's block that came with it. A take-back leaves it, so the end of another mark keeps the block.
  add column held_block_at timestamptz,
  add check (num_nonnulls(held_at, held_by, held_note) in (0, 3)),
  add check (held_at is null or status = 'approved');
create index topup_requests_held on topup_requests (held_at) where held_at is not null;
