#!/usr/bin/env bash
# fuzz.sh [SECONDS] [TARGET...]: installs what fuzzing needs, then fuzzes the
# core (test/fuzz/run.sh says how).  Ends with "N passed, N failed".
#
# Bash counts SECONDS by itself, so "make fuzz SECONDS=600" hands it over as an
# argument.

. "$(dirname "$0")/lib.sh"

install_packages clang libc6-dev libssl-dev
version=$(clang --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p' | head -n 1)
if command -v apt-cache >/dev/null && apt-cache show "libclang-rt-$version-dev" >/dev/null 2>&1; then
  install_packages "libclang-rt-$version-dev"
fi
if bash "$top/test/fuzz/run.sh" "$@"; then
  echo "1 passed, 0 failed"
else
  echo "0 passed, 1 failed"
  exit 1
fi
