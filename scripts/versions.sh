#!/usr/bin/env bash
# versions.sh [--fresh] [SUITE...] [-- COMMAND...]: runs a command (default:
# make test) on a clone of HEAD in root file systems of Debian releases, each
# with another PostgreSQL:
#
#	bullseye 13, bookworm 15, trixie 17, forky 18 (the default: all four)
#
# The roots are kept in $CACHE (default: ~/.cache/ac-roots) together with what
# the command installed; --fresh starts from a pristine one, as a newcomer
# would.  Needs root, and a MIRROR that has all the releases (default: where
# this machine's own packages come from).
#
# Ends with a line a suite and "N passed, N failed" over all of them.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/roots.sh"

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
passed=0
failed=0
summary=()
for suite in "${suites[@]}"; do
  log=$top/build/versions/$suite.log
  began=$SECONDS
  if ! open_root "$suite" "$fresh"; then
    failed=$((failed + 1))
    summary+=("$suite: no root file system")
    continue
  fi
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
