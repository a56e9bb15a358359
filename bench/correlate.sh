#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the time to name commands by rules and to find the runs and tasks of recorded processes, beside their budgets
# (docs/design/measurements/README.md), and writes docs/design/measurements/correlation.md.
#
#     bench/correlate.sh     half a minute
#
# TRACER_BUILD names another build folder (default build/release). Exit 1 when a row misses.
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

build=${TRACER_BUILD:-$root/build/release}
drivers=(name_driver tree_driver)
[ -x "$build/bench/tree_driver" ] || { install_packages build bench; fetch_libraries; build release "${drivers[@]}"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
"$root/bench/correlate.py" "$work" "$root" "$build/bench" | tee "$work/table" || status=$?

write_table "$status" correlation "What correlation costs" "$work/table"
[ "$status" = 0 ]
