#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `tracer tune` and `tracer steps` say of recorded runs: sizes, settings of each engine (e2e_sizes_emit gives such settings to the
# engines), and the history of a step.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"

tracer up --replay --port 0 >/dev/null
# replayed NAME: the run of the recording.
replayed() { tracer replay --json "$root/tests/data/runs/$1.rec" | jq -r .run; }
demo=$(replayed demo)
rnaseq=$(replayed nextflow)

tracer tune "$demo" --json >"$work/tune"
expect "each step has a size, with what it rests on" '(.sizes.steps | length) == 10 and all(.sizes.steps[];
	.memory_advised_bytes >= .memory_highest_bytes and .memory_tasks >= 1 and (.memory_basis | type) == "string")' "$work/tune"
# says WHAT LINE COMMAND…: the command prints such a line.
says() {
	local what=$1 line=$2
	shift 2
	"$@" >"$work/text" || fault "$what: $* fails"
	grep -qE -- "$line" "$work/text" || fault "$what: no line $line: $(cat "$work/text")"
	echo "ok: $what"
}
says "a table of sizes" "^map +6 " tracer tune "$demo"
says "a profile for Snakemake" "^  - map:mem_mb=\[[0-9]+, [0-9]+, [0-9]+\]" tracer tune "$demo" --emit snakemake
says "the same for Snakemake 7" "^  - map:mem_mb=[0-9]+$" tracer tune "$demo" --emit snakemake7
says "lines for sbatch" "^#SBATCH --mem=[0-9]+M$" tracer tune "$demo" --emit slurm
says "a configuration for Nextflow" "withName: 'ALIGN' \{" tracer tune "$rnaseq" --emit nextflow
tracer tune "$demo" --emit make >"$work/text" 2>&1 && fault "an engine that is none is accepted: $(cat "$work/text")"
grep -q "takes one of: nextflow snakemake" "$work/text" || fault "it is not said which engines there are: $(cat "$work/text")"

# The history of a step, once the run is settled, by command and by route.
has_history() { tracer steps demo --step map --json >"$work/steps" && jq -e '.runs >= 1' "$work/steps"; }
wait_for "the run is settled" has_history
expect "the step has a box for the run and one over all" '[.boxes[] | select(.figure == "wall_ns")] | length >= 2 and
	(map(.run_id) | index(null) != null) and all(.[]; .min <= .median and .median <= .max)' "$work/steps"
tracer steps demo --step map >"$work/text"
grep -q "^map " "$work/text" || fault "tracer steps does not show the step: $(cat "$work/text")"
tracer steps demo --step none >"$work/text" 2>&1 && fault "a step that is not there is shown: $(cat "$work/text")"
echo "ok: a step that is not there is said to be missing"
