#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Called by routes.sh: fills a lake by its ingest, then asks. routes.py URL TOKENS_FOLDER COUNT LAKE_PID

The store is checkpointed and warm, as a lake's is that somebody looks at: each route is asked once before it is
measured. A page is of the size that the dashboard and the commands ask for.
"""
import os
import pathlib
import random
import statistics
import sys
import time
import urllib.request

import batch

URL, TOKENS, COUNT, LAKE = sys.argv[1].strip(), pathlib.Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
S = 10**9
WALL_S, PER_TASK, PER_BATCH, TIMES = 6 * 3600, 100, 2000, 7
BAR_MS = 200
TOOLS = ["bwa mem", "samtools sort", "samtools index", "bcftools call", "gatk", "fastqc", "bash", "awk", "grep", "sed",
         "python3 report.py", "gzip", "sort", "cut", "cat", "mkdir", "rm", "mv", "multiqc", "bedtools intersect"]
ROUTES = ["", "/tasks?limit=1000", "/tasks?limit=10000", "/tools", "/processes?limit=500", "/processes?limit=500&task=task-7",
          "/files?limit=1000", "/files?limit=1000&kind=failed", "/dataflow?limit=1", "/dataflow", "/network?limit=1000", "/events", "/containers",
          "/samples?by=run", "/samples?by=task", "/samples?by=tool", "/gpus", "/findings"]

BEGAN = time.time_ns() - (WALL_S + 60) * S
CHANCE = random.Random(7)


def figures(wall_ns):
    cpu = int(wall_ns * CHANCE.uniform(0.2, 1))
    return {"user_ns": cpu * 9 // 10, "kernel_ns": cpu // 10, "disk_ns": (wall_ns - cpu) // 2, "threads_ns": wall_ns,
            "pipe_read_ns": (wall_ns - cpu) // 2, "minor_faults": 1000, "ctx_voluntary": 50, "read_chars_bytes": 10**7,
            "write_chars_bytes": 10**6, "disk_read_bytes": 10**6, "rss_peak_bytes": CHANCE.randrange(10**6, 10**9),
            "rss_bytes": 10**6, "threads_peak": 1, "files_opened": 20, "net_rx_bytes": 100}


def execution(n):
    task = n // PER_TASK
    begin = BEGAN + task * WALL_S * S // (COUNT // PER_TASK + 1) + n % PER_TASK * S // 10
    wall = int(CHANCE.expovariate(1 / (2 * S))) + S // 1000
    key = {"pid": 1000 + n, "start_ns": n * 1000 + 1, "image_seq": n + 1, "run_id": "run", "task_id": f"task-{task}"}
    return {**key, "ppid": 999, "started_at": begin, "ended_at": begin + wall, "wall_ns": wall,
            "status": "failed" if n % 97 == 0 else "succeeded", "exit_code": 1 if n % 97 == 0 else 0,
            "tool": CHANCE.choice(TOOLS), "exe": "/usr/bin/tool", "argv": ["tool", "-t", "4", f"/data/in/{n}.bam"],
            "cwd": "/data/run", "cgroup_id": 7 + task % 5, "peak_exact": True, "figures": figures(wall)}


def of(one):
    return {name: one[name] for name in ("pid", "start_ns", "image_seq", "run_id", "task_id")}


def samples(one):
    """One each five seconds, as long as it lived."""
    step = 5 * S
    return [{**of(one), "since_at": at, "until_at": at + step,
             "figures": {**figures(step), "rss_bytes": 10**8}}
            for at in range(one["started_at"], one["ended_at"] - step, step)]


def files(one):
    at = {"first_at": one["started_at"], "last_at": one["ended_at"]}
    # It reads what the same process of the task before wrote.
    named = [{**of(one), **at, "file_id": file, "kind": "file", "opens": 1, "moved_bytes": 10**6, "size_bytes": 10**6,
              "path": f"/data/in/{file}.bam", "reads": file != one["pid"], "writes": file == one["pid"]}
             for file in (one["pid"] - PER_TASK, one["pid"])]
    return [*named, {**of(one), **at, "file_id": 1 << 40, "kind": "system", "opens": 12, "moved_bytes": 4096}]


def part(first, last):
    all_ = [execution(n) for n in range(first, last)]
    return {"executions": all_,
            "samples": [sample for one in all_ for sample in samples(one)],
            "files": [file for one in all_ for file in files(one)],
            "networks": [{**of(one), "family": "inet", "protocol": "tcp", "rx_bytes": 100, "rx_calls": 1} for one in all_[::10]],
            "events": [{**of(one), "happened_at": one["ended_at"], "kind": "exit_failed", "code": 1,
                        "summary": "it exited with 1"} for one in all_ if one["exit_code"]]}


def fill():
    agent = batch.Agent(URL, (TOKENS / "ingest").read_text().strip(), "host-1", time.time_ns())
    tasks = [{"task_id": f"task-{n}", "run_id": "run", "step": f"step-{n % 40}", "name": f"task {n}", "status": "succeeded",
              "pid": 1000 + n * PER_TASK, "start_ns": n * PER_TASK * 1000 + 1, "cgroup_id": 7 + n % 5,
              "started_at": BEGAN + n * WALL_S * S // (COUNT // PER_TASK + 1),
              "ended_at": BEGAN + (n + 1) * WALL_S * S // (COUNT // PER_TASK + 1), "memory_requested_bytes": 2**34,
              "requested_by": "tracer run"} for n in range(COUNT // PER_TASK)]
    run = {"run_id": "run", "name": "large", "pipeline": "variants", "engine": "snakemake", "status": "succeeded", "user": "ada",
           "started_at": BEGAN, "ended_at": BEGAN + WALL_S * S}
    host = {"hostname": "node-1", "cpus": 64, "memory_bytes": 2**38, "seen_at": time.time_ns(), "price_usd_hour": 3.0}
    agent.send(hosts=[host], runs=[run], tasks=tasks,
               containers=[{"cgroup_id": 7 + n, "path": f"/docker/{n}", "runtime": "docker", "started_at": BEGAN} for n in range(5)],
               host_samples=[{"since_at": at, "until_at": at + 5 * S, "cpu_user_ns": 100 * S, "cpu_idle_ns": 220 * S,
                              "cpu_tracked_ns": 99 * S} for at in range(BEGAN, BEGAN + WALL_S * S, 5 * S)])
    for first in range(0, COUNT, PER_BATCH):
        agent.send(**part(first, min(COUNT, first + PER_BATCH)))


def ask(route, token):
    """Milliseconds, and how long the answer is."""
    request = urllib.request.Request(f"{URL}/api/v1/runs/run{route}", headers={"Authorization": f"Bearer {token}"})
    began = time.monotonic()
    with urllib.request.urlopen(request, timeout=120) as answer:
        size = len(answer.read())
    return (time.monotonic() - began) * 1000, size


def cpu_ms():
    """Of the lake, all its threads."""
    fields = pathlib.Path(f"/proc/{LAKE}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def main():
    fill()
    token = (TOKENS / "read").read_text().strip()
    missed = 0
    print(f"{COUNT} executions in {COUNT // PER_TASK} tasks, one run\n\n| route of the run | fastest | median | CPU | answer | bar |"
          "\n|---|---|---|---|---|---|")
    for route in ROUTES:
        ask(route, token)
        used = cpu_ms()
        times = [ask(route, token) for _ in range(TIMES)]
        used = (cpu_ms() - used) / TIMES
        fastest, median = min(ms for ms, _ in times), statistics.median(ms for ms, _ in times)
        missed += fastest > BAR_MS
        print(f"| `{route or '/'}` | {fastest:.0f} ms | {median:.0f} ms | {used:.0f} ms | {times[0][1] / 1024:.0f} KiB | "
              f"{'MISS' if fastest > BAR_MS else 'ok'} ≤ {BAR_MS} ms |", flush=True)
    sys.exit(1 if missed else 0)


main()
