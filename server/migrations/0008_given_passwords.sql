-- A password that the store printed at its first start, or that another admin has set, is known to more than its owner:
-- the panel urges its admin to choose one of their own.
alter table admins add column password_given boolean not null default false;
