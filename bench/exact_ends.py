# SPDX-License-Identifier: Apache-2.0
"""The rows of exact.py about how work failed."""
from collections import defaultdict


def is_reported(event, truth):
    """What a failure's event says, held against what was done."""
    sender = str(event["sender_pid"] or 0) if event["kind"] in ("killed", "oom_kill") else "-"
    return (event["kind"] == truth["event"] and truth["code"] in ("0", str(event["code"])) and
            truth["sender"] in ("-", sender) and truth["path"] in ("-", event["path"]))


def rows(table, truth_path, report):
    events = defaultdict(list)
    for event in report["events"]:
        if event["kind"] in ("exit_failed", "killed", "oom_kill", "exec_failed"):
            events[event["pid"]].append(event)
    ways = defaultdict(list)
    for line in open(truth_path):
        truth = dict(zip(("id", "way", "pid", "event", "code", "sender", "path"), line.rstrip("\n").split("\t")))
        seen = events.pop(int(truth["pid"]), [])
        ways[truth["way"], truth["event"]].append(len(seen) == 1 and is_reported(seen[0], truth))
    for (way, event), good in ways.items():
        table.row(f"{event} ({way}): one, its sender, why", sum(good), len(good), "", "equal")
    table.row("failures of others", int(not events), 1, str(sum(map(len, events.values()))), "0")
    table.row("the run, in which the last command of each pipe succeeded", int(report["run"]["status"] == "succeeded"), 1, report["run"]["status"],
              "succeeded")
