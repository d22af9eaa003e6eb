#!/bin/sh
# Copies into the folder $1 what the store in $2 needs of this Debian: the C library, a shell, its small programs and
# the files of /etc. Also says which packages they are of, where scanners look. The rest is two thirds of Debian.
set -eu
to=$1
store=$2
packages='base-files base-passwd coreutils dash grep libc-bin sed'
used=$(mktemp)

# Debian lists some files in /bin or /lib, which are links to folders of /usr
keep() {
  while read -r file; do
    place=$(readlink -f "$(dirname "$file")")
    mkdir -p "$to$place"
    [ -e "$to$place/$(basename "$file")" ] || cp -dp "$place/$(basename "$file")" "$to$place"
  done
}
ours() { dpkg -L coreutils dash grep sed | grep -E '^(/usr)?/s?bin/[^/]+$'; echo /usr/bin/locale; echo /usr/bin/getent; }
# With both names of a library: the one that programs ask for, and the one that it leads to
libraries() {
  { ours; find "$store" -type f \( -perm -u+x -o -name '*.so*' -o -name '*.node' \); } | xargs ldd 2>/dev/null |
    sed -nE 's,^\t.*=> (/[^ ]+) .*,\1,p; s,^\t(/[^ ]+) .*,\1,p' | sort -u | grep -v "^$store" |
    while read -r file; do echo "$file"; readlink -f "$file"; done
}

mkdir -p "$to/usr" "$to/var/lib/dpkg/status.d" "$to/tmp" "$to/proc" "$to/sys" "$to/dev" "$to/run"
chmod 1777 "$to/tmp"
for each in bin sbin lib lib64; do [ ! -L "/$each" ] || cp -d "/$each" "$to/$each"; done
ours | keep
libraries | tee "$used" | keep
# The letters of C.UTF-8, with which the database compares
mkdir -p "$to/usr/lib/locale"
cp -a /usr/lib/locale/C.utf8 "$to/usr/lib/locale"
cp -a /etc "$to"
[ ! -e /usr/lib/os-release ] || cp -p /usr/lib/os-release "$to/usr/lib"
for package in $packages $(while read -r file; do dpkg -S "$file" "/usr$file" 2>/dev/null || true; done <"$used" | cut -d: -f1 | sort -u); do
  dpkg-query --status "$package" >"$to/var/lib/dpkg/status.d/$package"
done
rm "$used"
