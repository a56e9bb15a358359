# SPDX-License-Identifier: Apache-2.0
"""Sizes as the library gives them: bench/drivers/tune/size_driver.c."""
import subprocess

from tasks import GIB

SUCCEEDED = 1  # STEP_TASK_SUCCEEDED


class Driver:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(self, *fields):
        print(*fields, sep="\t", file=self.process.stdin)

    def learn(self, history):
        self.say("forget")
        for step, tasks in history.items():
            for task in tasks:
                self.say("task", step, task.run, task.sample, task.attempt, SUCCEEDED, task.input, task.peak * GIB,
                         task.requested * GIB, task.hours * 3.6e12, task.cpu_ns, task.cpus, int(task.submitted))

    def set(self, risk, step_risk, retry_price):
        self.say("set", risk, step_risk, retry_price)

    def size(self, task):
        """GiB, or less than 0; by what it is multiplied after a failure."""
        self.say("size", task.step, task.input)
        self.process.stdin.flush()
        size, *others = self.process.stdout.readline().split("\t")
        return (float(size) / GIB, float(others[0])) if others else (-1, 2)
