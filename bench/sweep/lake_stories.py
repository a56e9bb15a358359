# SPDX-License-Identifier: Apache-2.0
"""Stories of a real lake: waste of each kind that agents alone can show, and what only looks like it. Each names its hosts and runs by its
own prefix, by which a finding leads to it."""
import dataclasses
import math
import random
import zlib

from node import FINE_S, Node, ns

MINUTE, HOUR, DAY = 60, 3600, 86400
# What is asked: so long before the present a waste is due, at most and at least. Before the former no host pauses.
DUE_MOST, DUE_LEAST = 40 * MINUTE, 15 * MINUTE
AWS = {"provider": "aws", "region": "us-east-1", "zone": "us-east-1a", "instance_type": "m6i.2xlarge", "purchase": "on_demand"}


@dataclasses.dataclass
class Story:
    name: str
    kind: str           # empty: a control
    also: tuple         # kinds that are right, too, from the onset on
    patience: float     # s
    prefix: str = ""
    due: float = math.inf
    early: float = 60   # a finding may come so much before it is due
    nodes: list = dataclasses.field(default_factory=list)
    chance: random.Random = None
    end: float = 0.0

    @property
    def onset(self):
        return self.due - self.patience

    def node(self, name="host", days=0.5, **facts):
        node = Node(f"{self.prefix}-{name}", self.end - days * DAY, self.end, instance_id=f"i-{self.prefix}{name}", **{**AWS, **facts})
        self.nodes.append(node)
        return node

    def run(self, name="run"):
        return f"{self.prefix}-{name}"


MAKERS = []


def story(name, kind="", patience=0.0, also=()):
    def register(make):
        MAKERS.append((Story(name, kind, also, patience), make))
        return make
    return register


def make_all(seed, end):
    made = []
    for number, (template, make) in enumerate(MAKERS):
        one = dataclasses.replace(template, prefix=f"s{number:02}", nodes=[], chance=random.Random(seed * 1000 + number), end=end)
        one.due = end - one.chance.randrange(DUE_LEAST, DUE_MOST)
        make(one)
        made.append(one)
    return made


def busy_until(one, node, until, since=None):
    node.work(one.run("before"), since or until - 4 * HOUR, until)


# Waste.

@story("host after its work", "host_idle", 15 * MINUTE)
def _(one):
    busy_until(one, one.node(), one.onset)


@story("host that was never used", "host_idle", 15 * MINUTE)
def _(one):
    node = one.node()
    node.since = one.onset


@story("Slurm node without jobs", "worker_idle", 10 * MINUTE, ("host_idle",))
def _(one):
    node = one.node()
    node.add("containers", cgroup_id=7, path="/slurm/job_1", runtime="slurm", job_id="1", started_at=ns(one.onset - HOUR), ended_at=ns(one.onset),
             limits_known=True)
    busy_until(one, node, one.onset)


@story("host at 3 %", "host_low", 2 * HOUR, ("host_oversized",))
def _(one):
    node = one.node(cpus=16, gib=64, instance_type="m6i.4xlarge")
    busy_until(one, node, one.onset)
    node.work(one.run(), one.onset, None, one.chance.uniform(0.01, 0.03))


@story("host larger than its work", "host_oversized", 24 * HOUR)
def _(one):
    begins = (one.end - 5 * MINUTE) // HOUR * HOUR - 24 * HOUR  # the hours are those of the clock
    one.due, one.early = begins + 24 * HOUR, HOUR
    node = one.node(days=2)
    node.since = begins - 60
    node.work(one.run(), begins, None, one.chance.uniform(0.15, 0.3))


@story("GPU held by a notebook", "gpu_idle", 15 * MINUTE)
def _(one):
    node = one.node(instance_type="g5.2xlarge")
    busy_until(one, node, one.end)
    node.run(one.run(), one.onset - 3 * HOUR)
    node.task(one.run(), one.run("task"), one.onset - 3 * HOUR)
    node.execution(one.run(), one.run("task"), one.onset - 3 * HOUR, None, 1.0, figures=lambda at: {"gpu_memory_bytes": 10**9})
    add_gpu(one, node, lambda at: at < one.onset)


def add_gpu(one, node, busy):
    uuid = f"GPU-{one.prefix}"
    node.add("gpus", uuid=uuid, name="NVIDIA A10G", memory_bytes=24 << 30, process_busy_known=True, seen_at=ns(node.since))
    at = one.end - 6 * HOUR
    while at < one.end:
        node.add("gpu_samples", uuid=uuid, since_at=ns(at), until_at=ns(at + FINE_S), busy_ns=ns(FINE_S * 0.9) if busy(at) else 0,
                 busy_known_ns=ns(FINE_S), memory_used_bytes=10**9, processes=1)
        at += FINE_S


def add_session(one, node, since, used):
    """used: the times in which someone typed."""
    run = node.run(one.run("session"), since, engine="session", command="-bash", user="bob")
    node.execution(one.run("session"), "", since, None, 0.3, used, pid=run["pid"], start_ns=run["start_ns"], tool="bash", exe="/usr/bin/bash", argv=["-bash"])


@story("shell left open", "session_idle", HOUR)
def _(one):
    node = one.node()
    busy_until(one, node, one.end, one.end - 8 * HOUR)
    add_session(one, node, one.onset - 3 * HOUR, [(one.onset - 2 * HOUR, one.onset - 2 * HOUR + 300), (one.onset - 120, one.onset)])


@story("shell left open on an idle host", "session_idle", HOUR, ("host_idle",))
def _(one):
    node = one.node()
    busy_until(one, node, one.onset, one.end - 8 * HOUR)
    add_session(one, node, one.onset - 3 * HOUR, [(one.onset - 120, one.onset)])


def add_queue(one, node, busy, limit):
    node.run(one.run(), one.onset - 20 * MINUTE, engine="nextflow", task_limit=limit)
    for number in range(limit):
        task = one.run(f"task-{number}")
        node.task(one.run(), task, one.onset - 20 * MINUTE)
        node.execution(one.run(), task, one.onset - 20 * MINUTE, None, busy / limit)
    for number in range(9):
        node.task(one.run(), one.run(f"waits-{number}"), 0, status="queued", queued_at=ns(one.onset), cpus_requested=1.0)


@story("few slots on a host with room", "slots_wait", 10 * MINUTE)
def _(one):
    node = one.node()
    busy_until(one, node, one.onset)
    add_queue(one, node, 1.6, 2)


@story("workers on demand that could be spot", "spot_unused", 8 * HOUR)
def _(one):
    head, node = one.node("head"), one.node("worker", days=1)
    add_spot(one, head, node)


def add_spot(one, head, node):
    begins = one.onset
    one.early = HOUR
    head.since, node.since = begins - 5 * MINUTE, begins - 60
    head.run(one.run(), begins - 2 * MINUTE, engine="nextflow")
    head.load(begins - 2 * MINUTE, one.end, 5)
    head.execution(one.run(), "", begins - 2 * MINUTE, None, 0.1, tool="nextflow", exe="/usr/bin/java")
    at, number = begins, 0
    while at < one.end:
        until = at + 50 * MINUTE
        task = one.run(f"task-{number}")
        ended = until if until < one.end else None
        node.task(one.run(), task, at, ended)
        node.execution(one.run(), task, at, ended, 6.0)
        at, number = until + 20, number + 1


def add_history(one, node, wait_s):
    """Four earlier runs, in which its step succeeded, and was without CPU time for so long."""
    for number in range(4):
        since, run = one.end - 11 * HOUR + number * 3 * MINUTE, one.run(f"past-{number}")
        until = since + 300 + wait_s
        node.run(run, since, until, name="past", pipeline=f"{one.prefix}.nf", engine="nextflow")
        node.task(run, f"{run}-task", since, until)
        node.execution(run, f"{run}-task", since, until, 1.0, [(since, since + 300)], figures=None)


def add_silent(one, node, since, silent_at, figures=None, history=None):
    if history is not None:
        add_history(one, node, history)
    node.run(one.run(), since, engine="nextflow", pipeline=f"{one.prefix}.nf")
    node.task(one.run(), one.run("task"), since)
    return node.execution(one.run(), one.run("task"), since, None, 2.0, [(since, silent_at)],
                          figures=lambda at: {} if at < silent_at else figures(at) if figures else {"lock_ns": ns(60), "ctx_voluntary": 3})


@story("task that waits for a lock", "task_stuck", 15 * MINUTE, ("host_idle", "host_low", "host_oversized"))
def _(one):
    node = one.node()
    add_silent(one, node, one.onset - 5 * HOUR, one.onset, history=20)


@story("task of a new step that hangs", "task_stuck", HOUR, ("host_idle", "host_low", "host_oversized"))
def _(one):
    node = one.node()
    add_silent(one, node, one.onset - 5 * HOUR, one.onset, figures=lambda at: {"network_ns": ns(60)})


@story("engine killed, task goes on", "engine_gone", 2 * MINUTE)
def _(one):
    node = one.node()
    node.run(one.run(), one.onset - 5 * HOUR, one.onset, engine="snakemake", status="killed")
    node.task(one.run(), one.run("task"), one.onset - 5 * HOUR)
    node.execution(one.run(), one.run("task"), one.onset - 5 * HOUR, None, 6.0)


def add_work(one, node, run, since, until, inputs=("/data/in/a.fq", "/data/in/b.fq"), version="0.7.17", user="ann", argv=("bwa", "mem", "ref.fa", "a.fq", "b.fq")):
    task = f"{run}-task"
    node.run(run, since, until, engine="nextflow", pipeline=f"{one.prefix}.nf", user=user, cwd=f"/home/{user}")
    node.task(run, task, since, until)
    key = node.execution(run, task, since, until, 6.0, argv=list(argv), version=version, tool_kind="tool", cwd=f"/home/{user}")
    ids = {"/data/in/a.fq": 11, "/data/in/b.fq": 12}
    for path in inputs:
        node.add("files", **key, run_id=run, task_id=task, file_id=ids.get(path, 99), kind="file", path=path, opens=1, moved_bytes=4 * 10**9, size_bytes=4 * 10**9,
                 reads=True, first_at=ns(since + 1), last_at=ns(until - 1))
    node.add("files", **key, run_id=run, task_id=task, file_id=zlib.crc32(run.encode()), kind="file", path=f"/home/{user}/all.sam", opens=1,
             moved_bytes=10**8, size_bytes=10**8, writes=True, first_at=ns(since + 1), last_at=ns(until - 1))


@story("work done again by another user", "work_repeated", 0)
def _(one):
    node = one.node()
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_work(one, node, one.run("first"), one.onset - 6 * HOUR, one.onset - 5 * HOUR)
    add_work(one, node, one.run("again"), one.onset - HOUR, one.onset, user="bob")


def add_files(one, node, since, read_at=None):
    run, until = one.run(), since + HOUR
    folder = f"/scratch/{one.prefix}/work/ab/{'12cd' * 7}34"
    node.run(run, since, until, engine="nextflow", cwd=f"/scratch/{one.prefix}")
    node.task(run, one.run("task"), since, until, folder=folder)
    key = node.execution(run, one.run("task"), since, until, 6.0, cwd=folder)
    node.add("files", **key, run_id=run, task_id=one.run("task"), file_id=21, kind="file", path=f"{folder}/all.bam", opens=1, moved_bytes=9 * 10**9,
             size_bytes=9 * 10**9, writes=True, first_at=ns(since + 1), last_at=ns(until))
    if read_at:
        node.run(one.run("reads"), read_at, read_at + 600)
        node.task(one.run("reads"), one.run("reads-task"), read_at, read_at + 600)
        key = node.execution(one.run("reads"), one.run("reads-task"), read_at, read_at + 600, 2.0)
        node.add("files", **key, run_id=one.run("reads"), task_id=one.run("reads-task"), file_id=21, kind="file", path=f"{folder}/all.bam", opens=1,
                 moved_bytes=9 * 10**9, size_bytes=9 * 10**9, reads=True, first_at=ns(read_at), last_at=ns(read_at + 600))


@story("work folder that no one reads", "files_unread", 2 * DAY)
def _(one):
    node = one.node(days=3)
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_files(one, node, one.onset - HOUR)


# All is well.

@story("host that works")
def _(one):
    busy_until(one, one.node(), one.end, one.end - 9 * HOUR)


@story("host in bursts each 40 min")
def _(one):
    node, at, number = one.node(), one.end - 8 * HOUR, 0
    while at < one.end:
        node.work(one.run(f"burst-{number}"), at, min(at + 6 * MINUTE, one.end))
        at, number = at + 40 * MINUTE + one.chance.randrange(120), number + 1


@story("host with pauses between runs")
def _(one):
    node, at, number = one.node(), one.end - 8 * HOUR, 0
    while at < one.end:
        until = at + one.chance.randrange(8, 50) * MINUTE
        node.work(one.run(f"run-{number}"), at, until if until < one.end else None)
        at, number = until + one.chance.randrange(60, 12 * MINUTE), number + 1


@story("host with untracked work", patience=15 * MINUTE)
def _(one):
    node = one.node()
    busy_until(one, node, one.onset)
    node.load(one.end - 12 * HOUR, one.end, 3, tracked=False, memory=0.2)


@story("host with an untracked transfer", patience=15 * MINUTE)
def _(one):
    node = one.node()
    busy_until(one, node, one.onset)
    node.load(one.end - 12 * HOUR, one.end, 0.1, tracked=False, net=5e7, disk=5e7)


@story("agent fell silent", patience=15 * MINUTE)
def _(one):
    node = one.node()
    busy_until(one, node, one.onset)
    node.gap(one.onset + 5 * MINUTE, one.end)


@story("agent came back", patience=15 * MINUTE)
def _(one):
    node = one.node()
    busy_until(one, node, one.onset - 20 * MINUTE)
    node.gap(one.onset - 20 * MINUTE, one.onset + 15 * MINUTE)
    node.work(one.run(), one.onset + 20 * MINUTE)


@story("head node, by design", patience=15 * MINUTE)
def _(one):
    one.node(tags=[{"key": "tracer:idle", "value": "by-design"}])


@story("shell used each 40 min")
def _(one):
    node = one.node()
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_session(one, node, one.end - 8 * HOUR, [(one.end - 8 * HOUR + at * 40 * MINUTE, one.end - 8 * HOUR + at * 40 * MINUTE + 60) for at in range(12)])


@story("shell at lunch", patience=HOUR)
def _(one):
    node = one.node()
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_session(one, node, one.onset - 3 * HOUR, [(one.onset - HOUR, one.onset), (one.onset + 50 * MINUTE, one.end)])


@story("step that always waits for hours", patience=15 * MINUTE)
def _(one):
    node = one.node()
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_silent(one, node, one.onset - HOUR, one.onset, history=3 * HOUR)


@story("task that downloads", patience=15 * MINUTE)
def _(one):
    node = one.node()
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_silent(one, node, one.onset - HOUR, one.onset, figures=lambda at: {"network_ns": ns(59), "net_rx_bytes": 10**6}, history=20)


@story("task that polls a job elsewhere", patience=15 * MINUTE)
def _(one):
    node = one.node()
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_silent(one, node, one.onset - HOUR, one.onset, history=20,
               figures=lambda at: {"sleep_ns": ns(59), "net_tx_bytes": 400, "net_rx_bytes": 900} if at // 60 % 4 == 0 else {"sleep_ns": ns(60)})


@story("task of which records were lost", patience=15 * MINUTE)
def _(one):
    node = one.node()
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_silent(one, node, one.onset - HOUR, one.onset, history=20)
    node.add("losses", what="samples", count=100, since_at=ns(one.onset + 60), until_at=ns(one.onset + 120), why="bench")


@story("task ends with its engine", patience=2 * MINUTE)
def _(one):
    node = one.node()
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    node.run(one.run(), one.onset - 5 * HOUR, one.onset, engine="snakemake", status="killed")
    node.task(one.run(), one.run("task"), one.onset - 5 * HOUR, one.onset + 40, status="killed")
    node.execution(one.run(), one.run("task"), one.onset - 5 * HOUR, one.onset + 40, 2.0, status="killed")


@story("work with other inputs")
def _(one):
    node = one.node()
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_work(one, node, one.run("first"), one.due - 6 * HOUR, one.due - 5 * HOUR)
    add_work(one, node, one.run("other"), one.due - HOUR, one.due, inputs=("/data/in/c.fq", "/data/in/b.fq"), argv=("bwa", "mem", "ref.fa", "c.fq", "b.fq"))


@story("work with another version")
def _(one):
    node = one.node()
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_work(one, node, one.run("first"), one.due - 6 * HOUR, one.due - 5 * HOUR)
    add_work(one, node, one.run("other"), one.due - HOUR, one.due, version="0.7.18")


@story("work folder read this morning", patience=2 * DAY)
def _(one):
    node = one.node(days=3)
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_files(one, node, one.onset - HOUR, one.end - 5 * HOUR)


@story("work folder of today")
def _(one):
    node = one.node()
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_files(one, node, one.end - 6 * HOUR)


@story("little CPU, much memory", patience=2 * HOUR)
def _(one):
    node = one.node(cpus=16, gib=64, instance_type="m6i.4xlarge")
    busy_until(one, node, one.onset)
    node.work(one.run(), one.onset, None, 0.02)
    node.load(one.onset, one.end, 0, memory=0.6)


@story("GPU that waits for data", patience=15 * MINUTE)
def _(one):
    node = one.node(instance_type="g5.2xlarge")
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_gpu(one, node, lambda at: at // 60 % 7 == 0)


@story("GPU of which nothing is reported", patience=15 * MINUTE)
def _(one):
    node = one.node(instance_type="g5.2xlarge")
    busy_until(one, node, one.end, one.end - 9 * HOUR)
    add_gpu(one, node, lambda at: False)
    for sample in node.sent["gpu_samples"]:
        sample["busy_known_ns"] = 0


@story("half a host, and once all of it", patience=24 * HOUR)
def _(one):
    node = one.node(days=2)
    node.since = one.onset - 2 * HOUR
    node.work(one.run(), one.onset - 2 * HOUR, None, 0.25)
    node.work(one.run("peak"), one.onset + 5 * HOUR, one.onset + 5 * HOUR + 900, 0.7)


@story("few slots on a full host", patience=10 * MINUTE)
def _(one):
    node = one.node()
    busy_until(one, node, one.onset)
    add_queue(one, node, 6.5, 2)


@story("spot already", patience=8 * HOUR)
def _(one):
    add_spot(one, one.node("head"), one.node("worker", days=1, purchase="spot"))


@story("tasks on the host of their engine", patience=8 * HOUR)
def _(one):
    node = one.node("head", days=1)
    add_spot(one, node, node)
    node.loads = [load for load in node.loads if load.cpus != 5]
