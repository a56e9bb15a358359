# SPDX-License-Identifier: Apache-2.0
"""Failures: what was to be opened or run was not there, or not allowed."""
from case import Cause


def missing(case):
    """Tools that read a file."""
    data, programs, out = case.lab.data, case.lab.programs, case.folder / "read"
    absent = case.folder / case.draw.choice(("input", "raw", "..", "results/qc")) / f"{case.draw.choice(('sample', 'reads', 'liver'))}.sam"
    path = absent if case.injected else data / "reads.sam"
    return case.draw.choice((
        f"samtools view -c -S {path} > {out}",
        f"samtools sort -o {out}.bam {path}",
        f"python3 -c 'import sys; print(sum(1 for _ in open(sys.argv[1])))' {path} > {out}",
        f"sort -o {out} {path}",
        f"bwa mem {data}/reference.fa {data / 'few.fq' if not case.injected else path} > {out}",
        f"gzip -c {path} > {out}.gz",
        f"awk 'END {{ print NR }}' {path} > {out}",
        f"wc -l < {path} > {out}",
        f"perl -ne 'BEGIN {{ open(F, \"<\", \"{path}\") or die }} END {{ print 1 }}' {data}/few.fq > {out}",
        f"cut -f 1 {path} | sort -u > {out}",
    ))


def file_missing(case):
    case.among("read", case.wrap(missing(case)))


def permission_denied(case):
    case.user = "nobody"
    data, closed, out = case.lab.data, case.folder / "closed.sam", case.folder / "read"
    closed.write_text((data / "reads.sam").read_text())
    closed.chmod(0o600 if case.injected else 0o644)
    results = case.folder / "results"
    results.mkdir()
    results.chmod(0o755 if case.injected else 0o777)
    command = case.draw.choice((
        f"samtools view -c {closed} > {out}",
        f"python3 -c 'import sys; print(sum(1 for _ in open(sys.argv[1])))' {closed} > {out}",
        f"sort -o {out} {closed}",
        f"gzip -c {closed} > {out}.gz",
        f"samtools sort -o {results}/sorted.bam {data}/reads.sam",
        f"samtools view -b -o {results}/copy.bam {data}/reads.sam",
        f"samtools flagstat {data}/reads.bam > {results}/flagstat.txt",
        f"cut -f 1 {closed} | sort -u > {out}",
    ))
    case.among("read", case.wrap(command))


def command_not_found(case):
    tool = case.draw.choice(("samtool", "bwa-mem2x", "salmonn", "STARR", "featurecounts2", "multiqcc"))
    args = case.draw.choice(("--version", f"sort {case.lab.data}/reads.sam", f"quant -i index {case.lab.data}/few.fq"))
    if not case.injected:
        tool, args = "samtools", "--version"
    out = case.folder / "called"
    command = case.draw.choice((
        f"{tool} {args} > {out}",
        f"{tool} {args} 2>&1 | sort > {out}",
        f"env {tool} {args} > {out}",
        f"sort {case.lab.data}/few.fq | {tool + ' ' + args if case.injected else 'wc -l'} > {out}",
        f"for s in 1 2; do {tool} {args} > {out}; done",
    ))
    case.among("call", case.wrap(command))


CAUSES = [
    Cause("file_missing", frozenset({"file_missing"}), file_missing),
    Cause("permission_denied", frozenset({"permission_denied"}), permission_denied),
    Cause("command_not_found", frozenset({"command_not_found"}), command_not_found),
]
