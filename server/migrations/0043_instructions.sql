-- What a buyer gets with a key: how to use it, and where the program is. A sold key shows today's text of its product.
alter table products
  add column instructions text not null default '',
  add column download_url text not null default '';
