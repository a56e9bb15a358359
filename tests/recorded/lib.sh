# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A lake in which every recording (tests/data/runs/*.rec) is settled: most questions are about such runs, and their answers are stored. It is
# made once (settle.sh), and each test gets a copy. Sourced.

# shellcheck source=tests/e2e/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
# shellcheck disable=SC2034 # of who sources it
runs=$root/tests/data/runs

# settled_lake: starts a copy of it. "$work/ids" are the runs.
settled_lake() {
	local made=${TRACER_SETTLED:-$work/settled}
	[ -e "$made/ids" ] || "$root/tests/recorded/settle.sh" "$made" >&2
	cp -a "$made/data" "$TRACER_DATA"
	cp "$made/ids" "$work/ids"
	tracer up --replay --port 0 >"$work/up"
}
