#!/bin/sh
# Runs in the chroot, with a network of its own: installs, sets up, updates and takes away. Each step says its exit code
# and its seconds.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive
ip link set lo up
mount -t proc proc /proc
node=/opt/chaabi/current/node/bin/node
ca=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt

step() {
  name=$1
  shift
  began=$(date +%s.%N)
  "$@" > "/out/$name" 2>&1 < /dev/null
  code=$?
  echo "STEP $name $code $(echo "$began $(date +%s.%N)" | awk '{ printf "%.1f", $2 - $1 }')"
}

health() {
  NODE_EXTRA_CA_CERTS=$ca $node -e '
    const end = Date.now() + 60000
    const ask = () => fetch("https://shop.localhost/api/health").then((a) => a.ok, () => false)
    while (!(await ask())) if (Date.now() > end) process.exit(1)
    console.log(await (await fetch("https://shop.localhost/api/health")).text())' --input-type=module
}

files() { find /etc /opt /var/lib /usr -xdev -type f ! -path '/var/lib/chaabi/*' ! -path '/var/lib/caddy/*' -newer /tmp/since; }
roots() { find /var/lib/chaabi -user root; }
taken() {
  $node -e 'require("net").createServer().listen(80)' &
  sleep 1
  chaabi setup shop.localhost
  code=$?
  kill $!
  return $code
}

step install dpkg -i /packages/first.deb
step no-name chaabi setup
step wrong-name chaabi setup 'shop example; rm'
step port-taken taken
touch /tmp/since
step dry-run chaabi setup shop.localhost --dry-run
step changed-by-dry-run files
step elsewhere chaabi setup shop.invalid --dry-run
step setup chaabi setup shop.localhost
step https health
export NODE_EXTRA_CA_CERTS=$ca
step again chaabi setup shop.localhost
step other-name chaabi setup other.localhost --dry-run
step backup chaabi backup
step doctor chaabi doctor
step roots-files roots
systemctl stop chaabi
step boot sh -c 'systemctl start chaabi'
step healthy-after-boot health
step update dpkg -i /packages/second.deb
step healthy-after-update health
step version readlink /opt/chaabi/current
step bad-update dpkg -i /packages/broken.deb
step healthy-after-bad-update health
step version-after-bad-update readlink /opt/chaabi/current
step roots-files-at-the-end roots
step uninstall chaabi setup --uninstall
step data-is-kept test -e /var/lib/chaabi/secret.key
step systemctl cat /var/log/systemctl.log
systemctl stop caddy
