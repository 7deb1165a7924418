# shellcheck shell=bash
# roots.sh: root file systems of Debian releases, to try things in.  Source it
# behind lib.sh.
#
# debootstrap makes a root with make and git added and nothing else, as
# $cache/SUITE.tar.  A root in use is $cache/SUITE, which keeps what was
# installed, or a fresh one.  Commands run in mount and process namespaces of
# their own: nothing is left mounted or running, whatever happens.

cache=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ac-roots}
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' | head -n 1)}

[ "$(id -u)" = 0 ] || die "making root file systems needs root"
install_packages debootstrap debian-archive-keyring
mkdir -p "$cache" "$top/build/versions"

# pristine SUITE: makes $cache/SUITE.tar.
pristine() {
  local suite=$1 root script log=$top/build/versions/$1-debootstrap.log
  [ ! -e "$cache/$suite.tar" ] || return 0
  say "$suite: debootstrap"
  root=$(mktemp -d "$cache/$suite.XXXXXX")
  script=/usr/share/debootstrap/scripts/$suite
  [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
  debootstrap --include=make,git "$suite" "$root" "$mirror" "$script" >"$log" 2>&1 ||
    { tail -n 20 "$log"; rm -rf "$root"; return 1; }
  rm -rf "$root"/var/cache/apt/archives/*.deb
  tar -c -C "$root" -f "$cache/$suite.tar.new" . && mv "$cache/$suite.tar.new" "$cache/$suite.tar"
  rm -rf "$root"
}

# inside ROOT COMMAND...: in the clone, within namespaces of its own.
inside() {
  local root=$1
  shift
  # How this machine reaches its packages holds for the root as well.
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
  apt-config dump Acquire | grep -E '^Acquire::(http|https|Retries)' \
    >"$root/etc/apt/apt.conf.d/90host" || true
  # A mirror may lag behind a release that changes daily.
  echo 'Acquire::Check-Valid-Until "false";' >>"$root/etc/apt/apt.conf.d/90host"
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM="${TERM:-dumb}" HOME=/root LANG=C.UTF-8 \
    ${CI:+CI="$CI"} ${ROWS:+ROWS="$ROWS"} \
    unshare --mount --pid --fork --kill-child bash -c '
      root=$1; shift
      mount --make-rprivate / &&
      mount --rbind /dev "$root/dev" &&
      mount -t proc proc "$root/proc" &&
      mount -t sysfs -o ro sysfs "$root/sys" &&
      mount -t tmpfs tmpfs "$root/dev/shm" &&
      exec chroot "$root" bash -c "cd /srv/private/ac && exec \"\$@\"" inside "$@"
    ' unshare "$root" "$@" </dev/null
}

# open_root SUITE [fresh]: sets root to one with a clone of HEAD in it.
open_root() {
  pristine "$1" || return 1
  root=$cache/$1
  if [ -n "${2:-}" ]; then
    root=$(mktemp -d "$cache/$1.XXXXXX")
    tar -x -C "$root" -f "$cache/$1.tar"
  elif [ ! -e "$root" ]; then
    mkdir "$root.new"
    tar -x -C "$root.new" -f "$cache/$1.tar"
    mv "$root.new" "$root"
  fi
  chmod 755 "$root"
  # Where the unprivileged user of the tests cannot go, as in root's home.
  rm -rf "$root/srv/private"
  mkdir -m 700 "$root/srv/private"
  git clone -q --no-hardlinks "$top" "$root/srv/private/ac" 2>/dev/null ||
    copy_project "$root/srv/private/ac"
}
