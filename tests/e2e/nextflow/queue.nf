// SPDX-License-Identifier: Apache-2.0
// Three tasks, of which the executor is told to run one at a time, and none ends before the test says so.
params.go = ''

process DOZE {
    tag "$number"
    input:
    val number
    script:
    """
    while [ ! -e ${params.go} ]; do sleep 0.2; done
    """
}

workflow {
    DOZE(Channel.of(1..3))
}
