-- A node of the version before may be selling: takes the tables in the order of a purchase, or each would wait for the
-- other.
lock table wallets, wallet_lots, orders, products;

-- An order's id carries its moment, so the primary key has the newest orders.
drop index orders_newest;

-- The names that a product has had, for the search of the sales book. A purchase writes none of them.
create table sold_names (
  product_id uuid not null references products,
  name       text not null,
  primary key (product_id, name)
);
insert into sold_names select id, name from products union select product_id, product_name from orders;
drop index orders_by_name;
