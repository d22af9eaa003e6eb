-- The store's face: its colour, a line of the owner's, and the pictures of the store and its products. Pictures are
-- rows, so every backup has them. A picture's name is a hash of its place and bytes, so what it names never changes.
alter table settings
  add column accent text not null default 'lime'
      check (accent in ('lime', 'mint', 'aqua', 'sky', 'violet', 'pink', 'coral', 'gold')),
  add column hero_line text not null default '' check (char_length(hero_line) <= 80);

create table pictures (
  -- 'logo', 'share', or the product's id
  place      text primary key,
  product_id uuid references products,
  name       text not null unique,
  bytes      bytea not null check (octet_length(bytes) between 1 and 122880),
  check (case when product_id is null then place in ('logo', 'share') else place = product_id::text end)
);
-- They are compressed already
alter table pictures alter column bytes set storage external;
