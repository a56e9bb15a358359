#!/usr/bin/env bash
# How exact the recorded figures are: a driver does known things in COUNT processes, and what Tracer recorded is held
# against what the driver did and what wait4() says. Prints a table; exit 1 when a row misses its bar.
#
#     sudo bench/exact.sh [COUNT]        default 2000
#
# TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

count=${1:-2000}
need_root
install_packages build demo
build=${TRACER_BUILD:-$root/build/release}
[ -x "$build/tracer" ] || { step "fetch DuckDB" "$root/scripts/fetch-duckdb.sh"; build release tracer tracer-lake; }

work=$(mktemp -d)
export TRACER_DATA=$work/data PATH=$build:$PATH
trap 'tracer down >/dev/null; rm -rf "$work"' EXIT
mkdir "$work/scratch"
gcc -O2 -static -pthread -o "$work/exact_driver" "$root/bench/exact_driver.c"

tracer up --port 0 >/dev/null
tracer run --name exact -- "$work/exact_driver" "$count" "$work/scratch" >"$work/truth.tsv"
for _ in $(seq 60); do
	[ "$(tracer report exact --json | jq -r .run.status)" = running ] || break
	sleep 0.5
done
sleep 3 # what the kernel counts while it tears processes down comes a little later
tracer report exact --json >"$work/report.json"
"$root/bench/exact.py" "$work/truth.tsv" "$work/report.json"
