#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The settings that `tracer tune --emit` prints, of recorded runs, are accepted by the engines that they are for: each engine gives its
# tasks what the settings say, and a second try what they say of it.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tests/e2e/nextflow/launch.sh
source "$root/tests/e2e/nextflow/launch.sh"

tracer up --replay --port 0 >/dev/null
# replayed NAME: the run of the recording.
replayed() { tracer replay --json "$root/tests/data/runs/$1.rec" | jq -r .run; }
demo=$(replayed demo)
rnaseq=$(replayed nextflow)

mkdir "$work/profile" "$work/profile7" "$work/nine" "$work/seven" "$work/flow"
tracer tune "$demo" --emit snakemake >"$work/profile/config.yaml"
tracer tune "$demo" --emit snakemake7 >"$work/profile7/config.yaml"
tracer tune "$rnaseq" --emit nextflow >"$work/flow/sizes.config"
tracer tune "$demo" --emit slurm >"$work/slurm"
for file in profile/config.yaml profile7/config.yaml flow/sizes.config slurm; do
	grep -q "Sizes by Tracer" "$work/$file" || fault "no settings in $file: $(cat "$work/$file")"
done

# amounts RESOURCE: of the rule map, in the profile: "100 200 400"
amounts() { sed -nE "s/^  - map:$1=\[([0-9]+), ([0-9]+), ([0-9]+)\].*/\1 \2 \3/p" "$work/profile/config.yaml"; }
read -r first second _ <<<"$(amounts mem_mb)"
read -r minutes longer _ <<<"$(amounts runtime)"
threads=$(sed -n 's/^  - map=//p' "$work/profile/config.yaml")
[ -n "$first$minutes$threads" ] || fault "the profile says nothing of the rule map: $(cat "$work/profile/config.yaml")"
# Its first try fails.
cat >"$work/Snakefile" <<'END'
rule map:
    output: "out"
    threads: 16
    resources: mem_mb=64000, runtime=600
    shell: "echo {threads} {resources.mem_mb} {resources.runtime} >>tries; [ $(wc -l <tries) -gt $SNAKE_FAILS ] && touch {output}"
END
(cd "$work/nine" && SNAKE_FAILS=1 "$root/build/snakemake9/bin/snakemake" -s "$work/Snakefile" --cores 16 --profile "$work/profile" >log 2>&1) ||
	fault "Snakemake 9: $(tail -n 20 "$work/nine/log")"
printf '%s %s %s\n%s %s %s\n' "$threads" "$first" "$minutes" "$threads" "$second" "$longer" >"$work/wanted"
cmp "$work/wanted" "$work/nine/tries" || fault "Snakemake 9 gave: $(cat "$work/nine/tries")"
echo "ok: Snakemake 9 gives the rule what the profile says, and its second try more"

(cd "$work/seven" && SNAKE_FAILS=0 snakemake -s "$work/Snakefile" --cores 16 --profile "$work/profile7" >log 2>&1) ||
	fault "Snakemake 7: $(tail -n 20 "$work/seven/log")"
[ "$(cat "$work/seven/tries")" = "$threads $first $minutes" ] || fault "Snakemake 7 gave: $(cat "$work/seven/tries")"
echo "ok: Snakemake 7 gives the rule what the profile says"

# The same of a process of Nextflow, of which the first try is killed for memory, as its exit code says.
cat >"$work/flow/main.nf" <<'END'
process ALIGN {
    executor 'local'
    cpus 16
    memory '64 GB'
    output: stdout
    script: "echo ${task.cpus} ${task.memory.toMega()} ${task.time.toMinutes()} >>${projectDir}/tries; exit ${task.attempt == 1 ? 137 : 0}"
}
workflow { ALIGN() }
END
read -r first second _ <<<"$(sed -nE "s/.*memory = \{ \[([0-9]+)\.MB, ([0-9]+)\.MB.*/\1 \2/p" "$work/flow/sizes.config" | head -n 1)"
[ -n "$first" ] || fault "the settings say nothing of memory: $(cat "$work/flow/sizes.config")"
nextflow "$work/flow" run main.nf -c sizes.config
[ "$(awk '{print $2}' "$work/flow/tries" | paste -sd' ')" = "$first $second" ] ||
	fault "Nextflow gave: $(cat "$work/flow/tries"), of $(cat "$work/flow/sizes.config")"
echo "ok: Nextflow gives the process what the settings say, and its second try more"

# The history of a step, once the run is settled, by command and by route.
has_history() { tracer steps demo --step map --json >"$work/steps" && jq -e '.runs >= 1' "$work/steps"; }
wait_for "the run is settled" has_history
expect "the step has a box for the run and one over all" '[.boxes[] | select(.figure == "wall_ns")] | length >= 2 and
	(map(.run_id) | index(null) != null) and all(.[]; .min <= .median and .median <= .max)' "$work/steps"
tracer steps demo --step map >"$work/text"
grep -q "^map " "$work/text" || fault "tracer steps does not show the step: $(cat "$work/text")"
tracer steps demo --step none >"$work/text" 2>&1 && fault "a step that is not there is shown: $(cat "$work/text")"
echo "ok: a step that is not there is said to be missing"
