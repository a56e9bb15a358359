# SPDX-License-Identifier: Apache-2.0
"""Progress and expected end: runs are looked at while they ran, and what was expected is held against what came."""
import collections
import copy
import statistics

import pipeline
import recorded

LEAST, MOST = 0.75, 0.85  # of the intervals that are to hold 80 %
DAY = 86400.0
PARTS = (0.05, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)  # of the time of a run, when it is looked at
KINDS = ("task", "step", "run")


class Tally:
    """Of one kind: how often the truth lay below, in and above what was expected, and how far off the median was."""

    def __init__(self):
        self.below = self.held = self.above = self.unknown = 0
        self.errors = []

    def add(self, remaining, truth):
        if not remaining.known:
            self.unknown += 1
            return
        self.below += truth < remaining.low
        self.above += truth > remaining.high
        self.held += remaining.low <= truth <= remaining.high
        self.errors.append(abs(remaining.median - truth) / truth)

    @property
    def count(self):
        return self.below + self.held + self.above


def seen_at(tasks, now):
    """What is known of a run at an instant, and how long each running task has to go."""
    seen, left = [], {}
    for task in tasks:
        if task.started > now:
            continue
        task = copy.copy(task)
        if task.ended > now:
            left[task.id] = task.ended - now if task.end == "ok" else None
            task.end, task.wall, task.cpu, task.memory = "runs", now - task.started, -1.0, -1.0
            task.computing = task.disk_wait = 0.0
            task.read = 0.0  # how far it had read is not recorded
        seen.append(task)
    return seen, left


def truths(tasks, left, now):
    """{(kind, step or task or run): seconds to go}."""
    ends = collections.defaultdict(float)
    for task in tasks:
        if task.end == "ok":
            ends["step", task.step] = max(ends["step", task.step], task.ended)
            ends["run", task.run] = max(ends["run", task.run], task.ended)
    to_go = {key: end - now for key, end in ends.items() if end > now}
    to_go.update({("task", each): seconds for each, seconds in left.items() if seconds})
    return to_go


def look(driver, tasks, tallies):
    start, end = min(task.started for task in tasks), max(task.ended for task in tasks)
    for part in PARTS:
        now = start + part * (end - start)
        seen, left = seen_at(tasks, now)
        to_go = truths(tasks, left, now)
        for remaining in driver.end(tasks[0].run, now, seen):
            truth = to_go.get((remaining.kind, remaining.step if remaining.kind == "step" else remaining.id))
            if truth:
                tallies[remaining.kind].add(remaining, truth)


def moved(tasks, end):
    """The same run, some time before."""
    shift = end - DAY - max(task.ended for task in tasks)
    tasks = [copy.copy(task) for task in tasks]
    for task in tasks:
        task.started += shift
    return tasks


def report(table, what, tallies, judged):
    for kind in KINDS:
        tally = tallies[kind]
        part = tally.held / max(tally.count, 1)
        figure = (f"{100 * part:.1f} % of {tally.count:,} ({100 * tally.below / max(tally.count, 1):.0f} % ended before, "
                  f"{100 * tally.above / max(tally.count, 1):.0f} % after; {tally.unknown} not known; off by {100 * statistics.median(tally.errors or [0]):.0f} %)")
        good = LEAST <= part <= MOST if kind in judged and not table.quick else None  # a few runs say nothing about a part
        table.row(f"{what}: intervals of {kind}s that hold", figure, f"{LEAST:.0%} to {MOST:.0%}" if kind in judged else "", good)


def recorded_runs(driver, table):
    """Each recorded run, expected from the other one of its pipeline."""
    tallies = collections.defaultdict(Tally)
    for name in recorded.PIPELINES:
        runs = list(recorded.read(name).values())
        for history, tasks in (runs, reversed(runs)):
            driver.history(moved(history, min(task.started for task in tasks)))
            look(driver, tasks, tallies)
    report(table, "recorded runs, each by the other one of its pipeline", tallies, ("task",))


def made_runs(driver, random, repeats, history, table):
    tallies = collections.defaultdict(Tally)
    for name in recorded.PIPELINES:
        source = pipeline.Pipeline(name)
        for _ in range(repeats):
            runs = [source.run(random, at + 1, (at + 1) * 10 * DAY) for at in range(history + 1)]
            driver.history([task for run in runs[:-1] for task in run])
            look(driver, runs[-1], tallies)
    report(table, f"runs made of recorded ones, {history} of history", tallies, KINDS)


def judge_all(driver, random, repeats, table):
    recorded_runs(driver, table)
    for history in (1, 3, 10):
        made_runs(driver, random, repeats, history, table)
