#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# write_table writes a complete table of bench/, also one in which a row misses, and leaves the old file otherwise.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"

repository=$root root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/docs/design/measurements"
document=$root/docs/design/measurements/some.md
fault() {
	echo "FAULT: $*" >&2
	exit 1
}

# run COMMAND…: makes a table as bench/ does; afterwards the document holds what COMMAND printed, or "before".
run() {
	status=0
	echo before >"$document"
	"$@" | tee "$root/table" >/dev/null || status=$?
	write_table "$status" some "Some table" "$root/table" 2>/dev/null
}
run sh -c 'echo a row'
grep -qx '    a row' "$document" || fault "a complete table was not written"
run sh -c 'echo a row MISS; exit 3'
grep -qx '    a row MISS' "$document" || fault "a table with a miss was not written"
for end in 'exit 1' 'kill -KILL $$'; do
	run sh -c "echo a row; $end"
	grep -qx before "$document" || fault "an incomplete table was written: $end"
done
# The programs that make the tables exit with 3 for a miss and for nothing else; Python exits with 1 on an exception.
for maker in exact overhead; do
	grep -q '^    return 3 if ' "$repository/bench/$maker.py" || fault "bench/$maker.py does not exit with 3 when a row misses"
	grep -q "write_table \"\$status\"" "$repository/bench/$maker.sh" || fault "bench/$maker.sh does not pass the exit status to write_table"
done
