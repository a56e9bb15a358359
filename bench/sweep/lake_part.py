# SPDX-License-Identifier: Apache-2.0
"""Sends the stories to a real lake, as their agents would, and asks it what was waste at each minute in which one was due."""
import math
import pathlib
import statistics
import subprocess
import tempfile
import time
import urllib.parse
from concurrent.futures import ProcessPoolExecutor
import datetime

import cloud_part
import lake_stories
from lake import BUILD, RECORDED, Lake
from generated import FALSE, FOUND, MEDIAN_S, P95_S, quantile, show

AFTER_S = 10 * 60  # a waste that is found later than so long after it is due is missed


def instant(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def ask(lake, at):
    return lake.json(f"/api/v1/waste?state=open&days=1&at={urllib.parse.quote(instant(at))}")["waste"]


def prefix_of(waste, stories):
    for text in (waste.get("hostname"), waste["host_id"], waste["run_id"], waste["task_id"], waste["id"], waste["name"]):
        for part in (text or "").replace("GPU-", "").replace("/", "-").replace(":", "-").split("-"):
            if part in stories:
                return part
    return None


def is_right(one, waste, at):
    if waste["kind"] == one.kind:
        return at >= one.due - one.early
    return waste["kind"] in one.also and at >= one.onset


def judge_answers(stories, answers):
    """Of each story: when its waste was found first; and what was found wrongly."""
    found, wrong = {}, {}
    by_prefix = {one.prefix: one for one in stories}
    for at, wastes in answers:
        for waste in wastes:
            one = by_prefix.get(prefix_of(waste, by_prefix))
            if one is None:
                raise SystemExit(f"found what no story has: {waste}")
            if not is_right(one, waste, at):
                wrong.setdefault(one.prefix, {}).setdefault(waste["kind"], (at, waste["summary"]))
            elif waste["kind"] == one.kind:
                found.setdefault(one.prefix, at)
    return found, wrong


def fill(lake, stories):
    """All agents send; then until the lake has summed up the runs that ended."""
    token = lake.token_file("admin").read_text().strip()
    url = f"http://127.0.0.1:{lake.port}"
    nodes = [node for one in stories for node in one.nodes]
    with ProcessPoolExecutor() as pool:
        for sent in [pool.submit(node.send, url, token) for node in nodes]:
            sent.result()
    ended = {run["run_id"] for node in nodes for run in node.sent["runs"] if run["ended_at"]}
    until = time.monotonic() + 120
    while lake.metric("tracer_lake_settled_runs_total") < len(ended) * 0.9 and time.monotonic() < until:
        time.sleep(0.5)
    return len(nodes)


def judge_recorded(table, lake, quick):
    """Recorded runs of all engines: in none of them something waits for longer than a patience."""
    names = sorted(RECORDED.glob("*.rec"))[::3] if quick else sorted(RECORDED.rglob("*.rec"))
    wrong = []
    for name in names:
        out = subprocess.run([BUILD / "tracer", "replay", "--json", name, "--lake", f"http://127.0.0.1:{lake.port}", "--token-file", lake.token_file("admin")],
                             capture_output=True, text=True)
        if out.returncode:
            raise SystemExit(f"replay of {name.name}: {out.stderr}")
    runs = lake.json("/api/v1/runs?limit=500")["runs"]
    ends = sorted({run["ended_at"][:19] + "Z" for run in runs if run.get("ended_at")})
    for end in ends:
        wastes = lake.json(f"/api/v1/waste?state=open&days=1&at={urllib.parse.quote(end)}")["waste"]
        wrong += [f"{waste['kind']} {waste['name']} at {end}: {waste['summary']}" for waste in wastes]
    table.row(f"{len(names)} recordings of real runs, asked at the end of each of {len(ends)} runs: wrong findings", len(wrong), "0", not wrong)
    for line in wrong[:20]:
        print("  " + line)


def start(folder, inventory=None):
    return Lake(folder, "--settle-after", "1s", "--waste-file", folder / "none.yaml", "--inventory-file", inventory or folder / "none.yaml").start()


def judge(table, seed, quick):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lake = start(folder / "fleet")
        try:
            judge_fleet(table, lake, seed, quick)
        finally:
            lake.stop()
        cloud_part.judge(table, start, folder / "cloud")
        lake = start(folder / "recorded")
        try:
            judge_recorded(table, lake, quick)
        finally:
            lake.stop()


def judge_fleet(table, lake, seed, quick):
    end = math.floor(time.time()) - 20
    stories = lake_stories.make_all(seed, end)
    began = time.monotonic()
    count = fill(lake, stories)
    table.row(f"{count} agents of {len(stories)} stories sent their records to a lake in", f"{time.monotonic() - began:.0f} s", "", None)
    began = time.monotonic()
    step = 120 if quick else 60
    offset = end - lake_stories.DUE_MOST - 3 * 60
    answers = [(at, ask(lake, at)) for at in range(offset, end, step)]
    table.row("GET /api/v1/waste?at=…: one sweep", f"{(time.monotonic() - began) / len(answers) * 1000:.0f} ms", "", None)
    report(table, stories, offset, *judge_answers(stories, answers))


def report(table, stories, first, found, wrong):
    wastes = [one for one in stories if one.kind]
    # One that counts in hours of the clock may have been due before the first question.
    late = [max(0, found[one.prefix] - max(one.due, first)) if one.prefix in found else math.inf for one in wastes]
    hit = sum(one <= AFTER_S for one in late)
    kinds = len({one.kind for one in wastes})
    table.row(f"through SQL and server: of {len(wastes)} wastes of {kinds} kinds found", f"{hit / len(wastes):.0%}, median {show(statistics.median(late))}, "
              f"p95 {show(quantile(late, 0.95))}", f"≥ {FOUND:.0%}, ≤ {MEDIAN_S} s, ≤ {P95_S} s",
              hit >= FOUND * len(wastes) and statistics.median(late) <= MEDIAN_S and quantile(late, 0.95) <= P95_S)
    controls = [one for one in stories if not one.kind]
    false = [one for one in stories if one.prefix in wrong]
    table.row(f"through SQL and server: of {len(controls)} controls and {len(wastes)} wastes, with a wrong finding", len(false), f"≤ {FALSE:.0%}",
              len(false) <= FALSE * len(stories))
    for one, seconds in zip(wastes, late):
        if seconds > P95_S:
            print(f"  {one.prefix} {one.kind}: {one.name}: {show(seconds)}")
    for one in false:
        for kind, (at, summary) in wrong[one.prefix].items():
            print(f"  {one.prefix} {one.kind or 'control'}: {one.name}: wrong {kind} at {(at - one.due) / 60 if one.due < math.inf else 0:.0f} min: {summary}")
