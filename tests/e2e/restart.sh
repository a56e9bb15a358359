#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bad days: the agent killed during a run, the lake killed during a storm, the lake away for a while. Nothing acknowledged is lost,
# nothing is counted twice, what could not be seen is said.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tracer up --port 0 --price-usd-hour 0.096 >/dev/null
[ "$(cut -d' ' -f19 /proc/"$(lake_pid)"/task/*/stat | sort -n | head -n 1)" -ge 5 ] || fault "a thread of the lake has the priority of pipelines"

# --- a run that is over before the agent is started again without a price
# shellcheck disable=SC2016
tracer run --name paid -- bash -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
wait_for "the paid run has settled" run_settled paid succeeded 1
wait_final paid
# On a full host a run pays in proportion to what the others hold, which is known better later: the price is the same, the amount nearly.
paid=$(api /runs/paid | jq .cost.used_usd)
paid_is() {
	jq -e --argjson paid "$paid" "$1 | . != null and \$paid > 0 and . > \$paid / 2 and . < \$paid * 2" "$2" >/dev/null ||
		fault "what paid used cost $paid, now: $(jq -c "$1" "$2")"
}

# --- the agent is killed during a run
# shellcheck disable=SC2016
tracer run --name survivor -- bash -c 'dd if=/dev/zero of=/dev/null bs=1000 count=777 status=none; until [ -e "$0" ]; do sleep 0.1; done
	dd if=/dev/zero of=/dev/null bs=1000 count=333 status=none; exit 0' "$work/back" &
runner=$!
wrote() { tracer processes survivor --json | jq -e 'any(.processes[]; .tool == "dd" and .write_chars_bytes == 777000)'; }
wait_for "what was written before is in the lake" wrote
kill -KILL "$(agent_pid)"
wait_for "the agent has gone" test ! -e "/proc/$(agent_pid)"
tracer up >/dev/null
touch "$work/back"
wait $runner
wait_for "the run has settled" run_settled survivor succeeded 4
tracer report survivor --json >"$work/report"
expect_no_twins "$work/report"
expect "one run, not two" '.run.status == "succeeded"' "$work/report"
[ "$(tracer runs --json | jq '[.runs[] | select(.name == "survivor")] | length')" = 1 ] || fault "the run is there twice"
expect "what ran before and after the kill is there with its bytes, once" '[.processes[] | select(.tool == "dd") |
	.write_chars_bytes] | sort == [333000, 777000]' "$work/report"
expect "the agent's absence is said" '[.losses[] | select(.what == "agent")] | length >= 1' "$work/report"
expect "what ran after a start without a price has no known cost" '.totals.cost_usd == null' "$work/report"
api /runs/paid >"$work/paid"
paid_is .cost.used_usd "$work/paid"
echo "ok: what was over when the agent was started without a price costs the same"

# --- the agent is killed three times and more, during births: one process writes 1,000 bytes again and again meanwhile (and ends where
# the test has failed and its folder is gone)
# shellcheck disable=SC2016
tracer run --name births -- bash -c 'block=$(printf "%01000d" 0)
	(while [ ! -e "$0" ] && [ -d "${0%/*}" ]; do /bin/true; sleep 0.02; done) &
	exec 3<> <(:); i=0; while { [ $i -lt 2000 ] || [ ! -e "$0.enough" ]; } && [ -d "${0%/*}" ]; do
		printf %s "$block"; i=$((i + 1)); [ $((i % 10)) != 0 ] || read -rt 0.02 -u 3; done >/dev/null
	expr $i >"$0.count"; touch "$0"; wait; while [ ! -e "$0.end" ] && [ -d "${0%/*}" ]; do sleep 0.1; done' "$work/written" &
runner=$!
grown() { # the run's sums, and whether they are no less than they were
	api /runs/births 2>/dev/null | jq -c '.totals | [.user_ns + .kernel_ns, .write_chars_bytes]' >"$work/now" || return 0
	[ ! -s "$work/now" ] || jq -se '.[0] as $before | .[1] | .[0] >= $before[0] and .[1] >= $before[1]' "$work/before" "$work/now" \
		>/dev/null || fault "sums of a run became less: $(cat "$work/before" "$work/now")"
	[ ! -s "$work/now" ] || cp "$work/now" "$work/before"
}
# What is born before the lake knows of it may be lost with the agent: each agent lives until the lake has births of its time.
births_seen() { api /runs/births | jq -e --argjson least $(((kills + 1) * 30)) '.totals.executions >= $least'; }
echo '[0, 0]' >"$work/before"
kills=0
while [ ! -e "$work/written" ]; do
	grown
	[ "$kills" = 3 ] || wait_for "births are seen after $kills kills" births_seen
	sleep 0.7
	grown
	kill -KILL "$(agent_pid)"
	[ -e "$work/written" ] || kills=$((kills + 1))
	[ "$kills" -lt 3 ] || touch "$work/written.enough"
	tracer up >/dev/null
done
touch "$work/written.end" # its end is seen: the agent is back
wait $runner
wait_for "the run has settled" run_settled births succeeded 90
grown
tracer report births --json >"$work/report"
expect_no_twins "$work/report"
expect "killed $kills times: what one process wrote all the time is exact" \
	"[.processes[].write_chars_bytes] | max == 1000 * $(cat "$work/written.count")" "$work/report"
expect "each absence is said" "[.losses[] | select(.what == \"agent\")] | length >= $kills and $kills >= 3" "$work/report"

# --- the lake is killed during ingest
# shellcheck disable=SC2016
tracer run --name storm -- bash -c 'for i in $(seq 600); do /bin/true; [ $i != 300 ] || until [ -e "$0" ]; do read -rt 0.1 -u 3; done; done 3<> <(:)' \
	"$work/killed" &
runner=$!
storm_begun() { tracer runs --json | jq -e 'any(.runs[]; .name == "storm")'; }
wait_for "the storm has begun" storm_begun
kill -KILL "$(lake_pid)"
touch "$work/killed"
wait $runner
wait_for "the lake has gone" test ! -e "/proc/$(lake_pid)"
tracer up >/dev/null
wait_for "the storm has settled" run_settled storm succeeded 601
tracer report storm --json >"$work/report"
expect_no_twins "$work/report"
expect "each of the 600 is there" '[.processes[] | select(.argv[0] == "/bin/true" and .status == "succeeded")] | length == 600' \
	"$work/report"

# --- the lake is away for a while
wait_for "all is delivered" delivered
kill -TERM "$(lake_pid)"
wait_for "the lake has ended" test ! -e "/proc/$(lake_pid)"
tracer run --name later -- /bin/true
tracer up >/dev/null
wait_for "what came while the lake was away is there" run_settled later succeeded 1
tracer cost --by run --run paid --json >"$work/paid"
paid_is '.rows[0].used_usd' "$work/paid"
echo "ok: after all restarts it costs the same"
