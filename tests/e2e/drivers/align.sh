#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a scientist writes: a loop over samples, a pipeline, a step of its own.
set -euo pipefail
mkdir -p out
for sample in liver_1 liver_2 kidney_1; do
	seq 20000 | awk -v s="$sample" '{print ">" s "_" $1; print "ACGTACGTACGTACGTACGTACGTACGT"}' >"out/$sample.fa"
	samtools faidx "out/$sample.fa"
	[ ! -p align.known ] || { read -r _ <align.known && rm -f align.known; }
	gzip -c "out/$sample.fa" | samtools import -0 - | samtools sort -o "out/$sample.bam" -
done
bash "$(dirname "$0")/count.sh" out/liver_1.bam
