-- The language that a person has chosen; null until then. Messages are written in it.
alter table users add column language text check (language ~ '^[a-z]{2}$');
alter table admins add column language text check (language ~ '^[a-z]{2}$');
