#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Called by query.sh: query.py [--rows 100M] [--folder FOLDER] [--quick]"""
import argparse
import http.client
import json
import math
import pathlib
import random
import sys
import tempfile
import threading
import time
import urllib.parse

import query_calls
from lake import Lake
from table import Table

LARGE_RUN = "00000000-4a11-8000-8000-000000000000"
FULL = 100_000_000
HOSTS, ROWS_A_HOST, HISTORY_S, OLD_S = 400, 250_000, 2 * 86400, 86400
OPEN_S = 2
SETTLE_S, QUICK_SETTLE_S = 4 * 3600, 60
READERS, WRITERS, FIRST_WRITER, FEW_BATCHES = 16, 64, 10_000, 7
LIVE, FIRST_LIVE, LIVE_BATCHES, LIVE_AGO_S = 20, 9_000, 1000, 5100  # 4 M samples, the last of them just now
GROWTH = 1.5  # at most, with twenty times as many samples (of which 50,000 may be in no sum yet)
CHANCE = random.Random(7)


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rows", help="rows of samples: 2M, 100M")
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--requests", type=int)
    given = parser.parse_args()
    rows = given.rows or ("2M" if given.quick else "100M")
    given.rows = int(float(rows.rstrip("kM")) * {"k": 1000, "M": 10**6}.get(rows[-1], 1))
    given.requests = given.requests or (7 if given.quick else 40)
    return given


def fill(lake, rows, settle_s):
    """Two days of history, up to ten minutes ago. What a lake has that was filled already is kept."""
    note = lake.folder / "filled"
    if note.exists():
        filled = json.loads(note.read_text())
        if filled["rows"] == rows and time.time() - filled["at"] < OLD_S:
            return filled["said"]
        raise SystemExit(f"{lake.folder} was filled with {filled['rows']:,} rows more than a day ago or by other options: remove it")
    lake.start()
    began = time.time()
    said = lake.load("history", agents=max(4, min(HOSTS, rows // ROWS_A_HOST)), rows=rows // 1000, seconds=10**6, ago=HISTORY_S + 600)
    said.pop("samples_in")
    said["settled"], said["runs"] = wait_settled(lake, settle_s), lake.metric("tracer_store_runs")
    note.write_text(json.dumps({"rows": rows, "at": began, "said": said}))
    lake.stop()
    return said


def wait_settled(lake, settle_s):
    """Until all runs, which ended, have their summaries; at most for so long. A lake that was sent two days within minutes
    has more to settle than one that was sent them within two days."""
    until, runs, settled = time.monotonic() + settle_s, lake.metric("tracer_store_runs"), 0
    while settled < runs and time.monotonic() < until:
        time.sleep(10)  # while it is asked, the lake rests from it
        settled = lake.metric("tracer_lake_settled_runs_total")
        print(f"\r{settled} of {runs} runs are settled", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return settled


def part(times, share):
    """The nearest rank: of 40 times the 38th is their 95th percentile."""
    return sorted(times)[max(1, math.ceil(share * len(times))) - 1]


def measure(lake, paths):
    """Milliseconds of requests, one after another, on one connection; KiB of the first answer."""
    connection = http.client.HTTPConnection("127.0.0.1", lake.port, timeout=120)
    answers = [lake.get(path, connection) for path in paths]
    connection.close()
    wrong = {status for _, status, _ in answers} - {200}
    return [ms for ms, _, _ in answers], len(answers[0][2]) / 1024, wrong


def ask(table, lake, name, paths, bar, when=""):
    times, kib, wrong = measure(lake, paths)
    half, most = part(times, 0.5), part(times, 0.95)
    figure = f"p50 {half:.0f} ms, p95 {most:.0f} ms, {kib:,.0f} KiB"
    if wrong:
        figure = f"answered {', '.join(map(str, sorted(wrong)))}; {figure}"
    table.row(f"`{name}`{when}", figure, f"≤ {bar} ms", most <= bar and not wrong)


def ask_lists(table, lake, requests):
    hosts = [host["id"] for host in lake.json("/api/v1/hosts")["hosts"]]
    old = urllib.parse.quote(lake.json("/api/v1/runs?limit=5")["next"] or "", safe="")
    for path, bar in query_calls.LISTS:
        ask(table, lake, path, [path.format(host=CHANCE.choice(hosts), old=old) for _ in range(requests)], bar)


def task_of(lake, run):
    return lake.json(f"/api/v1/runs/{run}/tasks?limit=10")["tasks"][-1]["id"]


def ask_runs(table, lake, requests, runs, calls, name):
    """The requests go to different runs, as those of users do."""
    tasks = {run: task_of(lake, run) for run in runs}
    for path, bar in calls:
        chosen = [runs[i % len(runs)] for i in range(requests)]
        ask(table, lake, f"{name}{path}", [f"/api/v1/runs/{run}{path.format(task=tasks[run])}" for run in chosen], bar)


def ask_live(table, lake, requests):
    """Lists while some runs run: these are not settled."""
    lake.load("samples", first_agent=FIRST_LIVE, agents=LIVE, batches=LIVE_BATCHES, seconds=600, ago=LIVE_AGO_S,
              acknowledged=lake.folder / "live")
    lake.wait_idle(10)
    live = sum(run["status"] == "running" for run in lake.json("/api/v1/runs?limit=50")["runs"])
    for path, bar in query_calls.LIVE_LISTS:
        ask(table, lake, path, [path] * requests, bar, f", {live} of the last 50 runs run")


def send_few(lake):
    """Runs that run, of which few samples are stored; those of read_and_write are as many, with twenty times as many samples."""
    lake.load("samples", first_agent=FIRST_WRITER, agents=WRITERS, batches=FEW_BATCHES, seconds=60, ago=1200,
              acknowledged=lake.folder / "few")


def ask_running(table, lake, requests):
    """Pages of runs that run: they cost no more where more is stored of them. The requests to both take turns."""
    last = lake.json(f"/api/v1/runs?limit={WRITERS}&status=running")
    more, next_page = [run["id"] for run in last["runs"]], urllib.parse.quote(last["next"] or "", safe="")
    few = [run["id"] for run in lake.json(f"/api/v1/runs?limit={WRITERS}&status=running&cursor={next_page}")["runs"]]
    if len(few) < WRITERS:
        raise SystemExit(f"only {len(more) + len(few)} of {2 * WRITERS} runs run")
    lists = [[f"/api/v1/runs?limit={WRITERS}&status=running{cursor}"] * requests for cursor in (f"&cursor={next_page}", "")]
    compare(table, lake, f"`/api/v1/runs?limit={WRITERS}`, all of them run", lists, GROWTH)
    for path, judged in query_calls.RUNNING:
        pages = [[f"/api/v1/runs/{runs[i % WRITERS]}{path}" for i in range(requests)] for runs in (few, more)]
        compare(table, lake, f"`/runs/RUN{path}`, it runs", pages, GROWTH if judged else None)


def compare(table, lake, name, pages, most):
    connection = http.client.HTTPConnection("127.0.0.1", lake.port, timeout=120)
    answers = [[lake.get(path, connection) for path in pair] for pair in zip(*pages)]
    connection.close()
    wrong = {status for pair in answers for _, status, _ in pair} - {200}
    few, more = (part([pair[i][0] for pair in answers], 0.5) for i in (0, 1))
    table.row(name, f"p50 {few:.0f} ms with few samples, {more:.0f} ms with many: {more / few:.2f} ×", f"≤ {most} ×" if most else "",
              more <= most * few and not wrong if most else None)


def read_on(lake, paths, until, said):
    connection = http.client.HTTPConnection("127.0.0.1", lake.port, timeout=120)
    while time.monotonic() < until:
        try:
            ms, status, _ = lake.get(CHANCE.choice(paths), connection)
            said.append((ms, status))
        except (OSError, http.client.HTTPException):
            connection.close()
            said.append((0, 0))


def read_and_write(table, lake, seconds):
    """Clients that read the large run while senders write."""
    paths = [f"/api/v1/runs/{LARGE_RUN}{path}" for path, _ in query_calls.LARGE if "{task}" not in path]
    writing = lake.loading("samples", first_agent=FIRST_WRITER + WRITERS, agents=WRITERS, interval=0.5, seconds=seconds, ago=600,
                           acknowledged=lake.folder / "many")
    said, until = [], time.monotonic() + seconds
    readers = [threading.Thread(target=read_on, args=(lake, paths, until, said)) for _ in range(READERS)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    written = writing.result()
    wrong = sum(status != 200 for _, status in said)
    still = max((len(gap) for gap in "".join("x" if rows else "." for rows in written["samples_in"]).split("x")), default=0)
    what = f"{READERS} clients read the large run, {WRITERS} senders write, for {seconds} s"
    table.row(f"{what}: answers other than 200", f"{wrong} of {len(said)}", "0", wrong == 0)
    table.row(f"{what}: batches refused or failed", f"{written['refused'] + written['errors']} of {written['batches']}", "0",
              written["refused"] + written["errors"] == 0)
    table.row(f"{what}: longest time without an acknowledgement", f"{still} s", "≤ 5 s", still <= 5)
    times = [ms for ms, status in said if status == 200] or [0]
    table.row(f"{what}: answers, acknowledgements", f"p50 {part(times, 0.5):.0f} ms, p95 {part(times, 0.95):.0f} ms; "
              f"p50 {written['p50_ms']:.0f} ms, p99 {written['p99_ms']:.0f} ms", "", None)


def main():
    given = options()
    with tempfile.TemporaryDirectory() as folder:
        lake = Lake(given.folder or folder, "--keep-bytes", "0")  # all of it is to stay
        table = Table("query", "call", given.quick)
        filled = fill(lake, given.rows, QUICK_SETTLE_S if given.quick else SETTLE_S)
        table.row("filled through the ingest", f"{filled['samples']:,} samples, {filled['executions']:,} executions, "
                  f"{filled['samples'] / filled['seconds']:,.0f} rows/s, {filled['settled']:,} of {filled['runs']:,} runs settled, {lake.file.stat().st_size / 2**30:.2f} GiB", "", None)
        lake.start()
        table.most("from its start until it is ready", lake.open_s, OPEN_S, "s", 2)
        lake.wait_idle(10 if given.quick else 60)
        ask_lists(table, lake, given.requests)
        runs = [run["id"] for run in lake.json("/api/v1/runs?limit=200&status=succeeded")["runs"] if run["id"] != LARGE_RUN]
        ask_runs(table, lake, given.requests, CHANCE.sample(runs, min(len(runs), given.requests)), query_calls.RUN, "/runs/RUN")
        ask_runs(table, lake, given.requests, [LARGE_RUN], query_calls.LARGE, "/runs/LARGE")
        ask_live(table, lake, given.requests)
        send_few(lake)
        read_and_write(table, lake, 15 if given.quick else 60)
        lake.wait_idle(10)
        ask_running(table, lake, given.requests)
        table.row("memory of the lake at most", f"{lake.status('VmHWM') / 1024:,.0f} MiB", "", None)
        lake.stop()
    sys.exit(table.end(given.rows >= FULL))


main()
