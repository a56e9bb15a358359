# SPDX-License-Identifier: Apache-2.0
with open(snakemake.input[0]) as index, open(snakemake.output[0], "w") as total:
    print(sum(int(line.split("\t")[1]) for line in index), file=total)
