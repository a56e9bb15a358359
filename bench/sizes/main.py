# SPDX-License-Identifier: Apache-2.0
"""Replays recorded tasks with the memory that each method would have requested (bench/rightsize.sh)."""
import argparse
import pathlib
import sys

import methods
import replay
from driver import Driver
from rows import Rows
from tasks import read_table

ROOT = pathlib.Path(__file__).parents[2]
WORKFLOWS = ["rnaseq", "methylseq"]
FAILED_MAX = 0.01
# How the tasks are judged, and which methods must waste more.
WAYS = [
    (replay.other_run, "trained on one run, judged on the other, both ways", False),
    (replay.leave_one_out, "each task from the others of its run", False),
    (replay.online, "each run from its first task on", True),
]
# Other values of the method's own constants: all tasks' risk, a step's, the price of a retry (0: the default).
OTHERWISE = [(0, 0.02, 0), (0, 0.1, 0), (0, 0, 10), (0, 0, 100), (0.005, 0, 0), (0.02, 0, 0)]


def score(way, method):
    """Of all, and of each workflow."""
    total, each = replay.Score(), []
    for workflow in WORKFLOWS:
        each.append(way(read_table(ROOT, workflow), method))
        total.add(each[-1])
    return total, each


def cells(result, each):
    until = f"{result.tasks_until_good():.1f}" if result.seen else "–"
    return (f"{result.wasted:,.0f}", f"{result.retried:,.0f}", f"{result.failed} of {result.tasks} ({result.failed / result.tasks:.2%})", until,
            *(f"{part.wasted:,.0f}; {part.failed} of {part.tasks}" for part in each))


def judge(rows, way, words, among_safe, contenders):
    rows.table(words, "wasted GiB·h", "of it by failed tries", "failed first tries", "tasks until a good size", *WORKFLOWS)
    scores = {}
    for method in contenders:
        scores[method.name], each = score(way, method)
        rows.row(method.name, *cells(scores[method.name], each))
    own = scores.pop("Tracer")
    others = {name: other for name, other in scores.items() if not among_safe or other.failed <= FAILED_MAX * other.tasks}
    best = min(others, key=lambda name: others[name].wasted)
    return own, best, others[best].wasted


def otherwise(rows, driver):
    rows.table("Tracer with other constants, judged on the other run", "wasted GiB·h", "of it by failed tries", "failed first tries", "",
               *WORKFLOWS)
    for risk, step_risk, price in OTHERWISE:
        driver.set(risk, step_risk, price)
        words = [f"at most {risk:.1%} of all tasks"] * (risk > 0) + [f"at most {step_risk:.0%} of a step"] * (step_risk > 0) + \
            [f"a retry costs {price} GB·h"] * (price > 0)
        rows.row(", ".join(words), *cells(*score(replay.other_run, methods.Tracer(driver))))
    driver.set(0, 0, 0)


def main():
    parser = argparse.ArgumentParser(prog="bench/rightsize.sh", description=__doc__)
    parser.add_argument("--driver", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true", help="write the tables into docs/sizes.md")
    arguments = parser.parse_args()
    driver, rows = Driver(arguments.driver), Rows()
    contenders = [methods.Requested(), methods.Maximum(1), methods.Maximum(1.2), methods.Percentile(), methods.Witt(), methods.Ponder(),
                  methods.Tracer(driver)]
    judged = [(words, among_safe, judge(rows, way, words, among_safe, contenders)) for way, words, among_safe in WAYS]
    otherwise(rows, driver)
    rows.table("judged", "Tracer", "bar", "")
    for words, among_safe, (own, best, wasted) in judged:
        among = "of those that fail at most 1 %" if among_safe else "of all"
        rows.bar(f"{words}: wastes least {among}", f"{own.wasted:,.0f} GiB·h", f"< {wasted:,.0f} ({best})", own.wasted < wasted)
        rows.bar(f"{words}: failed first tries", f"{own.failed / own.tasks:.2%}", f"≤ {FAILED_MAX:.0%}",
                 own.failed <= FAILED_MAX * own.tasks)
    if arguments.write:
        rows.write()
    return rows.end()


if __name__ == "__main__":
    sys.exit(main())
