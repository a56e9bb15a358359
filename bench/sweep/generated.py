# SPDX-License-Identifier: Apache-2.0
"""Fleets that bench/drivers/sweep makes: what sweep_find found of each story, and what the clouds' rules would have."""
import dataclasses
import math
import os
import statistics
import subprocess
from concurrent.futures import ThreadPoolExecutor

FLEETS, QUICK_FLEETS, RULE_FLEETS = 40, 8, 8
FOUND, FALSE, MEDIAN_S, P95_S = 0.95, 0.01, 120, 300
RULES = ("AWS Trusted Advisor, low utilization", "the same without its limit for the network", "AWS Compute Optimizer, idle",
         "AWS Compute Optimizer, over-provisioned", "Google Cloud, idle VM")
SIZE_RULE = 3
IDLE_KINDS, SIZE_KINDS = {"host_idle", "worker_idle", "host_low"}, {"host_low", "host_oversized"}
# Of volumes without a machine, the time that passes first: "Viewing idle resource recommendations" (EBS), and Google Cloud's "Review
# idle resource recommendations" (persistent disks).
VOLUME_DAYS = (("AWS Compute Optimizer, idle volume", 32), ("Google Cloud, idle disk", 15))


@dataclasses.dataclass(frozen=True)
class Story:
    kind: str  # empty: a control
    name: str
    marked: bool
    patience_s: int
    late_s: float  # inf: not found
    wrong: tuple
    machines: int
    rules: tuple  # days; inf: never

    @property
    def found(self):
        return self.late_s < math.inf


def read(line):
    kind, name, marked, patience, late, wrong, machines, *rules = line.split("\t")
    days = tuple(math.inf if text == "-" else float(text) for text in rules if text)
    return Story("" if kind == "-" else kind, name, marked == "1", int(patience), math.inf if late == "-" else float(late),
                 tuple(wrong.split()), int(machines), days)


def run(driver, seed, fleets, rules):
    out = subprocess.run([driver, str(seed), str(fleets), "1" if rules else "0"], capture_output=True, text=True)
    if out.returncode:
        raise SystemExit(f"sweep_driver: {out.stderr}")
    return [read(line) for line in out.stdout.splitlines()]


def run_all(driver, seed, quick):
    """Parts of several fleets on each CPU. Rules of the clouds look at 40 days of minutes: they get fewer fleets."""
    fleets = QUICK_FLEETS if quick else FLEETS
    with_rules = 2 if quick else RULE_FLEETS
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = [pool.submit(run, driver, seed * 1000 + i, 1, i < with_rules) for i in range(fleets)]
        return [story for part in parts for story in part.result()]


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)] if ordered else math.inf


def show(seconds):
    return "never" if seconds == math.inf else f"{seconds:.0f} s"


def judge_kind(table, kind, stories, timed):
    late = [story.late_s for story in stories]
    share = sum(story.found for story in stories) / len(stories)
    median, p95 = statistics.median(late), quantile(late, 0.95)
    names = len({(story.kind, story.name) for story in stories})
    table.row(f"{kind}: of {len(stories)} ({names} variations) found", f"{share:.1%}, median {show(median)}, p95 {show(p95)}",
              f"≥ {FOUND:.0%}" + (f", ≤ {MEDIAN_S} s, ≤ {P95_S} s" if timed else ""),
              share >= FOUND and (not timed or median <= MEDIAN_S and p95 <= P95_S))


def judge_false(table, stories):
    controls = [story for story in stories if not story.kind]
    false = [story for story in controls if story.wrong]
    table.row(f"of {len(controls)} controls ({len({story.name for story in controls})} variations), in which something was found in 4 h",
              f"{len(false) / len(controls):.2%} ({len(false)})", f"≤ {FALSE:.0%}", len(false) / len(controls) <= FALSE)
    wrong = sum(len(story.wrong) for story in stories)
    right = sum(story.found for story in stories)
    table.row(f"of all {wrong + right} findings: wrong, too early, or of the wrong kind", f"{wrong / max(1, wrong + right):.2%} ({wrong})", f"≤ {FALSE:.0%}",
              wrong <= FALSE * (wrong + right))
    hours = 4 * sum(story.machines for story in controls)
    table.row("wrong findings of controls, in a day of 1,000 hosts", f"{sum(len(story.wrong) for story in controls) / max(1, hours) * 24000:.1f}", "", None)


def explain(stories):
    """What was missed and what was wrong, by variation."""
    for kind, name in dict.fromkeys((story.kind, story.name) for story in stories):
        same = [story for story in stories if (story.kind, story.name) == (kind, name)]
        missed = sum(1 for story in same if story.kind and story.late_s > P95_S)
        wrong = [word for story in same for word in story.wrong]
        if missed or wrong:
            print(f"  {same[0].kind or 'control'}: {name}: {missed} of {len(same)} late or missed; wrong: {' '.join(wrong[:6]) or 'none'}")


def judge_rules(table, stories):
    judged = [story for story in stories if story.rules]
    controls = [story for story in judged if not story.kind and not story.marked]
    for index, name in enumerate(RULES):
        kinds = SIZE_KINDS if index == SIZE_RULE else IDLE_KINDS
        wastes = [story for story in judged if story.kind in kinds]
        days = [story.rules[index] for story in wastes]
        found = [one for one in days if one < math.inf]
        ours = [(story.late_s + story.patience_s) / 3600 for story in wastes if story.found]
        false = sum(story.rules[index] < math.inf for story in controls)
        table.row(f"{name}: of {len(wastes)} hosts ({', '.join(sorted(kinds))}) found",
                  f"{len(found) / len(wastes):.0%}, after {statistics.median(found):.1f} d; false of {false / len(controls):.0%} of {len(controls)} hosts"
                  if found else f"0 %; false of {false / len(controls):.0%} of {len(controls)} hosts",
                  f"Tracer: {len(ours) / len(wastes):.0%}, after {statistics.median(ours):.2f} h" if ours else "Tracer: 0 %", None)
    late = [(story.late_s + story.patience_s) / 86400 for story in stories if story.kind == "volume_unused" and story.found]
    for name, days in VOLUME_DAYS:
        table.row(f"{name}: found, as it says", f"after {days} d", f"Tracer: after {statistics.median(late):.1f} d" if late else "Tracer: never", None)


def judge(table, driver, seed, quick):
    stories = run_all(driver, seed, quick)
    wastes = [story for story in stories if story.kind]
    for kind in dict.fromkeys(story.kind for story in wastes):
        judge_kind(table, kind, [story for story in wastes if story.kind == kind], False)
    judge_kind(table, "all kinds", wastes, True)
    judge_false(table, stories)
    judge_rules(table, stories)
    explain(stories)
