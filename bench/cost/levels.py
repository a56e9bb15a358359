# SPDX-License-Identifier: Apache-2.0
"""Whether parts add up at every level, on a random world."""
import collections
import math
import random

import exact
import world
from driver import Stretch

DAY = 24 * world.HOUR


class Checks:
    """What was counted and what was wrong, by name."""

    def __init__(self):
        self.counted, self.wrong = collections.Counter(), collections.Counter()

    def check(self, name, good):
        self.counted[name] += 1
        self.wrong[name] += not good


def rounded(amount):
    return math.floor(amount + exact.Fraction(1, 2))


def price_at(machine, at):
    return next(stretch.nusd_hour for stretch in machine.stretches if stretch.since <= at < stretch.until)


def check_cells(machine, cells, checks):
    for cell in cells:
        paid = sum(sum(part) for part in cell.parts.values())
        checks.check("cells in which used + unused + idle + unallocated = whole", paid + cell.unallocated == cell.whole)
        hour = cell.since - cell.since % world.HOUR
        price = price_at(machine, cell.since)
        by_hand = rounded(exact.price(price, hour, cell.until)) - rounded(exact.price(price, hour, cell.since))
        checks.check("cells with the price of their time", by_hand == cell.whole)
        checks.check("cells without a negative part", cell.unallocated >= 0 and all(each >= 0 for part in cell.parts.values() for each in part))
    up = sum(stretch.until - stretch.since for stretch in machine.stretches)
    checks.check("hosts of which the cells are the time that they were up", up == sum(cell.until - cell.since for cell in cells))


def check_exact(machine, rule, cells, holds, checks):
    """A cost is rounded once and its three parts once more."""
    for cell in cells:
        price = price_at(machine, cell.since)
        costs, unallocated = exact.RULES[rule](machine.host, price, cell.since, cell.until, holds)
        amount = exact.price(price, cell.since, cell.until)
        factor = cell.whole / amount if amount else 0  # the amount of a cell is rounded first
        checks.check("unallocated times within a nano-dollar of the rule in exact fractions", abs(cell.unallocated - unallocated * factor) < 1)
        for index, parts in costs.items():
            got = cell.parts.get(index, (0, 0, 0))
            checks.check("costs within a nano-dollar of the rule in exact fractions", abs(sum(got) - sum(parts) * factor) < 1)
            checks.check("their parts within two", all(abs(one - other * factor) < 2 for one, other in zip(got, parts)))


def totals(cells, count):
    sums = [[0, 0, 0] for _ in range(count)]
    for cell in cells:
        for index, part in cell.parts.items():
            for place, amount in enumerate(part):
                sums[index][place] += amount
    return sums


def check_order(driver, chance, machine, rule, cells, checks):
    places = list(range(len(machine.tasks)))
    chance.shuffle(places)
    mixed = chance.sample(machine.stretches, len(machine.stretches))
    other = driver.split(machine.host, mixed, [machine.tasks[place].hold for place in places], rule)
    for cell, again in zip(cells, other):
        same = {places[index]: part for index, part in again.parts.items()} == cell.parts
        checks.check("cells that are the same in another order of the input", same and cell.unallocated == again.unallocated)


def check_days(driver, machine, rule, cells, holds, checks):
    """Each day asked for alone, and all together."""
    sums, whole = [[0, 0, 0] for _ in holds], 0
    for day in range(cells[0].since // DAY, cells[-1].until // DAY + 1):
        cut = [Stretch(max(each.since, day * DAY), min(each.until, (day + 1) * DAY), each.nusd_hour) for each in machine.stretches]
        part = driver.split(machine.host, cut, holds, rule)
        whole += sum(cell.whole for cell in part)
        sums = [[one + other for one, other in zip(*pair)] for pair in zip(sums, totals(part, len(holds)))]
    good = sums == totals(cells, len(holds)) and whole == sum(cell.whole for cell in cells)
    checks.check("hosts of which the days, each asked for alone, add up to all of the time", good)


def add(levels, level, key, amount):
    levels[level][key] = levels[level].get(key, 0) + amount


def add_levels(driver, machine, cells, levels):
    for cell in cells:
        for index, part in cell.parts.items():
            add(levels, "day", cell.since // DAY, sum(part))
            for level in world.LEVELS:
                add(levels, level, machine.tasks[index].labels[level], sum(part))
    for task, parts in zip(machine.tasks, totals(cells, len(machine.tasks))):
        names = [name for name, _ in task.tools] or ["no tool"]
        weights = [time for _, time in task.tools]
        for amount in parts:
            for name, share in zip(names, driver.share(amount, weights if sum(weights) else [1] * len(names))):
                add(levels, "tool", name, share)


def judge(driver, seed, hosts, rule, table):
    chance, checks = random.Random(seed), Checks()
    levels, paid = collections.defaultdict(dict), 0
    for machine in world.make(chance, hosts, 5 * 24, 60):
        holds = [task.hold for task in machine.tasks]
        cells = driver.split(machine.host, machine.stretches, holds, rule)
        check_cells(machine, cells, checks)
        check_order(driver, chance, machine, rule, cells, checks)
        check_days(driver, machine, rule, cells, holds, checks)
        check_exact(machine, rule, cells, holds, checks)
        add_levels(driver, machine, cells, levels)
        paid += sum(cell.whole - cell.unallocated for cell in cells)
    for name, count in checks.counted.items():
        table.row(f"{rule}: {name}", f"{count - checks.wrong[name]:,} of {count:,}", "all", checks.wrong[name] == 0)
    for level, sums in levels.items():
        off = sum(sums.values()) - paid
        table.row(f"{rule}: Σ of the costs by {level} ({len(sums):,}) − what {hosts} hosts cost while held", f"{off:,} nano-dollars", "0", off == 0)
