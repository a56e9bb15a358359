#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What people give to sbatch: several tools, one after the other.
set -euo pipefail
mkdir -p out
for sample in liver_1 kidney_1; do
	samtools faidx "$sample.fa"
	samtools import -0 "$sample.fa" | samtools sort -o "out/$sample.bam" -
done
samtools flagstat out/liver_1.bam >out/liver_1.txt
