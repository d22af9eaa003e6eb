-- A node of the version before may be selling. Waits for its purchases in the order in which they take tables, or each
-- would wait for the other.
lock table wallets, wallet_lots, orders, users, products, prices, license_keys, wallet_movements, wallet_entries;

-- A purchase writes no index that nobody reads, and a buyer's keys are found through his orders. The entries of one
-- movement are read now and then. They came in the order of their movements' ids, so a summary of ranges finds them and
-- costs a purchase nothing.
drop index wallet_entries_by_movement;
create index wallet_entries_by_movement on wallet_entries using brin (movement_id)
  with (pages_per_range = 32, autosummarize = on);
drop index wallet_entries_by_lot;
drop index license_keys_by_owner_newest;

-- A purchase's movement has its order's id, so the primary key allows one debit an order. Older lines are not asked.
alter table wallet_movements
  add constraint wallet_movements_of_order check (kind <> 'purchase' or id = order_id) not valid;
drop index wallet_movements_one_debit;

-- By day, only top-ups are counted.
drop index wallet_movements_by_day;
create index wallet_movements_by_day on wallet_movements (created_at) where kind = 'topup';
