#!/bin/sh
# Stands in for systemctl where PID 1 is no systemd. It records what it is asked, and starts the store and Caddy as their
# units say.
echo "$*" >> /var/log/systemctl.log

alive() { [ -e "/run/$1.pid" ] && kill -0 "$(cat "/run/$1.pid")" 2>/dev/null; }

start() {
  case $1 in
    chaabi | chaabi.service)
      alive chaabi && return 0
      command=$(sed -n 's/^ExecStart=//p' /etc/systemd/system/chaabi.service)
      settings=$(grep -h '^[A-Z]' /etc/chaabi/chaabi.env)
      cd /var/lib/chaabi || return 1
      # shellcheck disable=SC2086
      setsid setpriv --reuid chaabi --regid chaabi --init-groups \
        env -i PATH="$PATH" NODE_ENV=production DATA_DIR=/var/lib/chaabi $settings $command \
        >> /var/log/chaabi.log 2>&1 < /dev/null &
      echo $! > /run/chaabi.pid
      ;;
    caddy)
      alive caddy && return 0
      HOME=/var/lib/caddy setsid caddy run --config /etc/caddy/Caddyfile >> /var/log/caddy.log 2>&1 < /dev/null &
      echo $! > /run/caddy.pid
      ;;
  esac
}

stop() {
  name=${1%.service}
  alive "$name" || return 0
  kill "$(cat "/run/$name.pid")"
  while alive "$name"; do sleep 0.1; done
}

verb=$1
shift
now=
for argument in "$@"; do
  case $argument in
    --now) now=yes ;;
    --*) ;;
    *) units="$units $argument" ;;
  esac
done
for unit in $units; do
  case $verb in
    enable) [ -z "$now" ] || start "$unit" ;;
    disable) [ -z "$now" ] || stop "$unit" ;;
    start) start "$unit" ;;
    stop) stop "$unit" ;;
    restart) stop "$unit" && start "$unit" ;;
    reload) [ "$unit" != caddy ] || caddy reload --config /etc/caddy/Caddyfile >> /var/log/caddy.log 2>&1 ;;
    is-active)
      alive "${unit%.service}" || exit 3
      echo active
      ;;
  esac
done
