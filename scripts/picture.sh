#!/usr/bin/env bash
# picture.sh [--check]: draws doc/automaton.svg, the README's picture, with
# ac_dot() on the server that PGHOST leads to and Graphviz.  --check only counts
# what Graphviz has drawn: states, edges, failure links.
set -euo pipefail

rules='{he,she,his,hers}'
top=$(cd "$(dirname "$0")/.." && pwd)
query() { psql -XAtq -v ON_ERROR_STOP=1 -c "$1"; }

query 'CREATE EXTENSION IF NOT EXISTS ac' 2>/dev/null
states=$(query "SELECT states FROM ac_info('$rules')")
svg=$(query "SELECT ac_dot('$rules')" | dot -Tsvg)
nodes=$(grep -c 'class="node"' <<<"$svg")
edges=$(grep -c 'class="edge"' <<<"$svg")
dashed=$(grep -c 'stroke-dasharray' <<<"$svg")

echo "states $states, drawn $nodes; edges $edges, of which dashed $dashed"
# Each state but the root has an edge that leads to it, and a failure link.
if [ "$nodes" = "$states" ] && [ "$dashed" = $((states - 1)) ] && [ "$edges" = $((2 * (states - 1))) ]; then
  [ "${1:-}" = --check ] || printf '%s\n' "$svg" >"$top/doc/automaton.svg"
  echo "1 passed, 0 failed"
else
  echo "0 passed, 1 failed"
  exit 1
fi
