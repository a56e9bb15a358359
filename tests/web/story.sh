#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The dashboard of a lake with an invented story (story.py), in a real browser: what a run on this machine may not have,
# such as GPUs, kills and containers. TRACER_BUILD: the build folder. TRACER_LONG=1: with pictures.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR
# shellcheck source=tests/web/lake.sh
source "$(dirname "${BASH_SOURCE[0]}")/lake.sh" --waste-file "$(dirname "${BASH_SOURCE[0]}")/waste.yaml"
"$here/story.py" "$url" "$work/tokens"
link=$(curl -sf -m 30 -X POST -H "Authorization: Bearer $(cat "$work/tokens/admin")" "$url/api/v1/login-links" | jq -er .url)
TRACER_RUN=story TRACER_SEND_RUN="$here/one_run.py $url $work/tokens" TRACER_PROGRAM=$build/tracer TRACER_TOKEN_FILE=$work/tokens/read \
	"$here/dashboard.sh" "$link" "${TRACER_LONG:+$root/build/screenshots-story}" "$root/build/web-test"
