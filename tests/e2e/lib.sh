# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the end-to-end tests share: a Tracer of their own (folder, port), expectations that say what they saw. Sourced.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${TRACER_BUILD:-$root/build/debug}
PATH=$build:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
work=$(mktemp -d "${TMPDIR:-/tmp}/tracer-e2e.XXXXXX")
chmod 711 "$work" # the lake, which is not root, passes it
# (TRACER_CLOUD: on a machine of a cloud a test has no other price, region and name than elsewhere.)
export TRACER_DATA=$work/data PATH LC_ALL=C.UTF-8 NO_COLOR=1 TRACER_CLOUD=off

# A test that has more to clean up than a Tracer defines clean_up_own STATUS, which fails where that fails.
clean_up() {
	local status=$? own
	set +e
	if declare -F clean_up_own >/dev/null; then clean_up_own "$status" || status=1; fi
	if [ "$status" != 0 ]; then
		tail -n 20 "$TRACER_DATA"/*.log >&2 2>/dev/null || echo "(no logs)" >&2
		tracer runs --json 2>/dev/null | jq -c '.runs[] | [.name, .pipeline, .engine, .status, .tasks, .command, .started_at, .ended_at]' |
			head -n 60 >&2
		[ ! -s "$work/settling" ] || jq -c '"processes of the run that was waited for:", (.processes | group_by(.status)[] |
			[.[0].status, length, ([.[].tool] | unique)])' "$work/settling" >&2
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
		echo "seen: $(jq -c '.run? // .' "$3" | cut -c1-2000)" >&2
		fault "$1 (not true: $2)"
	}
	echo "ok: $1"
}

# api PATH: what the lake answers, as JSON. (A report asks for everything, which costs the lake 2 s of CPU: what is asked again and
# again is asked for alone.)
api() {
	curl -fsS -H "Authorization: Bearer $(cat "$TRACER_DATA/tokens/read")" "${TRACER_LAKE:-$(cat "$TRACER_DATA/lake.url")}/api/v1$1"
}
# Seconds that a test waits for a condition before it fails: many times what a loaded machine needs.
deadline=180
# wait_for WHAT COMMAND…: until the command succeeds. Between two tries it sleeps for four times the time that the try took: the tests
# share the CPUs, and a list of runs costs the lake a quarter of a second of CPU time.
wait_for() {
	local until=$((SECONDS + deadline)) what=$1 began
	shift
	while began=${EPOCHREALTIME/./} && ! "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$until" ] || fault "waited $deadline s for: $what"
		rest "$began"
	done
}
# soon WHAT COMMAND…: as wait_for, of what costs next to nothing to ask.
soon() {
	local until=$((SECONDS + deadline)) what=$1
	shift
	while ! "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$until" ] || fault "waited $deadline s for: $what"
		sleep 0.2
	done
}
# rest MICROSECONDS: sleeps for four times the time since that instant, at least 1.5 s, at most 10 s.
rest() {
	local us=$((4 * (${EPOCHREALTIME/./} - $1)))
	us=$((us < 1500000 ? 1500000 : us > 10000000 ? 10000000 : us))
	sleep "$((us / 1000000)).$(printf %06d $((us % 1000000)))"
}
# Whether the long form of the tests runs (scripts/test.sh --all).
long() { [ -n "${TRACER_LONG:-}" ]; }

# run_is RUN STATUS: the list of runs says so; RUN is a name or an id.
run_is() {
	tracer runs --json | jq -e --arg run "$1" --arg status "$2" 'any(.runs[]; (.name == $run or .id == $run) and .status == $status)'
}
# run_settled RUN STATUS COUNT: it has that status and at least COUNT processes, none still running. (The list of runs is asked
# first: all processes of a run cost the lake more.)
run_settled() {
	run_is "$1" "$2" && tracer processes "$1" --json >"$work/settling" &&
		jq -e --argjson count "$3" '(.processes | length) >= $count and all(.processes[]; .status != "running")' "$work/settling"
}
# wait_final RUN: everything about the run has arrived: what the agent has is delivered, and twice the same is known. (The kernel
# counts on while it tears a process down, so that an exit may be followed by a correction.)
wait_final() {
	wait_for "all about $1 is delivered" delivered
	: >"$work/final.before"
	wait_for "what is known of $1 no longer changes" facts_repeat "$1"
}
facts_repeat() {
	local status=0
	{ tracer processes "$1" --json && tracer events "$1" --json; } >"$work/final.now" || [ $? = 3 ] # 3: no event
	cmp -s "$work/final.now" "$work/final.before" || status=1
	mv "$work/final.now" "$work/final.before"
	[ "$status" = 0 ] || sleep 1.5 # more than an agent keeps a batch
	return "$status"
}
agent_pid() { cut -d' ' -f1 "$TRACER_DATA/agent.pid"; }
lake_pid() { cut -d' ' -f1 "$TRACER_DATA/lake.pid"; }
# Everything that the agent has spooled is acknowledged.
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
# expect_rows RUN TABLE: run, steps and tasks become those of expected/TABLE.txt, no fewer, no more, with at least its tools.
expect_rows() {
	local until=$((SECONDS + deadline)) began
	while began=${EPOCHREALTIME/./} && ! rows_equal "$1" "$2" >"$work/difference"; do
		[ "$SECONDS" -lt "$until" ] || fault "$1: not the rows of expected/$2.txt after $deadline s: $(cat "$work/difference")"
		rest "$began"
	done
	echo "ok: $1: $(wc -l <"$work/wanted") rows as in expected/$2.txt"
}
# rows_equal RUN TABLE: prints how they differ, and fails where they do.
rows_equal() {
	{ api "/runs/$1" && api "/runs/$1/tasks?limit=1000" && api "/runs/$1/tools?all=true"; } | jq -s add |
		jq -r -f "$root/tests/e2e/report_rows.jq" | sort >"$work/rows"
	grep -v '^#' "$root/tests/e2e/expected/$2.txt" | sort >"$work/wanted"
	diff <(grep -v '^tool ' "$work/wanted") <(grep -v '^tool ' "$work/rows") || return 1
	grep '^tool ' "$work/wanted" | comm -23 - "$work/rows" >"$work/missing" || true
	[ ! -s "$work/missing" ] || { echo "tools that are missing: $(cat "$work/missing")"; return 1; }
}
# own_memory_cgroup: the folder of this shell's memory cgroup, in whichever hierarchy has the memory controller.
own_memory_cgroup() {
	local memory=/sys/fs/cgroup own
	if [ -e $memory/memory/memory.limit_in_bytes ]; then memory=$memory/memory; fi
	own=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)
	if [ "$memory" = /sys/fs/cgroup ]; then own=$(sed -n 's/^0:://p' /proc/self/cgroup); fi
	echo "$memory${own%/}"
}
# apart COMMAND…: as a scheduler starts it, with none of this test's shells above it: it begins once setsid is gone, by which it
# would be the test's own.
apart() {
	# shellcheck disable=SC2016
	setsid --fork sh -c 'while read -r name 2>/dev/null <"/proc/$PPID/comm" && [ "$name" = setsid ]; do :; done; exec "$@"' \
		apart "$@" >>"$work/apart.log" 2>&1
}
# limit_memory CGROUP BYTES
limit_memory() {
	if [ -e "$1/memory.max" ]; then
		echo "$2" >"$1/memory.max"
	else
		echo "$2" >"$1/memory.limit_in_bytes"
	fi
}
