#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether the split of prices adds up to the nano-dollar at every level, and the sheet of costs by every key, on random hosts, prices and
# runs; how long both take for a million tasks; and whether Seqera's own costs of 708 real tasks are rate × share × time. Then whether a
# month of 400 nodes is reconciled with its FOCUS bill, to the cent, by a real lake (bench/bill.sh). Exit 1 when a bar is missed.
#
#     bench/cost.sh [--seed N] [--hosts N] [--quick]
#
# A full run with the default seed writes its table into docs/cost.md. TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

build=${TRACER_BUILD:-$root/build/release}
cmake --build "$build" --target split_driver sheet_driver >/dev/null || fail "build/release is not there: scripts/test.sh makes it"
status=0
PYTHONDONTWRITEBYTECODE=1 python3 "$root/bench/cost/main.py" --driver "$build/bench/split_driver" --sheet-driver "$build/bench/sheet_driver" "$@" || status=$?
"$root/bench/bill.sh" "$@" || status=$?
exit "$status"
