# SPDX-License-Identifier: Apache-2.0
"""Sends to a lake what agents report in a month: when each host was up, and the tasks of a run on it."""
import random

import batch

S = 10**9
FULL_BATCH = 500


def samples(node):
    """Of an hour at most."""
    for since, until in node.seen:
        for at in range(since, until, 3600):
            end = min(at + 3600, until)
            yield {"since_at": at * S, "until_at": end * S, "cpu_user_ns": (end - at) * S * node.cpus // 2,
                   "cpu_idle_ns": (end - at) * S * node.cpus // 2}


def tasks(node, chance):
    """Of a run of its own: tasks of some hours, one after another, with time between them."""
    run = f"run-{node.index}"
    for since, until in node.seen:
        at = since + chance.randrange(600)
        while at + 60 < until:
            end = min(until, at + chance.randrange(60, 12 * 3600))
            number = len(run) + at
            key = {"pid": 1000 + at % 100000, "start_ns": number * 1000, "image_seq": at}
            task = f"{run}-{at}"
            yield ({"task_id": task, "run_id": run, "step": f"step-{at % 7}", "name": task, "status": "succeeded", "pid": key["pid"],
                    "start_ns": key["start_ns"], "started_at": at * S, "ended_at": end * S,
                    "cpus_requested": float(chance.randrange(1, node.cpus + 1)), "memory_requested_bytes": node.gib * 2**28},
                   {**key, "run_id": run, "task_id": task, "started_at": at * S, "ended_at": end * S, "wall_ns": (end - at) * S,
                    "status": "succeeded", "tool": "bwa mem", "exe": "/usr/bin/bwa", "peak_exact": True,
                    "figures": {"user_ns": (end - at) * S // 2, "threads_ns": (end - at) * S, "rss_peak_bytes": 2**30}})
            at = end + chance.randrange(60, 6 * 3600)


def send_node(lake, token, node, seed):
    chance = random.Random(seed * 1000 + node.index)
    last = node.seen[-1][1] * S
    agent = batch.Agent(f"http://127.0.0.1:{lake.port}", token, f"host-{node.index}", last)
    host = {"hostname": f"node-{node.index}", "cpus": node.cpus, "memory_bytes": node.gib * 2**30, "booted_at": node.since * S, "seen_at": last,
            "provider": "aws", "region": "eu-west-1", "zone": "eu-west-1a", "instance_type": node.type, "instance_id": node.instance,
            "account_id": "111122223333", "purchase": "spot" if node.purchase == "spot" else "on_demand",
            "agent_started_at": node.seen[0][0] * S, "agent_stopped_at": last}
    both = list(tasks(node, chance))
    run = {"run_id": f"run-{node.index}", "name": f"run {node.index}", "pipeline": f"pipeline-{node.index % 5}", "engine": "nextflow",
           "status": "succeeded", "user": "ann", "started_at": node.seen[0][0] * S, "ended_at": last}
    agent.send(hosts=[host], runs=[run], host_samples=list(samples(node)))
    for first in range(0, len(both), FULL_BATCH):
        part = both[first:first + FULL_BATCH]
        agent.send(tasks=[task for task, _ in part], executions=[execution for _, execution in part])
    return len(both)
