#!/usr/bin/env bash
# versions.sh [--fresh] [SUITE...] [-- COMMAND...]: runs a command (default:
# make test) on a clone of HEAD in root file systems of Debian releases, each
# with another PostgreSQL:
#
#	bullseye 13, bookworm 15, trixie 17, forky 18 (the default: all four)
#
# debootstrap makes a root with make and git added and nothing else.  It is kept
# in $CACHE (default: ~/.cache/ac-roots) together with what the command
# installed; --fresh starts from the pristine one, as a newcomer would.  The command runs
# in mount and process namespaces of its own: nothing is left mounted or
# running, whatever happens.  Needs root, and a MIRROR that has all the releases
# (default: where this machine's own packages come from).
#
# Ends with a line a suite and "N passed, N failed" over all of them.

. "$(dirname "$0")/lib.sh"

cache=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ac-roots}
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' | head -n 1)}
fresh=
suites=()
command=(make test)
while [ $# -gt 0 ]; do
  case $1 in
    --fresh) fresh=1 ;;
    --) shift; command=("$@"); break ;;
    13) suites+=(bullseye) ;;
    15) suites+=(bookworm) ;;
    17) suites+=(trixie) ;;
    18) suites+=(forky) ;;
    *) suites+=("$1") ;;
  esac
  shift
done
[ ${#suites[@]} -gt 0 ] || suites=(bullseye bookworm trixie forky)
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
  # Security updates where the suite has them: packages must fit together.
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

passed=0
failed=0
summary=()
for suite in "${suites[@]}"; do
  log=$top/build/versions/$suite.log
  began=$SECONDS
  if ! pristine "$suite"; then
    failed=$((failed + 1))
    summary+=("$suite: no root file system")
    continue
  fi
  root=$cache/$suite
  if [ -n "$fresh" ]; then
    root=$(mktemp -d "$cache/$suite.XXXXXX")
    tar -x -C "$root" -f "$cache/$suite.tar"
  elif [ ! -e "$root" ]; then
    mkdir "$root.new"
    tar -x -C "$root.new" -f "$cache/$suite.tar"
    mv "$root.new" "$root"
  fi
  chmod 755 "$root"
  # Where the unprivileged user of the tests cannot go, as in root's home.
  rm -rf "$root/srv/private"
  mkdir -m 700 "$root/srv/private"
  git clone -q --no-hardlinks "$top" "$root/srv/private/ac"
  say "$suite: ${command[*]}"
  status=0
  inside "$root" "${command[@]}" 2>&1 | tee "$log" | sed -u "s/^/$suite  /" || status=1
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1) || line=
  version=$(sed -n 's/.*\] PostgreSQL \([0-9]*\),.*/PostgreSQL \1/p' "$log" | head -n 1)
  if [ -n "$line" ]; then
    bad=${line#*, }
    bad=${bad%% *}
    passed=$((passed + ${line%% *}))
  else
    bad=$status
    passed=$((passed + 1 - status))
    line=$([ $status = 0 ] && echo passed || echo failed)
  fi
  [ $status = 0 ] || [ "$bad" != 0 ] || bad=1
  failed=$((failed + bad))
  summary+=("$suite${version:+ ($version)}: $line in $((SECONDS - began)) s")
  [ -z "$fresh" ] || rm -rf "$root"
done

printf '%s\n' "${summary[@]}"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
