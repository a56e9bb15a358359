# SPDX-License-Identifier: Apache-2.0
"""Slowness: the CPUs, and how they are used."""
import os
import shlex

import data
import resources
from case import Cause

SLOW_ENGINES = ("bash", "make", "snakemake")


def in_shell(command):
    return f"bash -c {shlex.quote(command)}"


def cpu_hog(case):
    # Beside others, work needs more CPU time, here up to a tenth: no record shows that, and a finding cannot say that it is saved,
    # too. The more others there are, the less of what they cost it is.
    case.among("model", case.wrap(data.compute(case, case.draw.uniform(3, 4.5))))
    each = case.draw.choice((2, 3))
    hogs = case.draw.choice((["{programs}/spin"], ["python3", "-c", "while True: pass"], ["sh", "-c", "while :; do :; done"]))
    if case.injected:
        for _ in range(each * os.cpu_count()):
            case.beside(*(part.format(programs=case.lab.programs) for part in hogs))


def cpu_limit(case):
    # The lower the share, the less of what the limit costs is that work which pauses needs more CPU time, here up to a fifth:
    # no record shows that, and a finding cannot say that it is saved, too.
    share = case.draw.uniform(0.12, 0.25)
    cgroup = case.cgroup("cpu", resources.cpu_quota(share) if case.injected else None)
    case.among("model", case.within(cgroup, in_shell(case.wrap(data.compute(case, case.draw.uniform(1, 1.5))))))


def slow_consumer(case):
    """The consumer computes for each line; without the cause it only counts them."""
    programs, reads = case.lab.programs, case.lab.data / "reads"
    first = case.draw.choice((f"samtools view {reads}.bam", f"bwa mem -t 1 {reads.parent}/reference.fa {reads}.fq", f"cat {reads}.sam"))
    seconds = case.draw.uniform(5, 7)
    rounds = data.units(case.lab, "kmers", seconds)
    slow = case.draw.choice((
        f"python3 -c 'import sys; sys.path.insert(0, \"{programs}\"); import kmers; "
        f"[kmers.count(1) for number, line in enumerate(sys.stdin) if number % {max(1, 30000 // rounds)} == 0]; print(1)'",
        data.WORK["awk lines"](case.lab, data.units(case.lab, "awk lines", seconds)),
        data.WORK["perl lines"](case.lab, data.units(case.lab, "perl lines", seconds)),
    ))
    case.among("count", case.wrap(f"{first} | {slow if case.injected else 'wc -l'} > {case.folder}/counted"))


def oversubscribed(case):
    """Threads that spin until the last one has arrived, on fewer CPUs."""
    cpus = os.cpu_count()
    threads = case.draw.choice((4, 6, 8)) * cpus // 2
    steps = case.draw.randrange(6000, 8000) // threads * cpus // threads
    out = case.folder / "solved"
    case.among("solve", case.wrap(f"{case.lab.programs}/solver {threads if case.injected else cpus} {steps} 1500 > {out}"))


def one_thread(case):
    """A tool that does not use the CPUs that were asked for it."""
    asked, used = case.draw.choice((4, 8)), 1 if case.injected else 2
    if not case.injected:
        asked = 2
    # So long that what a pool needs for its own start is little of it.
    programs, lab, seconds, out = case.lab.programs, case.lab, case.draw.uniform(14, 16), case.folder / "out"
    command = case.draw.choice((
        f"python3 {programs}/kmers.py {data.units(lab, 'kmers', seconds)} {used} > {out}",
        f"{data.JAVA} -Xmx64m -cp {programs} Kmers {data.units(lab, 'java', seconds)} {used} > {out}",
    ))
    # What a script asks for, or a rule of Snakemake's, is in the records where `tracer run` says it; what is asked for make, which has
    # tasks of its own, is not theirs.
    if case.engine == "snakemake":
        case.among("model", f"tracer run --cpus {asked} -- bash -c {shlex.quote(case.wrap(command))}")
    else:
        case.asked_cpus = asked
        case.among("model", case.wrap(command))


CAUSES = [
    Cause("cpu_hog", frozenset({"cpu_contention"}), cpu_hog, slow=True, engines=SLOW_ENGINES),
    Cause("cpu_limit", frozenset({"cpu_limit"}), cpu_limit, slow=True, engines=SLOW_ENGINES),
    Cause("slow_consumer", frozenset({"pipe_limit"}), slow_consumer, slow=True, engines=SLOW_ENGINES),
    Cause("oversubscribed", frozenset({"oversubscribed"}), oversubscribed, slow=True, engines=SLOW_ENGINES),
    Cause("one_thread", frozenset({"serial"}), one_thread, slow=True, engines=("bash", "snakemake")),
]
