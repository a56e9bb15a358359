#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs pipelines on one core and on two, predicts each from the other, and holds the predictions against the runs (bench/whatif.sh)."""
import argparse
import json
import os
import pathlib
import statistics
import sys

import runs
import workloads
from case import FREE, LIMITS, Case, spread
from rows import Rows

ROOT = pathlib.Path(__file__).resolve().parents[2]
APART = 0.10
LEAST_HELD, MOST_HELD = 0.85, 0.95
REFUSED = [("more cores than four times as many", {"cores": 16}, "was measured on"), ("less memory than a task needs", {"memory": "1M"}, "would not fit"),
           ("a step that there is none", {"step": "nothing:0.5"}, "no step named")]


def options():
    parser = argparse.ArgumentParser(prog="bench/whatif.sh", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short turn: whether it works, not how well")
    parser.add_argument("--turns", type=int, default=5, help="how often each run takes its turn")
    parser.add_argument("--patience", type=int, default=20, metavar="SECONDS", help="how long each run waits for a machine that does nothing else")
    parser.add_argument("--repeats", type=int, default=2, help="how often the runs that others disturbed are made again")
    parser.add_argument("--only", metavar="WORKLOAD", help="this one alone")
    parser.add_argument("--keep", metavar="DIR", type=pathlib.Path, help="recordings of all runs, and what was predicted")
    parser.add_argument("--record", action="store_true", help="make tests/data/whatif/ of each pipeline's runs in the middle")
    parser.add_argument("--write", action="store_true", help="write the table into docs/sizes.md")
    return parser.parse_args()


class Judge:
    """What was predicted of all runs of a case, held against all runs of another one."""

    def __init__(self, rows, keep):
        self.rows, self.keep, self.held, self.pairs = rows, keep, 0, 0

    def compare(self, what, source, question, target):
        answers = [runs.ask(run, **question) for run in source.ids]
        if self.keep:
            path = self.keep / f"{what.replace(' ', '_').replace(',', '').replace(':', '')}.json"
            path.write_text(json.dumps({"walls": target.walls, "sources": source.walls, "answers": answers}, indent=1))
        refused = [answer["refused"] for answer in answers if answer["refused"]]
        if refused:
            self.rows.row(what, refused[0], "", f"{len(refused)} of {len(answers)} refused", "none", False)
            return
        guessed = [answer["predicted"] for answer in answers]
        held = sum(each["wall_low_s"] <= wall <= each["wall_high_s"] for each in guessed for wall in target.walls)
        self.held += held
        self.pairs += len(guessed) * len(target.walls)
        predicted, measured = statistics.median(each["wall_s"] for each in guessed), statistics.median(target.walls)
        apart = predicted / measured - 1
        self.rows.row(what, f"{predicted:.1f} s (± {100 * spread([each['wall_s'] for each in guessed]):.0f} %)",
                      f"{measured:.1f} s (± {100 * spread(target.walls):.0f} %)", f"{100 * apart:+.1f} %; held {held} of {len(guessed) * len(target.walls)}",
                      f"± {100 * APART:.0f} %", abs(apart) <= APART)

    def judge_intervals(self):
        part = self.held / self.pairs if self.pairs else 0
        self.rows.row("intervals of 90 % that hold, all pairs", "", "", f"{100 * part:.0f} % of {self.pairs}",
                      f"{100 * LEAST_HELD:.0f} to {100 * MOST_HELD:.0f} %", LEAST_HELD <= part <= MOST_HELD)


def judge_refusals(rows, run):
    for what, question, words in REFUSED:
        refused = runs.ask(run, **question)["refused"] or ""
        rows.row(f"refused: {what}", refused or "an answer", "", "", words, words in refused)


def keep_recordings(arguments, cases):
    for case in cases:
        for turn, run in enumerate(case.ids):
            stem = f"{case.workload.name}_{case.limit[0]}_{case.limit[1]}_{turn}"
            runs.subprocess.run(["tracer", "record", "--force", "-o", arguments.keep / f"{stem}.rec", run], check=True, capture_output=True)


def record(cases):
    """Of each pipeline, by how it was limited, the run that was as long as most."""
    folder = ROOT / "tests" / "data" / "whatif"
    folder.mkdir(exist_ok=True)
    names = {FREE: "2", LIMITS[0]: "1", LIMITS[1]: "quota"}
    for case in cases:
        if case.workload in workloads.WORKLOADS:
            middle = case.ids[case.walls.index(statistics.median_low(case.walls))]
            path = folder / f"{case.workload.name}_{names[case.limit]}.rec"
            runs.subprocess.run(["tracer", "record", "--force", "--hostname", "lab-1", "-o", path, middle], check=True, capture_output=True)


def main():
    arguments = options()
    turns = 1 if arguments.quick else arguments.turns
    lab = workloads.Lab(ROOT, pathlib.Path(os.environ["TRACER_FINDINGS_WORK"]), 0.6 if arguments.quick else 1)
    cases = {}
    changed = []
    for workload in workloads.WORKLOADS:
        for limit in (FREE, *LIMITS):
            cases[workload.name, limit] = Case(workload, limit)
    for what, before, question, after in workloads.CHANGED:
        if (before.name, FREE) not in cases:
            cases[before.name, FREE] = Case(before, FREE)
        cases[after.name, FREE] = Case(after, FREE)
        changed.append((what, cases[before.name, FREE], question, cases[after.name, FREE]))
    wanted = [case for case in cases.values() if not arguments.only or case.workload.name.startswith(arguments.only)]
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    runs.warm()
    for turn in range(turns):
        for case in wanted:
            case.take_turn(lab, turn, arguments.patience)
    for turn in range(turns, turns + arguments.repeats):
        for case in wanted:
            case.repeat_disturbed(lab, turn, arguments.patience)
    runs.wait_until_quiet()
    if arguments.keep:
        keep_recordings(arguments, wanted)
    if arguments.record:
        record(wanted)
    rows = Rows("whatif", "docs/sizes.md", "bench/whatif.sh")
    judge = Judge(rows, arguments.keep)
    for workload in workloads.WORKLOADS:
        for limit in LIMITS:
            few, many = cases[workload.name, limit], cases[workload.name, FREE]
            if few in wanted:
                judge.compare(f"{few.name}, from 2", many, {"cores": few.limit[1]}, few)
                judge.compare(f"{many.name}, from 1 by {limit[0]}", few, {"cores": many.limit[1]}, many)
    for what, before, question, after in changed:
        if before in wanted and after in wanted:
            judge.compare(what, before, question, after)
    judge.judge_intervals()
    rows.row("runs that others disturbed, made again", "", "", f"{sum(case.made_again for case in wanted)} of {turns * len(wanted)}", "", None)
    judge_refusals(rows, wanted[0].ids[0])
    if arguments.write and not arguments.only and not arguments.quick:
        rows.write()
    return rows.end()


if __name__ == "__main__":
    sys.exit(main())
