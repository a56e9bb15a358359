#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# no_rights.sh no_capabilities | no_root: without any capability, or as a user who is not root: `tracer up --replay`, all that
# asks, and scripts/demo.sh: its first and last line say that the run is recorded, and what is missing.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"

# Programs and folders that any user may reach.
chmod 755 "$work"
mkdir "$work/bin"
cp "$build"/{tracer,tracer-lake,libduckdb.so} "$work/bin/"
chmod 755 "$work"/bin/*
PATH=$work/bin:$PATH
user=()
clean_up_own() {
	local folder
	for folder in "$work"/*/.local/state/tracer "$work"/*/demo/data; do
		[ ! -d "$folder" ] || "${user[@]}" env TRACER_DATA="$folder" tracer down >/dev/null 2>&1 || true
	done
}

# shows WHAT WORD COMMAND…: it succeeds, and shows that word of the recorded run.
shows() {
	local what=$1 word=$2
	shift 2
	"$@" >"$work/shown" 2>&1 || fault "$what: $* ended $?: $(cat "$work/shown")"
	grep -q "$word" "$work/shown" || fault "$what: $* does not show $word: $(cat "$work/shown")"
}

# try WHAT REASON COMMAND…: the command starts others with the rights that are tried.
try() {
	local what=$1 reason=$2 home=$work/$1 url
	shift 2
	user=("$@" env -u TRACER_DATA -u XDG_STATE_HOME "HOME=$home")
	export TRACER_DATA=$home/.local/state/tracer
	mkdir "$home"
	chown "$("$@" id -u)" "$home"
	# Of root the data folder is the system's: it is named then.
	[ "$("$@" id -u)" != 0 ] || user=("$@" env)
	"${user[@]}" tracer up --replay --port 0 >"$work/shown" 2>&1 || fault "$what: tracer up --replay: $(cat "$work/shown")"
	grep -q "RECORDED run.*demo.*recorded on 20" "$work/shown" || fault "$what: it is not said what is shown: $(cat "$work/shown")"
	url=$(grep -o 'http://127.0.0.1:[0-9]*/login?code=[0-9a-f]*' "$work/shown") || fault "$what: no link: $(cat "$work/shown")"
	[ "$(curl -s -o "$work/page" -w '%{http_code}' "$url")" = 303 ] || fault "$what: the link does not log in: $(cat "$work/page")"
	for command in runs report status cost; do shows "$what" demo "${user[@]}" tracer $command; done
	shows "$what" "map (liver_1)" "${user[@]}" tracer tasks
	shows "$what" "bwa mem" "${user[@]}" tracer tools
	"${user[@]}" tracer down >/dev/null || fault "$what: tracer down"
	echo "ok: $what: tracer up --replay and all that asks"

	"$@" env "HOME=$home" TRACER_BUILD="$work/bin" TRACER_DEMO_FOLDER="$home/demo" "$root/scripts/demo.sh" --port 0 >"$work/shown" 2>&1 ||
		fault "$what: scripts/demo.sh ended $?: $(cat "$work/shown")"
	head -n 1 "$work/shown" | grep "$reason" | grep -q "RECORDED run" || fault "$what: the first line: $(head -n 1 "$work/shown")"
	tail -n 1 "$work/shown" | grep "$reason" | grep -q "RECORDED run" || fault "$what: the last line: $(tail -n 1 "$work/shown")"
	grep -q "^Run demo" "$work/shown" || fault "$what: scripts/demo.sh shows no report: $(cat "$work/shown")"
	[ "$(curl -s "$(cat "$home/demo/data/lake.url")/healthz" | jq -r .status)" = ok ] || fault "$what: the dashboard is not up"
	"$@" env TRACER_DATA="$home/demo/data" tracer down >/dev/null || fault "$what: tracer down after the demo"
	echo "ok: $what: scripts/demo.sh shows a recorded run and says why"
}

case $1 in
no_capabilities) try "$1" "the kernel loads no eBPF program" setpriv --bounding-set=-all --inh-caps=-all ;;
no_root) try "$1" "not root" setpriv --reuid=nobody --regid=nogroup --clear-groups ;;
*) fault "$1 is neither no_capabilities nor no_root" ;;
esac
