#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What it costs to name commands by rules, and to find the runs and tasks of recorded processes, beside the figures that
# are asked of it (docs/correlation.md, What it costs: this writes the table there).
#
#     bench/correlate.sh     half a minute
#
# TRACER_BUILD names another build folder (default build/release). Exit 1 when a row misses.
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

build=${TRACER_BUILD:-$root/build/release}
drivers=(name_driver tree_driver)
[ -x "$build/bench/tree_driver" ] || { install_packages build bench; step "fetch DuckDB" "$root/scripts/fetch-duckdb.sh"; build release "${drivers[@]}"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
"$root/bench/correlate.py" "$work" "$root" "$build/bench" | tee "$work/table" || status=$?

# The table that stands there makes way.
if [ "$status" = 0 ] || [ "$status" = 3 ]; then
	sed 's/^/    /' "$work/table" >"$work/indented"
	awk -v made="Made by bench/correlate.sh, on Linux $(uname -r) with $(nproc) CPUs; not written by hand." -v table="$work/indented" '
		/^Made by bench\/correlate\.sh/ {
			print made "\n"
			while ((getline line <table) > 0)
				print line
			old = 1
			next
		}
		old && /^(    .*)?$/ { next }
		old { print ""; old = 0 }
		{ print }' "$root/docs/correlation.md" >"$work/document"
	cat "$work/document" >"$root/docs/correlation.md"
fi
[ "$status" = 0 ]
