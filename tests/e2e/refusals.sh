#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What cannot work says what, why and what to do.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# says STATUS PATTERN COMMAND…: it ends so, with one line on stderr that matches.
says() {
	local status=$1 pattern=$2 seen=0
	shift 2
	"$@" >"$work/out" 2>"$work/err" || seen=$?
	[ "$seen" = "$status" ] || fault "$* ended $seen, not $status: $(cat "$work/err")"
	grep -qE -- "$pattern" "$work/err" "$work/out" || fault "$* does not say '$pattern': $(cat "$work/err" "$work/out")"
	echo "ok: $* → $(head -n 1 "$work/err" | cut -c1-150)"
}

install -m 755 "$build/tracer" "$work/tracer"
chmod 755 "$work"
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups env TRACER_DATA="$work/none" "$work/tracer" "$@"; }
says 1 'root.*sudo' as_nobody up
says 1 'root' as_nobody doctor
without_btf() {
	unshare --mount sh -c 'mount -t tmpfs none /sys/kernel/btf && exec tracer "$@"' sh "$@"
}
says 1 'BTF.*(CONFIG_DEBUG_INFO_BTF|kernel)' without_btf up
says 1 'BTF' without_btf doctor
says 0 'can run here' tracer doctor

says 2 "no command 'reprot'; did you mean 'report'" tracer reprot
says 2 'prot.*did you mean.*port' tracer up --prot 1
says 2 'lakee' tracer collect --lakee x
printf 'lake: http://127.0.0.1:1\nspool-limt: 1G\n' >"$work/tracer.yaml"
says 2 "tracer.yaml:2:.*spool-limt.*spool-limit" tracer collect --config "$work/tracer.yaml"
says 2 'missing.yaml' tracer collect --config "$work/missing.yaml"
printf 'listne: x\n' >"$work/lake.yaml"
says 2 'lake.yaml:1:.*listne.*listen' tracer-lake --config "$work/lake.yaml"
says 1 'tracer up' tracer report
says 2 'memory' tracer run --memory lots -- true
says 127 'nothere' tracer run -- nothere

# (Nothing is tracked, whatever else runs on this host.)
tracer up --port 0 --track only:/none >/dev/null
says 3 'nosuchrun' tracer report nosuchrun
says 3 '' tracer runs
port=$(grep -o '[0-9]*$' "$TRACER_DATA/lake.url")
says 1 "$port.*in use" tracer up --port "$port" --data "$work/second"
says 0 'not running' tracer down --data "$work/second"
