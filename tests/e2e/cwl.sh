#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# CWL by cwltool and by Toil: a scatter over three samples, two steps.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tracer up --port 0 >/dev/null
cp "$root"/tests/e2e/cwl/* "$work/"
cd "$work"
cwltool --parallel --outdir out align.cwl job.yml >cwltool.log 2>&1 || fault "cwltool: $(tail cwltool.log)"
toil-cwl-runner --jobStore ./jobs --outdir out2 align.cwl job.yml >toil.log 2>&1 || fault "toil: $(tail toil.log)"
for engine in cwltool toil; do
	run=$(tracer runs --json | jq -er ".runs[] | select(.engine == \"$engine\").id") || fault "no run of $engine: $(tracer runs)"
	wait_for "the run of $engine has settled" run_settled "$run" succeeded 10
	expect_rows "$run" $engine
done
