#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The figures of every recorded run (tests/data/runs): `tracer report`, the API and the page of one lake, compared (figures.sh).
# TRACER_BUILD: the build folder. TRACER_SETTLED: the lake of them that recorded_settled made (tests/recorded/settle.sh).
set -euo pipefail

settled=${TRACER_SETTLED:?recorded.sh needs the lake that tests/recorded/settle.sh makes}
# shellcheck source-path=SCRIPTDIR
# shellcheck source=tests/web/lake.sh
source "$(dirname "${BASH_SOURCE[0]}")/lake.sh"
curl -fsS -H "Authorization: Bearer $(cat "$work/tokens/read")" "$url/api/v1/runs?limit=1000" | jq -r '.runs[].id' | sort >"$work/runs"
sort -u "$settled/ids" | comm -23 - "$work/runs" >"$work/missing"
[ ! -s "$work/missing" ] || { echo "recorded runs that are not in the lake: $(cat "$work/missing")" >&2; exit 1; }
"$here/figures.sh" "$build/tracer" "$url" "$work/tokens" "$root/build/web-test"
