#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#SBATCH --nodes=2 --ntasks-per-node=1
# Steps: one on each node, side by side; one on both at once; one that fails.
srun --exact --nodes=1 --ntasks=1 --nodelist=node1 samtools faidx liver_1.fa liver_1_1 >one &
srun --exact --nodes=1 --ntasks=1 --nodelist=node2 samtools faidx kidney_1.fa kidney_1_1 >two &
wait
srun --nodes=2 --ntasks=2 bash count.sh
srun --nodes=1 --ntasks=1 samtools view no-such.bam
exit 0
