#!/usr/bin/env bash
# Tracer in two minutes: installs what is missing, builds, starts Tracer, runs a real pipeline, prints its report, and
# leaves the dashboard up.
#
#     sudo scripts/demo.sh [--stop-after] [--port N]
#
# --stop-after  stop Tracer at the end (the recorded data stays in build/demo/data)
# --port N      the dashboard's port (default 8717)
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

stop_after=
port=8717
while [ $# -gt 0 ]; do
	case $1 in
	--stop-after) stop_after=1 ;;
	--port) port=${2:?--port needs a number}; shift ;;
	-h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
	*) fail "unknown option '$1'. See: $0 --help" ;;
	esac
	shift
done

need_root
install_packages build demo
step "fetch DuckDB" "$root/scripts/fetch-duckdb.sh"
build release tracer tracer-lake tracer-gpu

work=$root/build/demo
export TRACER_DATA=$work/data PATH=$root/build/release:$PATH
mkdir -p "$work"
[ -z "$stop_after" ] || trap 'tracer down >/dev/null' EXIT

say "starting Tracer"
# A price makes the cost visible on a machine that no cloud bills: 2 vCPU at what an m5.large costs in us-east-1.
tracer up --port "$port" --price-usd-hour 0.096

started=$(date -u +%Y-%m-%dT%H:%M:%S)
rm -rf "$work/pipeline" && mkdir -p "$work/pipeline"
# Snakemake alone: nothing tells it of Tracer.
(cd "$work/pipeline" && step "run the pipeline (about a minute)" \
	snakemake --snakefile "$root/demo/Snakefile" --cores 2)

# The run by its pipeline and start: something else may have run on this machine, and this folder may hold an earlier demo.
# The agent delivers within seconds.
for _ in $(seq 60); do
	run=$(tracer runs --json | jq -r --arg started "$started" '[.runs[] | select(.pipeline == "demo" and
		.started_at >= $started and .status != "running")][0].id // empty')
	[ -z "$run" ] || break
	sleep 0.5
done
[ -n "$run" ] || fail "the run was not recorded: see 'tracer status' and the logs in $TRACER_DATA"
echo
tracer report "$run"
echo
if [ -n "$stop_after" ]; then
	say "stopping Tracer (--stop-after); the data stays in $TRACER_DATA"
else
	tracer up # prints a fresh link
	echo "Stop it with: sudo env TRACER_DATA=$TRACER_DATA $root/build/release/tracer down"
fi
