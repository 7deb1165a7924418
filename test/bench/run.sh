#!/usr/bin/env bash
# run.sh [WORDLIST]: the benchmark: speed and size against other engines.
#
# Installs the Debian packages of the other engines, builds everything into
# build/bench, measures, and leaves there RESULTS.md and three plots (size.svg,
# count.svg, texts.svg).  WORDLIST, one pattern a line, is the set "list";
# without it, its like is drawn from modsecurity-crs.
#
#	QUICK=1			a few minutes: shorter texts, fewer rows, no million patterns
#	PHASES="core"	only the core against other engines; "sql": only in SQL

. "$(dirname "$0")/../../scripts/lib.sh"

here=$top/test/bench
work=$top/build/bench
obj=$work/obj
quick=${QUICK:-}
phases=${PHASES:-core sql}
list=${1:-}
[ -z "$list" ] || list=$(realpath "$list")
mkdir -p "$obj"

# ---- the other engines ----

installable() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }

# Rust's aho-corasick: 1.1 has a kind of automaton (the contiguous NFA) that
# 0.7 has not.  Where this Debian has only the old one, the sources of the next
# release are fetched by apt, with lists of its own.
rust_sources() {
  local registry=/usr/share/cargo/registry next=$work/next uri options key
  compgen -G "$registry/aho-corasick-1.*" >/dev/null && { echo "$registry"; return; }
  if ! compgen -G "$next/x/$registry/aho-corasick-1.*" >/dev/null; then
    mkdir -p "$next"/{lists/partial,cache/archives/partial,parts}
    uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
      'Origin: Debian' 'Component: main' 'Codename: bookworm' | head -n 1)
    key=/usr/share/keyrings/debian-archive-keyring.gpg
    [ ! -e "$key" ] || key="[signed-by=$key]"
    echo "deb $key $uri trixie main" >"$next/parts/next.list"
    options=(-q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$next/parts"
      -o "Dir::State::lists=$next/lists" -o "Dir::Cache=$next/cache" -o APT::Sandbox::User=root)
    (cd "$next" && apt-get "${options[@]}" update &&
      apt-get "${options[@]}" download librust-aho-corasick-dev librust-memchr-dev &&
      for deb in *.deb; do dpkg-deb -x "$deb" x; done) >"$next/log" 2>&1 || true
    rm -rf "$next/lists" "$next/cache"
  fi
  if compgen -G "$next/x/$registry/aho-corasick-1.*" >/dev/null; then
    echo "$next/x$registry"
  else
    echo "$registry"
  fi
}

# build_rust: makes the static library, or leaves without; never by network.
build_rust() {
  local sources
  sources=$(rust_sources)
  rust_version=$(basename "$(compgen -G "$sources/aho-corasick-*" | head -n 1)" | sed 's/.*-//')
  rm -rf "$obj/rust"
  cp -r "$here/rust" "$obj/rust"
  mkdir -p "$obj/cargo"
  cat >"$obj/cargo/config" <<TOML
[source.crates-io]
replace-with = "debian"
[source.debian]
directory = "$sources"
[net]
offline = true
TOML
  say "building Rust's aho-corasick $rust_version"
  (cd "$obj/rust" && PATH=/usr/bin:/bin CARGO_HOME=$obj/cargo CARGO_TARGET_DIR=$obj/target \
    cargo build --release --offline $([[ $rust_version != 0.* ]] || echo --features old)) \
    >"$work/rust.log" 2>&1 || { say "Rust's library is left out: see build/bench/rust.log"; return 1; }
}

peers() {
  install_packages gcc g++ libc6-dev binutils libssl-dev perl wamerican gnuplot-nox
  flags=()
  libraries=(-lcrypto -lpthread -ldl -lm)
  rust_version=
  ! installable libhyperscan-dev || install_packages libhyperscan-dev
  [ ! -e /usr/include/hs/hs.h ] || { flags+=(-DWITH_HYPERSCAN); libraries+=(-lhs); }
  ! installable libre2-dev || install_packages libre2-dev
  [ ! -e /usr/include/re2/set.h ] || { flags+=(-DWITH_RE2); libraries+=(-lre2); }
  if installable cargo && installable librust-aho-corasick-dev; then
    install_packages cargo librust-aho-corasick-dev
    ! build_rust || { flags+=(-DWITH_RUST); libraries+=("$obj/target/release/libac_bench_rust.a"); }
  fi
}

# ---- building ----

cc=(gcc -std=gnu11 -O3 -Wall -Wextra -I"$top/src/core")

# variant NAME SUFFIX FLAG...: one build of the core behind peer_NAME().
variant() {
  local name=$1 suffix=$2 file objects=()
  shift 2
  mkdir -p "$obj/$name"
  for file in "$top"/src/core/*.c; do
    "${cc[@]}" "$@" -c "$file" -o "$obj/$name/$(basename "$file" .c).o"
    objects+=("$obj/$name/$(basename "$file" .c).o")
  done
  "${cc[@]}" "$@" -DVARIANT="\"$suffix\"" -c "$here/peer_ac.c" -o "$obj/$name/peer.o"
  [ ! -e "$obj/$name/ac_filter.o" ] ||
    objcopy --weaken-symbol=acore_filter_begin "$obj/$name/ac_filter.o"
  ld -r -o "$obj/$name.o" "${objects[@]}" "$obj/$name/peer.o"
  objcopy --keep-global-symbol="peer_$name" --redefine-sym "peer_ac=peer_$name" "$obj/$name.o"
}

build_core() {
  local name objects=()
  say "building"
  variant ac ""
  variant scalar ", scalar" -DAC_NO_SIMD
  variant plain ", no filter" -DNO_FILTER
  for name in bench_core text memory peer_nodes peer_hyperscan peer_rust; do
    case $name in
      peer_hyperscan) [[ " ${flags[*]-} " = *HYPERSCAN* ]] || continue ;;
      peer_rust) [[ " ${flags[*]-} " = *RUST* ]] || continue ;;
    esac
    "${cc[@]}" ${flags[@]+"${flags[@]}"} -c "$here/$name.c" -o "$obj/$name.o"
    objects+=("$obj/$name.o")
  done
  if [[ " ${flags[*]-} " = *RE2* ]]; then
    g++ -O3 -Wall -Wextra -c "$here/peer_re2.cc" -o "$obj/peer_re2.o"
    objects+=("$obj/peer_re2.o")
  fi
  g++ -o "$work/bench_core" "${objects[@]}" "$obj"/{ac,scalar,plain}.o "${libraries[@]}"
}

# ---- data ----

data() {
  local mark
  unpack_package modsecurity-crs "$work/crs"
  unpack_package fail2ban "$work/fail2ban"
  unpack_package fortunes "$work/fortunes"
  mark="$quick $list $(cat "$here/data.pl" ${list:+"$list"} | sha256sum)"
  [ "$(cat "$work/data/.made" 2>/dev/null)" != "$mark" ] || return 0
  say "making sets and texts"
  rm -rf "$work/data"
  perl "$here/data.pl" "$work/data" "$work/crs/usr/share/modsecurity-crs/rules" \
    "$work/fail2ban/usr/lib/python3/dist-packages/fail2ban/tests/files/logs" \
    "$work/fortunes/usr/share/games/fortunes" ${list:+"$list"}
  echo "$mark" >"$work/data/.made"
}

version_of() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo none; }

about() {
  local cpu
  cpu=$(sed -n 's/^model name[[:blank:]]*: //p' /proc/cpuinfo | head -n 1)
  printf '%s\t%s\n' \
    command "\`${quick:+QUICK=1 }bash test/bench/run.sh${list:+ WORDLIST}\`" \
    commit "$(git -C "$top" rev-parse --short HEAD 2>/dev/null || echo unknown)$(git -C "$top" diff --quiet HEAD -- src 2>/dev/null || echo ' with changes')" \
    machine "${cpu:-$(uname -m)}, $(nproc) cores, $(getconf LEVEL2_CACHE_SIZE 2>/dev/null | awk '{print $1 / 1024}') kB L2, $(grep -q -w avx2 /proc/cpuinfo && echo AVX2 || echo 'no AVX2')" \
    system "$(. /etc/os-release && echo "$PRETTY_NAME"), Linux $(uname -r), $(gcc --version | head -n 1)" \
    engines "Hyperscan $(version_of libhyperscan-dev), RE2 $(version_of libre2-dev), Rust aho-corasick ${rust_version:-none}" \
    list "$([ -n "$list" ] && echo "given, $(wc -l <"$work/data/sets/list") patterns" || echo 'drawn from modsecurity-crs')" \
    >"$work/about.tsv"
}

# ---- running ----

for phase in $phases; do
  case $phase in
    core)
      peers
      data
      build_core
      about
      say "measuring the engines"
      "$work/bench_core" "$work/data" ${quick:+quick} >"$work/core.tsv.new" 2>"$work/core.log" ||
        { tail -n 5 "$work/core.log" >&2; die "the benchmark failed"; }
      mv "$work/core.tsv.new" "$work/core.tsv"
      ;;
    sql)
      [ -e "$work/data/.made" ] || { peers; data; }
      bash "$here/sql.sh" "$work"
      ;;
    *) die "there is no phase \"$phase\"" ;;
  esac
done
[ -e "$work/core.tsv" ] || exit 0
perl "$here/report.pl" "$work"
(cd "$work" && gnuplot "$here/plots.gp")
say "build/bench/RESULTS.md and build/bench/*.svg"
