-- Once, on the primary: sudo -u postgres psql -f database.sql. Change the password.
select 'create role chaabi login createdb createrole' where not exists (select from pg_roles where rolname = 'chaabi')
\gexec
alter role chaabi password 'third-password';
grant pg_monitor to chaabi;
select 'create database chaabi owner chaabi' where not exists (select from pg_database where datname = 'chaabi')
\gexec
