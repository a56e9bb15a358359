# SPDX-License-Identifier: Apache-2.0
"""Replays recorded tasks with other sizes: a try with less memory than the recorded peak fails at its end, and is repeated."""
import collections
import dataclasses

from methods import LEAST, MIB

TRIES_MAX = 20


@dataclasses.dataclass
class Score:
    tasks: int = 0
    failed: int = 0  # first tries
    wasted: float = 0  # GiB h: requested and not used, and all of tries that failed
    retried: float = 0  # of it: of tries that failed
    # by run and step: how many tasks it had, and the number of the first one with a good size
    seen: dict = dataclasses.field(default_factory=dict)
    until_good: dict = dataclasses.field(default_factory=dict)

    def tasks_until_good(self):
        """The mean of the steps with several tasks; of a step without a good size one more than it has tasks."""
        several = {step: count for step, count in self.seen.items() if count > 1}
        return sum(self.until_good.get(step, count + 1) for step, count in several.items()) / len(several)

    def add(self, other):
        self.tasks += other.tasks
        self.failed += other.failed
        self.wasted += other.wasted
        self.retried += other.retried
        self.until_good.update(other.until_good)
        self.seen.update(other.seen)


def by_step(tasks):
    steps = collections.defaultdict(list)
    for task in tasks:
        steps[task.step].append(task)
    return steps


def rounded(size):
    """As engines ask for it: whole MiB, and what a container needs at least."""
    return max(-(-size // MIB) * MIB, LEAST)


def replay(tasks, method, score):
    """Whether each had a good size: enough, with at most half of the request's waste."""
    good = []
    for task in tasks:
        before = score.retried
        size = rounded(method.first(task))
        good.append(task.peak <= size <= (task.requested + task.peak) / 2)
        score.tasks += 1
        score.failed += size < task.peak
        for _ in range(TRIES_MAX):
            if size >= task.peak:
                break
            score.retried += size * task.hours
            size = rounded(method.retry(task, size))
        if size < task.peak:
            raise SystemExit(f"{method.name}: {task.step} of {task.sample} never succeeds")
        score.wasted += (size - task.peak) * task.hours + score.retried - before
    return good


def judged(tasks):
    """The first attempts: the two repeated tasks of the tables ran with twice the CPUs, so that the peak of a first attempt is not known."""
    return [task for task in tasks if task.attempt == 1]


def other_run(tasks, method):
    """Trained on one run, judged on the other, both ways."""
    score = Score()
    runs = sorted({task.run for task in tasks})
    for run in runs:
        method.learn(by_step([task for task in tasks if task.run != run]))
        replay(judged([task for task in tasks if task.run == run]), method, score)
    return score


def leave_one_out(tasks, method):
    """Within each run, each task from all others of it."""
    score = Score()
    for run in sorted({task.run for task in tasks}):
        of_run = [task for task in tasks if task.run == run]
        for task in judged(of_run):
            method.learn(by_step([other for other in of_run if other is not task]))
            replay([task], method, score)
    return score


def online(tasks, method):
    """Each run from its first task, with what has ended when a task is submitted."""
    score = Score()
    for run in sorted({task.run for task in tasks}):
        of_run = sorted((task for task in tasks if task.run == run), key=lambda task: task.submitted)
        learnt = -1
        for task in of_run:
            past = [other for other in of_run if other.completed <= task.submitted]
            if len(past) != learnt:
                learnt = len(past)
                method.learn(by_step(past))
            if task.attempt != 1:
                continue
            step = run, task.step
            score.seen[step] = score.seen.get(step, 0) + 1
            [good] = replay([task], method, score)
            if good:
                score.until_good.setdefault(step, score.seen[step])
    return score
