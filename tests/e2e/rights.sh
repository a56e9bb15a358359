#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The rights of the running programs: the lake is not root and has no capability, the agent has four; both do their work.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# has WHAT PID FIELD VALUE: each thread of the process has that line in its status.
has() {
	local status text threads=0
	for status in "/proc/$2/task"/*/status; do
		text=$(cat "$status" 2>/dev/null) || continue # a thread that ended meanwhile
		[ "$(sed -nE "s/^$3:[[:space:]]*(.*[^[:space:]])?[[:space:]]*$/\1/p" <<<"$text")" = "$4" ] ||
			fault "$1: not $3 $4: $(grep "^$3:" <<<"$text")"
		threads=$((threads + 1))
	done
	[ "$threads" -gt 0 ] || fault "$1: process $2 has no thread"
}
# confined UID GID: the lake runs as that user, and has no rights.
confined() {
	local lake set
	lake=$(lake_pid)
	has "the lake" "$lake" Uid "$(printf '%s\t%s\t%s\t%s' "$1" "$1" "$1" "$1")"
	has "the lake" "$lake" Gid "$(printf '%s\t%s\t%s\t%s' "$2" "$2" "$2" "$2")"
	has "the lake" "$lake" Groups ""
	for set in CapInh CapPrm CapEff CapBnd CapAmb; do has "the lake" "$lake" $set 0000000000000000; done
	has "the lake" "$lake" NoNewPrivs 1
	has "the lake" "$lake" Seccomp 2
	echo "ok: the lake runs as user $1 with no capability, confined"
}

unset SUDO_UID SUDO_GID
tracer up --port 0 >/dev/null
uid=$(stat -c %u "$TRACER_DATA/lake")
[ "$uid" != 0 ] || fault "the lake's folder still belongs to root"
confined "$uid" "$(stat -c %g "$TRACER_DATA/lake")"

# CAP_DAC_READ_SEARCH (2), CAP_SYS_PTRACE (19), CAP_PERFMON (38), CAP_BPF (39): docs/operate.md says what for.
for set in CapPrm CapEff CapBnd; do has "the agent" "$(agent_pid)" $set 000000c000080004; done
for set in CapInh CapAmb; do has "the agent" "$(agent_pid)" $set 0000000000000000; done
has "the agent" "$(agent_pid)" NoNewPrivs 1
echo "ok: the agent has the capabilities that it needs, and no more"

tracer run --name rights -- sh -c '/bin/true; exit 0'
wait_for "the run is there with its processes" run_settled rights succeeded 2
tracer report rights >/dev/null
tracer record -o "$work/rights.rec" rights >/dev/null
tracer down >/dev/null
[ ! -e "/proc/$(cat "$TRACER_DATA/lake.pid" 2>/dev/null || echo none)" ] || fault "the lake still runs"
[ "$(tail -n 1 "$TRACER_DATA/lake.log" | grep -c ' stopped$')" = 1 ] || fault "the lake was not stopped gracefully: $(tail -n 1 "$TRACER_DATA/lake.log")"

# What an earlier version left belongs to root; a link in it is not followed.
chown -R root:root "$TRACER_DATA/lake" "$TRACER_DATA/tokens"
chmod 700 "$TRACER_DATA"
echo secret >"$work/secret"
ln -s "$work/secret" "$TRACER_DATA/lake/link"
tracer up --replay --port 0 --lake-user 61999 >/dev/null
confined 61999 61999
[ "$(stat -c %u "$TRACER_DATA/lake/tracer.duckdb" "$TRACER_DATA/tokens/read" "$work/secret" | xargs)" = "61999 61999 0" ] ||
	fault "other owners: $(ls -ln "$TRACER_DATA/lake" "$TRACER_DATA/tokens" "$work")"
tracer report rights >/dev/null
tracer down >/dev/null

# fails PATTERN COMMAND…: it ends with 1 and says why.
fails() {
	local pattern=$1
	shift
	if "$@" >/dev/null 2>"$work/err"; then fault "$* did not fail"; fi
	grep -q -- "$pattern" "$work/err" || fault "$* does not say '$pattern': $(cat "$work/err")"
	echo "ok: $* → $(cut -c1-150 "$work/err")"
}
ln "$work/secret" "$TRACER_DATA/lake/second"
fails "second has another name" tracer up --replay --port 0
[ "$(stat -c %u "$work/secret")" = 0 ] || fault "a file outside of the folder was given away"
rm "$TRACER_DATA/lake/second"

# A folder that only root can pass: the lake stays root, without capabilities, and it is said.
mkdir -m 700 "$work/closed"
fails "chmod o+x $work/closed" tracer up --replay --port 0 --data "$work/closed/data" --lake-user 61999
TRACER_DATA=$work/closed/data
tracer up --replay --port 0 >/dev/null 2>"$work/err"
grep -q "runs as root, without capabilities, .* chmod o+x $work/closed" "$work/err" || fault "it is not said why: $(cat "$work/err")"
confined 0 0
tracer down >/dev/null

# In the folder of who called sudo, which no other user can pass, the lake runs as that user.
mkdir -m 700 "$work/home"
chown 61997:61996 "$work/home"
TRACER_DATA=$work/home/data
SUDO_UID=61997 SUDO_GID=61996 tracer up --replay --port 0 >/dev/null
confined 61997 61996
tracer down >/dev/null
TRACER_DATA=$work/data
fails "no account nosuchuser" tracer up --replay --port 0 --data "$work/other" --lake-user nosuchuser
