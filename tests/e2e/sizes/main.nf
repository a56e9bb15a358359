// SPDX-License-Identifier: Apache-2.0
// A task that ends as one that was killed for memory, at the first try.
nextflow.enable.dsl = 2

process ALIGN {
    output: path 'seen.txt'
    script:
    """
    echo '${task.attempt} ${task.cpus} ${task.memory.toMega()} ${task.time.toMinutes()}' >> '${params.seen}'
    [ '${task.attempt}' != 1 ] || exit 137
    touch seen.txt
    """
}

workflow { ALIGN() }
