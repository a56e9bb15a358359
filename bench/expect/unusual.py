# SPDX-License-Identifier: Apache-2.0
"""As usual or not: runs of a step with a known change must be found, clean ones not."""
import collections
import copy
import statistics

import changes

DETECTED, FALSE = 0.95, 0.02
CASES_LEAST = 50  # fewer say nothing about a part of 95 %
HISTORIES = (3, 5, 10, 20)  # runs
# Requests that recorded tasks really overrun are no false alarm.
FACTS = {"memory_request_overrun", "cpu_request_overrun"}


def alarms(verdict):
    return [item for item in verdict.items if item.kind not in FACTS]


def few(table, wrong, of):
    """None where a quick run has too few cases to judge a part of 2 %."""
    return None if table.quick else wrong <= FALSE * of


class Judge:
    def __init__(self, driver, steps, random, repeats):
        self.driver, self.steps, self.random, self.repeats = driver, steps, random, repeats

    def cases(self, history, scale=1.0):
        """(step, its run that is judged), with a history that the driver then has."""
        for step in self.steps:
            for _ in range(self.repeats):
                runs = [step.run(self.random, at + 1, scale=scale) for at in range(history + 1)]
                self.driver.history([task for run in runs[:-1] for task in run])
                yield step, runs[-1]

    def verdict(self, step, now):
        return self.driver.usual(now[0].run, step.name, now)


def clean(judge, table):
    false, count, kinds = 0, 0, collections.Counter()
    for history in HISTORIES:
        wrong, of = 0, 0
        for step, now in judge.cases(history):
            found = alarms(judge.verdict(step, now))
            wrong, of = wrong + bool(found), of + 1
            kinds.update({item.kind for item in found})
        false, count = false + wrong, count + of
        table.row(f"clean, {history} runs of history: false alarms", share(wrong, of), "", None)
    table.row("clean runs of steps: false alarms", share(false, count), f"≤ {FALSE:.0%}", few(table, false, count))
    table.put(f"| of these by kind | {', '.join(f'{kind} {number}' for kind, number in kinds.most_common(4)) or 'none'} | | |")


def running(tasks, moment):
    """How tasks that all began together look after a while: what they use rises evenly."""
    seen = []
    for task in map(copy.copy, tasks):
        part = min(moment / task.wall, 1.0)
        for figure in ("wall", "cpu", "computing", "disk_wait", "network_wait", "disk_read", "disk_written"):
            setattr(task, figure, getattr(task, figure) * part)
        task.read = task.input * part
        task.end = "ok" if part == 1 else "runs"
        seen.append(task)
    return seen


def usual_wall(step):
    return statistics.median(task.wall for task in step.tasks)


def clean_running(judge, table):
    wrong, of = 0, 0
    for step, now in judge.cases(10):
        for part in (0.1, 0.5, 1, 1.5):
            wrong += bool(alarms(judge.verdict(step, running(now, part * usual_wall(step)))))
            of += 1
    table.row("clean steps that run (at 10 % to 150 % of their usual time): false alarms", share(wrong, of), f"≤ {FALSE:.0%}", few(table, wrong, of))


def clean_hosts(judge, table):
    """Runs on a host type that the history does not have: as different as the two recorded runs are."""
    wrong, of = 0, 0
    for step, now in judge.cases(10, scale=0.5):
        other = step.run(judge.random, int(now[0].run[4:]), scale=2 ** 0.5)
        for task in other:
            task.host = "another"
        wrong += bool(alarms(judge.verdict(step, other)))
        of += 1
    table.row("clean runs on a new host type: false alarms", share(wrong, of), f"≤ {FALSE:.0%}", few(table, wrong, of))


def promise(table, kept, promised):
    """What the verdict promises must hold."""
    if promised >= CASES_LEAST:
        table.row("— where so much is said to be noticeable", share(kept, promised), f"≥ {DETECTED:.0%}", kept >= DETECTED * promised)


def changed(judge, table, change, history, scale=1.0, note=""):
    found, of, kept, promised = 0, 0, 0, 0
    for step, now in judge.cases(history, scale):
        made = change.make(now)
        verdict = judge.verdict(step, made)
        hit = verdict.has(change.kind, change.above)
        found, of = found + hit, of + 1
        if change.promised(verdict, change.make(step.tasks)):
            promised, kept = promised + 1, kept + hit
    what = f"{change.name}, {history} runs{note}"
    if not change.figure:
        table.row(f"{what}: detected", share(found, of), f"≥ {DETECTED:.0%}", found >= DETECTED * of)
        return
    table.row(f"{what}: detected in all steps", share(found, of), "", None)
    promise(table, kept, promised)


def changed_while_running(judge, table):
    """A step slowed to three times, seen when its tasks run for twice and a half of what is usual."""
    change, found, of, kept, promised = changes.SLOWER[-1], 0, 0, 0, 0
    for step, now in judge.cases(10):
        seen = running(change.make(now), 2.5 * usual_wall(step))
        verdict = judge.verdict(step, seen)
        hit = verdict.has(change.kind)
        found, of = found + hit, of + 1
        if change.promised(verdict, running(change.make(step.tasks), 2.5 * usual_wall(step))):
            promised, kept = promised + 1, kept + hit
    table.row("slower × 3, seen while it runs at 2.5 × the usual time: detected in all steps", share(found, of), "", None)
    promise(table, kept, promised)


def single_tasks(judge, table):
    """One task of eight that lasts eight times as long as it should."""
    found, of = 0, 0
    for step, now in judge.cases(10):
        if len(now) < 5:
            continue
        changes.slowed(8)([now[0]])
        verdict = judge.verdict(step, now)
        found += any(item.kind == "slower_than_usual" and item.task in (now[0].id, "-") for item in verdict.items)
        of += 1
    table.row("one task slower × 8, 10 runs: detected in all steps", share(found, of), "", None)


def recorded_runs(driver, recorded, table):
    """The recorded runs themselves: one run of history is not enough to say anything."""
    said, of = 0, 0
    for pipeline in recorded.PIPELINES:
        first, second = recorded.read(pipeline).values()
        for step in {task.step for task in second}:
            driver.history([task for task in first if task.step == step])
            now = [task for task in second if task.step == step]
            verdict = driver.usual(now[0].run, step, now)
            said += verdict.known or bool([item for item in alarms(verdict) if item.task == "-"])
            of += 1
    table.row("steps of recorded runs with one run of history: judged", share(said, of), "0", said == 0)


def share(part, whole):
    return f"{100 * part / max(whole, 1):.1f} % of {whole:,}"


def judge_all(driver, steps, recorded, random, repeats, table):
    judge = Judge(driver, steps, random, repeats)
    recorded_runs(driver, recorded, table)
    clean(judge, table)
    clean_running(judge, table)
    clean_hosts(judge, table)
    for history in (5, 10, 20):
        for change in changes.SLOWER:
            changed(judge, table, change, history)
    for change in changes.SLOWER:
        changed(judge, table, change, 10, 0.5, ", that differ half as much")
    for change in changes.OTHERS + changes.FACTS:
        changed(judge, table, change, 10)
    changed_while_running(judge, table)
    single_tasks(judge, table)
