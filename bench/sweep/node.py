# SPDX-License-Identifier: Apache-2.0
"""A host with an agent, over time: what keeps it busy, and the records that its agent would send of it."""
import dataclasses

import batch

S = 10**9
FINE_S, COARSE_S, FINE_HOURS = 30, 60, 4  # how long a sample of the host is: in the last hours, and before
PACKED = 2000  # records of a batch


def ns(seconds):
    return int(seconds * 1000) * 10**6


@dataclasses.dataclass(frozen=True)
class Load:
    since: float
    until: float
    cpus: float
    tracked: bool
    memory: float  # of the host's
    disk: float    # bytes/s
    net: float


class Node:
    """Times are seconds since 1970; `end` is the present."""

    def __init__(self, name, since, end, cpus=8, gib=32, **facts):
        self.name, self.since, self.end, self.cpus, self.memory = name, since, end, cpus, gib << 30
        self.facts, self.loads, self.gaps, self.number = facts, [], [], 0
        self.sent = {kind: [] for kind in ("runs", "tasks", "executions", "samples", "files", "gpus", "gpu_samples", "containers", "events",
                                           "links", "losses")}

    def add(self, kind, /, **record):
        self.sent[kind].append(record)
        return record

    def load(self, since, until, cpus, tracked=True, memory=0.05, disk=0.0, net=0.0):
        self.loads.append(Load(since, until, cpus, tracked, memory, disk, net))

    def gap(self, since, until):
        """Its agent reports nothing."""
        self.gaps.append((since, until))

    def known(self, at):
        return not any(since <= at < until for since, until in self.gaps)

    def run(self, run, since, until=None, engine="snakemake", status=None, **more):
        self.number += 1
        return self.add("runs", run_id=run, engine=engine, status=status or ("succeeded" if until else "running"), started_at=ns(since),
                        ended_at=ns(until) if until else 0, pid=900 + self.number, start_ns=900 + self.number,
                        **{"name": run, "pipeline": f"{self.name}.smk", "user": "ann", "command": engine, **more})

    def task(self, run, task, since, until=None, status=None, **more):
        self.number += 1
        return self.add("tasks", task_id=task, run_id=run, status=status or ("succeeded" if until else "running"),
                        started_at=ns(since) if since else 0, ended_at=ns(until) if until else 0,
                        **{"step": "ALIGN", "name": task, "pid": 2000 + self.number, "start_ns": 2000 + self.number, **more})

    def execution(self, run, task, since, until=None, cpus=0.0, busy=None, figures=None, **more):
        """busy: the times in which it computes; all of it, if none are given. figures: of each of its samples besides."""
        self.number += 1
        key = {"pid": more.pop("pid", 2000 + self.number), "start_ns": more.pop("start_ns", 2000 + self.number), "image_seq": self.number}
        last = until or self.end
        busy = [(since, last)] if busy is None else busy
        spent = ns(cpus * sum(max(0, end - begin) for begin, end in busy))
        self.add("executions", **{**key, "run_id": run, "task_id": task, "started_at": ns(since), "ended_at": ns(until) if until else 0,
                                  "wall_ns": ns(until - since) if until else 0, "status": "succeeded" if until else "running", "tool": "bwa mem",
                                  "exe": "/usr/bin/bwa", "argv": ["bwa", "mem"], "peak_exact": True, **more,
                                  "figures": {"user_ns": spent if until else 0, "threads_ns": ns(last - since), "rss_bytes": 0 if until else 10**9,
                                              "rss_peak_bytes": 10**9}})
        at = max(since, self.end - 14 * 3600)
        while at + 60 <= last:
            share = sum(max(0, min(end, at + 60) - max(begin, at)) for begin, end in busy) / 60
            if self.known(at):
                self.add("samples", **key, run_id=run, task_id=task, since_at=ns(at), until_at=ns(at + 60),
                         figures={"user_ns": ns(60 * cpus * share), "rss_bytes": 10**9, "threads_ns": ns(60), **(figures(at) if figures else {})})
            at += 60
        for begin, end in busy:
            if cpus:
                self.load(begin, end, cpus)
        return key

    def work(self, run, since, until=None, share=0.7, task=None, **more):
        """A run with one task that keeps so much of the host busy."""
        self.run(run, since, until, **more)
        self.task(run, task or f"{run}-task", since, until)
        return self.execution(run, task or f"{run}-task", since, until, self.cpus * share)

    def host_samples(self):
        at, loads = self.since, sorted(self.loads, key=lambda load: load.since)
        while at < self.end:
            step = FINE_S if at >= self.end - FINE_HOURS * 3600 else COARSE_S
            until = min(at + step, self.end)
            if self.known(at):
                yield self.host_sample(at, until, loads)
            at += step

    def host_sample(self, at, until, loads):
        busy = tracked = disk = net = memory = 0.0
        for load in loads:
            if load.since >= until:
                break
            lasted = min(load.until, until) - max(load.since, at)
            if lasted <= 0:
                continue
            busy += lasted * load.cpus
            tracked += lasted * load.cpus if load.tracked else 0
            disk += lasted * load.disk
            net += lasted * load.net
            memory += load.memory
        whole = (until - at) * self.cpus
        busy = min(busy + 0.02 * (until - at), whole)
        used = int(min(0.1 + memory, 0.95) * self.memory)
        return {"since_at": ns(at), "until_at": ns(until), "cpu_user_ns": ns(busy * 0.9), "cpu_kernel_ns": ns(busy * 0.1), "cpu_idle_ns": ns(whole - busy),
                "cpu_tracked_ns": ns(min(tracked, busy)), "memory_used_bytes": used, "memory_available_bytes": self.memory - used,
                "disk_write_bytes": int(disk + 2e4 * (until - at)), "net_rx_bytes": int(net + 2e3 * (until - at))}

    def send(self, url, token):
        samples = list(self.host_samples())
        seen = max(sample["until_at"] for sample in samples)
        host = {"hostname": self.name, "cpus": self.cpus, "memory_bytes": self.memory, "booted_at": ns(self.since), "seen_at": seen, "arch": "x86_64",
                "agent_started_at": ns(self.since), **self.facts}
        agent = batch.Agent(url, token, self.name, seen)
        agent.send(hosts=[host], runs=self.sent["runs"], gpus=self.sent["gpus"], containers=self.sent["containers"])
        for kind in ("tasks", "executions", "links", "files", "events", "losses", "gpu_samples", "samples"):
            for first in range(0, len(self.sent[kind]), PACKED):
                agent.send(**{kind: self.sent[kind][first:first + PACKED]})
        for first in range(0, len(samples), PACKED):
            agent.send(host_samples=samples[first:first + PACKED])
