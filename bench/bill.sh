#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether a month of 400 nodes is reconciled with its bill to the cent, and each part of the remainder has its name. A generator makes
# the nodes, what agents saw of them, and the FOCUS bill; a real lake is sent the one and imports the other. Exit 1 when a bar is
# missed. Called by cost.sh, too.
#
#     bench/bill.sh [--seed N] [--hosts N] [--quick]
#
# A full run with the default seed writes its table into docs/cost.md. TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

export TRACER_BUILD=${TRACER_BUILD:-$root/build/release} PYTHONDONTWRITEBYTECODE=1
cmake --build "$TRACER_BUILD" --target tracer tracer-lake >/dev/null || fail "build/release is not there: scripts/test.sh makes it"
exec python3 "$root/bench/bill/main.py" "$@"
