#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tracer in two minutes: installs what is missing, builds, starts Tracer, runs a real pipeline, prints its report, and
# leaves the dashboard up. Where the kernel gives no eBPF (not root, a container without privileges, lockdown) it shows a run
# that was recorded, says so, and needs no root unless packages are missing.
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
	-h | --help) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
	*) fail "unknown option '$1'. See: $0 --help" ;;
	esac
	shift
done

# Programs that are built already may lie elsewhere, as may what the demo writes.
build=${TRACER_BUILD:-}
work=${TRACER_DEMO_FOLDER:-$root/build/demo}

# prepare LIST…: packages, then the programs, where they are not built already.
prepare() {
	[ -z "$build" ] || return 0
	install_packages "$@"
	step "fetch DuckDB" "$root/scripts/fetch-duckdb.sh"
	build release tracer tracer-lake tracer-gpu
	build=$root/build/release
}

# begin: the programs and the data folder of the demo.
begin() {
	export TRACER_DATA=$work/data PATH=$build:$PATH
	mkdir -p "$work"
	[ -z "$stop_after" ] || trap 'tracer down >/dev/null' EXIT
}

# finish STOP: how to stop what is left running.
finish() {
	if [ -n "$stop_after" ]; then
		say "stopping Tracer (--stop-after); the data stays in $TRACER_DATA"
	else
		"${@:2}" # prints a fresh link
		echo "Stop it with: $1 TRACER_DATA=$TRACER_DATA $build/tracer down"
	fi
}

# Where the kernel gives no eBPF: a run that was recorded elsewhere.
show_recorded() {
	echo "eBPF cannot be used here: $reason. What follows is a RECORDED run, nothing of this machine."
	prepare build
	begin
	tracer up --replay --port "$port"
	echo
	tracer report
	echo
	finish env true
	echo "This was a RECORDED run, because eBPF cannot be used here: $reason."
}

reason=$(ebpf_missing) || true
if [ -n "$reason" ]; then
	show_recorded
	exit
fi

prepare build demo
begin
say "starting Tracer"
# A price makes the cost visible on a machine that no cloud bills: 2 vCPU at what an m5.large costs in us-east-1.
tracer up --port "$port" --price-usd-hour 0.096

started=$(date -u +%Y-%m-%dT%H:%M:%S)
rm -rf "$work/pipeline" && mkdir -p "$work/pipeline"
# Snakemake alone: it knows nothing of Tracer.
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
finish "sudo env" tracer up
