# SPDX-License-Identifier: Apache-2.0
# One job of each kind fails, the others do not.
SAMPLES = ["liver_1", "liver_2", "kidney_1"]


rule all:
    input:
        expand("{sample}.bam.bai", sample=SAMPLES),
        "counted",
        "written",


rule simulate:
    output:
        "{sample}.sam",
    shell:
        "seq 2000 | sed 's/.*/>&\\nACGTACGTACGTACGT/' | samtools import -0 - > {output}"


rule sort:
    input:
        "{sample}.sam",
    output:
        "{sample}.bam",
    params:
        end=lambda wildcards: 7 if wildcards.sample == "liver_2" else 0,
    shell:
        "samtools sort -o {output} {input} && exit {params.end}"


rule index:
    input:
        "{sample}.bam",
    output:
        "{sample}.bam.bai",
    shell:
        "samtools index {input}"


rule counted:
    output:
        "counted",
    run:
        raise ValueError("no count")


rule written:
    output:
        "written",
    script:
        "broken.py"
