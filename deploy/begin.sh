#!/bin/sh
# Patroni runs this once, on the first primary, and again after a restore.
exec psql --no-psqlrc --set ON_ERROR_STOP=1 --file /etc/chaabi-tls/database.sql "$1"
