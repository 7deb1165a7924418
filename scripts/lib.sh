# shellcheck shell=bash
# lib.sh: what the scripts share.  Source it; it only defines things.
#
# The scripts never touch the user's PostgreSQL: they copy its tree into a work
# directory (the server finds its files relative to its own executable),
# install the extension there and start a cluster of their own on a unix
# socket.  Started by root, all that runs as an unprivileged user.

set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export LC_ALL=C.UTF-8 PGTZ=UTC
# Settings of a make around us are not for the makes that we start.
unset MAKEFLAGS MFLAGS MAKELEVEL
unset PGHOSTADDR PGSERVICE PGOPTIONS PGPASSFILE 2>/dev/null || true

say() { printf '[%4ds] %s\n' "$SECONDS" "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# ---- packages ----

# have_package NAME: whether Debian's package is installed.
have_package() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

apt_updated=
apt_update() {
  [ -z "$apt_updated" ] || return 0
  apt_updated=1
  say "apt-get update"
  as_root apt-get -q update >"$1" 2>&1 || { cat "$1" >&2; die "apt-get update failed"; }
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo -n -- "$@"
  fi
}

# install_packages NAME...: installs what is missing, without recommended
# packages.  A server package that comes new does not get a cluster of its own
# and so starts nothing: only what runs in the work directory is ours.
install_packages() {
  local missing=() package log conf
  command -v apt-get >/dev/null || return 0
  for package; do
    have_package "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
    die "please install first: apt-get install ${missing[*]}"
  fi
  log=$(mktemp)
  apt_update "$log"
  say "apt-get install ${missing[*]}"
  conf=/etc/postgresql-common/createcluster.d/ac-no-main-cluster.conf
  as_root mkdir -p "${conf%/*}"
  echo 'create_main_cluster = false' | as_root tee "$conf" >/dev/null
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qy -o DPkg::Lock::Timeout=300 install \
    --no-install-recommends "${missing[@]}" </dev/null >"$log" 2>&1 || {
    as_root rm -f "$conf"
    tail -n 30 "$log" >&2
    die "apt-get install failed"
  }
  as_root rm -f "$conf"
  rm -f "$log"
}

# unpack_package NAME DIRECTORY: the files of a package, not installed.
unpack_package() {
  local log deb
  [ ! -e "$2/.unpacked" ] || return 0
  log=$(mktemp)
  rm -rf "$2"
  mkdir -p "$2"
  chmod 777 "$2"                # apt drops its privileges to download
  say "apt-get download $1"
  (cd "$2" && apt-get -q download "$1") >"$log" 2>&1 ||
    { apt_update "$log"; (cd "$2" && apt-get -q download "$1") >"$log" 2>&1; } ||
    { cat "$log" >&2; die "could not download $1"; }
  chmod 755 "$2"
  deb=("$2"/*.deb)
  dpkg-deb -x "${deb[0]}" "$2"
  rm -f "${deb[0]}" "$log"
  touch "$2/.unpacked"
}

# ---- PostgreSQL ----

# find_postgres [PACKAGE-SUFFIX...]: sets pg_config and pg_version (the major
# one).  The user's PG_CONFIG goes first, then what is on the PATH, then
# Debian's default version, installed together with the named add-ons:
# "find_postgres pgtap" also installs postgresql-VERSION-pgtap.
find_postgres() {
  local found=${PG_CONFIG:-pg_config} package packages=()
  if ! pg_config_works "$found"; then
    [ -z "${PG_CONFIG:-}" ] || [ "$PG_CONFIG" = pg_config ] ||
      die "$PG_CONFIG does not work"
    command -v apt-get >/dev/null || die "pg_config was not found"
    apt-cache show postgresql >/dev/null 2>&1 || apt_update /dev/null
    pg_version=$(apt-cache depends postgresql |
      sed -n 's/.*Depends: postgresql-\([0-9]*\)$/\1/p' | head -n 1)
    [ -n "$pg_version" ] || die "no postgresql package is known to apt"
    found=/usr/lib/postgresql/$pg_version/bin/pg_config
  else
    pg_version=$("$found" --version | sed 's/^PostgreSQL \([0-9]*\).*/\1/')
    found=$("$found" --bindir)/pg_config
  fi
  case $found in
    /usr/lib/postgresql/*)
      for package in "postgresql-$pg_version" "postgresql-server-dev-$pg_version" \
        ${1+"${@/#/postgresql-$pg_version-}"}; do
        packages+=("$package")
      done
      install_packages gcc libc6-dev "${packages[@]}"
      ;;
  esac
  pg_config_works "$found" || die "$found does not work"
  pg_config=$found
}

pg_config_works() {
  local pgxs
  pgxs=$("$1" --pgxs 2>/dev/null) && [ -e "$pgxs" ]
}

# copy_postgres DIRECTORY: a private copy of the server's tree; pg_config then
# means the copy.  Every directory keeps its path, below DIRECTORY, since
# the executables find the others relative to where they stand.
copy_postgres() {
  local what path
  for what in bindir pkglibdir sharedir; do
    path=$("$pg_config" --$what)
    [ -e "$1$path" ] || { mkdir -p "$1$path" && cp -a "$path/." "$1$path/"; }
  done
  for what in includedir pkgincludedir includedir-server libdir docdir mandir localedir; do
    path=$("$pg_config" --$what)
    [ -e "$1$path" ] || { mkdir -p "$1${path%/*}" && ln -s "$path" "$1$path"; }
  done
  path=$("$pg_config" --bindir)/pg_config
  # Debian's pg_config of some versions prints the original paths wherever it
  # stands; every path that it knows now exists in the copy too.
  case $("$1$path" --bindir) in
    "$1"/*) ;;
    *)
      printf '#!/bin/sh\n%s "$@" | sed "s|^/|%s/|"\n' "$path" "$1" >"$1$path.moved"
      chmod 755 "$1$path.moved"
      mv "$1$path.moved" "$1$path"
      ;;
  esac
  pg_config=$1$path
}

# ---- the unprivileged user ----

# choose_runner: sets runner.  Asked each time, since the server's package
# brings the user "postgres" along.
choose_runner() {
  if [ "$(id -u)" != 0 ]; then
    runner=$(id -un)
  elif id postgres >/dev/null 2>&1; then
    runner=postgres
  else
    runner=nobody
  fi
}

# as_runner COMMAND...: as the unprivileged user, with the environment kept.
as_runner() {
  choose_runner
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid="$runner" --regid="$(id -g "$runner")" --init-groups -- \
      env HOME="${work:-/tmp}" USER="$runner" LOGNAME="$runner" "$@"
  else
    "$@"
  fi
}

# give DIRECTORY: hands it to the unprivileged user.
give() {
  choose_runner
  [ "$(id -u)" != 0 ] || chown -R "$runner:" "$1"
}

# copy_project DIRECTORY: the files that git knows or would add.
copy_project() {
  mkdir -p "$1"
  if git -C "$top" rev-parse --git-dir >/dev/null 2>&1; then
    (cd "$top" && git ls-files -z -co --exclude-standard |
      while IFS= read -r -d '' file; do
        [ ! -e "$file" ] || printf '%s\0' "$file"
      done | tar -c --null -T - -f -) | tar -x -C "$1" -f -
  else
    tar -c -C "$top" --exclude=./build --exclude=./.git -f - . | tar -x -C "$1" -f -
  fi
}

# ---- clusters ----

# start_cluster DIRECTORY [INITDB-OPTION...]: a cluster in DIRECTORY/data
# behind a socket in DIRECTORY; exports PGHOST, PGPORT, PGUSER and PGDATABASE.
start_cluster() {
  local dir=$1 bin
  shift
  bin=$("$pg_config" --bindir)
  mkdir -p "$dir"
  give "$dir"
  as_runner "$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C \
    --no-sync "$@" >"$dir/initdb.log" 2>&1 || { cat "$dir/initdb.log" >&2; return 1; }
  as_runner tee -a "$dir/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = ''
unix_socket_directories = '$dir'
port = 5432
fsync = off
max_wal_size = 4GB
shared_buffers = 256MB
CONF
  as_runner "$bin/pg_ctl" -D "$dir/data" -l "$dir/server.log" -w -t 60 start \
    >"$dir/pg_ctl.log" 2>&1 </dev/null || { cat "$dir/server.log" >&2; return 1; }
  export PGHOST=$dir PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
}

# stop_cluster DIRECTORY: by its own pid file; no other server is touched.
stop_cluster() {
  [ -e "$1/data/postmaster.pid" ] || return 0
  as_runner "$("$pg_config" --bindir)/pg_ctl" -D "$1/data" -m fast -w stop \
    >/dev/null 2>&1 || true
}
