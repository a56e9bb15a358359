#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Snakemake 7 and 9: the same workflows give the same tables, whichever ran them and however it was started: rules with a
# shell's command, a script and Python of their own, jobs that fail and are tried again, a pipe between two, what fails for good.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

nine=$root/build/snakemake9/bin
"$nine/snakemake" --version >/dev/null || fault "no Snakemake 9: tests/e2e/snakemake/fetch.sh fetches it"
tracer up --port 0 >/dev/null

# start FOLDER STATUS COMMAND…: Snakemake in a new folder, which is to end so.
start() {
	local folder=$work/$1 wanted=$2 status=0
	shift 2
	mkdir -p "$folder"
	cp "$root"/tests/e2e/snakemake/{Snakefile,*.smk,*.py} "$folder/"
	(cd "$folder" && timeout 300 "$@" --cores 2 >log 2>&1) || status=$?
	[ "$status" = "$wanted" ] || fault "$* ended $status: $(tail -n 20 "$folder/log")"
}
cwd_of() { api "/runs/$1" | jq -r .run.cwd; }
# find_run FOLDER STATUS: found is the id of the run there, which has that status.
find_run() {
	for found in $(tracer runs --json | jq -r --arg status "$2" '.runs[] | select(.pipeline == "rnaseq" and .status == $status).id'); do
		[ "$(cwd_of "$found")" != "$work/$1" ] || return 0
	done
	return 1
}
# expect_run FOLDER STATUS TABLE: that run is there, with its rows.
expect_run() {
	local until=$((SECONDS + deadline))
	until find_run "$1" "$2"; do
		[ "$SECONDS" -lt "$until" ] || fault "waited $deadline s for a run in $1 that is $2: $(tracer runs)"
		sleep 1
	done
	expect_rows "$found" "$3"
}

# both STATUS NAME TABLE ARGUMENT…: Snakemake 9, and in the long form 7, which the demo has: rows of TABLE, or of TABLE_9 where
# version 9 writes down more.
both() {
	local status=$1 name=$2 table=$3 table_9=$3 said=succeeded
	shift 3
	[ ! -e "$root/tests/e2e/expected/${table}_9.txt" ] || table_9=${table}_9
	[ "$status" = 0 ] || said=failed
	if long; then start "7/$name" "$status" snakemake "$@" & fi
	start "9/$name" "$status" "$nine/snakemake" "$@"
	if long; then
		wait $!
		expect_run "7/$name" "$said" "$table"
	fi
	expect_run "9/$name" "$said" "$table_9"
}
both 0 rnaseq snakemake --retries 1
# What fails: all else goes on, or the run ends there.
both 1 broken/rnaseq snakemake_kept_going --snakefile broken.smk --keep-going
long || exit 0
both 1 ended/rnaseq snakemake_failed --snakefile broken.smk liver_2.bam.bai

# Again, as modules of their Pythons: the same labels.
start 7/again/rnaseq 0 /usr/bin/python3 -m snakemake --retries 1 &
start 9/again/rnaseq 0 "$nine/python3" -m snakemake --retries 1
wait $!
expect_run 7/again/rnaseq succeeded snakemake
expect_run 9/again/rnaseq succeeded snakemake
