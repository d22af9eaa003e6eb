#!/bin/sh
# Patroni runs this in place of a new database when bootstrap.method is pgbackrest.
exec pgbackrest --stanza=chaabi --delta restore
