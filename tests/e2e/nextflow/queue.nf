// Three tasks, of which the executor is told to run one at a time.
process DOZE {
    tag "$number"
    input:
    val number
    script:
    """
    sleep 4
    """
}

workflow {
    DOZE(Channel.of(1..3))
}
