# SPDX-License-Identifier: Apache-2.0
"""Runs with their labels, as tests/data/runs/causes/ holds them."""
import sys

import judge

HEADER = "# file\tcause\tkinds\tengine\tcommand (tests/data/runs/README.md; made by bench/findings.sh --record)\n"
VARIATIONS = 2
# Snakemake and Nextflow open hundreds of files of their own: a recording of them is ten times as large.
SMALL = ("bash", "make")


def smaller(cause):
    """The engines with which it is recorded."""
    return tuple(each for each in cause.engines if each in SMALL) or ("snakemake",)


def stem_of(outcome):
    return f"{outcome.cause}_{outcome.variation}" + ("" if outcome.injected else "_clean")


def label(outcome):
    command = outcome.command.replace("\t", " ").replace("\n", "; ")
    cause, kinds = (outcome.cause, ",".join(sorted(outcome.kinds))) if outcome.injected else ("none", "none")
    return "\t".join((stem_of(outcome), cause, kinds, outcome.engine, command))


def record(folder, outcomes):
    """Of each cause all variations, and the first one without the cause. What is found wrong is not recorded: it is a miss to be looked at."""
    folder.mkdir(exist_ok=True)
    labels = folder / "labels.tsv"
    lines = dict((line.split("\t")[0], line) for line in labels.read_text().splitlines()[1:]) if labels.exists() else {}
    for each in outcomes:
        if not each.right:
            print(f"not recorded: {each.label}", file=sys.stderr)
        elif each.injected or each.variation == 0:
            judge.tracer("record", "--force", "--hostname", "lab-1", "-o", str(folder / f"{stem_of(each)}.rec"), each.run)
            lines[stem_of(each)] = label(each)
    labels.write_text(HEADER + "".join(f"{lines[key]}\n" for key in sorted(lines)))
