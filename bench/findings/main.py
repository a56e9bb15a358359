#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs pipelines with one cause each and without, and holds what Tracer finds against the cause (bench/findings.sh)."""
import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import signal
import statistics
import sys
import time

import data
import fail_ends
import fail_files
import fail_memory
import judge
import machine
import recorder
import slow_cpu
import slow_storage
import slow_waits
import table
from case import Case, Lab

CAUSES = [cause for group in (fail_memory, fail_files, fail_ends, slow_cpu, slow_storage, slow_waits) for cause in group.CAUSES]
CAP_S = 120  # of one run
BETWEEN_S = 0.3
SPREAD, MOST_PAIRS = 0.15, 7  # where the savings of the pairs differ by more than this part, there are so many
ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "findings.md"


def options():
    parser = argparse.ArgumentParser(prog="bench/findings.sh", description=__doc__)
    parser.add_argument("seed", nargs="?", default="1")
    parser.add_argument("--list", action="store_true", help="say which causes there are")
    parser.add_argument("--only", metavar="CAUSE[,CAUSE]", help="these alone")
    parser.add_argument("--variations", type=int, default=5)
    parser.add_argument("--pairs", type=int, default=3, help="how often a slow case and its twin take turns at least")
    parser.add_argument("--keep", metavar="DIR", type=pathlib.Path, help="recordings of all runs, their logs and what was found")
    parser.add_argument("--write", action="store_true", help="write the matrix into docs/findings.md")
    parser.add_argument("--record", action="store_true", help="make tests/data/runs/causes/ of two variations of each cause")
    return parser.parse_args()


@contextlib.contextmanager
def lake_stopped(lab):
    """Meanwhile the agent keeps what it has to deliver: what the lake computes of the runs before would take CPUs from this one."""
    lake = int((lab.work / "data" / "lake.pid").read_text().split()[0])
    os.kill(lake, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(lake, signal.SIGCONT)


def run_once(lab, cause, arguments, variation, injected, turn):
    """Runs the case to its end. A stuck one is asked about, then ended."""
    case = Case(lab, cause, arguments.seed, variation, injected, turn)
    with case.stack, lake_stopped(lab) if cause.slow and not cause.stuck else contextlib.nullcontext():
        cause.build(case)
        case.warm()
        began = time.monotonic()
        process = case.start()
        outcome = judge.Outcome(cause.name, case.kinds, cause.beside, variation, case.engine, injected, turn, case.name, case.culprit)
        if cause.stuck and injected:
            outcome.timed = False
            judge.ask_while_it_runs(outcome, lab.work / "data")
        elif not process.wait(machine.CAP_S if cause.machine else CAP_S):
            print(f"{outcome.label} did not end in time: its log is {case.log}", file=sys.stderr)
        outcome.wall_s = time.monotonic() - began
        process.end()
        if cause.machine:
            machine.deliver(case)
    time.sleep(BETWEEN_S)
    return outcome


def keep(arguments, outcome, folder):
    arguments.keep.mkdir(parents=True, exist_ok=True)
    stem = arguments.keep / f"{outcome.cause}_{outcome.variation}_{'cause' if outcome.injected else 'clean'}{outcome.turn}"
    judge.tracer("record", "--force", "-o", f"{stem}.rec", outcome.run)
    stem.with_suffix(".json").write_text(json.dumps(outcome.report, indent=1))
    log = folder / outcome.cause / f"{outcome.name}.log"
    if log.exists():
        stem.with_suffix(".log").write_bytes(log.read_bytes())


def settled(saved):
    """Whether the savings of these pairs agree, or there are enough of them for a median: whatever is said of them."""
    return len(saved) >= MOST_PAIRS or max(saved) - min(saved) <= SPREAD * abs(statistics.median(saved))


def execute(lab, causes, arguments):
    outcomes = []
    for cause in causes:
        for variation in range(arguments.variations):
            saved = []
            while len(saved) < (arguments.pairs if cause.slow else 1) or (cause.slow and not settled(saved)):
                pair = [run_once(lab, cause, arguments, variation, injected, len(saved)) for injected in (True, False)]
                saved.append(pair[0].wall_s - pair[1].wall_s)
                outcomes += pair
        print(f"ran {cause.name}", file=sys.stderr, flush=True)
    return outcomes


def main():
    arguments = options()
    wanted = arguments.only.split(",") if arguments.only else [cause.name for cause in CAUSES]
    unknown = set(wanted) - {cause.name for cause in CAUSES}
    if unknown:
        sys.exit(f"there is no cause {', '.join(sorted(unknown))}: see --list")
    causes = [cause for cause in CAUSES if cause.name in wanted]
    if arguments.list:
        for cause in causes:
            print(f"{cause.name:18} {', '.join(sorted(cause.kinds)):24} {' '.join((cause.build.__doc__ or '').split())}")
        return 0
    if arguments.record:
        arguments.variations, arguments.pairs = recorder.VARIATIONS, 1
        causes = [dataclasses.replace(cause, engines=recorder.smaller(cause)) for cause in causes]
    work = pathlib.Path(os.environ["TRACER_FINDINGS_WORK"])
    lab = Lab(work, ROOT, work / "lab", work / "programs", pathlib.Path(os.environ["TRACER_FINDINGS_DISKS"]))
    data.make_data(lab)
    data.make_programs(lab, pathlib.Path(__file__).parent / "programs")
    data.calibrate(lab)
    outcomes = execute(lab, causes, arguments)
    for each in judge.settled(outcomes, work / "data"):
        print(f"{each.label} is not a run that has ended, but {each.status}", file=sys.stderr)
    for each in outcomes:
        if each.run and not each.report:
            judge.ask(each)
        if each.run and arguments.keep:
            keep(arguments, each, work / "cases")
    kinds = table.kinds_of(PAGE)
    print("\n".join([*table.rows(outcomes), "", *table.matrix(outcomes), "", *table.misses(outcomes, kinds), ""]))
    bars = table.within_bars(outcomes, kinds)
    for what, held in bars:
        print(("ok    " if held else "MISS  ") + what)
    if arguments.write:
        table.write(PAGE, ["", *table.matrix(outcomes)])
    if arguments.record:
        recorder.record(ROOT / "tests" / "data" / "runs" / "causes", outcomes)
    return 0 if all(held for _, held in bars) else 1


if __name__ == "__main__":
    sys.exit(main())
