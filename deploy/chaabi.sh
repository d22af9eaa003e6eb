#!/bin/sh
# Runs a command of the installed store with the settings of its service: chaabi doctor, chaabi backup, …
program=$(dirname "$(dirname "$(readlink -f "$0")")")
settings=/etc/chaabi/chaabi.env
export NODE_ENV=production DATA_DIR="${DATA_DIR:-/var/lib/chaabi}" CHAABI_INSTALLED=1 CHAABI_SETTINGS=$settings
# A container has no systemd
machine=false
[ ! -d /run/systemd/system ] || machine=true
usage() {
  echo 'Usage: chaabi COMMAND

  setup NAME          put the store on this machine, with HTTPS
  status              whether it runs, and what the doctor says
  logs                its last lines, and those that come
  doctor              check the store
  backup              make a backup
  restore FILE|PLACE  replace the data with a backup
  rotate-keys         replace the secret key
  recover-admin NAME  give an admin a new password
  start               run the store here
  update              say how to get a newer version
  version             say its version'
}
case ${1:-help} in
  setup | doctor | backup | restore | rotate-keys | recover-admin | start | demo) ;;
  help | --help | -h)
    usage
    exit
    ;;
  version | --version | -v)
    sed -n 's/.*"version": *"\([^"]*\)".*/chaabi \1/p' "$program/package.json"
    exit
    ;;
  update)
    $machine || { echo 'A container is updated from outside: docker compose pull, then docker compose up --detach' >&2; exit 1; }
    echo "Download the new package and run: sudo apt install ./chaabi_NEW_$(dpkg --print-architecture).deb"
    exit
    ;;
  logs)
    shift
    $machine || { echo 'The log of a container is outside of it: docker compose logs store' >&2; exit 1; }
    exec journalctl --unit chaabi --lines 100 --follow "$@"
    ;;
  status)
    sed -n 's/.*"version": *"\([^"]*\)".*/chaabi \1/p' "$program/package.json"
    if $machine; then
      systemctl is-active --quiet chaabi || { echo 'The store is stopped. Start it: sudo systemctl start chaabi'; exit 1; }
      echo "The store runs since $(systemctl show --property=ActiveEnterTimestamp --value chaabi)."
    fi
    shift
    set -- doctor "$@"
    ;;
  *)
    echo "There is no command $1. All commands: chaabi help" >&2
    exit 1
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
# Node reads it before the settings
authorities=$(sed -n "s/^NODE_EXTRA_CA_CERTS=[\"']\{0,1\}\([^\"']*\).*/\1/p" "$settings" 2>/dev/null)
[ -z "$authorities" ] || export NODE_EXTRA_CA_CERTS="$authorities"
[ -e "$settings" ] && exec "$program/node/bin/node" "--env-file=$settings" "$program/dist/server/main.js" "$@"
exec "$program/node/bin/node" "$program/dist/server/main.js" "$@"
