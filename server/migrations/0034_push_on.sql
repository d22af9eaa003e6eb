-- A new store sends phone messages to who turns them on there. A store that has an admin keeps what its owner chose.
insert into channels (name, is_on) select 'push', true where not exists (select from admins)
  on conflict do nothing;
