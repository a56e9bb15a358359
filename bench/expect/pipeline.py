# SPDX-License-Identifier: Apache-2.0
"""Whole runs of a pipeline that are made of recorded ones: the tasks of a recorded run begin after those that they followed there, by sample, as
soon after as there; each step is slower or faster as the two recorded runs differ, each sample larger or smaller."""
import collections
import copy
import math

import recorded
import series

SAMPLE_SPREAD = 0.2  # of the size of a sample: a standard deviation of its logarithm
TASK_SPREAD = 0.1  # of a task, beside what is of its step and its sample
LAG_SPREAD = 0.3
GROWTH = 0.8  # wall time grows with the input by this power
SHORT_SPREAD = 0.15  # of steps that are too short to measure how they differ


class Pipeline:
    def __init__(self, name):
        self.name = name
        self.templates = [self.linked([task for task in tasks if task.end == "ok"]) for tasks in recorded.read(name).values()]
        self.steps = {step.name: step for step in series.steps(name)}
        both = recorded.by_step(recorded.read(name))
        self.aligned = [{task.id: series.Step.aligned(task, both[task.step], at).wall if task.step in both else task.wall
                         for task, _ in template} for at, template in enumerate(self.templates)]

    @staticmethod
    def linked(tasks):
        """[(task, those that it began after)], by their begin."""
        count, linked = collections.Counter(task.step for task in tasks), []
        tasks = sorted(tasks, key=lambda each: each.started)
        for at, task in enumerate(tasks):
            before = [each for each in tasks[:at] if each.ended <= task.started]
            if count[task.step] > 1:
                of_sample = [each for each in before if each.sample == task.sample and count[each.step] > 1]
                before = [max(of_sample or before, key=lambda each: each.ended)] if before else []
            linked.append((task, before))
        return linked

    def run(self, random, number, start):
        """Tasks of a run that begins at start (s)."""
        at = random.randrange(len(self.templates))
        template, first = self.templates[at], self.templates[at][0][0].started
        factors = {step: math.exp(random.gauss(0, self.steps[step].spread["wall"] if step in self.steps else SHORT_SPREAD))
                   for step in sorted({task.step for task, _ in template})}
        sizes = {sample: math.exp(random.gauss(0, SAMPLE_SPREAD)) for sample in sorted({task.sample for task, _ in template})}
        waits = {step: math.exp(random.gauss(0, LAG_SPREAD)) for step in factors}
        made, ended = [], {}
        for task, before in template:
            new = copy.copy(task)
            new.run, new.host = f"run-{number}", "cloud"
            new.wall = self.aligned[at][task.id] * factors[task.step] * sizes[task.sample] ** GROWTH * math.exp(random.gauss(0, TASK_SPREAD))
            new.input = task.input * sizes[task.sample]
            if before:
                new.started = max(ended[each.id] for each in before) + (task.started - max(each.ended for each in before)) * waits[task.step]
            else:
                new.started = start + task.started - first
            ended[new.id] = new.ended
            made.append(new)
        return made
