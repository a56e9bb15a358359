# SPDX-License-Identifier: Apache-2.0
"""Asks the library, through bench/drivers/tune/expect_driver.c."""
import dataclasses
import subprocess


@dataclasses.dataclass
class Unusual:
    kind: str
    task: str  # "-": the step
    above: bool
    value: float
    low: float
    median: float
    high: float
    confidence: float
    tasks: int


@dataclasses.dataclass
class Verdict:
    known: bool
    runs: int
    missing: int
    noticeable: float
    noticeable_values: dict  # of each kind
    items: list

    def has(self, kind, above=True):
        return any(item.kind == kind and item.above == above for item in self.items)


@dataclasses.dataclass
class Remaining:
    kind: str  # task, step, run
    step: str
    id: str
    known: bool
    low: float
    median: float
    high: float
    progress: float


class Driver:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, *fields):
        self.process.stdin.write("\t".join(f"{field:.6f}" if isinstance(field, float) else str(field) for field in fields) + "\n")

    def tasks(self, tasks):
        for task in tasks:
            self.send("task", *task.fields())

    def ask(self, *fields):
        self.send(*fields)
        self.process.stdin.flush()
        rows = []
        while (line := self.process.stdout.readline().rstrip("\n")) != "done":
            if not line:
                raise SystemExit("expect_driver ended")
            rows.append(line.split("\t"))
        return rows

    def history(self, tasks):
        """Tasks that stay for the questions that follow."""
        self.send("clear")
        self.tasks(tasks)
        self.send("mark")

    def usual(self, run, step, now):
        self.send("back")
        self.tasks(now)
        rows = self.ask("usual", run, step)
        items = [Unusual(kind, task, above == "1", *map(float, figures), int(count)) for word, kind, task, above, *figures, count in
                 (row for row in rows if row[0] == "unusual")]
        values = {kind: float(value) for word, kind, value in (row for row in rows if row[0] == "noticeable")}
        _, known, runs, missing, noticeable = rows[-1]
        return Verdict(known == "1", int(runs), int(missing), float(noticeable), values, items)

    def end(self, run, moment, now):
        self.send("back")
        self.tasks(now)
        return [Remaining(kind, step, each, known == "1", *map(float, figures)) for kind, step, each, known, *figures in self.ask("end", run, float(moment))]

    def close(self):
        self.process.stdin.close()
        self.process.wait()
