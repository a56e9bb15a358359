// SPDX-License-Identifier: Apache-2.0
// What a run can be made of: tasks with tags, one that feeds another, one that is tried again, one whose failure is
// ignored, one that a memory limit kills.
params.cgroup = ''

process ALIGN {
    tag "$sample"
    input:
    val sample
    output:
    tuple val(sample), path("${sample}.txt")
    script:
    """
    seq 200000 | sort -r > ${sample}.txt
    """
}

process COUNT {
    tag "$sample"
    input:
    tuple val(sample), path(lines)
    output:
    path "${sample}.count"
    script:
    """
    wc -l < $lines > ${sample}.count
    """
}

process FLAKY {
    tag 'x'
    errorStrategy 'retry'
    maxRetries 2
    script:
    """
    gzip -c .command.sh > /dev/null
    [ ${task.attempt} -gt 1 ]
    """
}

process LOST {
    errorStrategy 'ignore'
    script:
    """
    gzip -t no-such-file
    """
}

process HUNGRY {
    errorStrategy 'ignore'
    when:
    params.cgroup
    script:
    """
    echo \$\$ > ${params.cgroup}/cgroup.procs
    sort -S 400M --parallel=1 <(yes 'a line that sort has to hold in memory' | head -c 300000000) > /dev/null
    """
}

workflow {
    ALIGN(Channel.of('liver_1', 'liver_2', 'kidney_1'))
    COUNT(ALIGN.out)
    FLAKY()
    LOST()
    HUNGRY()
}
