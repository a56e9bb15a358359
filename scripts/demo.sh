#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tracer in two minutes: installs missing packages, builds, starts Tracer, runs a real pipeline, prints its report, and leaves
# the dashboard running. Where eBPF cannot be used (not root, a container without privileges, lockdown) it shows a recorded run,
# says so, and needs no root unless packages are missing.
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

# The folder of built programs, and the folder that the demo writes to.
build=${TRACER_BUILD:-}
work=${TRACER_DEMO_FOLDER:-$root/build/demo}

# prepare LIST…: installs packages and builds the programs, unless TRACER_BUILD names built ones.
prepare() {
	[ -z "$build" ] || return 0
	install_packages "$@"
	fetch_libraries
	build release tracer tracer-lake tracer-gpu
	build=$root/build/release
}

# begin: sets the environment of the demo: the programs and the data folder.
begin() {
	export TRACER_DATA=$work/data PATH=$build:$PATH
	mkdir -p "$work"
	[ -z "$stop_after" ] || trap 'tracer down >/dev/null' EXIT
}

# finish ENV COMMAND…: stops Tracer (--stop-after), or runs COMMAND and prints how to stop Tracer; ENV is "env" or "sudo env".
finish() {
	if [ -n "$stop_after" ]; then
		say "stopping Tracer (--stop-after); the data stays in $TRACER_DATA"
	else
		"${@:2}" # prints a fresh link
		echo "Stop it with: $1 TRACER_DATA=$TRACER_DATA $build/tracer down"
	fi
}

# Where eBPF cannot be used: a run that was recorded on another machine.
show_recorded() {
	echo "eBPF cannot be used here: $reason. What follows is a RECORDED run, not of this machine."
	prepare build
	begin
	tracer up --replay --port "$port"
	echo
	tracer report
	echo
	tracer cost --by step --run latest
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
# A price, so that there are costs on a machine outside a cloud: that of an m5.large (2 vCPU) in us-east-1.
tracer up --port "$port" --price-usd-hour 0.096

started=$(date -u +%Y-%m-%dT%H:%M:%S)
rm -rf "$work/pipeline" && mkdir -p "$work/pipeline"
# Plain Snakemake, without any setting for Tracer.
(cd "$work/pipeline" && step "run the pipeline (about a minute)" \
	snakemake --snakefile "$root/demo/Snakefile" --cores 2)

# Finds the run by its pipeline and start: other runs can be on this machine, and an earlier demo in this folder. The agent delivers
# within seconds.
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
say "what each step cost"
tracer cost --by step --run "$run"
echo
finish "sudo env" tracer up
