# SPDX-License-Identifier: Apache-2.0
"""The runs of one workload on some cores."""
import statistics
import sys
import time

import runs

OTHERS = 0.1  # CPUs that others, with the agent, may use beside a run
LIMITS = [("taskset", 1), ("quota", 1)]
FREE = ("free", 2)


def cpu_s(run):
    return (run["user_ns"] + run["kernel_ns"]) / 1e9


def spread(values):
    """Half of the range, of the median."""
    return (max(values) - min(values)) / 2 / statistics.median(values)


class Case:
    """Runs of one workload on some cores, of all turns."""

    def __init__(self, workload, limit):
        self.workload, self.limit, self.runs, self.made_again = workload, limit, [], 0

    def take_turn(self, lab, turn, patience_s):
        run, others = runs.run(lab, self.workload, self.limit, turn, patience_s)
        print(f"{time.strftime('%H:%M:%S')} turn {turn}: {self.name} {run['wall_s']:.1f} s, {cpu_s(run):.1f} s of CPU time, others used {others:.2f} CPUs",
              file=sys.stderr, flush=True)
        self.runs.append({"run": run, "others": others})

    def repeat_disturbed(self, lab, turn, patience_s):
        """Makes those again beside which others used CPUs, or that took more CPU time than the same work once did. Of both, the one with less
        CPU time counts."""
        least = min(cpu_s(each["run"]) for each in self.runs)
        for place, each in enumerate(self.runs):
            if each["others"] <= OTHERS and cpu_s(each["run"]) <= (1 + runs.SLOWER) * least:
                continue
            self.take_turn(lab, f"{turn}.{place}", patience_s)
            again = self.runs.pop()
            self.made_again += 1
            self.runs[place] = min(each, again, key=lambda one: (one["others"] > OTHERS, cpu_s(one["run"])))

    @property
    def ids(self):
        return [each["run"]["id"] for each in self.runs]

    @property
    def walls(self):
        return [each["run"]["wall_s"] for each in self.runs]

    @property
    def name(self):
        return f"{self.workload.name}, {self.limit[1]} core{'s' if self.limit[1] > 1 else ''}" + (
            "" if self.limit == FREE else f" by {self.limit[0]}")
