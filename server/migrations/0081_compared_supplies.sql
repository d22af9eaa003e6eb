-- What a supplier sold under the store's numbers is compared with the store's own orders: each night, and before
-- anything is ordered at a supplier that was turned on again.
alter table supply_links
  -- When it is due. Nodes of the version before do not write it.
  add column compare_at     timestamptz not null default '-infinity',
  add column compares_first boolean     not null default false,
  add column compared_at    timestamptz,
  -- The newest purchase there that was read. By their clock.
  add column compared_until timestamptz,
  -- What was found.
  add column compared       jsonb;

-- When a comparison has found that it was bought after all.
alter table supply_orders add column again_at timestamptz;
