#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Records the cases of this folder again (README.md), with real interpreters and engines in a throw-away folder: recordings/NAME.rec.
# About ten minutes for all of them.
#
#     sudo tests/data/failures/record.sh [NAME…]     all of them, or these
#
# Needs what the end-to-end tests need, R (r-base-core), a C compiler and build/release. No label is made of what Tracer shows.
# shellcheck source-path=SCRIPTDIR
# A script that starts an engine is a run itself, and all that it started is in it.
# shellcheck disable=SC1090,SC2016,SC2046
[ "$0" != "${BASH_SOURCE[0]}" ] || exec bash -c 'script=$1; shift; . "$script"' record "${BASH_SOURCE[0]}" "$@"
export TRACER_BUILD=${TRACER_BUILD:-$(dirname "${BASH_SOURCE[0]}")/../../../build/release} TRACER_DRIVERS=on
TRACER_BUILD=$(realpath "$TRACER_BUILD")
# shellcheck source=tests/e2e/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../e2e/lib.sh"
# shellcheck source=tests/e2e/nextflow/launch.sh
source "$root/tests/e2e/nextflow/launch.sh"

here=$root/tests/data/failures
inputs=$work/inputs
mkdir -p "$work/cases" "$work/opt/bin" "$inputs" "$here/recordings"
chmod 755 "$work"
export PATH=$work/opt/bin:$PATH

# The files that each case finds in its folder, and the programs that stand for tools.
prepare() {
	local tool
	gcc -O1 -o "$work/opt/bin/salmon" "$here/program.c"
	for tool in kallisto STAR fastp; do cp "$work/opt/bin/salmon" "$work/opt/bin/$tool"; done
	printf '>chr1\nACGTACGTACGT\n>chr2\nACGTACGTACGT\n' >"$inputs/ref.fa"
	printf '@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:12\nread_1\t0\tchr1\t1\t60\t12M\t*\t0\t0\tACGTACGTACGT\t*\n' >"$inputs/aln.sam"
	samtools view -b -o "$inputs/aln.bam" "$inputs/aln.sam"
	samtools index "$inputs/aln.bam"
	head -c 100 "$inputs/aln.bam" >"$inputs/broken.bam"
	seq 1000 >"$inputs/words.txt"
	seq 200000 >"$inputs/many.txt"
	echo locked >"$inputs/locked.txt"
	chmod 000 "$inputs/locked.txt"
}

has() { [[ " ${options//,/ } " == *" $1 "* ]]; }
value_of() { sed -n "s/.*\b$1=\([^ ,]*\).*/\1/p" <<<"$options"; }

# The processes that work in the folder of this case.
pids_here() { find /proc/[0-9]*/cwd -maxdepth 0 \( -lname "$folder" -o -lname "$folder/*" \) -printf '%h\n' 2>/dev/null | cut -d/ -f3 || true; }
until_none_here() {
	local until=$((SECONDS + deadline))
	while [ -n "$(pids_here)" ]; do
		[ "$SECONDS" -lt "$until" ] || fault "$name has not ended after $deadline s"
		sleep 0.1
	done
}
kill_here() { # SIGNAL COMM
	local pid
	for pid in $(pids_here); do
		[ "$(cat "/proc/$pid/comm" 2>/dev/null)" != "$2" ] || ! kill -"$1" "$pid" || return 0
	done
	return 1
}

# begin COMMAND…: starts it apart, as the options of the case say, and waits until nothing of it runs.
begin() {
	local command=("$@") cgroup='' size kill
	size=$(value_of memory)
	if [ -n "$size" ]; then
		cgroup=$(own_memory_cgroup)/job_$$
		mkdir "$cgroup"
		limit_memory "$cgroup" $((size << 20))
		command=(sh -c 'echo $$ >'"$cgroup/cgroup.procs"'; exec "$@"' limited "${command[@]}")
	fi
	if has named; then command=(tracer run --name "$name" -- "${command[@]}"); fi
	if has user; then command=(setpriv --reuid=65534 --regid=65534 --clear-groups "${command[@]}"); fi
	(cd "$folder" && apart "${command[@]}" </dev/null)
	kill=$(value_of kill)
	if [ -n "$kill" ]; then wait_for "${kill#*:} of $name runs" kill_here "${kill%:*}" "${kill#*:}"; fi
	until_none_here
	if [ -n "$cgroup" ]; then wait_for "the group is empty" rmdir "$cgroup"; fi
}

run_bash() { cp "$script" "$folder/$name.sh" && begin bash $(has errexit && printf %s -e) "$name.sh"; }
run_dash() { cp "$script" "$folder/$name.sh" && begin dash $(has errexit && printf %s -e) "$name.sh"; }
run_python() { cp "$script" "$folder/$name.py" && begin python3 "$name.py"; }
run_r() { cp "$script" "$folder/$name.R" && begin Rscript "$name.R"; }
run_java() {
	{
		printf '%s\n' 'public class Main {' \
			'	static int run(String... command) throws Exception { return new ProcessBuilder(command).inheritIO().start().waitFor(); }' \
			'	public static void main(String[] arguments) throws Exception {'
		cat "$script"
		printf '%s\n' '	}' '}'
	} >"$folder/Main.java"
	javac -d "$folder" "$folder/Main.java"
	begin tracer run --name "$name" -- java -Xmx64m -XX:+UseSerialGC -cp . Main
}
run_make() { cp "$script" "$folder/Makefile" && begin make $(has keep_going && printf %s -k) $(has jobs && printf %s -j2); }
run_snakemake() {
	cp "$script" "$folder/Snakefile"
	begin snakemake --cores 1 $(has keep_going && printf %s --keep-going) $(has retries && printf %s --retries=1)
}
run_nextflow() {
	cp "$script" "$folder/main.nf"
	[ -d "$work/opt/nextflow" ] || cp -rL "$root/build/nextflow" "$work/opt/"
	nextflow_jars=$work/opt/nextflow
	(nextflow "$folder" run main.nf -name "$name") || true
	until_none_here
}

# play NAME INTERPRETER OPTIONS
play() {
	local disk
	name=$1 options=$3 folder=$work/$1 script=$work/cases/$1
	cp -r "$inputs" "$folder"
	if has named; then command=(tracer run --name "$name" -- "${command[@]}"); fi
	if has user; then chmod 777 "$folder" && chmod 666 "$folder"/*.txt && chmod 600 "$folder/locked.txt"; fi
	disk=$(value_of disk)
	if [ -n "$disk" ]; then mkdir "$folder/small" && mount -t tmpfs -o "size=${disk}k" small "$folder/small"; fi
	"run_$2"
	if [ -n "$disk" ]; then umount "$folder/small"; fi
	echo "played: $name"
}

# The ids of the runs of all cases that were played, in `runs`, once they have ended.
declare -A runs
all_ended() {
	local one id missing=()
	tracer runs --json | jq -r '.runs[] | select(.status != "running") | [.name, .pipeline, .command, .id] | @tsv' >"$work/runs"
	for one in "${names[@]}"; do
		id=$(awk -F'\t' -v name="$one" '$1 == name || $2 == name || $2 ~ "^" name "[.](sh|py|R)$" ||
			$3 ~ "(^| )" name "[.](sh|py|R)$" { id = $NF } END { print id }' "$work/runs")
		[ -n "$id" ] || missing+=("$one")
		runs[$one]=$id
	done
	echo "without a run: ${missing[*]}" >"$work/missing"
	[ ${#missing[@]} = 0 ]
}

LC_ALL=C awk -v folder="$work/cases" -f "$here/cases.awk" "$here"/*.cases >"$work/labels"
prepare
tracer up --port 0 >/dev/null
names=()
while IFS=$'\t' read -r -u 9 one interpreter words _; do
	[ $# = 0 ] || [[ " $* " == *" $one "* ]] || continue
	play "$one" "$interpreter" "$words"
	names+=("$one")
done 9<"$work/labels"
# On a busy host the agent's spool is never empty: what was played is delivered once its runs have ended.
for _ in {1..30}; do ! all_ended || break; sleep 2; done
cat "$work/missing"
sleep 8 # more than an agent keeps a batch, and a correction after a run's end
for name in "${names[@]}"; do
	[ -z "${runs[$name]}" ] || tracer record --force --hostname lab-1 -o "$here/recordings/$name.rec" "${runs[$name]}" >/dev/null
done
du -cb "$here"/recordings/*.rec | tail -n 1
