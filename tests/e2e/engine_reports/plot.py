# SPDX-License-Identifier: Apache-2.0
with open(snakemake.output[0], "w") as plot:  # noqa: F821 (Snakemake puts it there)
    for path in snakemake.input:  # noqa: F821
        plot.write(open(path).read())
