#!/bin/bash
# Runs in the bare Debian as a unit of its systemd, with a network of its own: installs, sets up, updates and takes
# away. It is started at each of two boots. Each step says its exit code and its seconds.
export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive
node=/opt/chaabi/current/node/bin/node
ca=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt

step() {
  name=$1
  shift
  began=$(date +%s.%N)
  "$@" > "/out/$name" 2>&1 < /dev/null
  code=$?
  echo "STEP $name $code $(echo "$began $(date +%s.%N)" | awk '{ printf "%.1f", $2 - $1 }')" >> /out/steps
}

health() {
  NODE_EXTRA_CA_CERTS=$ca $node -e '
    const end = Date.now() + 60000
    const ask = () => fetch("https://shop.localhost/api/health").then((a) => a.ok, () => false)
    while (!(await ask())) if (Date.now() > end) process.exit(1)
    console.log(await (await fetch("https://shop.localhost/api/health")).text())' --input-type=module
}

files() { find /etc /opt /var/lib /usr -xdev -type f -newer /tmp/since ! -path '/var/lib/chaabi/*' ! -path '/var/lib/caddy/*' ! -path '/var/lib/systemd/*'; }
roots() { find /var/lib/chaabi -user root; }
taken() {
  systemctl stop caddy
  $node -e "require('net').createServer().listen($1)" &
  sleep 1
  chaabi setup shop.localhost
  code=$?
  kill $!
  return $code
}
# A file that reports less memory, or a place with less room
pretend() {
  mount --bind "$1" "$2" && shift 2 && "$@"
  code=$?
  umount "$PRETENDED"
  return $code
}
little_memory() {
  sed -e 's/^MemTotal:.*/MemTotal: 524288 kB/' -e 's/^SwapTotal:.*/SwapTotal: 0 kB/' /proc/meminfo > /tmp/meminfo
  PRETENDED=/proc/meminfo pretend /tmp/meminfo /proc/meminfo chaabi setup shop.localhost
}
full_disk() {
  mkdir -p /tmp/small && mount -t tmpfs -o size=100M tmpfs /tmp/small
  PRETENDED=/var/lib pretend /tmp/small /var/lib chaabi setup shop.localhost
  code=$?
  umount /tmp/small
  return $code
}
no_systemd() {
  # As on a machine that another program started
  unshare --mount sh -c 'mkdir -p /tmp/none && mount --bind /tmp/none /run/systemd && chaabi setup shop.localhost'
}
no_root() { setpriv --reuid nobody --regid nogroup --clear-groups chaabi setup shop.localhost; }
# On a machine that knows nothing of a store
killed_setups() {
  userdel chaabi
  rm -rf /var/lib/chaabi /etc/chaabi
  for seconds in 0.2 0.4 0.6 0.8 1 1.5 2.5; do
    timeout --signal=KILL $seconds chaabi setup shop.localhost
    ls -l /etc/chaabi /etc/systemd/system/chaabi* /etc/caddy
  done
  chaabi setup shop.localhost && health && chaabi backup && ! roots | grep .
}
own_caddyfile() {
  cp -a /etc/caddy/Caddyfile /tmp/Caddyfile
  echo 'other.localhost { respond "mine" }' >> /etc/caddy/Caddyfile
  chaabi setup shop.localhost
  code=$?
  grep -q mine /etc/caddy/Caddyfile || code=9
  cp -a /tmp/Caddyfile /etc/caddy/Caddyfile
  return $code
}
firewall() {
  chaabi setup shop.localhost --firewall
  code=$?
  ufw status
  return $code
}

# HOST as the pages name it: all addresses, and one of this machine
hosts() {
  ip address add 10.1.2.3/32 dev lo
  failed=0
  for host in 0.0.0.0 :: 10.1.2.3; do
    sed -i '/^HOST=/d' /etc/chaabi/chaabi.env && echo "HOST=$host" >> /etc/chaabi/chaabi.env
    systemctl restart chaabi
    # With an address of its own Caddy can't reach it
    timeout 30 chaabi setup shop.localhost | grep -q '^The store runs' && echo "$host runs" || failed=1
  done
  sed -i '/^HOST=/d' /etc/chaabi/chaabi.env && systemctl restart chaabi
  return $failed
}
own_address_update() {
  ip address add 10.1.2.3/32 dev lo
  echo HOST=10.1.2.3 >> /etc/chaabi/chaabi.env
  systemctl restart chaabi
  apt-get install --yes /packages/second.deb
  code=$?
  sed -i '/^HOST=/d' /etc/chaabi/chaabi.env && systemctl restart chaabi
  return $code
}
settings_of_all() {
  chmod 644 /etc/chaabi/chaabi.env
  chaabi doctor && return 1
  chaabi setup shop.localhost || return 1
  stat -c '%a %U %G' /etc/chaabi/chaabi.env
}
password_in_log() { journalctl -u chaabi | grep -c 'Password: [A-Za-z0-9_-]\{20\}'; }
# A web server that was there before, with a certificate of its own
behind() {
  systemctl stop caddy nginx apache2
  live=/etc/letsencrypt/live/shop.localhost
  mkdir -p $live && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 9 -subj /CN=shop.localhost \
    -addext subjectAltName=DNS:shop.localhost -keyout $live/privkey.pem -out $live/fullchain.pem
  rm -f "/etc/$1/sites-enabled/"*
  [ "$1" = nginx ] && sample=nginx.conf || sample=apache.conf
  ln -s /etc/chaabi/$sample "/etc/$1/sites-enabled/chaabi.conf"
  [ "$1" = nginx ] || a2enmod proxy proxy_http headers ssl
  timeout 30 chaabi setup shop.localhost --behind-proxy
  systemctl start "$1"
  NODE_EXTRA_CA_CERTS=$live/fullchain.pem chaabi setup shop.localhost --behind-proxy || return 1
  ca=$live/fullchain.pem health
  code=$?
  systemctl stop "$1"
  systemctl start caddy
  return $code
}

first_boot() {
  step install apt-get install --yes --no-install-recommends /packages/first.deb
  step no-store-yet chaabi doctor
  step no-name chaabi setup
  step wrong-name chaabi setup 'shop example; rm'
  step no-root no_root
  step no-systemd no_systemd
  step little-memory little_memory
  step full-disk full_disk
  step port-taken taken 80
  step store-port-taken taken 4000
  touch /tmp/since
  step dry-run chaabi setup shop.localhost --dry-run
  step changed-by-dry-run files
  step elsewhere chaabi setup shop.invalid --dry-run
  step setup chaabi setup shop.localhost
  step https health
  export NODE_EXTRA_CA_CERTS=$ca
  step again chaabi setup shop.localhost
  step hosts hosts
  step settings-of-all settings_of_all
  step password-in-log password_in_log
  step nginx behind nginx
  step apache2 behind apache2
  step firewall firewall
  step other-name chaabi setup other.localhost
  step own-caddyfile own_caddyfile
  step units systemctl is-active chaabi.service caddy.service chaabi-backup.timer
  step backup-unit systemctl start chaabi-backup.service
  step backup chaabi backup
  step doctor chaabi doctor
  step hint chaabi restore
  step roots-files roots
}

second_boot() {
  step healthy-after-boot health
  export NODE_EXTRA_CA_CERTS=$ca
  step own-address-update own_address_update
  step update apt-get install --yes --reinstall /packages/second.deb
  step healthy-after-update health
  step version readlink /opt/chaabi/current
  step full-disk-update full_disk_update
  step bad-update apt-get install --yes /packages/broken.deb
  step healthy-after-bad-update health
  step any-apt-after-bad-update dpkg --configure -a
  step version-after-bad-update readlink /opt/chaabi/current
  step mended-update apt-get install --yes /packages/mended.deb
  step healthy-after-mended-update health
  step bad-migration apt-get install --yes /packages/migrated.deb
  step version-after-bad-migration readlink /opt/chaabi/current
  step back-with-the-backup back_with_the_backup
  step roots-files-at-the-end roots
  step uninstall chaabi setup --uninstall
  step caddy-goes-on sh -c 'systemctl is-active caddy && grep -c "root \* /usr/share/caddy" /etc/caddy/Caddyfile'
  step data-is-kept test -e /var/lib/chaabi/secret.key
  step killed-setups killed_setups
  chaabi setup --uninstall
  apt-get remove --yes chaabi && rm -rf /opt/chaabi
  step checkout-no-name node /checkout/scripts/install-service.mjs 'shop example'
  step checkout-changed-nothing find /opt/chaabi /usr/local/bin/chaabi
  step checkout node /checkout/scripts/install-service.mjs shop.localhost
  step healthy-from-checkout health
  hash -r
  step checkout-doctor chaabi doctor
  step checkout-again checkout_again
  step checkout-uninstall node /checkout/scripts/install-service.mjs --uninstall
  apt-get purge --yes caddy && rm -rf /var/lib/apt/lists/*
  step no-caddy node /checkout/scripts/install-service.mjs shop.localhost
}
# Again, after three older ones: the running program is left alone, and one of before stays
checkout_again() {
  now=$(readlink /opt/chaabi/current)
  for old in 11111111 22222222; do mkdir "/opt/chaabi/0.0.1-$old"; done
  running=$(stat -c %i "/opt/chaabi/$now/dist/server/main.js")
  node /checkout/scripts/install-service.mjs shop.localhost || return 1
  [ "$running" = "$(stat -c %i "/opt/chaabi/$now/dist/server/main.js")" ] && [ "$(ls /opt/chaabi)" = "$(printf '%s\ncurrent' "$now")" ]
}
full_disk_update() {
  # The backup before the update finds no room
  mkdir -p /var/lib/chaabi/backups && mount -t tmpfs -o size=4k,mode=700,uid="$(id -u chaabi)",gid="$(id -g chaabi)" tmpfs /var/lib/chaabi/backups
  head -c 4096 /dev/zero > /var/lib/chaabi/backups/other
  apt-get install --yes /packages/broken.deb
  code=$?
  umount /var/lib/chaabi/backups
  readlink /opt/chaabi/current
  return $code
}

# As docs/update.md says
back_with_the_backup() {
  systemctl stop chaabi && mv /var/lib/chaabi /var/lib/chaabi.new
  install -d -m 700 -o chaabi -g chaabi /var/lib/chaabi
  cp -a /var/lib/chaabi.new/secret.key /var/lib/chaabi
  apt-get install --yes --allow-downgrades /packages/mended.deb || return 1
  chaabi restore "$(ls /var/lib/chaabi.new/backups/*.backup | tail -n 1)" && systemctl start chaabi && health
}

if [ -e /out/steps ]; then second_boot; else first_boot; fi
journalctl --no-pager > /out/journal
systemctl poweroff --no-block
