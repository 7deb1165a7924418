#!/bin/bash
# Builds and runs the fuzz targets of the core, each for a while, with clang's
# libFuzzer under the address and undefined sanitizers.
#
#   test/fuzz/run.sh [SECONDS] [TARGET...]      (make fuzz SECONDS=600)
#
# Ends with another status than 0 on a finding; the input is then kept in
# build/fuzz/findings, and  build/fuzz/TARGET FILE  runs it again.  What widened
# coverage is kept in build/fuzz/TARGET.corpus;  MERGE=1  writes the smallest
# part of it that covers as much back to test/fuzz/corpus.
set -eu

# bash counts SECONDS on from what the environment says
seconds=${SECONDS:-0}
top=$(cd "$(dirname "$0")/../.." && pwd)
case ${1:-} in
  '' | *[!0-9]*) ;;
  *) seconds=$1; shift ;;
esac
[ "$seconds" -ge 1 ] || seconds=60
targets=("$@")
[ $# -gt 0 ] || targets=(fuzz_image fuzz_match)

clang=$(command -v clang || ls /usr/bin/clang-[0-9]* 2>/dev/null | head -n 1 || true)
if [ -z "$clang" ] || ! echo 'int LLVMFuzzerTestOneInput(void){return 0;}' |
  "$clang" -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null; then
  echo "skipped: there is no clang with libFuzzer" >&2
  exit 0
fi

out=$top/build/fuzz
mkdir -p "$out/findings"
flags=(-std=c11 -g -O1 -fno-omit-frame-pointer -Wall -Wextra -Werror
  -fsanitize=address,undefined -fno-sanitize-recover=all
  -I"$top/src/core" -I"$top/test/unit")
sources=("$top"/src/core/*.c)
for helper in "$top"/test/unit/*.c; do
  case ${helper##*/} in test_*) ;; *) sources+=("$helper") ;; esac
done

build() {
  local name=$1 object source objects=()
  shift
  mkdir -p "$out/$name.o"
  for source in "$top/test/fuzz/$name.c" "${sources[@]}"; do
    object=$out/$name.o/$(basename "$source" .c).o
    objects+=("$object")
    printf '%s\0' "$clang" "${flags[@]}" "$@" -c -o "$object" "$source"
  done | xargs -0 -n $((${#flags[@]} + $# + 5)) -P "$(nproc)" env
  for source in "$top/test/fuzz/$name.c" "${sources[@]}"; do
    objects+=("$out/$name.o/$(basename "$source" .c).o")
  done
  "$clang" "${flags[@]}" "$@" -o "$out/$name" "${objects[@]}" -lcrypto
}

build seeds
status=0
for target in "${targets[@]}"; do
  build "$target" -fsanitize=fuzzer
  corpus=$out/$target.corpus
  kept=$top/test/fuzz/corpus/$target
  mkdir -p "$corpus" "$kept"
  [ "$target" != fuzz_image ] || "$out/seeds" "$corpus"
  echo "$target for $seconds s"
  "$out/$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 \
    -max_len=4096 -print_final_stats=1 \
    -artifact_prefix="$out/findings/$target-" "$corpus" "$kept" \
    >"$out/$target.log" 2>&1 || status=$?
  grep -E '^stat::number_of_executed_units|^SUMMARY|^==[0-9]+==' "$out/$target.log" || true
  tail -n 1 "$out/$target.log" | cut -c 1-200
  if [ "$status" != 0 ]; then
    echo "FOUND something: see $out/$target.log and $out/findings" >&2
    exit 1
  fi
  if [ -n "${MERGE:-}" ]; then
    rm -rf "$out/$target.merged"
    mkdir -p "$out/$target.merged"
    "$out/$target" -merge=1 "$out/$target.merged" "$kept" "$corpus" \
      >>"$out/$target.log" 2>&1
    rm -rf "$kept"
    mv "$out/$target.merged" "$kept"
  fi
done
