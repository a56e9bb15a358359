# SPDX-License-Identifier: Apache-2.0
"""The pipelines that are run on one core and on two: each computes the same every time."""
import dataclasses
import resource
import shutil
import subprocess

# As Nextflow's own launcher opens them: without, it does not begin.
OPENS = [f"--add-opens=java.base/java.{package}=ALL-UNNAMED" for package in
         ("lang", "lang.invoke", "io", "net", "nio", "nio.file.spi", "util", "util.concurrent", "util.concurrent.atomic")]
OPENS += [f"--add-opens=java.base/sun.{package}=ALL-UNNAMED" for package in
          ("nio.ch", "nio.fs", "net.www.protocol.http", "net.www.protocol.https", "net.www.protocol.ftp", "net.www.protocol.file")]
PROBE = (200, 1000)


class Lab:
    """Folders, the program that computes, and how many units of it a second has."""

    def __init__(self, root, work, scale):
        self.work, self.scale = work, scale
        # Copies, so that a recording names no folder of this machine.
        self.demo, self.nextflow = work / "demo", work / "nextflow"
        shutil.copytree(root / "demo", self.demo)
        shutil.copytree(root / "build" / "nextflow", self.nextflow)
        self.programs = {name: work / name for name in ("work", "combine")}
        source = root / "bench" / "whatif" / "programs" / "work.c"
        for program in self.programs.values():
            subprocess.run(["gcc", "-O2", "-pthread", "-o", program, source], check=True)
        took = [cpu_time([self.programs["work"], str(units)]) for units in PROBE]
        self.rate = (PROBE[1] - PROBE[0]) / max(took[1] - took[0], 0.01)

    def compute(self, seconds, threads=1, mib=0, program="work"):
        """A command that takes so many seconds of one core."""
        return f"{self.programs[program]} {max(1, round(seconds * self.scale * self.rate))} {threads} {mib}"


def cpu_time(argv):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(argv, check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


@dataclasses.dataclass
class Workload:
    """build(lab, folder): the files that its user would write; gives the command that starts it. The folder's name is its pipeline's."""
    name: str
    build: object


def demo(lab, folder):
    """The demo, as scripts/demo.sh runs it."""
    return ["snakemake", "--snakefile", lab.demo / "Snakefile", "--cores", "2", "--config", "genome=400000", f"pairs={round(14_000 * lab.scale)}"]


def tail(lab, folder, part_s=2.2, sum_s=5.0):
    """Eight parts, two at a time, and a serial step that needs them all."""
    parts = [f"part{number}" for number in range(8)]
    lines = ["SHELL = /bin/bash", "all: sum"]
    for number, part in enumerate(parts):
        lines += [f"{part}:", f"\t{lab.compute(part_s + number % 3 * 0.3)} > {part}"]
    lines += [f"sum: {' '.join(parts)}", f"\t{lab.compute(sum_s, program='combine')} {' '.join(parts)} > sum"]
    (folder / "Makefile").write_text("\n".join(lines) + "\n")
    return ["make", "-j", "2"]


def nextflow(lab, folder, work_s=2.5, mib=0, memory=""):
    """Six samples in two steps, of which the second one has two threads, and a step that needs them all."""
    directive = "    memory '400 MB'\n" if mib else ""
    (folder / "main.nf").write_text(f"""
process WORK {{
{directive}    input:
    val sample
    output:
    path 'worked_*'
    script:
    "{lab.compute(work_s, 1, mib)} > worked_${{sample}}"
}}
process COUNT {{
    input:
    path worked
    output:
    path 'counted_*'
    script:
    "{lab.compute(0.8, 2)} $worked > counted_$worked"
}}
process GATHER {{
    input:
    path counted
    output:
    path 'gathered'
    script:
    "{lab.compute(2.0)} $counted > gathered"
}}
workflow {{
    GATHER(COUNT(WORK(Channel.of(1..6))).collect())
}}
""")
    (folder / "nextflow.config").write_text("docker.enabled = false\n" + (f"executor.$local.memory = '{memory}'\n" if memory else ""))
    return ["java", "-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", *OPENS, "-cp", f"{lab.nextflow}/*",
            "nextflow.cli.Launcher", "run", "main.nf"]


WORKLOADS = [Workload(each.__name__, each) for each in (demo, nextflow, tail)]

# Of these a step was really made shorter, or memory really limited: the workload as it was, what is asked, and the other one.
CHANGED = [
    ("a serial step that takes half", Workload("tail", tail), {"step": "combine:0.5"},
     Workload("tail_sum", lambda lab, folder: tail(lab, folder, sum_s=2.5))),
    ("a step of six tasks that take half", Workload("nextflow", nextflow), {"step": "WORK:0.5"},
     Workload("nextflow_work", lambda lab, folder: nextflow(lab, folder, work_s=1.25))),
    ("memory for one task at a time", Workload("large", lambda lab, folder: nextflow(lab, folder, mib=300)), {"memory": "400M"},
     Workload("large_limited", lambda lab, folder: nextflow(lab, folder, mib=300, memory="600 MB"))),
]
