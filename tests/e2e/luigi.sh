#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Luigi: what its tasks start is the same with one worker and with three, each in a process of its own; its central scheduler
# is no run; an agent that starts later finds a run that goes on.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

clean_up_own() {
	local own
	for own in "${scheduler:-}" "${older:-}"; do
		if [ -n "$own" ] && [ -e "/proc/$own" ]; then kill -KILL "$own"; fi
	done
}

# run_in FOLDER: Luigi's run there.
run_in() {
	local run
	for run in $(tracer runs --json | jq -r '.runs[] | select(.engine == "luigi").id'); do
		if [ "$(api "/runs/$run" | jq -r .run.cwd)" = "$1" ]; then
			echo "$run"
			return
		fi
	done
	fault "no run of luigi in $1: $(tracer runs)"
}

# A run that is older than the agent: its task waits for a file.
mkdir -p "$work/old/opt/gzip-9.1/bin"
cp /usr/bin/gzip "$work/old/opt/gzip-9.1/bin/"
cp "$root/tests/e2e/luigi/older.py" "$work/old/"
(cd "$work/old" && PYTHONPATH=. exec "$root/build/luigi/bin/luigi" --module older Wait --local-scheduler >older.log 2>&1) &
older=$!
wait_for "the run that is older waits" test -e "$work/old/waits"

tracer up --port 0 >/dev/null
"$root/build/luigi/bin/luigid" --port 0 --unix-socket "$work/luigid.sock" >"$work/luigid.log" 2>&1 &
scheduler=$!
for workers in 1 3; do
	mkdir "$work/$workers"
	cp "$root"/tests/e2e/luigi/{flow.py,luigi.cfg} "$work/$workers/"
	cd "$work/$workers"
	PYTHONPATH=. "$root/build/luigi/bin/luigi" --module flow All --local-scheduler --workers "$workers" >luigi.log 2>&1 ||
		fault "luigi: $(tail luigi.log)"
done
touch "$work/old/go"
wait "$older" || fault "the older run: $(tail "$work/old/older.log")"
echo "ok: luigid is still there: $(tr '\0' ' ' <"/proc/$scheduler/cmdline")"

for workers in 1 3; do
	run=$(run_in "$work/$workers")
	wait_for "the run of $workers workers has settled" run_settled "$run" succeeded 15
	expect_rows "$run" luigi
done
run=$(run_in "$work/old")
wait_for "the older run has settled" run_settled "$run" succeeded 2
expect_rows "$run" luigi_older
tracer report "$run" --json >"$work/older.json"
expect "a tool has the version of its folder" '[.tools[] | select(.versions != []) | [.name, .versions]] == [["gzip", ["9.1"]]]' \
	"$work/older.json"
tracer runs --json >"$work/runs.json"
expect "the central scheduler is no run" 'all(.runs[]; .pipeline != "luigid") and ([.runs[] | select(.engine == "luigi")] | length) == 3' \
	"$work/runs.json"
