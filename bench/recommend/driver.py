# SPDX-License-Identifier: Apache-2.0
"""Machines as the library finds them: bench/drivers/tune/fleet_driver.c."""
import dataclasses
import subprocess


@dataclasses.dataclass
class Placed:
    wall_s: float
    host_s: float
    starts: int
    most: int
    memory: float


class Driver:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(self, *fields):
        print(*fields, sep="\t", file=self.process.stdin)

    def ask(self, *fields):
        self.say(*fields)
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip().split("\t")
        return None if answer == ["-"] else answer

    def learn(self, tasks, memory_of=None, times_of=None):
        self.say("forget")
        for task in tasks:
            self.say("task", task.run, task.started, task.completed, task.submitted, task.cpus, memory_of(task) if memory_of else task.requested,
                     times_of(task) if times_of else 1)

    def recommend(self, machines, within_s, headroom):
        """The type and how many of it at most; None: there is none."""
        for machine in machines:
            self.say("machine", machine.type, machine.cpus, machine.memory, machine.usd_hour, machine.interrupted)
        found = self.ask("recommend", within_s, headroom)
        return (found[0], int(found[1])) if found else None

    def place(self, machine, hosts, headroom=0):
        found = self.ask("place", machine.cpus, machine.memory * (1 - headroom), hosts)
        return Placed(float(found[0]), float(found[1]), int(found[2]), int(found[3]), float(found[4])) if found else None
