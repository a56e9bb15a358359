# SPDX-License-Identifier: Apache-2.0
"""One pipeline of one cause: what it does, and what is done to it while it runs. With and without the cause it is the same."""
import contextlib
import dataclasses
import os
import pathlib
import random
import shlex
import subprocess
import threading
import typing

import engines
import launch
import machine
import resources

SAMPLES = "liver kidney lung brain spleen heart skin colon ovary retina".split()
WRAPPINGS = ("bash {pipefail}-c {}", "env LC_ALL=C bash {pipefail}-c {}", "nice -n 1 bash {pipefail}-c {}", "sh -c {}", "timeout 100 bash {pipefail}-c {}",
             "setpriv --inh-caps=-all bash {pipefail}-c {}")


@dataclasses.dataclass
class Cause:
    """kinds: the findings that are right for it first, of docs/findings.md."""
    name: str
    kinds: frozenset
    build: typing.Callable
    slow: bool = False
    stuck: bool = False  # it does not end by itself: it is asked about while it runs, then killed
    machine: bool = False  # in a virtual machine of its own
    engines: tuple = ("bash", "make", "snakemake", "nextflow")
    beside: frozenset = frozenset()  # findings that are true, too


@dataclasses.dataclass
class Step:
    name: str
    command: str
    cpus: int = 1
    limit_s: int = 0


@dataclasses.dataclass
class Lab:
    """What all cases share: folders and the small data that their tools work on."""
    work: pathlib.Path
    root: pathlib.Path
    data: pathlib.Path
    programs: pathlib.Path
    disks: pathlib.Path  # not in memory
    rates: dict = dataclasses.field(default_factory=dict)  # of data.WORK


class Case:
    def __init__(self, lab, cause, seed, variation, injected, turn=0):
        self.lab, self.cause, self.variation, self.injected = lab, cause, variation, injected
        self.draw = random.Random(f"{seed}/{cause.name}/{variation}")
        # Of its own, so that places and wrappings are the same with and without the cause.
        self.frame = random.Random(f"{seed}/{cause.name}/{variation}/frame")
        order = list(cause.engines)
        random.Random(f"{seed}/{cause.name}").shuffle(order)
        self.engine = order[variation % len(order)]
        tag = random.Random(f"{os.getpid()}/{seed}/{cause.name}/{variation}/{injected}/{turn}").randrange(16 ** 4)
        self.name = f"{self.draw.choice(SAMPLES)}_{tag:04x}_{variation}{'ab'[injected]}{turn}"
        self.folder = lab.work / "cases" / cause.name / self.name
        self.folder.mkdir(parents=True)
        self.folder.chmod(0o777)
        self.log = lab.work / "cases" / cause.name / f"{self.name}.log"
        self.steps, self.entries = [], {}
        self.pipefail, self.user, self.kinds, self.culprit, self.asked_cpus = True, None, cause.kinds, "", 0
        self.stack = contextlib.ExitStack()

    # --- what the pipeline does

    def step(self, name, command, cpus=1, limit_s=0):
        self.steps.append(Step(name, command, cpus, limit_s))

    def among(self, name, command, cpus=1, limit_s=0):
        """The step of the cause, at a drawn place behind a short step of a tool (with which a script becomes a run) or two."""
        self.culprit = command
        count = self.frame.choice((1, 2))
        place = self.frame.randrange(1, count + 1)
        fillers = self.frame.sample(sorted(FILLERS), count)
        for index in range(count + 1):
            if index == place:
                self.step(name, command, cpus, limit_s)
            if index < count:
                self.step(fillers[index], FILLERS[fillers[index]].format(data=self.lab.data, out=self.folder / fillers[index]))

    def wrap(self, command, deepest=3):
        """The command within shells and launchers, as deep as is drawn."""
        needs_bash = "pipefail" in command or "<(" in command or (self.pipefail and " | " in command)
        for _ in range(self.frame.randrange(deepest + 1)):
            fit = [each for each in WRAPPINGS if not (needs_bash and each.startswith("sh "))]
            command = self.frame.choice(fit).format(shlex.quote(command), pipefail="-o pipefail " if self.pipefail else "")
            needs_bash = False
        return command

    def within(self, cgroup, command):
        """The command in a control group, into which a shell moves itself, as job launchers do."""
        entering = "; ".join(f"echo $$ >{each}" for each in self.entries[cgroup])
        return f"sh -c {shlex.quote(f'{entering}; exec ' + command)}"

    # --- what is around it

    def cgroup(self, controller, value, above=None, suffix=""):
        name = f"run-findings-{os.getpid()}-{self.name}{suffix}.scope"  # as systemd-run names them
        cgroup = self.stack.enter_context(resources.cgroup(controller, name, value, above))
        self.entries[cgroup] = resources.entries(controller, cgroup)
        return cgroup

    def beside(self, *argv, cgroups=(), folder=None):
        """A program of somebody else, until the pipeline has ended."""
        process = launch.launch(argv, folder or self.folder.parent, self.log, [entry for each in cgroups for entry in self.entries[each]])
        self.stack.callback(process.end)
        return process

    def after(self, seconds, action):
        """Somebody does this so many seconds after the pipeline began."""
        timer = threading.Timer(seconds, action)
        timer.daemon = True
        timer.start()
        self.stack.callback(timer.join)
        self.stack.callback(timer.cancel)

    def warm(self):
        """Has the files of the engine read: to read them from a slow disk first would be a cause, too."""
        if self.engine == "snakemake":
            subprocess.run(["/usr/bin/python3", "-c", "import snakemake, pulp"], check=True)

    def start(self):
        argv = engines.ENGINES[self.engine](self)
        if self.asked_cpus:
            argv = ["tracer", "run", "--name", self.name, "--cpus", self.asked_cpus, "--", *argv]
        if self.cause.machine:
            return machine.start(self, argv)
        return launch.launch(argv, self.folder, self.log, (), self.user)


# Short steps of real tools that succeed.
FILLERS = {
    "index": "samtools faidx {data}/reference.fa -o {out}.fai",
    "tally": "samtools view -c {data}/reads.bam > {out}.txt",
    "flagstat": "samtools flagstat {data}/reads.bam > {out}.txt",
    "align": "bwa mem -t 1 {data}/reference.fa {data}/few.fq > {out}.sam",
    "order": "samtools sort -m 32M -o {out}.bam {data}/reads.bam",
    "pack": "samtools view {data}/reads.bam | cut -f 1-4 | gzip -c > {out}.gz",
}
