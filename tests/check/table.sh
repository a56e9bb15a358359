#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A table of bench/ goes into docs/ when it is whole, be it with a row that misses, and else leaves what is there.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"

repository=$root root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir "$root/docs"
fault() {
	echo "FAULT: $*" >&2
	exit 1
}

# run COMMAND…: as bench/ makes a table; docs/some.md is what it printed, or what was there.
run() {
	status=0
	echo before >"$root/docs/some.md"
	"$@" | tee "$root/table" >/dev/null || status=$?
	write_table "$status" some "Some table" "$root/table" 2>/dev/null
}
run sh -c 'echo a row'
grep -qx '    a row' "$root/docs/some.md" || fault "a whole table was not written"
run sh -c 'echo a row MISS; exit 3'
grep -qx '    a row MISS' "$root/docs/some.md" || fault "a table with a miss was not written"
for end in 'exit 1' 'kill -KILL $$'; do
	run sh -c "echo a row; $end"
	grep -qx before "$root/docs/some.md" || fault "half a table was written: $end"
done
# What makes the tables says 3, and nothing else, for a miss; Python says 1 for what it dies of.
for maker in exact overhead; do
	grep -q '^    return 3 if ' "$repository/bench/$maker.py" || fault "bench/$maker.py does not say that a row misses"
	grep -q "write_table \"\$status\"" "$repository/bench/$maker.sh" || fault "bench/$maker.sh does not say how the table ended"
done
