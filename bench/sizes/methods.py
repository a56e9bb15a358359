# SPDX-License-Identifier: Apache-2.0
"""Ways to choose the memory of a task from a history of tasks. Each has first(task, history of its step), in GiB, and
next(task, what failed). A step without history gets what is requested."""
import math
import random
import statistics

MIB = 1 / 1024
LEAST = 128 * MIB  # GiB; a container hardly starts with less: the same for every method


class Method:
    def retry(self, task, failed):
        """Doubles: up to the request first, as the workflow's author thought that to be enough."""
        return task.requested if failed < task.requested < 2 * failed else 2 * failed

    def learn(self, history):
        """history: a list of tasks for each step."""
        self.history = history

    def first(self, task):
        history = self.history.get(task.step)
        return self.choose(task, history) if history else task.requested


class Requested(Method):
    name = "as requested"

    def choose(self, task, history):
        return task.requested


class Maximum(Method):
    def __init__(self, factor):
        self.factor = factor
        self.name = "maximum" if factor == 1 else f"{factor} × maximum"

    def choose(self, task, history):
        return self.factor * max(past.peak for past in history)


class Percentile(Method):
    name = "P95 + 15 %"

    def choose(self, task, history):
        peaks = sorted(past.peak for past in history)
        at = 0.95 * (len(peaks) - 1)
        low = peaks[math.floor(at)]
        return 1.15 * (low + (peaks[math.ceil(at)] - low) * (at - math.floor(at)))


class Witt(Method):
    """Witt, van Santen, Leser: Learning Low-Wastage Memory Allocations for Scientific Workflows at IceCube (HPCS 2019). A line in the input,
    with the least wastage on the history if each failed try is repeated with twice the memory; the mean of ten such lines, each of seven tenths
    of the history. Their optimiser searches approximately; here the best line is found exactly: it touches two tasks, or is level and touches
    one. A try that fails is taken to do so at its end, as everywhere in this bench."""
    name = "Witt: low wastage"
    samples, part, varies = 10, 0.7, 0.05

    def learn(self, history):
        super().learn(history)
        self.lines = {}

    @staticmethod
    def wastage(line, tasks):
        total = 0
        for task in tasks:
            size = max(line[0] + line[1] * task.input, LEAST)
            while size < task.peak:
                total += size * task.hours
                size *= 2
            total += (size - task.peak) * task.hours
        return total

    def candidates(self, tasks):
        for task in tasks:
            yield task.peak, 0
        inputs = [task.input for task in tasks]
        if min(inputs) < 0 or max(inputs) - min(inputs) <= self.varies * statistics.mean(inputs):
            return
        for i, one in enumerate(tasks):
            for other in tasks[:i]:
                if one.input != other.input:
                    slope = (one.peak - other.peak) / (one.input - other.input)
                    # (the next number above, so that rounding does not make it fail)
                    yield math.nextafter(max(one.peak - slope * one.input, other.peak - slope * other.input), math.inf) + 1e-9, slope

    def best_lines(self, history):
        lines = []
        for seed in range(self.samples):
            some = random.Random(seed).sample(history, max(1, round(self.part * len(history))))
            lines.append(min(self.candidates(some), key=lambda line: self.wastage(line, some)))
        return lines

    def choose(self, task, history):
        if task.step not in self.lines:
            self.lines[task.step] = self.best_lines(history)
        return max(statistics.mean(line[0] + line[1] * max(task.input, 0) for line in self.lines[task.step]), LEAST)

    def retry(self, task, failed):
        return 2 * failed


class Ponder(Method):
    """Lehmann, Bader and others: Ponder: Online Prediction of Task Memory Requirements for Scientific Workflows (2024). Fewer than five tasks:
    the maximum + 128 MiB if one of them had a larger input, else the request. Then, by Pearson's correlation of input and memory: above 0.3 a
    line with a loss in which too little weighs ten times as much as too much, within what was seen, and twice the deviation of its
    residuals, weighed by the distance of their inputs, or 128 MiB; else the maximum + 128 MiB. Never more than the request, and the request for a
    repetition."""
    name = "Ponder"
    offset = 128 * MIB

    @staticmethod
    def correlation(tasks):
        try:
            return statistics.correlation([task.input for task in tasks], [task.peak for task in tasks])
        except statistics.StatisticsError:
            return 0

    @staticmethod
    def line(tasks):
        """Weighted least squares, until the weights no longer change: the loss is convex."""
        weights = [1.0] * len(tasks)
        for _ in range(100):
            total = sum(weights)
            x = sum(w * task.input for w, task in zip(weights, tasks)) / total
            y = sum(w * task.peak for w, task in zip(weights, tasks)) / total
            square = sum(w * (task.input - x) ** 2 for w, task in zip(weights, tasks))
            slope = sum(w * (task.input - x) * (task.peak - y) for w, task in zip(weights, tasks)) / square
            intercept = y - slope * x
            renewed = [1.0 if task.peak > intercept + slope * task.input else 0.1 for task in tasks]
            if renewed == weights:
                break
            weights = renewed
        return intercept, slope

    def spread(self, line, tasks, at):
        residuals = [task.peak - line[0] - line[1] * task.input for task in tasks]
        distances = [abs(task.input - at) for task in tasks]
        furthest, few = max(distances), max(1 - len(tasks) / 10, 0) / 100
        weights = [1 - distance / furthest + few if furthest else 1 for distance in distances]
        total = sum(weights)
        mean = sum(w * r for w, r in zip(weights, residuals)) / total
        rest = total - sum(w * w for w in weights) / total
        return math.sqrt(sum(w * (r - mean) ** 2 for w, r in zip(weights, residuals)) / rest) if rest > 0 else 0

    def choose(self, task, history):
        largest = max(past.peak for past in history)
        if len(history) < 5:
            known = any(past.input > task.input for past in history)
            return min(largest + self.offset, task.requested) if known else task.requested
        known = task.input >= 0 and min(past.input for past in history) >= 0
        if not known or self.correlation(history) <= 0.3:
            return min(largest + self.offset, task.requested)
        line = self.line(history)
        size = max(line[0] + line[1] * task.input, min(past.peak for past in history))
        widest = max(past.input for past in history)
        if (size > largest and task.input < widest) or (size < largest and task.input >= widest):
            size = largest
        return min(size + max(2 * self.spread(line, history, task.input), self.offset), task.requested)

    def retry(self, task, failed):
        return task.requested if failed < task.requested else 2 * failed


class Tracer(Method):
    name = "Tracer"

    def __init__(self, driver):
        self.driver = driver

    def learn(self, history):
        super().learn(history)
        self.driver.learn(history)
        self.escalation = 2

    def first(self, task):
        size, self.escalation = self.driver.size(task)
        return size if size > 0 else task.requested

    def retry(self, task, failed):
        return failed * self.escalation
