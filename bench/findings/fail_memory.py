# SPDX-License-Identifier: Apache-2.0
"""Failures: memory, disk space and time that did not suffice."""
import data
import machine
import resources
from case import Cause

MIB = 1 << 20
AWK_HOLD = "'BEGIN { for (s = \"ACGT\"; length(s) < 1048576;) s = s s; for (i = 0; i < MIB; i++) p[i] = s i; print i }'"


def hungry(case, mib):
    """A command of a drawn tool that holds so much memory."""
    programs, out = case.lab.programs, case.folder / "held"
    return case.draw.choice((
        f"python3 {programs}/hold.py {mib} > {out}",
        f"{data.JAVA} -Xmx{mib * 2}m -cp {programs} Hold {mib} > {out}",
        f"perl -e 'for (1..{mib}) {{ push @parts, \"ACGT\" x 262144 }} print scalar @parts' > {out}",
        f"awk {AWK_HOLD.replace('MIB', str(mib))} > {out}",
    ))


def oom_task(case):
    limit = case.draw.randrange(48, 140)
    need = limit + case.draw.randrange(40, 160)
    cgroup = case.cgroup("memory", limit * MIB if case.injected else None)
    case.among("assemble", case.within(cgroup, "bash -c " + quoted(case.wrap(hungry(case, need)))))


def quoted(command):
    return "'" + command.replace("'", "'\\''") + "'"


def oom_sibling(case):
    held = case.draw.randrange(60, 100)
    need = held + case.draw.randrange(60, 140)
    above = case.cgroup("memory", (held + need - 40) * MIB if case.injected else None)
    other = case.cgroup("memory", None, above, "_other")
    own = case.cgroup("memory", (need + 100) * MIB if case.injected else None, above, "_own")
    case.beside("python3", case.lab.programs / "hold.py", held, 60, cgroups=[other])
    case.among("assemble", case.within(own, "bash -c " + quoted("sleep 0.5; " + case.wrap(hungry(case, need)))))


def oom_host(case):
    """In a machine with little memory."""
    need = case.draw.randrange(machine.MEMORY_MIB + 50, 2 * machine.MEMORY_MIB) // (1 if case.injected else 20)
    out = case.folder / "held"
    command = case.draw.choice((
        f"perl -e 'for (1..{need}) {{ push @parts, \"ACGT\" x 262144 }} print scalar @parts' > {out}",
        f"awk {AWK_HOLD.replace('MIB', str(need))} > {out}",
    ))
    case.among("assemble", case.wrap(command))


def disk_full(case):
    size = case.draw.randrange(256, 1400) * 1024
    if not case.injected:
        size = 200 * MIB
    if case.draw.random() < 0.5:
        disk = case.stack.enter_context(resources.memory_disk(case.folder / "scratch", size))
    else:
        size = max(size, 1 * MIB)
        disk, _ = case.stack.enter_context(resources.disk(case.folder / "scratch", case.lab.disks / case.name, size))
    reads, lines = case.lab.data / "reads.sam", case.lab.data / "lines.txt"
    command = case.draw.choice((
        f"gzip -1 -c {lines} > {disk}/lines.gz",
        f"samtools view -h -o {disk}/copy.sam {reads}",
        f"samtools sort -m 1M -T {disk}/part -o {disk}/sorted.bam {reads}",
        f"python3 -c 'import shutil; shutil.copyfile(\"{reads}\", \"{disk}/copy.sam\")'",
        f"sort -S 1M -T {disk} -o {case.folder}/sorted {lines}",
        f"bwa mem {case.lab.data}/reference.fa {case.lab.data}/reads.fq > {disk}/reads.sam",
        f"cp {reads} {disk}/copy.sam",
    ))
    case.among("write", case.wrap(command))


def time_limit(case):
    limit = case.draw.choice((1, 1.5, 2))
    long = case.draw.randrange(20, 40) / (1 if case.injected else 80)
    command = data.compute(case, long).replace("'", "'\\''")
    option = case.draw.choice(("", "-s KILL ", "-k 1 ", "-s INT "))
    if case.engine == "nextflow":
        case.among("model", f"bash -c '{command}'", limit_s=2 if case.injected else 60)
        return
    case.among("model", case.wrap(f"timeout {option}{limit if case.injected else 60} bash -c '{command}'"))


SHORT = frozenset({"memory_pressure"})  # for as long as it was at the limit before

CAUSES = [
    Cause("oom_task", frozenset({"out_of_memory"}), oom_task, beside=SHORT),
    Cause("oom_sibling", frozenset({"out_of_memory"}), oom_sibling, beside=SHORT),
    Cause("oom_host", frozenset({"out_of_memory"}), oom_host, machine=True, engines=("bash", "make"), beside=SHORT),
    Cause("disk_full", frozenset({"disk_full"}), disk_full),
    Cause("time_limit", frozenset({"time_limit"}), time_limit),
]
