# SPDX-License-Identifier: Apache-2.0
"""Random hosts with prices that change, and runs with tasks that overlap on them."""
import dataclasses

from driver import Hold, Host, Stretch

S = 10**9
HOUR = 3600 * S
BEGIN = 1793491200 * S  # 2026-11-01
LEVELS = ("host", "pipeline", "run", "step", "task", "sample", "user")


@dataclasses.dataclass
class Task:
    labels: dict  # of each level: the key
    tools: list   # (name, CPU time)
    hold: Hold


@dataclasses.dataclass
class Machine:
    host: Host
    stretches: list
    tasks: list


def moment(chance, hours):
    """Often at a full quarter, so that begins and ends meet."""
    if chance.random() < 0.3:
        return BEGIN + chance.randrange(-8, hours * 4 + 8) * HOUR // 4
    return BEGIN + chance.randrange(-2 * HOUR, (hours + 2) * HOUR)


def make_stretches(chance, hours):
    made, now, end = [], BEGIN, BEGIN + hours * HOUR
    price = chance.randrange(10**7, 10**10)
    while now < end:
        until = min(end, now + chance.choice([HOUR // 4, 7 * HOUR, 26 * HOUR, chance.randrange(1, 40 * HOUR)]))
        made.append(Stretch(now, until, price))
        if chance.random() < 0.6:
            price = chance.choice([0, 1, 999_999_937, chance.randrange(10**7, 10**11)])
        now = until + (chance.randrange(5 * HOUR) if chance.random() < 0.3 else 0)
    return made


def make_host(chance):
    cpus, gpus = chance.choice([1, 4, 64, 192]), chance.choice([0, 0, 1, 8])
    shares = [chance.random() + 0.01, chance.random(), chance.random() if gpus else 0]
    weights = [int(1e6 * share / sum(shares)) for share in shares]
    weights[0] += 10**6 - sum(weights)
    known = chance.random() < 0.9
    return Host((cpus * 10**6 if known else 0, cpus * chance.choice([2, 4, 8]) << 20, gpus * 10**6), tuple(weights))


def make_hold(chance, host, hours):
    since = moment(chance, hours)
    length = chance.choice([0, 1, HOUR // 2, int(chance.expovariate(1 / 2400) * S), int(chance.expovariate(1 / 36000) * S)])
    reserved, used, held = [], [], []
    for capacity in host.capacity:
        most = capacity or 10**6
        reserved.append(chance.choice([0, most, most // 8, chance.randrange(most + 1)]))
        used.append(chance.choice([0, reserved[-1], chance.randrange(most + 1)]))
        held.append(max(reserved[-1], used[-1], chance.choice([0, chance.randrange(most + 1)])))
    return Hold(since, since + length, chance.choice([0, chance.getrandbits(64)]), tuple(reserved), tuple(used), tuple(held))


def make(chance, hosts, hours, tasks_a_host):
    runs = [{"run": f"run{i}", "pipeline": f"pipeline{chance.randrange(5)}", "user": f"user{chance.randrange(4)}"} for i in range(hosts)]
    machines, count = [], 0
    for place in range(hosts):
        host, tasks = make_host(chance), []
        for _ in range(chance.randrange(tasks_a_host)):
            run = chance.choice(runs)
            labels = {**run, "host": f"host{place}", "task": f"task{count}", "step": f"{run['run']} step{chance.randrange(7)}",
                      "sample": f"sample{chance.randrange(40)}"}
            tools = [(f"tool{chance.randrange(20)}", chance.randrange(10**12)) for _ in range(chance.randrange(4))]
            tasks.append(Task(labels, tools, make_hold(chance, host, hours)))
            count += 1
        machines.append(Machine(host, make_stretches(chance, hours), tasks))
    return machines
