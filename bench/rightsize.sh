#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What sizes waste and how often they fail: recorded tasks (tests/data/nfcore) are replayed with the memory that Tracer, simple rules
# and two published methods would have requested, from tasks that they had seen. Deterministic; exit 1 when a bar is missed.
#
#     bench/rightsize.sh [--write]
#
# TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

build=${TRACER_BUILD:-$root/build/release}
cmake --build "$build" --target size_driver >/dev/null || fail "build/release is not there: scripts/test.sh makes it"
PYTHONDONTWRITEBYTECODE=1 exec python3 "$root/bench/sizes/main.py" --driver "$build/bench/size_driver" "$@"
