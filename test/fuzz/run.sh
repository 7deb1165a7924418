#!/bin/bash
# Builds and runs the fuzz targets, each for a while, with clang's libFuzzer
# under the address and undefined sanitizers.  Two of them fuzz the core, the
# other two the text and binary form of a value, which are the glue's: they want
# the server's headers and libraries (PG_CONFIG) and are skipped without.
#
#   test/fuzz/run.sh [SECONDS] [TARGET...]      (make fuzz SECONDS=600)
#
# Ends with another status than 0 on a finding; the input is then kept in
# build/fuzz/findings, and  build/fuzz/TARGET FILE  runs it again.  What widened
# coverage is kept in build/fuzz/TARGET.corpus;  MERGE=1  writes what of its short
# inputs is needed to cover as much back to test/fuzz/corpus.  Images are not kept
# there, since they are of one format: seeds.c makes them.
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
[ $# -gt 0 ] || targets=(fuzz_image fuzz_match fuzz_text fuzz_recv)

clang=$(command -v clang || ls /usr/bin/clang-[0-9]* 2>/dev/null | head -n 1 || true)
if [ -z "$clang" ] || ! echo 'int LLVMFuzzerTestOneInput(void){return 0;}' |
  "$clang" -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null; then
  echo "skipped: there is no clang with libFuzzer" >&2
  exit 0
fi

out=$top/build/fuzz
mkdir -p "$out/findings"
flags=(-g -O1 -fno-omit-frame-pointer -Wall -Wextra -Werror
  -fsanitize=address,undefined -fno-sanitize-recover=all
  -I"$top/src/core" -I"$top/test/unit")
core=("$top"/src/core/*.c)
for helper in "$top"/test/unit/*.c; do
  case ${helper##*/} in test_*) ;; *) core+=("$helper") ;; esac
done
glue=("$top"/src/core/*.c "$top/test/fuzz/server.c")
for part in text rules type host; do
  glue+=("$top/src/pg/ac_$part.c")
done
pg_config=${PG_CONFIG:-pg_config}
libraries=$("$pg_config" --pkglibdir 2>/dev/null || true)

# compile NAME "FLAG..." SOURCE... -- LIBRARY...: side by side, into $out/NAME.
compile() {
  local name=$1 more source sources=() objects=()
  read -r -a more <<<"$2"
  shift 2
  for source; do
    shift
    [ "$source" != -- ] || break
    sources+=("$source")
    objects+=("$out/$name.o/$(basename "$source" .c).o")
  done
  mkdir -p "$out/$name.o"
  for source in "${sources[@]}"; do
    printf '%s\0' "$clang" "${flags[@]}" "${more[@]}" -c -o \
      "$out/$name.o/$(basename "$source" .c).o" "$source"
  done | xargs -0 -n $((${#flags[@]} + ${#more[@]} + 5)) -P "$(nproc)" env
  "$clang" "${flags[@]}" "${more[@]}" -o "$out/$name" "${objects[@]}" "$@" -lcrypto
}

build() {
  case $1 in
    fuzz_text | fuzz_recv)
      compile "$1" "-std=gnu11 -D_GNU_SOURCE -I$top/src/pg -isystem \
        $("$pg_config" --includedir-server) ${2:-}" "$top/test/fuzz/$1.c" "${glue[@]}" -- \
        "$libraries/libpgcommon.a" "$libraries/libpgport.a"
      ;;
    *) compile "$1" "-std=c11 ${2:-}" "$top/test/fuzz/$1.c" "${core[@]}" -- ;;
  esac
}

build seeds
status=0
for target in "${targets[@]}"; do
  case $target in
    fuzz_text | fuzz_recv)
      [ -e "$libraries/libpgcommon.a" ] ||
        { echo "$target skipped: there are no libraries of a server" >&2; continue; }
      ;;
  esac
  build "$target" -fsanitize=fuzzer
  corpus=$out/$target.corpus
  kept=$top/test/fuzz/corpus/$target
  mkdir -p "$corpus"
  [ -d "$kept" ] || kept=$corpus
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
  if [ -n "${MERGE:-}" ] && [ "$target" != fuzz_image ]; then
    kept=$top/test/fuzz/corpus/$target
    rm -rf "$out/$target.short" "$kept"
    mkdir -p "$out/$target.short" "$kept"
    find "$corpus" -size -64c -exec cp {} "$out/$target.short" \;
    "$out/$target" -merge=1 "$kept" "$out/$target.short" >>"$out/$target.log" 2>&1
  fi
done
