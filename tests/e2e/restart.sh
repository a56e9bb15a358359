#!/usr/bin/env bash
# Bad days: the agent killed amid a run, the lake killed amid a storm, the lake away for a while. Nothing acknowledged is lost,
# nothing is counted twice, what could not be seen is said.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tracer up --port 0 >/dev/null

# --- the agent is killed amid a run
tracer run --name survivor -- bash -c 'sleep 1.5; dd if=/dev/zero of=/dev/null bs=1000 count=777 status=none; sleep 5;
	dd if=/dev/zero of=/dev/null bs=1000 count=333 status=none; exit 0' &
runner=$!
sleep 3
kill -KILL "$(agent_pid)"
sleep 1
tracer up >/dev/null
wait $runner
wait_for 20 "the run has settled" run_settled survivor succeeded 4
tracer report survivor --json >"$work/report"
expect_no_twins "$work/report"
expect "one run, not two" '.run.status == "succeeded"' "$work/report"
[ "$(tracer runs --json | jq '[.runs[] | select(.name == "survivor")] | length')" = 1 ] || fault "the run is there twice"
expect "what ran before and after the kill is there with its bytes, once" '[.processes[] | select(.tool == "dd") |
	.write_chars_bytes] | sort == [333000, 777000]' "$work/report"
expect "the agent's absence is said" '[.losses[] | select(.what == "agent")] | length >= 1' "$work/report"

# --- the lake is killed amid ingest
# shellcheck disable=SC2016
tracer run --name storm -- bash -c 'for i in $(seq 600); do /bin/true; done' &
runner=$!
sleep 0.7
kill -KILL "$(lake_pid)"
wait $runner
sleep 1
tracer up >/dev/null
wait_for 40 "the storm has settled" run_settled storm succeeded 601
tracer report storm --json >"$work/report"
expect_no_twins "$work/report"
expect "each of the 600 is there" '[.processes[] | select(.argv[0] == "/bin/true" and .status == "succeeded")] | length == 600' \
	"$work/report"

# --- the lake is away for a while
wait_for 20 "all is delivered" delivered
kill -TERM "$(lake_pid)"
wait_for 10 "the lake has ended" test ! -e "/proc/$(lake_pid)"
tracer run --name later -- /bin/true
sleep 2
tracer up >/dev/null
wait_for 60 "what came while the lake was away is there" run_settled later succeeded 1
