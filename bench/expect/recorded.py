# SPDX-License-Identifier: Apache-2.0
"""Tasks of the recorded runs (tests/data/nfcore), in the figures that src/tune/expect judges."""
import collections
import csv
import dataclasses
import datetime
import math
import pathlib
import statistics

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "nfcore"
PIPELINES = ("rnaseq", "methylseq")
# What differs between two runs of a pipeline; disk wait is what of the wall time its CPU time does not explain.
VARYING = ("wall", "cpu", "memory", "disk_read", "disk_written", "disk_wait")


@dataclasses.dataclass
class Task:
    run: str
    id: str
    step: str
    sample: str
    started: float  # s since 1970
    wall: float  # s
    cpu: float
    memory: float
    input: float
    disk_read: float
    disk_written: float
    cpus_asked: float
    memory_asked: float
    host: str
    end: str = "ok"
    read: float = -1.0  # of its input so far
    network: float = -1.0
    computing: float = 0.0
    disk_wait: float = 0.0
    network_wait: float = 0.0
    cpu_wait: float = 0.0
    tools: str = ""

    @property
    def ended(self):
        return self.started + self.wall

    def fields(self):
        return (self.run, self.id, self.step, self.end, self.started, self.wall, self.cpu, self.memory, self.input,
                self.input if self.read < 0 else self.read, self.disk_read, self.disk_written, self.network, self.computing, self.disk_wait,
                self.network_wait, self.cpu_wait, self.cpus_asked, self.memory_asked, self.host, self.tools)


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def number(text):
    return float(text) if text else -1.0


def task_of(row):
    """What it read counts for its input, for what it read from disk and for the input of what progress is measured by."""
    wall = float(row["realtime"]) / 1000
    cpu = wall * number(row["pcpu"]) / 100 if row["pcpu"] else -1.0
    computing = min(wall, max(cpu, 0.0))
    return Task(run=row["run"], id=row["taskId"], step=row["process"].split(":", 1)[1], sample=row["tag"], started=instant(row["start"]), wall=wall,
                cpu=cpu, memory=number(row["peakRss"]), input=number(row["rchar"]), disk_read=number(row["rchar"]), disk_written=number(row["wchar"]),
                cpus_asked=number(row["cpus"]), memory_asked=number(row["memory"]), host=row["machineType"],
                end="ok" if row["status"] == "COMPLETED" else "failed", computing=computing, disk_wait=wall - computing)


def read(pipeline):
    """Runs of a pipeline: {run: [Task]}, in the order of the table."""
    runs = collections.OrderedDict()
    with open(DATA / f"{pipeline}.tsv", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            runs.setdefault(row["run"], []).append(task_of(row))
    return runs


def by_step(runs):
    """{step: [tasks of the first run that succeeded, those of the second]} of steps that both have."""
    steps = collections.OrderedDict()
    for at, tasks in enumerate(runs.values()):
        for task in tasks:
            if task.end == "ok":
                steps.setdefault(task.step, ([], []))[at].append(task)
    return {step: both for step, both in steps.items() if all(both)}


def center(tasks, figure):
    """The mean logarithm of the middle tasks, which is more exact than a median of eight. Of a wait at least a tenth of the wall time: how a
    wait that hardly lasts differs is of no interest."""
    least = max(0.1 * statistics.median(task.wall for task in tasks) if figure.endswith("_wait") else 0, 1e-3)
    values = sorted(math.log(max(getattr(task, figure), least)) for task in tasks)
    cut = len(values) // 4
    return statistics.fmean(values[cut:len(values) - cut])


def spreads(both):
    """{figure: standard deviation of the logarithm from run to run} as the two runs of a step show it."""
    return {figure: abs(center(both[0], figure) - center(both[1], figure)) / math.sqrt(2) for figure in VARYING}
