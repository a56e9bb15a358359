#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether Tracer finds what is not as usual, stays silent about what is, and expects the right end: on recorded runs
# (tests/data/nfcore) and on runs made of them with known changes. Deterministic; exit 1 when a bar is missed. Takes some minutes.
#
#     bench/expect.sh [--seed N] [--quick] [--chosen-by]
#
# A full run with the default seed writes its table into docs/sizes.md. TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

build=${TRACER_BUILD:-$root/build/release}
cmake --build "$build" --target expect_driver >/dev/null || fail "build/release is not there: scripts/test.sh makes it"
PYTHONDONTWRITEBYTECODE=1 exec python3 "$root/bench/expect/main.py" --driver "$build/bench/expect_driver" "$@"
