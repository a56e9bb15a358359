#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
samtools faidx liver_1.fa liver_1_2
read -r _ <java.known
java -Xmx64m -jar burn.jar sum liver_1.fa
java -Xmx64m -cp burn.jar org.lab.Burn sum liver_1.fa
java -Xmx64m -jar fgbio.jar SortBam -i out/liver_1.bam -o sorted.bam
