#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fills a lake, by its ingest, with what the dashboard must be able to show: story.py URL TOKENS_FOLDER

A run that failed ("story") with every kind of event, GPUs, containers, sockets, files, losses, names that are long or
hostile; and one that is running ("live")."""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent.parent / "bench"))
import batch  # noqa: E402

URL, TOKENS = sys.argv[1].strip(), pathlib.Path(sys.argv[2])
S, MIB, GIB = 10**9, 2**20, 2**30
NOW = time.time_ns()
BEGAN, WALL_S = NOW - 700 * S, 600
LONG = "align_and_sort_with_a_name_that_has_no_end_" * 6
HOSTILE = "<img src=x onerror=alert(1)>\u202egnp.exe"
STEPS = [("bwa mem | samtools sort", "bwa mem", 6), ("train", "python3 train.py", 3), (LONG, "gatk HaplotypeCaller", 2), (HOSTILE, HOSTILE, 1)]
# share of the threads' time, of each tool of STEPS
STATES = [{"user": 60, "kernel": 5, "runnable": 10, "disk": 5, "pipe_read": 18, "pipe_write": 2},
          {"user": 30, "kernel": 10, "network": 20, "lock": 30, "poll": 10},
          {"user": 10, "disk": 60, "paging": 20, "other": 5, "sleep": 5},
          {"user": 1, "sleep": 90, "child": 9}]
# share of its life
WALLS = [{"computing": 70, "runnable": 8, "disk": 4, "pipe_read": 15, "pipe_write": 1, "lock": 2},
         {"computing": 55, "network": 25, "lock": 12, "poll": 8},
         {"computing": 12, "disk": 60, "paging": 20, "other": 3, "sleep": 5},
         {"computing": 2, "sleep": 90, "child": 8}]


def wall(**seconds):
    return {f"wall_{name}_ns": own * S for name, own in seconds.items()}


def figures(step, wall_ns, threads):
    lived = wall_ns * threads
    gpu = {"gpu_busy_ns": wall_ns // 2, "gpu_memory_bytes": 0, "gpu_memory_peak_bytes": 30 * GIB} if step == 1 else {}
    walls = {name: share * wall_ns // 100 / S for name, share in WALLS[step].items()}
    return {**{f"{state}_ns": lived * share // 100 for state, share in STATES[step].items()}, "threads_ns": lived,
            **wall(**walls, serial=walls["computing"] / 2),
            "minor_faults": 12345, "major_faults": 3, "ctx_voluntary": 999, "read_chars_bytes": 3 * GIB,
            "write_chars_bytes": 700 * MIB, "disk_read_bytes": 2 * GIB, "disk_write_bytes": 600 * MIB,
            "rss_peak_bytes": (step + 1) * 900 * MIB, "threads_peak": threads, "files_opened": 12, "files_failed": 2, **gpu}


class Story:
    """Tasks one after another, two at a time, each of one process with a shell around it; in the first step a second one reads its output."""

    def __init__(self):
        self.tasks, self.executions, self.samples = [], [], []
        self.add_execution(100, 0, "", "snakemake", "snakemake", 0, WALL_S, {
            "user_ns": 20 * S, "kernel_ns": 2 * S, "poll_ns": 578 * S, "threads_ns": WALL_S * S, "rss_peak_bytes": 80 * MIB, "threads_peak": 1,
            **wall(computing=22, serial=22, poll=578)})
        number = 0
        for step, (name, tool, count) in enumerate(STEPS):
            for n in range(count):
                self.add_task(number, step, name, tool, n)
                number += 1

    def add_task(self, number, step, name, tool, n):
        begin, end = 20 + number * 40, 100 + number * 40 + number % 5 * 10
        pid, failed = 200 + number * 10, step == 2 and n == 1
        task = f"task-{number}"
        self.tasks.append({"task_id": task, "run_id": "story-1", "step": name, "name": f"{name} {n}", "sample": f"S{n}", "pid": pid,
                           "start_ns": pid * 1000, "status": "failed" if failed else "succeeded", "exit_code": 137 if failed else 0,
                           "started_at": BEGAN + begin * S, "ended_at": BEGAN + end * S, "cgroup_id": 7 + step, "cpus_requested": 4.0,
                           "memory_requested_bytes": 16 * GIB, "requested_by": "cgroup"})
        self.add_execution(pid, 100, task, "bash", "/bin/bash", begin, end, {
            "user_ns": S, "child_ns": (end - begin - 1) * S, "threads_ns": (end - begin) * S, "rss_peak_bytes": 4 * MIB, "threads_peak": 1,
            **wall(computing=1, serial=1, child=end - begin - 1)})
        whole = figures(step, (end - begin - 2) * S, 2 + step)
        self.add_execution(pid + 1, pid, task, tool, f"/opt/tools/{'x' * 60}/bin/tool", begin + 1, end - 1, whole, killed=failed, cgroup=7 + step,
                           pipe_out=pid)
        if step == 0:
            life = end - begin - 11
            self.add_execution(pid + 2, pid, task, "samtools sort", "/opt/tools/bin/samtools", begin + 11, end, {
                "user_ns": 9 * S, "pipe_read_ns": (life - 9) * S, "threads_ns": life * S, "rss_peak_bytes": 4 * MIB, "threads_peak": 1,
                **wall(computing=9, serial=9, pipe_read=life - 9)}, pipe_in=pid)
        self.add_samples(pid + 1, task, step, begin + 1, end - 1)

    def add_execution(self, pid, ppid, task, tool, exe, begin, end, own, killed=False, cgroup=0, **more):
        self.executions.append({
            "pid": pid, "start_ns": pid * 1000, "image_seq": pid, "ppid": ppid, "parent_start_ns": ppid * 1000, "started_at": BEGAN + begin * S,
            "ended_at": BEGAN + end * S, "wall_ns": (end - begin) * S, "status": "killed" if killed else "succeeded", "signal": 9 if killed else 0,
            "tool": tool, "exe": exe, "argv": [exe, "--in", f"/data/{'long-folder/' * 8}a.bam", HOSTILE], "cwd": "/data", "cgroup_id": cgroup,
            "run_id": "story-1", "task_id": task, "peak_exact": not killed, "figures": own, **more})

    def add_samples(self, pid, task, step, begin, end):
        for at in range(begin, end - 5, 5):
            own = figures(step, 5 * S, 2 + step)
            self.samples.append({"pid": pid, "start_ns": pid * 1000, "image_seq": pid, "run_id": "story-1", "task_id": task, "since_at": BEGAN + at * S,
                                 "until_at": BEGAN + (at + 5) * S, "figures": {
                                     **{name: value for name, value in own.items() if name.endswith("_ns")}, "disk_read_bytes": 20 * MIB,
                                     "rss_bytes": own["rss_peak_bytes"] * 3 // 4, "rss_anon_bytes": own["rss_peak_bytes"] // 2,
                                     "rss_file_bytes": own["rss_peak_bytes"] // 8, "rss_shmem_bytes": own["rss_peak_bytes"] // 8,
                                     "swap_bytes": step * 50 * MIB, "rss_peak_bytes": own["rss_peak_bytes"]}})


def of(pid, task):
    return {"pid": pid, "start_ns": pid * 1000, "image_seq": pid, "run_id": "story-1", "task_id": task}


def events():
    at = iter(range(100, 600, 40))
    cgroup = "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod8f2c.slice/cri-containerd-" + "0a" * 32 + ".scope"
    sent = {"sender": "bash", "sender_pid": 4711, "sender_uid": 1000}

    def one(kind, pid, task, summary, **parts):
        return {**of(pid, task), "happened_at": BEGAN + next(at) * S, "kind": kind, "summary": summary, **parts}

    return [
        one("container_start", 201, "task-0", "docker container align-1 started"),
        one("throttled", 201, "task-0", "docker container align-1 was held at its CPU limit in 80 % of the periods"),
        one("exit_failed", 211, "task-1", "grep ended with 1 after 2 s", code=1),
        one("exec_failed", 211, "task-1", "bwa-mem2 could not be run: ENOENT", code=2, detail="ENOENT", path=f"/opt/{'deep/' * 30}bwa-mem2"),
        one("killed", 221, "task-2", "bwa mem was killed by bash: SIGTERM", code=15, detail="SIGTERM by a process", **sent),
        one("stall_begin", 231, "task-3", "samtools sort has done nothing for 5m: it waits for a pipe, the other end is held by bwa mem (pid 230)"),
        one("stall_end", 231, "task-3", "samtools sort goes on"),
        one("oom_kill", 301, "task-10", "gatk HaplotypeCaller was killed for lack of memory", code=9, detail="SIGKILL by the kernel", path=cgroup,
            limit_bytes=2 * GIB, used_bytes=2 * GIB, **sent),
        one("oom_kill", 301, "task-10", "gatk HaplotypeCaller was killed for lack of memory", code=9, detail="SIGKILL by the kernel"),
        one("disk_full", 301, "task-10", "an open found no space: /scratch is full", path="/scratch/tmp"),
        one("exit_failed", 311, "task-11", HOSTILE, code=3, detail=HOSTILE),
    ]


def gpu_samples(uuid, reported):
    return [{"uuid": uuid, "since_at": BEGAN + at * S, "until_at": BEGAN + (at + 5) * S, "memory_used_bytes": (10 + at // 60) * GIB,
             "tracked_memory_bytes": 8 * GIB, "processes": 2, "temperature_peak_celsius": 60 + at // 60, "power_mean_mw": 200000 + at * 500,
             **({"busy_ns": (2 + at % 3) * S, "busy_known_ns": 5 * S, "tracked_busy_ns": 2 * S, "throttled_ns": (at > 400) * S,
                 "throttled_known_ns": 5 * S, "throttle_reasons": "power_cap soft_thermal" if at > 400 else ""} if reported else {})}
            for at in range(0, 600, 5)]


def host(name, **more):
    return {"hostname": name, "kernel": "6.12.1", "arch": "x86_64", "os": "Debian GNU/Linux 13", "cpus": 16, "memory_bytes": 64 * GIB,
            "booted_at": BEGAN - 86400 * S, "seen_at": NOW, "agent_version": "0", "agent_started_at": BEGAN - 600 * S, **more}


def host_samples():
    return [{"since_at": BEGAN + at * S, "until_at": BEGAN + (at + 5) * S, "cpu_user_ns": 30 * S, "cpu_kernel_ns": 5 * S, "cpu_iowait_ns": 5 * S,
             "cpu_idle_ns": 40 * S, "cpu_tracked_ns": 28 * S, "memory_used_bytes": (20 + at % 9) * GIB, "memory_available_bytes": 40 * GIB,
             "tracked_processes": 5, "agent_rss_bytes": 11 * MIB} for at in range(0, 700, 5)]


def idle_samples():
    """Of a host on which nothing happened for the last 40 minutes."""
    return [{"since_at": NOW - (at + 60) * S, "until_at": NOW - at * S, "cpu_user_ns": S, "cpu_kernel_ns": S, "cpu_idle_ns": 958 * S,
             "memory_used_bytes": 2 * GIB, "memory_available_bytes": 60 * GIB, "agent_rss_bytes": 11 * MIB} for at in range(2340, -1, -60)]


def files(story):
    paths = ["/data/reference/hg38.fa", f"/data/{'results/' * 20}out.bam", "/data/a.vcf.gz", f"/tmp/{HOSTILE}"]
    rows = []
    for n, one in enumerate(story.executions):
        at = {"first_at": one["started_at"], "last_at": one["ended_at"]}
        own = of(one["pid"], one["task_id"])
        rows += [{**own, **at, "file_id": 10 + n % 4, "kind": "file", "path": paths[n % 4], "opens": 1 + n, "moved_bytes": (n + 1) * 100 * MIB,
                  "size_bytes": 5 * GIB, "reads": True, "writes": n % 4 == 1},
                 {**own, **at, "file_id": 1, "kind": "system", "opens": 20, "moved_bytes": 4096, "reads": True},
                 {**own, **at, "file_id": 2, "kind": "failed", "failures": 3, "error": 2}]
    return rows + fed(story, ["task-0", "task-6", "task-9", "task-11"])


def fed(story, chain):
    """Each of these tasks read what the one before it had written."""
    tasks = {one["task_id"]: one for one in story.tasks}
    rows = []
    for n, (source, target) in enumerate(zip(chain, chain[1:])):
        for task, how, at in ((source, "writes", tasks[source]["ended_at"] - S), (target, "reads", tasks[target]["ended_at"] - 2 * S)):
            rows.append({**of(tasks[task]["pid"], task), "file_id": 100 + n, "kind": "file", "path": f"/data/{HOSTILE}/{'part' * 30}-{n}", "opens": 1,
                         "moved_bytes": GIB, "size_bytes": GIB, how: True, "first_at": at, "last_at": at})
    return rows


def networks():
    base = {"rx_calls": 10, "tx_calls": 10}
    return [{**of(251, "task-5"), **base, "family": "inet", "protocol": "tcp", "rx_bytes": 9 * GIB, "tx_bytes": 3 * MIB, "connects": 40,
             "connect_failures": 2, "resets": 1, "retransmits": 123, "connect_ns": 40 * 12000000},
            {**of(261, "task-6"), **base, "family": "inet6", "protocol": "udp", "loopback": True, "rx_bytes": 100, "tx_bytes": 90},
            {**of(261, "task-6"), **base, "family": "unix", "protocol": "stream", "rx_bytes": 5 * MIB, "tx_bytes": 5 * MIB},
            {**of(271, "task-7"), **base, "family": "other", "protocol": "other", "rx_bytes": 10}]


def containers():
    return [{"cgroup_id": 7, "path": "/docker/" + "0f" * 32, "runtime": "docker", "container_id": "0f" * 32, "name": "align-1", "limits_known": True,
             "image": "quay.io/biocontainers/mulled-v2-fe8faa35dbf6dc65a0f7f5d4ea12e31a79f73e40:219b6c272b25e7e642ae3ff0bf0c5c81a5135ab4-0",
             "cpu_limit": 2.0, "memory_limit_bytes": 4 * GIB, "started_at": BEGAN, "ended_at": BEGAN + 500 * S},
            {"cgroup_id": 9, "path": "/slurm/uid_1/job_42/step_0", "runtime": "slurm", "job_id": "42", "started_at": BEGAN}]


def io_latencies():
    def latencies(**counts):
        return [counts.get(f"b{k}", 0) for k in range(24)]

    fast, slow = latencies(b6=400, b7=2500, b8=900, b12=40), latencies(b10=20, b13=300, b14=250, b20=4, b23=1)
    return [{**of(251, "task-5"), "device": "nvme0n1", "operation": "read", "requests": sum(fast), "bytes": 3840 * 131072,
             "latency_ns": 3840 * 110000, "latencies": fast},
            {**of(261, "task-6"), "device": "nvme0n1", "operation": "write", "requests": sum(slow), "bytes": 570 * MIB, "failures": 5,
             "unfinished": 2, "latency_ns": 575 * 9 * 10**6, "latencies": slow},
            {**of(271, "task-7"), "device": "sda", "operation": "flush", "requests": 3, "latency_ns": 3 * 10**7, "latencies": latencies(b14=3)}]


def main():
    token = (TOKENS / "admin").read_text().strip()  # of two hosts
    agent, other, idle = (batch.Agent(URL, token, f"host-{n}", NOW) for n in (1, 2, 3))
    story = Story()
    run = {"run_id": "story-1", "name": "story", "pipeline": "variants", "engine": "snakemake", "status": "failed", "pid": 100, "start_ns": 100000,
           "user": "ada", "cwd": "/data", "command": f"snakemake --cores 16 --config {'reference=/data/hg38.fa ' * 6}", "exit_code": 1,
           "started_at": BEGAN, "ended_at": BEGAN + WALL_S * S, "labels": [{"key": "team", "value": "genomics"}]}
    agent.send(hosts=[host("gpu-node-1", price_usd_hour=12.5)], runs=[run], tasks=story.tasks, executions=story.executions, samples=story.samples,
               events=events(), files=files(story), networks=networks(), io_latencies=io_latencies(), containers=containers(), host_samples=host_samples(),
               container_samples=[{"cgroup_id": 7, "since_at": BEGAN + at * S, "until_at": BEGAN + (at + 5) * S, "cpu_ns": 10 * S, "cpu_periods": 50,
                                   "cpu_throttled_periods": 40, "cpu_throttled_ns": 3 * S, "memory_bytes": GIB, "memory_peak_bytes": 2 * GIB,
                                   "memory_oom_kills": int(at == 0), "cpu_pressure_ns": S} for at in range(0, 500, 5)],
               gpus=[{"uuid": "GPU-1", "index": 0, "name": "NVIDIA H200", "driver": "570.1", "memory_bytes": 141 * GIB, "process_busy_known": True,
                      "seen_at": BEGAN},
                     {"uuid": "GPU-2", "index": 1, "name": "a card with a driver that reports little", "driver": "drm", "seen_at": BEGAN, "gone_at": NOW}],
               gpu_samples=gpu_samples("GPU-1", True) + gpu_samples("GPU-2", False),
               losses=[{"what": "samples", "count": 5, "since_at": BEGAN + 90 * S, "until_at": BEGAN + 91 * S, "why": "ring full"}])
    lone = {"run_id": "alone-1", "name": "alone", "pipeline": "alone", "engine": "tracer", "status": "succeeded", "pid": 5000, "start_ns": 5000000,
            "user": "ada", "command": "sh alone.sh", "started_at": BEGAN, "ended_at": BEGAN + 60 * S}
    agent.send(runs=[lone], events=[{**of(5000, ""), "run_id": "alone-1", "happened_at": BEGAN + 9 * S, "kind": "exit_failed", "code": 1,
                                     "summary": "grep ended with 1 after 2 s"}],
               executions=[{"pid": 5000, "start_ns": 5000000, "image_seq": 5000, "started_at": BEGAN, "ended_at": BEGAN + 60 * S, "wall_ns": 60 * S,
                            "status": "succeeded", "tool": "sh", "exe": "/bin/sh", "argv": ["sh", "alone.sh"], "run_id": "alone-1",
                            "figures": {"user_ns": 20 * S, "child_ns": 30 * S, "sleep_ns": 10 * S, "threads_ns": 60 * S, "rss_peak_bytes": 3 * MIB,
                                        **wall(computing=20, serial=20, child=30, sleep=10)}}],
               untracked=[{"since_at": BEGAN, "until_at": BEGAN + 60 * S, "kind": kind, "path": path, "cgroups": 1, "cpu_ns": cpu_s * S}
                          for kind, path, cpu_s in (("tracked", "", 40), ("cgroup", "/system.slice", 20), ("rest", "", -6))])
    other.send(hosts=[host(f"node-{'with-a-long-name-' * 4}2")], host_samples=host_samples())  # without a price
    idle.send(hosts=[host("idle-1", price_usd_hour=0.384, provider="aws", region="eu-west-1", instance_type="m6i.4xlarge", instance_id="i-0123456789abcdef0")],
              host_samples=idle_samples())
    live = {"run_id": "live-1", "name": "live", "pipeline": "live", "engine": "tracer", "status": "running", "pid": 9, "start_ns": 9, "user": "ada",
            "command": "sleep", "started_at": NOW - 10 * S}
    agent.send(runs=[live], tasks=[{"task_id": "live-t", "run_id": "live-1", "step": "sleep", "name": "sleep", "status": "running", "pid": 9,
                                    "start_ns": 9, "started_at": NOW - 10 * S}])


main()
