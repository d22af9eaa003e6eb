-- Orders that bought nothing. They are counted for an hour and forgotten after a month.
create index supply_orders_lost on supply_orders (link_id, created_at) where state in ('refused', 'dropped');
