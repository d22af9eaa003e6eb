-- Groups of buyers, who pay less than the list price.
create table buyer_groups (
  id          uuid primary key,
  name        text        not null,
  percent_off smallint    not null check (percent_off between 0 and 90),
  created_at  timestamptz not null
);
create unique index buyer_groups_name on buyer_groups (lower(name));

alter table users add column group_id uuid references buyer_groups on delete set null;
create index users_by_group on users (group_id) where group_id is not null;

-- What a group pays for a duration, in place of its percentage off the list price.
create table group_prices (
  group_id uuid   references buyer_groups on delete cascade,
  price_id uuid   references prices,
  paise    bigint not null check (paise > 0),
  primary key (group_id, price_id)
);
