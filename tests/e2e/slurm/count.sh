#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# An element of an array, or a process of a step.
samtools view -c out/liver_1.bam >/dev/null
sleep 0.5
samtools flagstat out/liver_1.bam >/dev/null
[ "${SLURM_ARRAY_TASK_ID:-}" != 3 ] || exit 4
