-- What one statement can do: a purchase as one function, on the store's own schema and on a lean one. Only benchmarks
-- use them. They check as much money and stock as the store does, and answer with the encrypted key.

create schema bench;

create function bench.buy(buyer uuid, product uuid, into_shard int) returns bytea language plpgsql as $$
declare
  sale uuid := gen_random_uuid();
  wallet record;
  offer record;
  lot record;
  key record;
begin
  select user_id, balance_paise into strict wallet from wallets where user_id = buyer for update;
  select price.id, products.name, products.description, price.duration,
         coalesce(custom.paise, price.list_paise) as paise
    into strict offer
    from products
    join prices price on price.product_id = products.id and price.removed_at is null
    left join custom_prices custom on custom.user_id = buyer and custom.price_id = price.id
   where products.id = product and products.deleted_at is null
     and not exists (select from hidden_products where user_id = buyer and product_id = product);
  select id into strict lot from wallet_lots
   where user_id = buyer and is_open and remaining_paise >= offer.paise and (expires_at is null or expires_at > now())
   order by expires_at nulls last, added_at, id limit 1;
  select id, batch_id, sealed into strict key from license_keys
   where price_id between offer.id and offer.id and order_id is null
   order by price_id, seq limit 1 for update skip locked;
  insert into orders (id, user_id, product_id, price_id, product_name, product_description, duration, quantity,
                      unit_paise, amount_paise, idempotency_key, request_hash, created_at)
  values (sale, buyer, product, offer.id, offer.name, offer.description, offer.duration, 1, offer.paise, offer.paise,
          sale, '\x00', now());
  update wallets set balance_paise = balance_paise - offer.paise where user_id = buyer;
  insert into wallet_movements (id, user_id, kind, amount_paise, balance_after_paise, description, order_id, created_at)
  values (sale, buyer, 'purchase', -offer.paise, wallet.balance_paise - offer.paise, offer.name, sale, now());
  insert into wallet_entries (movement_id, lot_id, account, amount_paise)
  values (sale, lot.id, 'sales', -offer.paise);
  update wallet_lots set remaining_paise = remaining_paise - offer.paise where id = lot.id;
  insert into stock_counters (price_id, shard, available) values (offer.id, into_shard, -1)
  on conflict (price_id, shard) do update set available = stock_counters.available - 1;
  if key.batch_id is not null then
    insert into batch_counters (batch_id, shard, sold) values (key.batch_id, into_shard, 1)
    on conflict (batch_id, shard) do update set sold = batch_counters.sold + 1;
  end if;
  update license_keys
     set order_id = sale, assigned_to = buyer, assigned_at = now(), expires_at = now() + interval '10 days'
   where id = key.id;
  return key.sealed;
end
$$;

-- Wallet, key and order, without a ledger, names, counters, references or lists.
create table bench.wallets (user_id uuid primary key, paise bigint not null check (paise >= 0)) with (fillfactor = 50);
create table bench.keys (
  id uuid primary key,
  price_id uuid not null,
  slot float8 not null default random(),
  sealed bytea not null,
  order_id uuid
);
create index on bench.keys (price_id, slot);
create index on bench.keys (price_id, slot) where order_id is null;
create index on bench.keys (order_id) where order_id is not null;
create table bench.orders (
  id uuid primary key,
  user_id uuid not null,
  price_id uuid not null,
  paise bigint not null,
  idempotency_key uuid not null,
  created_at timestamptz not null,
  unique (user_id, idempotency_key)
);
create index on bench.orders (user_id, created_at);
insert into bench.wallets select user_id, balance_paise from wallets;
insert into bench.keys (id, price_id, sealed) select id, price_id, sealed from license_keys where order_id is null;
analyze bench.wallets, bench.keys;

create function bench.buy_lean(buyer uuid, price uuid) returns bytea language plpgsql as $$
declare
  sale uuid := gen_random_uuid();
  first float8 := random() * 0.95;
  key record;
begin
  update bench.wallets set paise = paise - 100 where user_id = buyer;
  select id, sealed into strict key from bench.keys
   where price_id = price and order_id is null and slot >= first order by slot limit 1 for update skip locked;
  insert into bench.orders values (sale, buyer, price, 100, sale, now());
  update bench.keys set order_id = sale where id = key.id;
  return key.sealed;
end
$$;
