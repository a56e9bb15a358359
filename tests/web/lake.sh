# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A lake of a browser test's own: sourced with the arguments of the lake beyond those that it always has. Sets here, root, build, work, url.
# settled: the folder of a lake that settle.sh made (tests/recorded), of which this one begins with a copy; empty: it begins empty.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${TRACER_BUILD:-$root/build/debug}
work=$(mktemp -d "${TMPDIR:-/tmp}/tracer-web.XXXXXX")
if [ -n "${settled:-}" ]; then
	cp -r "$settled/data/lake" "$work/lake"
fi
"$build/tracer-lake" --listen 127.0.0.1:0 --data-folder "$work/lake" --tokens-folder "$work/tokens" --url-file "$work/url" "$@" \
	2>"$work/log" &
lake=$!
clean_up() {
	local status=$?
	[ "$status" = 0 ] || tail -n 20 "$work/log" >&2
	kill "$lake"
	wait "$lake" || echo "the lake ended with $?" >&2
	rm -rf "$work"
	exit "$status"
}
trap clean_up EXIT
for _ in $(seq 600); do
	[ -s "$work/url" ] && break
	sleep 0.1
done
[ -s "$work/url" ] || { echo "waited 60 s for the lake's URL" >&2; exit 1; }
# shellcheck disable=SC2034 # of who sources it
url=$(cat "$work/url")
