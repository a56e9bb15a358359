// SPDX-License-Identifier: Apache-2.0
// Tasks that Nextflow hands to Slurm: with tags, one that is tried again.
process ALIGN {
    tag "$sample"
    input:
    val sample
    output:
    tuple val(sample), path("${sample}.bam")
    script:
    """
    samtools import -0 ${projectDir}/${sample}.fa | samtools sort -o ${sample}.bam -
    """
}

process COUNT {
    tag "$sample"
    errorStrategy 'retry'
    input:
    tuple val(sample), path(bam)
    script:
    """
    samtools view -c $bam > count
    [ $sample = liver_1 ] || [ ${task.attempt} -gt 1 ]
    """
}

workflow {
    ALIGN(Channel.of('liver_1', 'kidney_1'))
    COUNT(ALIGN.out)
}
