# SPDX-License-Identifier: Apache-2.0
"""The tasks of tests/data/nfcore, as sizes are judged on them."""
import collections
import csv
import dataclasses
import datetime

GIB = 2.0**30


@dataclasses.dataclass
class Task:
    workflow: str
    run: str
    step: str
    sample: str
    attempt: int
    cpus: float
    cpu_ns: float
    requested: float  # GiB, as all memory here
    peak: float
    hours: float
    submitted: float  # s
    completed: float
    read: float  # bytes, by all its read calls; known when it has ended
    input: float = -1  # what is known before it begins; -1: nothing


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def read_table(root, workflow):
    """Those that succeeded: of the others the memory was not measured (all ended by a spot interruption, exit code 143)."""
    tasks = []
    with open(root / f"tests/data/nfcore/{workflow}.tsv") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if row["status"] != "COMPLETED":
                continue
            hours = float(row["realtime"]) / 3.6e6
            tasks.append(Task(workflow, row["run"], row["process"], row["tag"], int(row["attempt"]), float(row["cpus"]),
                              hours * 3.6e12 * float(row["pcpu"] or 0) / 100, float(row["memory"]) / GIB,
                              float(row["peakRss"]) / GIB, hours, instant(row["submit"]), instant(row["complete"]),
                              float(row["rchar"])))
    find_inputs(tasks)
    return tasks


def find_inputs(tasks):
    """The tables have no sizes of inputs. What is known before a task begins: how much an earlier step has read of the same sample. It is the
    step that is the first to end for most samples; to tasks that were submitted before that, nothing is known."""
    samples = collections.defaultdict(list)
    for task in tasks:
        samples[task.run, task.sample].append(task)
    first = collections.Counter(min(of, key=lambda task: task.completed).step for of in samples.values() if len(of) > 1)
    source = first.most_common(1)[0][0]
    for of in samples.values():
        read = [task for task in of if task.step == source]
        for task in of:
            if read and read[0].completed <= task.submitted:
                task.input = read[0].read
