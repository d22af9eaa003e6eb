-- Buyers and visitors don't see a product that is not listed. It keeps its stock, prices, custom prices and sold keys.
alter table products add column is_listed boolean not null default true;
