# SPDX-License-Identifier: Apache-2.0
"""Runs of a step that are made of recorded tasks: drawn with replacement, as a run of other samples has them, and made slower or faster as a
whole as the two recorded runs of the pipeline differ."""
import copy
import dataclasses
import math
import statistics

import recorded

DAY = 86400.0
# A step shows one difference: how it spreads is half known by it, half by the other steps of the pipeline.
POOLED = 1.0
SHORTEST = 5.0  # s; times were recorded in whole seconds, so shorter steps show steps of the clock


class Step:
    """A recorded step from which runs are drawn."""

    def __init__(self, pipeline, name, both, pooled):
        self.name, self.pipeline = name, pipeline
        self.count = max(len(tasks) for tasks in both)
        own = recorded.spreads(both)
        self.spread = {figure: math.sqrt((POOLED * pooled[figure] ** 2 + own[figure] ** 2) / (POOLED + 1)) for figure in recorded.VARYING}
        self.tasks = [self.aligned(task, both, at) for at in (0, 1) for task in both[at]]

    @staticmethod
    def aligned(task, both, at):
        """The task without what its run differs by from the other one."""
        task = dataclasses.replace(task)
        for figure in recorded.VARYING:
            shift = (recorded.center(both[1 - at], figure) - recorded.center(both[at], figure)) / 2
            setattr(task, figure, getattr(task, figure) * math.exp(shift))
        return task

    def run(self, random, at, count=None, scale=1.0):
        """Tasks of run number `at`."""
        factors = {figure: math.exp(random.gauss(0, scale * self.spread[figure])) for figure in recorded.VARYING}
        return [self.drawn(random, at, i, factors) for i in range(count or self.count)]

    def drawn(self, random, at, i, factors):
        task = copy.copy(random.choice(self.tasks))
        for figure, factor in factors.items():
            setattr(task, figure, getattr(task, figure) * factor)
        task.run, task.id, task.step = f"run-{at}", str(i), self.name
        task.started = at * DAY + i
        task.host, task.network = "cloud", 0.0
        task.computing = max(task.wall - task.disk_wait, 0.02 * task.wall)
        task.network_wait = 0.02 * task.wall
        return task


def lasts(tasks):
    return statistics.median(task.wall for task in tasks) >= SHORTEST


def steps(pipeline):
    both = {step: pair for step, pair in recorded.by_step(recorded.read(pipeline)).items() if all(map(lasts, pair))}
    spreads = [recorded.spreads(pair) for pair in both.values()]
    pooled = {figure: statistics.median(spread[figure] for spread in spreads) / 0.6745 for figure in recorded.VARYING}
    return [Step(pipeline, name, pair, pooled) for name, pair in both.items()]


def halves():
    """(those that the constants of src/tune/expect were chosen by, those that judge)."""
    rnaseq, methylseq = steps("rnaseq"), steps("methylseq")
    return rnaseq[0::2], rnaseq[1::2] + methylseq
