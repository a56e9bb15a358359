# SPDX-License-Identifier: Apache-2.0
"""Snakemake script: one line a sample with its mapped reads and its variants."""
import gzip
import pathlib

snakemake = globals()["snakemake"]
with open(snakemake.output[0], "w") as out:
    print("sample", "reads", "mapped", "variants", sep="\t", file=out)
    for flagstat, vcf in zip(snakemake.input.flagstat, snakemake.input.vcf):
        lines = pathlib.Path(flagstat).read_text().splitlines()
        total = next(line.split()[0] for line in lines if "in total" in line)
        mapped = next(line.split()[0] for line in lines if " mapped (" in line)
        with gzip.open(vcf, "rt") as records:
            variants = sum(not line.startswith("#") for line in records)
        print(pathlib.Path(flagstat).name.split(".")[0], total, mapped, variants, sep="\t", file=out)
