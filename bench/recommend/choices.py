# SPDX-License-Identifier: Apache-2.0
"""
Ways to choose machines for a pipeline from one run of it, judged on another run: what the hosts cost, with the two minutes until one takes
tasks and the one that it stays up empty, the same for all. A task fails where no host of the chosen type has the CPUs and the memory that it
asks for.
"""
import collections
import dataclasses
import heapq
import math

import recorded

START_S, IDLE_S = 120, 60
HOSTS_MAX = 256
HEADROOM = 0.1  # as tracer recommend has it by default
LONGER = 1.5  # times as long as it took, at the upper end of the interval
# https://docs.aws.amazon.com/compute-optimizer/latest/ug/rightsizing-preferences.html: the defaults of what AWS calls CPU and memory
# utilization preferences, over 14 days of points of five minutes.
OPTIMIZER_PERCENTILE, OPTIMIZER_HEADROOM, OPTIMIZER_POINT_S = 99.5, 0.2, 300


@dataclasses.dataclass
class Outcome:
    usd: float
    wall_s: float
    failed: int
    words: str


def cost(machine, host_s):
    return machine.usd_hour * host_s / 3600


class Hosts:
    """Hosts of one type that tasks get at recorded instants: as many as are needed, the fullest that has room first."""

    def __init__(self, machine):
        self.machine, self.up, self.host_s, self.loads = machine, [], 0, []

    def stop_idle(self, now):
        for host in [each for each in self.up if not each["ends"] and each["empty"] + IDLE_S <= now]:
            self.stop(host)

    def stop(self, host):
        self.host_s += host["empty"] + IDLE_S - host["began"]
        self.up.remove(host)

    def release(self, now):
        for host in self.up:
            while host["ends"] and host["ends"][0][0] <= now:
                ended, _, task = heapq.heappop(host["ends"])
                host["cpus"] -= task.cpus
                host["memory"] -= task.requested
                host["empty"] = ended

    def add(self, number, task):
        """False: no such host has room."""
        if task.cpus > self.machine.cpus or task.requested > self.machine.memory:
            return False
        self.release(task.started)
        self.stop_idle(task.started)
        having = [host for host in self.up
                  if host["cpus"] + task.cpus <= self.machine.cpus and host["memory"] + task.requested <= self.machine.memory]
        host = max(having, key=lambda each: each["cpus"], default=None)
        if not host:
            host = {"began": task.started - START_S, "cpus": 0, "memory": 0, "ends": [], "empty": 0, "tasks": []}
            self.up.append(host)
            self.loads.append(host["tasks"])
        host["cpus"] += task.cpus
        host["memory"] += task.requested
        host["tasks"].append(task)
        heapq.heappush(host["ends"], (task.completed, number, task))
        return True

    def end(self):
        self.release(math.inf)
        for host in list(self.up):
            self.stop(host)
        return self.host_s


def as_recorded(tasks, machine_of):
    """Each at the instant at which it ran, on a host of the type that machine_of gives; the hosts."""
    groups, failed = {}, 0
    for number, task in enumerate(sorted(tasks, key=lambda each: each.started)):
        machine = machine_of(task)
        hosts = groups.setdefault(machine.type, Hosts(machine))
        failed += not hosts.add(number, task)
    usd = sum(cost(hosts.machine, hosts.end()) for hosts in groups.values())
    return Outcome(usd, recorded.wall_s(tasks), failed, ", ".join(sorted(groups))), groups


def what_they_had(driver, machines, train, judged):
    return as_recorded(judged, lambda task: machines[task.type])[0]


def shares(machines, tasks):
    """What the tasks alone cost by the larger of their shares of CPUs and memory, without what hosts had free: as Seqera counts."""
    usd = 0
    for task in tasks:
        machine = machines[task.type]
        usd += cost(machine, task.seconds) * max(task.cpus / machine.cpus, task.requested / machine.memory)
    return usd


def largest_needed(driver, machines, train, judged):
    """One type on which the largest task has room, the cheapest, and as many hosts as there are tasks for."""
    cpus, memory = max(task.cpus for task in train), max(task.requested for task in train)
    machine = min((each for each in machines.values() if each.plain and each.cpus >= cpus and each.memory >= memory), key=lambda each: each.usd_hour)
    driver.learn(judged)
    placed = driver.place(machine, HOSTS_MAX)
    failed = sum(task.cpus > machine.cpus or task.requested > machine.memory for task in judged)
    return Outcome(cost(machine, placed.host_s) if placed else math.nan, placed.wall_s if placed else math.nan, failed, f"{machine.type} × {placed.most if placed else 0}")


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(math.ceil(part / 100 * len(ordered)), len(ordered)) - 1] if ordered else 0


def load_points(tasks, amount):
    """What tasks of a host used together, at points of five minutes."""
    points = collections.Counter()
    for task in tasks:
        for point in range(int(task.started // OPTIMIZER_POINT_S), int(task.completed // OPTIMIZER_POINT_S) + 1):
            begin = point * OPTIMIZER_POINT_S
            part = min(task.completed, begin + OPTIMIZER_POINT_S) - max(task.started, begin)
            points[point] += amount(task) * max(part, 0) / OPTIMIZER_POINT_S
    return points.values()


def compute_optimizer(driver, machines, train, judged):
    """For each type that was used the cheapest with the CPUs and the memory that its hosts used, at that percentile and with that headroom."""
    better = {}
    for type_, hosts in as_recorded(train, lambda task: machines[task.type])[1].items():
        cpus = percentile([point for tasks in hosts.loads for point in load_points(tasks, lambda task: task.used)], OPTIMIZER_PERCENTILE)
        memory = percentile([point for tasks in hosts.loads for point in load_points(tasks, lambda task: task.peak)], OPTIMIZER_PERCENTILE)
        better[type_] = min((each for each in machines.values() if each.plain and each.cpus >= cpus * (1 + OPTIMIZER_HEADROOM)
                             and each.memory >= memory * (1 + OPTIMIZER_HEADROOM)), key=lambda each: each.usd_hour)
    usual = max(better.values(), key=lambda machine: machine.usd_hour)
    return as_recorded(judged, lambda task: better.get(task.type, usual))[0]


def tracer(driver, machines, train, judged):
    """The cheapest of which the upper end is at most half as long again as the run took that is known."""
    driver.learn(train)
    chosen = driver.recommend([each for each in machines.values() if each.plain], LONGER * recorded.wall_s(train), HEADROOM)
    if not chosen:
        return Outcome(math.nan, math.nan, len(judged), "none")
    machine, hosts = machines[chosen[0]], chosen[1]
    driver.learn(judged)
    placed = driver.place(machine, hosts, HEADROOM)
    failed = sum(task.cpus > machine.cpus or task.requested > machine.memory * (1 - HEADROOM) for task in judged)
    return Outcome(cost(machine, placed.host_s) if placed else math.nan, placed.wall_s if placed else math.nan, failed, f"{machine.type} × {hosts}")


RIVALS = [("what they had", what_they_had), ("the largest needed", largest_needed), ("Compute Optimizer's rule", compute_optimizer)]
