#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kills a lake (SIGKILL) at random moments of ingest, settling, compaction, backup and start, and compares after each what it
# has with what it acknowledged: each acknowledged batch once, no part of any other; at the end its sums of each run with the
# sums over its rows. Prints a table; exit status 1 when something is missing or there twice.
#
#     sudo bench/kill.sh [--kills 200] [--seed N] [--quick]     some 20 minutes (--quick: 20 kills)
#
# TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=bench/lake/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lake/lib.sh"

need_root
prepare
exec python3 "$root/bench/lake/kill.py" "$@"
