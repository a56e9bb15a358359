#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a page costs when much is stored: fills a lake through its ingest with 100 M rows of samples, 1 M processes, 2,000 runs
# (one has 200,000 executions) of 400 hosts, then asks for everything that the pages and commands ask for. Prints a table with
# the bars of docs/scale.md; exit status 1 when a row misses.
#
#     sudo bench/query.sh [--rows 100M] [--folder FOLDER] [--quick]
#
# --rows N: rows of samples, the rest in proportion (the large run then has fewer executions: such a table is no proof).
# --folder: keeps the filled lake there, and uses it again as long as it is of the same size and less than a day old (pages
# show the last hours). The runs of its senders stay there, too, and run on: lists then show these, which is slower. --quick: fewer requests, --rows 2M. TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=bench/lake/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lake/lib.sh"

need_root
prepare
exec python3 "$root/bench/lake/query.py" "$@"
