# SPDX-License-Identifier: Apache-2.0
"""The rules of docs/cost.md in exact fractions: written apart from the library, to compare it with."""
from fractions import Fraction

HOUR = 3600 * 10**9
AWS_UNITS = (Fraction(9, 10**6), Fraction(1, 2**20), Fraction(90, 10**6))  # of a millionth of a vCPU, a KiB, a millionth of a GPU


def price(nusd_hour, since, until):
    return Fraction(nusd_hour * (until - since), HOUR)


def add_instant(host, present, amount, costs):
    """Adds what each of the present holds (index, hold) gets of the amount; returns what none gets."""
    sums = [sum(hold.held[kind] for _, hold in present) for kind in range(3)]
    there = [host.capacity[kind] > 0 or sums[kind] > 0 for kind in range(3)]
    weights = [host.weights[kind] if there[kind] else 0 for kind in range(3)]
    if sum(weights) == 0:
        weights = [int(each) for each in there]
    worth = [amount * Fraction(weights[kind], sum(weights) * max(host.capacity[kind], sums[kind])) if there[kind] else 0 for kind in range(3)]
    values = [sum(worth[kind] * hold.held[kind] for kind in range(3)) for _, hold in present]
    if sum(values) == 0:
        return amount
    for (index, hold), value in zip(present, values):
        used = sum(worth[kind] * hold.used[kind] for kind in range(3))
        before = costs.get(index, (0, 0, 0))
        costs[index] = (before[0] + used, before[1] + value - used, before[2] + value * (amount / sum(values) - 1))
    return 0


def there_in(since, until, holds):
    """(index, hold) of those that hold something then."""
    return [(index, hold) for index, hold in enumerate(holds) if max(hold.since, since) < min(hold.until, until) and any(hold.held)]


def held(host, nusd_hour, since, until, holds):
    """What each hold costs within the cell as (used, unused, idle), and what none pays."""
    present = there_in(since, until, holds)
    times = sorted({since, until, *(at for _, hold in present for at in (hold.since, hold.until) if since < at < until)})
    costs, unallocated = {}, Fraction(0)
    for begin, end in zip(times, times[1:]):
        now = [(index, hold) for index, hold in present if hold.since <= begin < hold.until]
        unallocated += add_instant(host, now, price(nusd_hour, begin, end), costs)
    return costs, unallocated


def aws(host, nusd_hour, since, until, holds):
    """The same by AWS's rule: hold-hours of the whole cell."""
    amount, length = price(nusd_hour, since, until), until - since
    present = [(index, hold, min(hold.until, until) - max(hold.since, since)) for index, hold in there_in(since, until, holds)]
    allocated = [sum(max(hold.reserved[kind], hold.used[kind]) * time for _, hold, time in present) for kind in range(3)]
    capacity = [host.capacity[kind] or allocated[kind] // length for kind in range(3)]
    wholes = [max(host.capacity[kind] * length, allocated[kind]) for kind in range(3)]
    weights = [capacity[kind] * AWS_UNITS[kind] for kind in range(3)]
    parts = [amount * weight / sum(weights) if sum(weights) else 0 for weight in weights]
    costs, lone = {}, sum(parts[kind] for kind in range(3) if not allocated[kind])
    for index, hold, time in present:
        used = unused = idle = Fraction(0)
        for kind in range(3):
            if allocated[kind]:
                own = max(hold.reserved[kind], hold.used[kind]) * time
                used += parts[kind] * Fraction(hold.used[kind] * time, wholes[kind])
                unused += parts[kind] * Fraction(own - hold.used[kind] * time, wholes[kind])
                idle += parts[kind] * Fraction(own, allocated[kind]) * Fraction(wholes[kind] - allocated[kind], wholes[kind])
        costs[index] = (used, unused, idle)
    value = sum(used + unused for used, unused, _ in costs.values())
    if value == 0:
        return {}, amount
    return {index: (used, unused, idle + lone * (used + unused) / value) for index, (used, unused, idle) in costs.items()}, Fraction(0)


RULES = {"held": held, "aws": aws}
