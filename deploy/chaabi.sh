#!/bin/sh
# Runs a command of the installed store with the settings of its service: chaabi doctor, chaabi backup, …
program=$(dirname "$(dirname "$(readlink -f "$0")")")
settings=/etc/chaabi/chaabi.env
export NODE_ENV=production DATA_DIR="${DATA_DIR:-/var/lib/chaabi}" CHAABI_INSTALLED=1 CHAABI_SETTINGS=$settings
case ${1:-help} in
  setup | doctor | backup | restore | rotate-keys | recover-admin | start | demo) ;;
  *)
    echo 'chaabi setup NAME | doctor | backup | restore FILE | rotate-keys | recover-admin NAME | start'
    [ "${1:-help}" = help ] || [ "$1" = --help ]
    exit
    ;;
esac
if [ "$1" != setup ] && [ ! -d "$DATA_DIR" ]; then
  echo "There is no store in $DATA_DIR yet. Run: sudo chaabi setup shop.example" >&2
  exit 1
fi
if [ -e "$settings" ] && [ ! -r "$settings" ]; then
  echo "Only root and the account chaabi may read $settings. Use sudo." >&2
  exit 1
fi
if grep -qs '^DATA_DIR=' "$settings"; then
  echo "DATA_DIR in $settings has no effect. The data is in $DATA_DIR. To use another disk, mount it there." >&2
fi
[ -e "$settings" ] && exec "$program/node/bin/node" "--env-file=$settings" "$program/dist/server/main.js" "$@"
exec "$program/node/bin/node" "$program/dist/server/main.js" "$@"
