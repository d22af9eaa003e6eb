-- Once, on the primary: sudo -u postgres psql -f database.sql. Change the password.
create role chaabi login createdb createrole password 'third-password';
grant pg_monitor to chaabi;
create database chaabi owner chaabi;
