#!/usr/bin/env bash
# Time from nothing to the first row: medians of several runs in turn, each a process of its own, of
# bin/loam and of a program with the driver jar alone. Both jars must be built.
# Usage: bench/first-row.sh [<runs>] [<other home>]   The other home, of another build, takes turns.
set -euo pipefail

runs=${1:-7}
homes=("$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)")
[[ $# -lt 2 ]] || homes+=("$(cd "$2" && pwd)")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sql="SELECT * FROM docs WHERE id = 1"

# Appends wall, user and system seconds to a file. Usage: timed <name> <command>...
timed() {
  local name=$1
  shift
  TIMEFORMAT='%R %U %S'
  { time "$@" >/dev/null 2>&1; } 2>>"$work/$name"
}

program() {
  java -XX:+UseSerialGC -cp "$1/bench/target/classes:$(echo "$1"/loam-jdbc/target/loam-jdbc-*-all.jar)" \
    io.loam.bench.FirstRow "jdbc:loam:$work/warehouse" "$sql"
}

"${homes[0]}/bin/loam" sql "$work/warehouse" \
  -e "CREATE TABLE docs (id BIGINT PRIMARY KEY, body TEXT, lang VARCHAR, embedding VECTOR(2))" \
  -e "INSERT INTO docs VALUES (1, 'a wing', 'en', '[1,0]')" >/dev/null 2>&1

for ((run = 0; run <= runs; run++)); do
  for home in "${!homes[@]}"; do
    # The first run of each makes the class archive and warms the disk.
    kind=$([[ $run -eq 0 ]] && echo warm || echo timed)
    # A cache folder of its own, since making one build's class archive removes the other's.
    XDG_CACHE_HOME=$work/cache-$home timed "$kind-shell-$home" "${homes[$home]}/bin/loam" sql "$work/warehouse" -e "$sql"
    timed "$kind-program-$home" program "${homes[$home]}"
  done
done

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

for home in "${!homes[@]}"; do
  for kind in shell program; do
    wall=$(awk '{ print $1 }' "$work/timed-$kind-$home" | median)
    cpu=$(awk '{ print $2 + $3 }' "$work/timed-$kind-$home" | median)
    printf '%-8s %s: wall %.2f s, processor %.2f s (medians of %d)\n' "$kind" "${homes[$home]}" "$wall" "$cpu" "$runs"
  done
done
