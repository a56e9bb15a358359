# shellcheck shell=bash
# What the end-to-end tests share: a Tracer of their own (folder, port), expectations that say what they saw. Sourced.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${TRACER_BUILD:-$root/build/debug}
PATH=$build:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
work=$(mktemp -d "${TMPDIR:-/tmp}/tracer-e2e.XXXXXX")
export TRACER_DATA=$work/data PATH LC_ALL=C.UTF-8 NO_COLOR=1

clean_up() {
	local status=$? own
	if [ "$status" != 0 ]; then
		tail -n 20 "$TRACER_DATA"/*.log >&2 2>/dev/null || echo "(no logs)" >&2
	fi
	for own in "${agent:-}" "${lake:-}"; do
		if [ -n "$own" ] && [ -e "/proc/$own" ]; then kill -KILL "$own"; fi
		wait "$own" 2>/dev/null || true
	done
	tracer down >/dev/null 2>&1 || echo "tracer down failed" >&2
	if mountpoint -q "$work/small"; then umount "$work/small"; fi
	rm -rf "$work"
	exit "$status"
}
trap clean_up EXIT

fault() {
	echo "FAULT: $*" >&2
	exit 1
}

# expect WHAT JQ-FILTER FILE: the filter must give true.
expect() {
	jq -e "$2" "$3" >/dev/null || {
		echo "seen: $(jq -c '.run // .' "$3" | cut -c1-2000)" >&2
		fault "$1 (not true: $2)"
	}
	echo "ok: $1"
}

# wait_for SECONDS WHAT COMMAND…: until the command succeeds.
wait_for() {
	local until=$((SECONDS + $1)) seconds=$1 what=$2
	shift 2
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$until" ] || fault "not within $seconds s: $what"
		sleep 0.5
	done
}

run_is() { [ "$(tracer report "$1" --json | jq -r .run.status)" = "$2" ]; }
# run_ended RUN STATUS: as run_is, of a run whose report is long.
run_ended() {
	tracer runs --json | jq -e --arg name "$1" --arg status "$2" 'any(.runs[]; .name == $name and .status == $status)'
}
# run_settled RUN STATUS COUNT: it has that status and at least COUNT processes, none still running.
run_settled() {
	tracer report "$1" --json | jq -e --arg status "$2" --argjson count "$3" '.run.status == $status and
		(.processes | length) >= $count and all(.processes[]; .status != "running")'
}
agent_pid() { cut -d' ' -f1 "$TRACER_DATA/agent.pid"; }
lake_pid() { cut -d' ' -f1 "$TRACER_DATA/lake.pid"; }
# wait_delivered: everything the agent has spooled is acknowledged.
delivered() { tracer status --json | jq -e '.agent.spool.entries == 0'; }
# No process of a run twice.
expect_no_twins() {
	expect "no process is there twice" \
		'[.processes[] | [.pid, .start_ns, .image_seq]] | length == (unique | length)' "$1"
}
# expect_shape FILE LIST…: the report is as report_shape.txt has it, and these of its lists are not empty.
expect_shape() {
	local report=$1 here=$root/tests/e2e faults
	shift
	faults=$(jq -r --rawfile shape "$here/report_shape.txt" --argjson filled "$(printf '%s\n' "$@" | jq -R . | jq -s .)" \
		--argjson figures "$(sed -nE 's/^\tF\(([a-z_]+), [A-Z]+\).*/\1/p' "$root/src/signal/figures.h" | jq -R . | jq -s .)" \
		-f "$here/report_shape.jq" "$report") || fault "the shape of the report could not be checked"
	[ -z "$faults" ] || fault "the report has another shape than report_shape.txt: $(head -n 20 <<<"$faults")"
	echo "ok: the report has the shape that is promised: $*"
}
