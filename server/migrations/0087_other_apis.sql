-- Suppliers with an API of their own: one request described by a template, and how its answer is read.
alter table supply_links
  drop constraint supply_links_kind_check,
  add constraint supply_links_kind_check check (kind in ('chaabi', 'http')),
  drop constraint supply_links_paused_why_check,
  add constraint supply_links_paused_why_check
    check (paused_why in ('address', 'known-key', 'price', 'restored', 'lost')),
  add column template  jsonb,
  -- Keys of one order. One where the request does not say how many.
  add column order_max smallint not null default 10 check (order_max between 1 and 10),
  add check ((kind = 'http') = (template is not null));

-- There a duration has no list to be chosen from: its name is typed, and their_product is made of it.
alter table supply_sources
  drop constraint supply_sources_rests_why_check,
  add constraint supply_sources_rests_why_check check (rests_why in ('price', 'limit', 'request'));

alter table supply_orders
  add column sku     text,
  -- Sent once and never again, because the supplier would sell a second time under the same number.
  add column is_once boolean not null default false;
