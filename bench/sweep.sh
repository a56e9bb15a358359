#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether sweeps find waste: fleets with known waste of each kind, and with much that only looks like it, minute by minute through
# sweep_find, with the clouds' published rules beside it; then the same kinds through a real lake that agents send to. Prints a table;
# exit 1 when a bar is missed.
#
#     bench/sweep.sh [SEED] [--quick] [--only generated|lake]
#
# The seed draws everything: machines, noise, times, prices. A full run with the default seed writes its table into docs/sweep.md.
# TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

export TRACER_BUILD=${TRACER_BUILD:-$root/build/release} PYTHONDONTWRITEBYTECODE=1
cmake --build "$TRACER_BUILD" --target sweep_driver tracer tracer-lake >/dev/null || fail "build/release is not there: scripts/test.sh makes it"
exec python3 "$root/bench/sweep/main.py" "$@"
