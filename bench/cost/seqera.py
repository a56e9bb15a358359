# SPDX-License-Identifier: Apache-2.0
"""
Seqera's own costs of real tasks on AWS Batch (../shared/data/runs) as rate × share × time. The data has no rates. Found here:

    cost = spot price an hour × max(CPUs, memory ÷ memory of a vCPU, in whole vCPUs) ÷ vCPUs × whole seconds from start to complete

with one spot price of four decimals, as AWS lists them, for each run, machine type, zone and price model; Seqera calculates with it
in single precision. Start and complete have lost their fractions in the data, so that the seconds are complete − start or one more.
"""
import collections
import csv
import datetime
import pathlib
import struct
import sys
from fractions import Fraction

from driver import Hold, Host, Stretch

DATA = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
S = 10**9
LAST = Fraction(1, 10**10)  # the last decimal of the column cost


def table_of(path, delimiter=","):
    if not path.exists():
        sys.exit(f"{path} is not there: this part takes the data beside the project")
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def unix(text):
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def single(price):
    """As the nearest number of single precision."""
    return Fraction(struct.unpack("f", struct.pack("f", price))[0])


class Task:
    def __init__(self, row, machines):
        machine = machines[row["machineType"]]
        self.key = (row["run"], row["machineType"], row["cloudZone"], row["priceModel"])
        self.cost = Fraction(row["cost"])
        self.vcpus = int(machine["vcpus"])
        memory_of_vcpu = int(machine["memory_mib"]) * 2**20 // self.vcpus
        self.units = max(int(row["cpus"]), -(-int(row["memory"]) // memory_of_vcpu))
        self.begin = unix(row["start"])
        self.seconds = unix(row["complete"]) - self.begin

    def lengths(self):
        return (self.seconds, self.seconds + 1)

    def rate(self, seconds):
        return self.cost * self.vcpus / self.units / seconds * 3600

    def length(self, rate):
        """The seconds with which the rate gives the cost to its last decimal; None: with none."""
        for seconds in self.lengths():
            if abs(rate * self.units / self.vcpus * seconds / 3600 - self.cost) <= LAST * 6 / 10:
                return seconds
        return None


def rate_of(tasks):
    """The price of four decimals that reproduces most of the tasks."""
    candidates = {float(round(task.rate(seconds), 4)) for task in tasks for seconds in task.lengths() if seconds}
    return max(sorted(candidates), key=lambda rate: sum(task.length(single(rate)) is not None for task in tasks))


def library_cost(driver, task, rate, seconds):
    """The task as the only hold of its host: what the split calls used, in nano-dollars; and how many cells it has."""
    share = (task.units * 10**6, 0, 0)
    hold = Hold(task.begin * S, (task.begin + seconds) * S, 0, share, share, share)
    host = Host((task.vcpus * 10**6, 0, 0), (10**6, 0, 0))
    cells = driver.split(host, [Stretch(hold.since, hold.until, round(rate * S))], [hold], "held")
    return sum(part[0] for cell in cells for part in cell.parts.values()), len(cells)


class Catalogue:
    def __init__(self, machines):
        self.machines = machines
        self.factors = {(row["region"], row["family"]): float(row["multiplier_vs_us_east_1"])
                        for row in table_of(DATA / "cloud" / "aws_region_multipliers.csv")}
        self.spot = {(row["region"], row["type"]): 1 - int(row["savings_percent_vs_on_demand"]) / 100
                     for row in table_of(DATA / "cloud" / "aws_spot_advisor_linux.csv")}

    def on_demand(self, kind, region):
        factor = self.factors.get((region, kind.split(".")[0]), self.factors.get((region, "*")))
        return float(self.machines[kind]["us_east_1_on_demand_usd_hour"]) * factor


def print_rates(groups, rates, catalogue):
    """Returns inferred ÷ expected prices, sorted."""
    print("\n| run | machine | zone | tasks | inferred spot price | ÷ on demand | spot ÷ on demand, 2025-06 |")
    print("|---|---|---|---|---|---|---|")
    ratios = []
    for key, tasks in sorted(groups.items()):
        region = key[2][:-1]
        ratio, spot = rates[key] / catalogue.on_demand(key[1], region), catalogue.spot[region, key[1]]
        ratios.append(ratio / spot)
        print(f"| {key[0]} | {key[1]} | {key[2]} | {len(tasks)} | {rates[key]:.4f} | {ratio:.3f} | {spot:.2f} |")
    print()
    return sorted(ratios)


def judge(driver, table):
    machines = {row["type"]: row for row in table_of(DATA / "cloud" / "aws_instance_types.csv")}
    tasks = [Task(row, machines) for path in sorted((DATA / "runs").glob("*.tsv")) for row in table_of(path, "\t")]
    groups = collections.defaultdict(list)
    for task in tasks:
        groups[task.key].append(task)
    rates = {key: rate_of(members) for key, members in groups.items()}
    exactly = near = same = 0
    for task in tasks:
        rate = single(rates[task.key])
        length = task.length(rate)
        exactly += length is not None
        nusd, cells = library_cost(driver, task, rate, length or task.seconds)
        near += abs(nusd - task.cost * S) <= task.cost * S / 100
        same += abs(nusd - task.cost * S) <= 1 + cells
        if length is None:
            print(f"not reproduced: {task.key}, cost {float(task.cost)}, {task.seconds} s")
    ratios = print_rates(groups, rates, Catalogue(machines))
    table.row(f"Seqera's task costs by one rate for each of {len(groups)} runs, machine types and zones, to the tenth decimal",
              f"{exactly} of {len(tasks)}", "all", exactly == len(tasks))
    table.row("the same by the library, to a nano-dollar for each hour", f"{same} of {len(tasks)}", "all", same == len(tasks))
    table.row("the same by the library, within 1 %", f"{near} of {len(tasks)}", "all", near == len(tasks))
    table.row("inferred spot prices ÷ (on demand of the catalogue × spot factor of 2025-06)",
              f"{ratios[0]:.2f} to {ratios[-1]:.2f}, median {ratios[len(ratios) // 2]:.2f}", "", None)
