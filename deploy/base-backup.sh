#!/bin/sh
# On the primary alone: a backup of all files, into which the log of every later moment goes. The others do nothing.
set -eu
[ "$(psql -Atc 'select pg_is_in_recovery()' postgres)" = f ] || exit 0
# A database in the place of another one, as after a new PostgreSQL, is known to it by an upgrade alone
pgbackrest --stanza=chaabi stanza-create || pgbackrest --stanza=chaabi stanza-upgrade
pgbackrest --stanza=chaabi check
pgbackrest --stanza=chaabi --type="${1:-full}" backup
