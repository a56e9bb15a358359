#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a lake takes, and what that costs: batches and rows a second from 64 senders beside DuckDB's own appender, 10,000
# agents, bytes a row beside other stores, an idle lake, the time from exec to the live page. Prints a table with the bars of
# docs/scale.md; exit status 1 when a row misses.
#
#     sudo bench/ingest.sh [--quick] [--only PART]…     some 25 minutes (--quick: three, for a first look)
#
# Parts: rate, agents, size, idle, live. TRACER_BUILD names another build folder (default build/release). Other stores come from
# PyPI, into build/bench-venv.
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=bench/lake/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lake/lib.sh"

need_root
prepare
[ -x "$venv/bin/python" ] || step "make build/bench-venv" python3 -m venv "$venv"
"$venv/bin/python" -c 'import chdb' 2>/dev/null || step "install chdb" "$venv/bin/pip" install -q -r "$root/bench/lake/requirements.txt"
exec "$venv/bin/python" "$root/bench/lake/ingest.py" "$@"
