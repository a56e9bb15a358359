# SPDX-License-Identifier: Apache-2.0
"""The tasks of tests/data/nfcore, as they ran on AWS Batch."""
import csv
import dataclasses
import datetime
import pathlib

TABLES = pathlib.Path(__file__).parents[2] / "tests" / "data" / "nfcore"
WORKFLOWS = ["rnaseq", "methylseq"]


@dataclasses.dataclass
class Task:
    run: str
    type: str  # the machine's
    zone: str
    cpus: float
    used: float  # CPUs, on average
    requested: float  # bytes
    peak: float
    submitted: float  # s
    started: float
    completed: float

    @property
    def seconds(self):
        return self.completed - self.started


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def read_runs(workflow):
    """The tasks that succeeded, by run: the two others ended by a spot interruption, and were done again."""
    runs = {}
    with open(TABLES / f"{workflow}.tsv", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if row["status"] != "COMPLETED":
                continue
            task = Task(row["run"], row["machineType"], row["cloudZone"], float(row["cpus"]), float(row["pcpu"] or 0) / 100, float(row["memory"]),
                        float(row["peakRss"]), instant(row["submit"]), instant(row["start"]), instant(row["complete"]))
            task.completed = max(task.completed, task.started + 1)
            runs.setdefault(task.run, []).append(task)
    return runs


def wall_s(tasks):
    return max(task.completed for task in tasks) - min(task.submitted for task in tasks)
