#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How work fails: an OOM kill in a pipe with a last command that succeeds, kills by others and by itself, programs that cannot be
# run. Each is an event that says who and why, tied to what it struck.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tracer up --port 0 >/dev/null

# --- a memory limit two levels above the processes
job=$(own_memory_cgroup)/job_$$
clean_up_own() {
	local status=0
	for folder in "$job/step_0" "$job"; do
		[ ! -d "$folder" ] || rmdir "$folder" || status=1
	done
	return "$status"
}
mkdir -p "$job/step_0"
limit=$((48 << 20))
limit_memory "$job" $limit

# The middle of the pipe holds more than that; the last command is content with what it gets.
cat >"$work/oom.sh" <<END
echo \$\$ >$job/step_0/cgroup.procs
seq 10 | sort -S 400M --parallel=1 <(yes 'a line that sort has to hold in memory' | head -c 300000000) - | cat >/dev/null
exit 0
END
tracer run --name oom -- bash "$work/oom.sh" || fault "the run failed, though its last command succeeded"
wait_for "the run has settled" run_settled oom succeeded 3
tracer report oom --json >"$work/report"
expect_shape "$work/report" tasks processes events
expect "the run succeeded all the same" '.run.status == "succeeded"' "$work/report"
expect "one OOM kill, of sort" '[.events[] | select(.kind == "oom_kill")] | length == 1 and (.[0].summary | startswith("sort (pid "))' \
	"$work/report"
expect "it names the full cgroup, which is above the process's own" \
	".events[] | select(.kind == \"oom_kill\") | .path | endswith(\"/job_$$\")" "$work/report"
expect "with its limit, and full" ".events[] | select(.kind == \"oom_kill\") | .limit_bytes == $limit and
	.used_bytes > $limit * 0.9 and .used_bytes <= $limit" "$work/report"
expect "and who asked for memory" '(.events[] | select(.kind == "oom_kill")) as $kill |
	any(.processes[]; .pid == $kill.sender_pid and .tool == $kill.sender)' "$work/report"
expect "it is of the execution, the task and the run that it struck" '(.events[] | select(.kind == "oom_kill")) as $kill |
	(.processes[] | select(.pid == $kill.pid and .start_ns == $kill.start_ns and .status == "killed")) and
	(.tasks | any(.id == $kill.task_id))' "$work/report"
tracer events oom | grep -q 'was killed by the kernel after .*out of memory in .*/job_.*limit 48.* MiB' ||
	fault "tracer events does not say it: $(tracer events oom)"
tracer report oom --full | grep -q oom_kill || fault "the report does not show it"
echo "ok: a sentence says why"

# --- killed by another process, by itself, by a fault's own abort; SIGKILL by root
tracer run --name kills -- bash -c 'sleep 60 & kill -TERM $!; wait $!
	sleep 61 & kill -KILL $!; wait $!
	bash -c "kill -ABRT \$\$"; env --default-signal=PIPE yes | head -n 1 >/dev/null; exit 0' || fault "the run of kills failed"
wait_for "the run has settled" run_settled kills succeeded 4
tracer report kills --json >"$work/report"
expect "killed by another process" '[.events[] | select(.kind == "killed" and .detail == "SIGTERM by a process" and .sender == "bash" and
	.sender_uid == 0 and .sender_pid != .pid)] | length == 1' "$work/report"
expect "killed by root without appeal" '[.events[] | select(.kind == "killed" and .detail == "SIGKILL by a process" and .code == 9)] |
	length == 1' "$work/report"
expect "ended by itself" '[.events[] | select(.kind == "killed" and (.detail | startswith("SIGABRT by itself")) and
	.sender_pid == .pid)] | length == 1' "$work/report"
expect "ended because its reader had ended" '[.events[] | select(.kind == "killed" and (.summary | contains("what read its output had gone")))] |
	length == 1' "$work/report"

# --- what cannot be run
printf 'no program\n' >"$work/text"
printf '\177ELF\001\002\003' >"$work/broken"
chmod 755 "$work/broken"
chmod 644 "$work/text"
tracer run --name execs -- bash -c "$work/missing; $work/text; $work/broken; no-such-command-at-all; env no-such-either; true" ||
	fault "the run of execs failed"
wait_for "the run has settled" run_settled execs succeeded 2
tracer report execs --json >"$work/report"
expect "ENOENT" "[.events[] | select(.kind == \"exec_failed\" and .detail == \"ENOENT\" and .path == \"$work/missing\")] | length == 1" \
	"$work/report"
expect "EACCES" "[.events[] | select(.kind == \"exec_failed\" and .detail == \"EACCES\" and .path == \"$work/text\")] | length == 1" \
	"$work/report"
expect "ENOEXEC" "[.events[] | select(.kind == \"exec_failed\" and .detail == \"ENOEXEC\" and .path == \"$work/broken\")] | length == 1" \
	"$work/report"
expect "a command that a shell did not find" '[.events[] | select(.kind == "exec_failed" and .code == null and
	(.summary | contains("was not found")))] | length == 1' "$work/report"
expect "a search along PATH that led nowhere is one event" '[.events[] | select(.kind == "exec_failed" and
	(.path // "" | endswith("/no-such-either")))] | length == 1' "$work/report"
expect "and no more than these five" '[.events[] | select(.kind == "exec_failed")] | length == 5' "$work/report"

# --- connections that cannot be made: by a program, by a fork of it, in a network of its own as a container has
tracer run --name connects -- bash -c '(: </dev/tcp/127.0.0.1/1); bash -c ": </dev/tcp/::1/2; true"
	unshare -n bash -c ": </dev/tcp/192.0.2.1/443; true"; true' 2>/dev/null || fault "the run of connects failed"
wait_for "the run has settled" run_settled connects succeeded 3
tracer report connects --json >"$work/report"
expect "refused, in a fork" '[.events[] | select(.kind == "connect_failed" and .path == "127.0.0.1:1" and .detail == "ECONNREFUSED" and .code == 111)] |
	length == 1' "$work/report"
expect "refused, by IPv6" '[.events[] | select(.kind == "connect_failed" and .path == "[::1]:2" and .detail == "ECONNREFUSED")] | length == 1' \
	"$work/report"
expect "no route" '[.events[] | select(.kind == "connect_failed" and .path == "192.0.2.1:443" and .detail == "ENETUNREACH" and
	(.summary | contains("could not connect to 192.0.2.1:443: Network is unreachable")))] | length == 1' "$work/report"
expect "and no more than these" '[.events[] | select(.kind == "connect_failed")] | length == 3' "$work/report"

# --- what the tools wrote themselves: of a regular file of this host, never through a link and never waiting for a pipe
cat >"$work/logged.sh" <<END
sort $work/missing 2>$work/sort.err
END
! tracer run --name logged -- bash "$work/logged.sh" || fault "the run of a tool that fails succeeded"
wait_for "the run has settled" run_settled logged failed 2
shows_log() { tracer report logged --logs >"$work/screen" && grep -q "$1" "$work/screen"; }
wait_for "the end of the log is shown" shows_log '^    sort: .*: No such file or directory$'
grep -qF "  $work/sort.err:" "$work/screen" || fault "the file is not named: $(cat "$work/screen")"
echo "no business of others" >"$work/secret"
ln -sf "$work/secret" "$work/sort.err"
shows_log "nothing to show in $work/sort.err" || fault "a link is followed: $(cat "$work/screen")"
rm "$work/sort.err" && mkfifo "$work/sort.err"
shows_log "nothing to show in $work/sort.err" || fault "a pipe is read: $(cat "$work/screen")"
printf '\033[2Jgone\n' >"$work/plain" && rm "$work/sort.err" && mv "$work/plain" "$work/sort.err"
shows_log '^    ?\[2Jgone$' || fault "what commands a terminal is shown as it is: $(cat -v "$work/screen")"
echo "ok: --logs shows the end of the log of a task that failed"

# --- what cannot be opened
echo text >"$work/secret"
chmod 600 "$work/secret"
(cd "$work" && tracer run --name opens -- bash -c 'awk "BEGIN { getline < \"given-up\" }" </dev/null
	cat </dev/null - /proc/no/such; mkdir -p deep; (cd deep; cat <../secret ../secret no-such >/dev/null)
	cd /; setpriv --reuid 65534 --clear-groups cat "$OLDPWD/secret"') && fault "the run of opens succeeded"
wait_for "the run has settled" run_settled opens failed 5
tracer report opens --json >"$work/report"
expect "a missing file, from the folder in which the command began" "[.events[] | select(.kind == \"open_failed\" and .detail == \"ENOENT\")] |
	length == 1 and .[0].path == \"$work/deep/no-such\" and (.[0].summary | test(\"^cat .* could not open .*: No such file or directory\"))" \
	"$work/report"
expect "no permission, and no more than these two" "[.events[] | select(.kind == \"open_failed\" and .detail != \"ENOENT\")] |
	length == 1 and .[0].detail == \"EACCES\" and .[0].path == \"$work/secret\" and .[0].code == 13" "$work/report"
expect "that is why the run failed" "any(.findings[]; .kind == \"permission_denied\" and .evidence.path == \"$work/secret\")" "$work/report"
