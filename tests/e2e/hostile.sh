#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bad input: hostile arguments and names, a bomb of short processes, a full disk.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tracer up --port 0 >/dev/null

# --- arguments
cat >"$work/hostile.py" <<'PYTHON'
import ctypes, os
true = b"/bin/true"
def spawn(*arguments):
    os.waitpid(os.posix_spawn(true, [true, *arguments], {}), 0)
spawn(b"new\nline", b"\xff\xfe invalid", b"", b"tab\t\x1b[2J")
spawn(b"x" * 100_000)
spawn(b"--password", b"hunter2", b"--token=abc", b"https://user:pw@host/x")
ctypes.CDLL(None).prctl(15, b"</script>\n\xff", 0, 0, 0)  # PR_SET_NAME
spawn(b"renamed")
PYTHON
tracer run --name hostile -- python3 "$work/hostile.py"
wait_for "the run has settled" run_settled hostile succeeded 5
tracer report hostile --json >"$work/report"
expect "newlines, invalid UTF-8, empty ones: argument for argument" \
	'any(.processes[]; .argv == ["/bin/true", "new\nline", "\ufffd\ufffd invalid", "", "tab\t\u001b[2J"])' "$work/report"
expect "100 kB are cut at 32 KiB, and it is said how much is missing" \
	'any(.processes[]; (.argv[1] // "" | startswith("xxxx")) and (.argv[1] | length) < 32768 and (.argv[1] | length) > 32000 and
	.argv_missing_bytes > 67000)' "$work/report"
if grep -q 'hunter2\|token=abc\|user:pw' "$work/report"; then fault "a secret came through"; fi
expect "secrets are masked, their names are not" \
	'any(.processes[]; .argv == ["/bin/true", "--password", "***", "--token=***", "https://***@host/x"])' "$work/report"
expect "a process that renamed itself is what it was" 'any(.processes[]; .argv == ["/bin/true", "renamed"])' "$work/report"
tracer processes hostile >"$work/screen"
if grep -q $'\033' "$work/screen"; then fault "a name reached the terminal unescaped"; fi

# --- a bomb of short processes: more than the ring holds at a time
count=4000
if long; then count=20000; fi
tracer run --name bomb -- sh -c "seq $count | xargs -n 1 -P 8 /bin/true"
wait_for "the bomb has ended" run_is bomb succeeded
wait_for "all of it has arrived" delivered
wait_for "the bomb has settled" run_settled bomb succeeded $count
tracer report bomb --json >"$work/report"
expect "$count of $count" "[.processes[] | select(.argv[0] == \"/bin/true\")] | length == $count" "$work/report"
expect "nothing was lost" '.totals.lost_records == 0' "$work/report"
expect_no_twins "$work/report"
url=$(cat "$TRACER_DATA/lake.url")
tracer down >/dev/null

# --- a full disk under the spool, and no lake
mkdir "$work/small" && mount -t tmpfs -o size=3m tmpfs "$work/small"
tracer collect --lake "$url" --token-file "$TRACER_DATA/tokens/ingest" --state-folder "$work/small/agent" 2>"$work/agent.log" &
agent=$!
wait_for "the agent watches" test -S "$work/small/agent/control.sock"
agent_says() {
	curl -s -m 5 --unix-socket "$work/small/agent/control.sock" http://agent/status >"$work/status" && jq -e "$1" "$work/status"
}
tracer run --name full -- sh -c "until [ -e '$work/full' ]; do sleep 0.2; done; sleep 1000 & it=\$!; seq 1000 | xargs -n 1 /bin/true
	until [ -e '$work/free' ]; do sleep 0.2; done; /bin/true after; kill \$it; wait" &
full=$!
run_seen() { ls "$work/small/agent/begun/$full-"*; } # it keeps what a run was begun with
wait_for "the run is seen" run_seen
agent_says .batches >/dev/null
wait_for "its beginning is in the spool" agent_says ".batches > $(jq .batches "$work/status") + 2"
if cat /dev/zero >"$work/small/ballast" 2>/dev/null; then fault "the disk does not fill up"; fi
touch "$work/full"
wait_for "a full disk is a loss that is counted, and the agent goes on" agent_says '.losses.batches > 3'

# --- space again, and the lake
rm "$work/small/ballast"
tracer-lake --data-folder="$TRACER_DATA/lake" --tokens-folder="$TRACER_DATA/tokens" --url-file="$TRACER_DATA/lake.url" \
	--listen="${url#http://}" 2>"$work/lake.log" &
lake=$!
running_again() {
	tracer processes full --json | jq -e 'any(.processes[]; .argv == ["sleep", "1000"] and .status == "running")'
}
wait_for "a process that began while the disk was full is reported again" running_again
touch "$work/free"
wait "$full" || fault "the run on a full disk failed"
wait_for "the run has settled" run_settled full succeeded 3
wait_for "all is delivered" agent_says '.spool.entries == 0'
tracer report full --json >"$work/report"
expect_shape "$work/report" processes losses
expect "what came after the full disk is there" 'any(.processes[]; .argv == ["/bin/true", "after"])' "$work/report"
lost=$(jq .losses.batches "$work/status")
expect "what was lost reached the lake, each batch once" "[.losses[] | select(.what == \"batches\")] |
	all(.[]; .why | startswith(\"disk full: \")) and (map(.count) | add) == $lost" "$work/report"
tracer report full --full >"$work/screen"
grep -q '^! missing: .* batches records (disk full: ' "$work/screen" || fault "the report for people does not say what is missing"
kill -TERM $agent
wait_for "the agent stops" test ! -e "/proc/$agent"
wait $agent || fault "the agent ended with $?"
kill -TERM $lake
wait $lake || fault "the lake ended with $?"
