#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# System calls are counted on request: what dd and a tool that fails called is known by class and error. Without the
# request nothing is.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

calls() { api "/runs/$1/syscalls"; }

tracer up --port 0 >/dev/null
tracer run --name quiet -- sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=1000 2>/dev/null'
wait_for "the quiet run is known" run_settled quiet succeeded 2
calls quiet >"$work/quiet"
expect "without --syscalls nothing is counted" '.syscalls == []' "$work/quiet"
tracer report quiet --full | grep -q "SYSTEM CALLS" && fault "the report has a section of nothing"
if tracer up --port 0 --syscalls >/dev/null 2>"$work/words"; then fault "other settings were taken for what runs"; fi
tracer down >/dev/null

tracer up --port 0 --syscalls >/dev/null
tracer run --name counted -- sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=12345 2>/dev/null; cat /nothing/1 /nothing/2 2>/dev/null; sleep 1'
wait_for "the counted run is known" run_settled counted succeeded 4
tracer report counted --json >"$work/report"
expect "each read and write of dd is there" '[.syscalls[] | select(.tool == "dd" and .error == null)] |
	((.[] | select(.class == "write").calls) | . >= 12345 and . < 12400) and
	((.[] | select(.class == "read").calls) | . >= 12345 and . < 12400)' "$work/report"
expect "what failed says why" '[.syscalls[] | select(.tool == "cat" and .class == "open" and .error == "ENOENT").calls] |
	add | . >= 2 and . < 20' "$work/report"
expect "a sleep of a second takes no less" '[.syscalls[] | select(.tool == "sleep" and .class == "time").time_ns] | add |
	. >= 1e9' "$work/report"
expect "nothing was lost" '.totals.lost_records == 0 and .losses == []' "$work/report"
tracer report counted --full >"$work/screen"
grep -q "^SYSTEM CALLS  *CALLS  *FAILED  *TIME IN THEM" "$work/screen" || fault "the report has no section of them"
grep -q "^Failed system calls: .*ENOENT" "$work/screen" || fault "the report does not say what failed"
echo "syscalls: all is well"

# Counted on request, too: the calls and the time of each of the agent's kernel programs.
knob=/proc/sys/kernel/bpf_stats_enabled
was=$(cat $knob) status=0
{ echo 0 >$knob && tracer status >"$work/uncounted" && echo 1 >$knob && sleep 1 && tracer status >"$work/counted"; } || status=$?
echo "$was" >$knob
[ "$status" = 0 ] || fault "tracer status ended $status"
grep -q "its kernel programs: not counted" "$work/uncounted" || fault "programs that are not counted are listed: $(cat "$work/uncounted")"
grep -qE "^on_switch +[0-9,]+ +[0-9.]+ [nµm]?s +[0-9]+ [nµ]s$" "$work/counted" || fault "no program is listed: $(cat "$work/counted")"
echo "ok: $(grep "^on_switch" "$work/counted")"
