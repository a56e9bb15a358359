# SPDX-License-Identifier: Apache-2.0
"""Changes of known size that are put into a run of a step, with the kind that must be found."""
import copy
import dataclasses
import statistics


@dataclasses.dataclass
class Change:
    name: str
    kind: str
    apply: callable  # of a task
    figure: callable  # the value of a task that the kind judges; None: nothing is said about how much is noticeable
    above: bool = True
    unit: float = 1.0  # of the verdict's values, in the figure's

    def make(self, tasks):
        tasks = [copy.copy(task) for task in tasks]
        self.apply(tasks)
        return tasks

    def promised(self, verdict, tasks):
        """Whether the verdict says that so much is noticed. tasks: with the change, of a run that is otherwise as the middle of all runs; what
        chance adds to the run that is judged must not decide."""
        if not self.figure:
            return True
        value, limit = statistics.median(map(self.figure, tasks)), verdict.noticeable_values[self.kind] / self.unit
        return limit > 0 and (value >= limit if self.above else value <= limit)


def slowed(factor):
    def apply(tasks):
        for task in tasks:
            for figure in ("wall", "computing", "disk_wait", "network_wait"):
                setattr(task, figure, getattr(task, figure) * factor)
    return apply


def waiting(figure, part):
    def apply(tasks):
        usual = statistics.median(task.wall for task in tasks)
        for task in tasks:
            setattr(task, figure, getattr(task, figure) + part * usual)
            task.wall += part * usual
    return apply


def multiplied(figure, factor):
    def apply(tasks):
        for task in tasks:
            setattr(task, figure, getattr(task, figure) * factor)
    return apply


def transferred(size):
    def apply(tasks):
        for task in tasks:
            task.network += size
    return apply


def killed(count):
    """So many attempts came before, on one task after the other."""
    def apply(tasks):
        for at, task in enumerate([tasks[at % len(tasks)] for at in range(count)]):
            again = copy.copy(task)
            again.end, again.id = "memory", f"{task.id}-{at}"
            tasks.append(again)
    return apply


def overrun(tasks):
    for task in tasks:
        task.memory_asked = max(task.memory, 400e6) / 3
        task.memory = max(task.memory, 400e6)


def wall(task):
    return task.wall


SLOWER = [Change(f"slower × {factor:g}", "slower_than_usual", slowed(factor), wall, unit=1e9) for factor in (1.5, 2, 3)]
OTHERS = [
    Change("disk wait: + half of the wall time", "disk_wait_unusual", waiting("disk_wait", 0.5), lambda task: task.disk_wait, unit=1e9),
    Change("disk wait: + the wall time", "disk_wait_unusual", waiting("disk_wait", 1), lambda task: task.disk_wait, unit=1e9),
    Change("network wait: + the wall time", "network_wait_unusual", waiting("network_wait", 1), lambda task: task.network_wait, unit=1e9),
    Change("throughput: a half", "throughput_dropped", slowed(2), lambda task: task.input / task.wall, False),
    Change("throughput: a third", "throughput_dropped", slowed(3), lambda task: task.input / task.wall, False),
    Change("memory × 1.5", "memory_unusual", multiplied("memory", 1.5), lambda task: task.memory),
    Change("CPU × 2", "cpu_unusual", multiplied("cpu", 2), lambda task: task.cpu, unit=1e9),
    Change("bytes read × 2", "disk_read_unusual", multiplied("disk_read", 2), lambda task: task.disk_read),
    Change("bytes written × 2", "disk_write_unusual", multiplied("disk_written", 2), lambda task: task.disk_written),
    Change("network: + 1 GB a task", "network_unusual", transferred(1e9), lambda task: task.network),
]
FACTS = [
    Change("3 attempts out of memory, none before", "retries_unusual", killed(3), None),
    Change("3 × the requested memory, without a kill", "memory_request_overrun", overrun, None),
]
