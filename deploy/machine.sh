#!/bin/sh
# Makes this machine a part of a store on several: sudo sh install.sh, in the folder that chaabi setup --machines made.
# Run it again as often as you like. `install.sh replace` is for an empty machine in the place of a lost one, and
# `install.sh certificates` puts only new certificates in place.
set -eu
cd "$(dirname "$0")"
part() { [ -e "parts/$1" ]; }
# A fresh machine knows no packages yet. Without a network it takes those that it knows
install_packages() {
  apt-get --quiet update || true
  DEBIAN_FRONTEND=noninteractive apt-get install --yes "$@"
}
# A key that only its account may read, beside the certificate of this machine
give_key() { install -o "$1" -g "$1" -m 600 files/etc/chaabi-tls/machine.key "/etc/chaabi-tls/$1.key"; }

etcd_setting() { sed -n "s/^ETCD_$1=//p" files/etc/default/etcd; }
ask_etcd() {
  tls=/etc/chaabi-tls
  etcdctl --command-timeout=10s --cacert=$tls/ca.crt --cert=$tls/machine.crt --key=$tls/etcd.key "$@"
}
# The others must let an empty machine in, because they know the lost one at its address
join_etcd() {
  [ ! -e /var/lib/etcd/chaabi ] || return 0
  mine=$(etcd_setting INITIAL_ADVERTISE_PEER_URLS)
  others=$(etcd_setting INITIAL_CLUSTER | tr , '\n' | sed 's/^[^=]*=//' | grep -vxF "$mine" | sed 's/:2380$/:2379/' | paste -sd,)
  # They may be choosing a leader
  for attempt in 1 2 3 4 5 6; do
    ! ask_etcd --endpoints="$others" endpoint health > /dev/null 2>&1 || break
    [ "$attempt" != 6 ] || { echo 'The other machines of etcd do not answer. Start them first.' >&2; exit 1; }
    sleep 5
  done
  member=$(ask_etcd --endpoints="$others" member list | grep -F ", $mine,") || true
  [ -z "$member" ] || ask_etcd --endpoints="$others" member remove "${member%%,*}"
  ask_etcd --endpoints="$others" member add "$(etcd_setting NAME)" --peer-urls="$mine"
  echo 'ETCD_INITIAL_CLUSTER_STATE=existing' >> /etc/default/etcd
}

mkdir -p /etc/chaabi-tls
install -m 644 files/etc/chaabi-tls/*.crt /etc/chaabi-tls
if [ "${1:-}" = certificates ]; then
  ! part etcd || { give_key etcd && systemctl restart --no-block etcd; }
  ! part database || { give_key postgres && systemctl restart --no-block patroni; }
  ! part node || systemctl restart chaabi
  exit
fi
for unit in files/etc/systemd/system/*.service.d; do
  [ -d "$unit" ] || continue
  mkdir -p "/etc/systemd/system/$(basename "$unit")"
  install -m 644 "$unit/chaabi.conf" "/etc/systemd/system/$(basename "$unit")/chaabi.conf"
done
systemctl daemon-reload
if part etcd; then
  install_packages etcd-server etcd-client
  give_key etcd
  install -m 644 files/etc/default/etcd /etc/default/etcd
  [ "${1:-}" != replace ] || join_etcd
  systemctl enable etcd
  # It is ready when most of them run
  systemctl restart --no-block etcd
fi
if part database; then
  # Patroni makes the database, so Debian must not make one at its place
  mkdir -p /etc/postgresql-common/createcluster.d
  echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/chaabi.conf
  install_packages postgresql patroni pgbackrest
  version=$(ls /usr/lib/postgresql | sort -V | tail -n 1)
  give_key postgres
  for file in etc/patroni/config.yml etc/pgbackrest.conf etc/chaabi-tls/database.sql; do
    sed "s#/postgresql/15/#/postgresql/$version/#" "files/$file" > "/$file.new"
    chown postgres: "/$file.new" && chmod 600 "/$file.new" && mv "/$file.new" "/$file"
  done
  install -m 755 files/usr/local/sbin/* /usr/local/sbin
  install -m 644 files/etc/systemd/system/chaabi-base-backup.* /etc/systemd/system
  # Restarts the machine when Patroni stands still
  mkdir -p /etc/modules-load.d /etc/udev/rules.d
  echo softdog > /etc/modules-load.d/chaabi.conf
  echo 'KERNEL=="watchdog", OWNER="postgres"' > /etc/udev/rules.d/61-watchdog.rules
  modprobe softdog 2>/dev/null && udevadm control --reload && udevadm trigger || echo 'No watchdog on this machine.'
  install -d -o postgres -g postgres -m 750 /var/lib/pgbackrest
  systemctl daemon-reload
  systemctl enable --now patroni chaabi-base-backup.timer
fi
if part node; then
  command -v chaabi > /dev/null || { echo 'First install the package of the store: apt install ./chaabi_….deb' >&2; exit 1; }
  mkdir -p /etc/chaabi
  [ -e /etc/chaabi/chaabi.env ] || install -m 600 files/etc/chaabi/chaabi.env /etc/chaabi/chaabi.env
  chaabi setup --node
fi
if part front; then
  install_packages haproxy caddy
  install -m 644 files/etc/haproxy/haproxy.cfg /etc/haproxy/haproxy.cfg
  install -m 644 files/etc/caddy/Caddyfile /etc/caddy/Caddyfile
  systemctl enable haproxy caddy
  systemctl restart haproxy
  systemctl reload-or-restart caddy
fi
