#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what `tracer recommend` says against runs, its packing against memory, and its choice against others (bench/recommend.sh)."""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench" / "whatif"))

import choices  # noqa: E402
import machines  # noqa: E402
import recorded  # noqa: E402
from driver import Driver  # noqa: E402
from rows import Rows  # noqa: E402

APART = 0.10
ROUNDS, SEED = 5000, 24
REGION = "eu-west-1"
PARTS = ["measured", "packing", "recorded"]
WORKLOADS = ["demo", "nextflow"]


def options():
    parser = argparse.ArgumentParser(prog="bench/recommend.sh", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short turn of the runs, fewer packings: whether it works, not how well")
    parser.add_argument("--turns", type=int, default=5, help="how often each run takes its turn")
    parser.add_argument("--patience", type=int, default=20, metavar="SECONDS", help="how long each run waits for a machine that does nothing else")
    parser.add_argument("--repeats", type=int, default=2, help="how often the runs that others disturbed are made again")
    parser.add_argument("--part", choices=PARTS, help="this one alone")
    parser.add_argument("--seed", type=int, default=SEED, help="of the random packings")
    parser.add_argument("--drivers", required=True, type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true", help="write the table into docs/sweep.md")
    return parser.parse_args()


def machine_of(limit):
    """A machine as a user describes it: so many CPUs, and memory in which all of it fits."""
    return {"machine": f"cpus={limit[1]},memory=16G,usd_hour={0.05 * limit[1]}"}


class Judge:
    """What is recommended for all runs of a case, held against all runs of another one."""

    def __init__(self, rows, get):
        self.rows, self.get = rows, get

    def compare(self, what, source, target):
        answers = [self.get(f"/recommend?{urllib.parse.urlencode({'run': run, **machine_of(target.limit)})}") for run in source.ids]
        refused = [answer["refused"] or "no machine" for answer in answers if not answer["candidates"]]
        if refused:
            self.rows.row(what, refused[0], "", f"{len(refused)} of {len(answers)} refused", "none", False)
            return
        found = [answer["candidates"][0] for answer in answers]
        predicted, measured = statistics.median(each["wall_s"] for each in found), statistics.median(target.walls)
        held = sum(each["wall_low_s"] <= wall <= each["wall_high_s"] for each in found for wall in target.walls)
        apart = predicted / measured - 1
        self.rows.row(what, f"{predicted:.1f} s", f"{measured:.1f} s", f"{100 * apart:+.1f} %; held {held} of {len(found) * len(target.walls)}",
                      f"± {100 * APART:.0f} %", abs(apart) <= APART)
        usd = measured / 3600 * found[0]["usd_hour"]
        cost = statistics.median(each["cost_usd"] for each in found) / usd - 1
        self.rows.row(f"{what}: cost", f"{usd * (1 + cost):.6f} USD", f"{usd:.6f} USD", f"{100 * cost:+.1f} %", f"± {100 * APART:.0f} %", abs(cost) <= APART)


def judge_measured(rows, arguments):
    import runs
    import workloads
    from case import FREE, LIMITS, Case

    turns = 1 if arguments.quick else arguments.turns
    lab = workloads.Lab(ROOT, pathlib.Path(os.environ["TRACER_FINDINGS_WORK"]), 0.6 if arguments.quick else 1)
    cases = {(workload.name, limit): Case(workload, limit) for workload in workloads.WORKLOADS if workload.name in WORKLOADS
             for limit in (FREE, *LIMITS)}
    runs.warm()
    for turn in range(turns):
        for case in cases.values():
            case.take_turn(lab, turn, arguments.patience)
    for turn in range(turns, turns + (0 if arguments.quick else arguments.repeats)):
        for case in cases.values():
            case.repeat_disturbed(lab, turn, arguments.patience)
    runs.wait_until_quiet()
    judge = Judge(rows, runs.get)
    for name in WORKLOADS:
        for limit in LIMITS:
            few, many = cases[name, limit], cases[name, FREE]
            judge.compare(f"{few.name}, from 2", many, few)
            judge.compare(f"{many.name}, from 1 by {limit[0]}", few, many)


def judge_packing(rows, arguments):
    rounds = ROUNDS // 10 if arguments.quick else ROUNDS
    counts = subprocess.run([arguments.drivers / "pack_driver", str(rounds), str(arguments.seed)], check=True, capture_output=True, text=True).stdout
    hosts, alone, instants, exceeded, early, refused = (int(each) for each in counts.split())
    rows.row(f"random work packed on hosts, and on one host ({refused} refused)", "", "", f"{hosts:,} and {alone:,} packings", f"≥ {rounds // 2:,} each",
             min(hosts, alone) >= rounds // 2)
    rows.row("instants with more memory than a host has", "", "", f"{exceeded} of {instants:,}", "0", exceeded == 0)
    rows.row("tasks that began before what they need", "", "", f"{early}", "0", early == 0)


def dollars(outcome):
    return "–" if math.isnan(outcome.usd) else f"{outcome.usd:.2f} USD in {outcome.wall_s / 3600:.1f} h, {outcome.failed} failed"


def judge_pair(rows, driver, found, workflow, train, judged):
    own = choices.tracer(driver, found, train, judged)
    what = f"{workflow} {judged[0].run[:4]}, learned from {train[0].run[:4]}"
    rows.row(f"{what}: our choice, {own.words}", "", "", dollars(own), "0 failed", own.failed == 0 and not math.isnan(own.usd))
    for name, choose in choices.RIVALS:
        other = choose(driver, found, train, judged)
        good = other.failed > own.failed or (own.failed <= other.failed and own.usd <= other.usd)
        rows.row(f"{what}: {name}, {other.words}", "", "", dollars(other), f"ours ≤, at no more failures", good)
    share = choices.shares(found, judged)
    rows.row(f"{what}: what they had, without free room of hosts and their starts", "", "", f"{share:.2f} USD", "", None)


def judge_recorded(rows, arguments):
    driver, found = Driver(arguments.drivers / "fleet_driver"), machines.read_machines(REGION)
    for workflow in recorded.WORKFLOWS:
        one, other = recorded.read_runs(workflow).values()
        judge_pair(rows, driver, found, workflow, one, other)
        judge_pair(rows, driver, found, workflow, other, one)


def main():
    arguments = options()
    rows = Rows("recommend", "docs/sweep.md", "bench/recommend.sh")
    for part, judge in zip(PARTS, (judge_measured, judge_packing, judge_recorded)):
        if arguments.part in (None, part):
            judge(rows, arguments)
    if arguments.write and not arguments.part and not arguments.quick:
        rows.write()
    return rows.end()


if __name__ == "__main__":
    sys.exit(main())
