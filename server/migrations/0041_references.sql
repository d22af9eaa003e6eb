-- A purchase reads and locks the wallet, and reads its buyer, product and price in the same transaction. The store's
-- role may delete none of them (grants.sql). So the engine need not look them up once more for each row. The references
-- between order, movement, entry, lot and key stay. An invariant finds an id that leads nowhere.
alter table orders
  drop constraint orders_user_id_fkey,
  drop constraint orders_product_id_fkey,
  drop constraint orders_price_id_fkey;
alter table license_keys drop constraint license_keys_assigned_to_fkey;
alter table wallet_movements drop constraint wallet_movements_user_id_fkey;
