#!/usr/bin/env bash
# upgrade.sh [OLD NEW]: a cluster with stored automata goes through pg_upgrade
# from one PostgreSQL to another, and rules through pg_dump both ways
# (test/t/002_upgrade.pl).  OLD and NEW are Debian releases, by default bookworm
# (15) and trixie (17); versions.sh says more.
#
# The old server is taken, with the libraries that the new release lacks, from
# the root file system of its own release.
#
# Ends with "N passed, N failed".

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/roots.sh"

old=${1:-bookworm}
new=${2:-trixie}

# installed SUITE: opens its root, with PostgreSQL and the extension in it.
installed() {
  open_root "$1" || die "no root file system for $1"
  say "$1: building"
  inside "$root" bash -c '
    . scripts/lib.sh && find_postgres pgtap &&
    make -s -j "$(nproc)" PG_CONFIG="$pg_config" install && echo "version $pg_version"' \
    >"$top/build/versions/$1-install.log" 2>&1 ||
    { tail -n 20 "$top/build/versions/$1-install.log"; die "$1 failed"; }
  version=$(sed -n 's/^version //p' "$top/build/versions/$1-install.log")
}

installed "$old"
old_root=$root
old_version=$version
installed "$new"
say "from PostgreSQL $old_version to $version"

# The old server at its own paths, which the new release does not use.
for path in "/usr/lib/postgresql/$old_version" "/usr/share/postgresql/$old_version"; do
  rm -rf "${root:?}$path"
  cp -a "$old_root$path" "$root$path"
done
libraries=/usr/local/lib/postgresql-$old_version
rm -rf "${root:?}$libraries"
mkdir -p "$root$libraries"
chroot "$old_root" ldd "/usr/lib/postgresql/$old_version/bin/postgres" \
  "/usr/lib/postgresql/$old_version/bin/psql" "/usr/lib/postgresql/$old_version/bin/pg_dump" |
  sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u | while read -r library; do
  [ -n "$(find "$root/usr/lib" -name "$(basename "$library")" -print -quit)" ] ||
    cp -L "$old_root$library" "$root$libraries/"
done
echo "$libraries" >"$root/etc/ld.so.conf.d/postgresql-$old_version.conf"
chroot "$root" ldconfig

inside "$root" make test PHASES=tap T=test/t/002_upgrade.pl \
  AC_OLD_INSTALL="/usr/lib/postgresql/$old_version"
