#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether the split of prices adds up to the nano-dollar at every level on random hosts, prices and runs; how long it takes for a
# million tasks; and whether Seqera's own costs of 708 real tasks are rate × share × time. Exit 1 when a bar is missed.
#
#     bench/cost.sh [--seed N] [--hosts N] [--quick]
#
# A full run with the default seed writes its table into docs/cost.md. TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

build=${TRACER_BUILD:-$root/build/release}
cmake --build "$build" --target split_driver >/dev/null || fail "build/release is not there: scripts/test.sh makes it"
PYTHONDONTWRITEBYTECODE=1 exec python3 "$root/bench/cost/main.py" --driver "$build/bench/split_driver" "$@"
