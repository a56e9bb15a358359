#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sizes as settings: Nextflow, Snakemake 7 and 9 and Slurm themselves accept what is written for them, give their tasks that much, and
# more to a try that follows one that was killed for memory. Names of steps are text of others: none of it is run.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tests/e2e/nextflow/launch.sh
source "$root/tests/e2e/nextflow/launch.sh"
# shellcheck source=tests/e2e/slurm/cluster.sh
source "$root/tests/e2e/slurm/cluster.sh"

clean_up_own() { slurm_down; }
here=$root/tests/e2e/sizes
# The steps that the engines run, and names that would be code in one of their languages.
hostile=("x' { } ; \"touch $work/ran\".execute() ; '" "\$(touch $work/ran)" $'a\nretries: 99\n#SBATCH --mem=1' $'\\' "é\" 'b'" '')
emit() { "$EMIT_SIZES" "$@" "${hostile[@]}"; }

# expect_tries NAME FILE WANTED…: the lines of the file.
expect_tries() {
	local name=$1 seen=$2
	shift 2
	[ "$(cat "$seen")" = "$(printf '%s\n' "$@")" ] || fault "$name gave other sizes than $*: $(cat "$seen")"
	echo "ok: $name: $*"
}

mkdir "$work/flow" "$work/nine" "$work/seven" "$work/profile9" "$work/profile7"
cp "$here/main.nf" "$work/flow/"
emit nextflow ALIGN >"$work/flow/sizes.config"
nextflow "$work/flow" -c sizes.config run main.nf --seen "$work/flow/seen"
expect_tries Nextflow "$work/flow/seen" "1 2 200 2" "2 2 300 3"

emit snakemake align >"$work/profile9/config.yaml"
cp "$here/Snakefile" "$work/nine/"
(cd "$work/nine" && "$root/build/snakemake9/bin/snakemake" --profile "$work/profile9" --cores 2 >log 2>&1) ||
	fault "Snakemake 9: $(tail -n 20 "$work/nine/log")"
expect_tries "Snakemake 9" "$work/nine/seen" "2 200 2" "2 300 3"

emit snakemake7 align >"$work/profile7/config.yaml"
cp "$here/Snakefile" "$work/seven/"
(cd "$work/seven" && snakemake --profile "$work/profile7" --cores 2 --retries 1 >log 2>&1) ||
	fault "Snakemake 7: $(tail -n 20 "$work/seven/log")"
expect_tries "Snakemake 7" "$work/seven/seen" "2 200 2" "2 200 2"

slurm_up
{ echo '#!/bin/sh' && "$EMIT_SIZES" slurm align; } >"$work/align.sh"
{ echo '#!/bin/sh' && "$EMIT_SIZES" slurm "${hostile[@]}"; } >"$work/hostile.sh"
id=$(in_cluster sbatch --parsable --chdir="$work" --hold "$work/align.sh") || fault "sbatch refuses: $(cat "$work/align.sh")"
in_cluster scontrol show job "$id" >"$work/job"
for wanted in CPUs/Task=2 MinMemoryNode=200M TimeLimit=00:02:00; do
	grep -qF "$wanted" "$work/job" || fault "Slurm gave other sizes than $wanted: $(cat "$work/job" "$work/align.sh")"
done
echo "ok: Slurm: 2 CPUs, 200 MB, 2 minutes"
in_cluster sbatch --test-only "$work/hostile.sh" 2>"$work/hostile.words" || fault "sbatch refuses: $(cat "$work/hostile.words" "$work/hostile.sh")"
[ ! -e "$work/ran" ] || fault "a name of a step was run"
echo "ok: no name of a step was run"
