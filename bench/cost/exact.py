# SPDX-License-Identifier: Apache-2.0
"""The rule of docs/cost.md in exact fractions, instant by instant: written apart from the library, to compare it with."""
from fractions import Fraction

HOUR = 3600 * 10**9


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


def cell(host, nusd_hour, since, until, holds):
    """What each hold costs within the cell as (used, unused, idle), and what none pays."""
    present = [(index, hold) for index, hold in enumerate(holds) if hold.since < until and hold.until > since and hold.since < hold.until]
    times = sorted({since, until, *(at for _, hold in present for at in (hold.since, hold.until) if since < at < until)})
    costs, vacant = {}, Fraction(0)
    for begin, end in zip(times, times[1:]):
        now = [(index, hold) for index, hold in present if hold.since <= begin < hold.until]
        vacant += add_instant(host, now, price(nusd_hour, begin, end), costs)
    return costs, vacant
