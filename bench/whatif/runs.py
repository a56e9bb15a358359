# SPDX-License-Identifier: Apache-2.0
"""Runs pipelines under Tracer, each on some cores, and asks what they would have taken otherwise."""
import contextlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request

sys.path.append(str(pathlib.Path(__file__).parents[1] / "findings"))
import launch  # noqa: E402
import resources  # noqa: E402

CAP_S, PATIENCE_S = 300, 120
QUIET_S, QUIET_SHARE = 1.0, 0.1  # the lake, or the machine, is quiet where it used less than this part of a CPU for so long
CALIBRATIONS = 8
SLOWER = 0.05  # of the CPU time of the same work at its best: others used the machine


def get(path):
    data = pathlib.Path(os.environ["TRACER_DATA"])
    token = (data / "tokens" / "read").read_text().strip()
    request = urllib.request.Request(f"{(data / 'lake.url').read_text().strip()}/api/v1{path}", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=PATIENCE_S) as answer:
        return json.load(answer)


def ask(run, **question):
    return get(f"/runs/{run}/whatif?{urllib.parse.urlencode(question)}")


def lake_pid():
    return int((pathlib.Path(os.environ["TRACER_DATA"]) / "lake.pid").read_text().split()[0])


@contextlib.contextmanager
def lake_stopped():
    """Meanwhile the agent keeps what it has to deliver: what the lake computes would take CPUs from this run."""
    pid = lake_pid()
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def cpu_s(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_quiet():
    until, used = time.monotonic() + PATIENCE_S, -1e9
    while time.monotonic() < until and cpu_s(lake_pid()) - used > QUIET_SHARE * QUIET_S:
        used = cpu_s(lake_pid())
        time.sleep(QUIET_S)


def busy_s():
    """CPU time that all CPUs were busy, or taken by other machines."""
    fields = [int(each) for each in pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / os.sysconf("SC_CLK_TCK")


class Machine:
    """Whether nothing else computes here, nor on the host of a virtual machine. Other machines on it share caches, memory bandwidth and hyperthreads,
    which no counter of this one shows; but to compress what comes through a pipe takes more CPU time then."""
    PROBE = "head -c 100M /dev/zero | gzip -1 >/dev/null"
    least_s = 1e9

    @classmethod
    def is_quiet(cls):
        before = busy_s()
        time.sleep(QUIET_S)
        if busy_s() - before > QUIET_SHARE * QUIET_S:
            return False
        before = children_s()
        subprocess.run(cls.PROBE, shell=True, check=True)
        took = children_s() - before
        cls.least_s = min(took, cls.least_s)
        return took <= (1 + SLOWER) * cls.least_s


def children_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def wait_for_machine(patience_s):
    """Until nothing else computes, or for so long."""
    until = time.monotonic() + patience_s
    while time.monotonic() < until and not Machine.is_quiet():
        pass


@contextlib.contextmanager
def limited(limit, name):
    """How a run is kept to some cores: what its command begins with, and the control groups that it is in."""
    kind, cores = limit
    if kind == "taskset":
        yield ["taskset", "-c", ",".join(str(cpu) for cpu in range(cores))], []
    elif kind == "quota":
        with resources.cgroup("cpu", f"run-whatif-{os.getpid()}-{name}.scope", resources.cpu_quota(cores)) as folder:
            yield [], resources.entries("cpu", folder)
    else:
        yield ["taskset", "-c", ",".join(str(cpu) for cpu in range(cores))] if os.cpu_count() > cores else [], []


def find_run(pipeline, began_at):
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        for run in get("/runs?limit=50")["runs"]:
            if run["pipeline"] == pipeline and run["started_at"] >= began_at and run["status"] != "running":
                return run
        time.sleep(0.3)
    raise RuntimeError(f"no run of {pipeline} since {began_at} was recorded")


def run(lab, workload, limit, turn, patience_s):
    """Runs it to its end; gives the run as the lake has it, and how many CPUs others used meanwhile."""
    folder = lab.work / "runs" / f"{turn}_{limit[0]}_{limit[1]}" / workload.name
    folder.mkdir(parents=True)
    argv = workload.build(lab, folder)
    wait_until_quiet()
    wait_for_machine(patience_s)
    began, busy = time.monotonic(), busy_s()
    began_at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() - 1))
    with limited(limit, f"{workload.name}-{turn}") as (prefix, cgroups), lake_stopped():
        process = launch.launch([*prefix, *argv], folder, folder.parent / f"{workload.name}.log", cgroups)
        ended = process.wait(CAP_S)
        process.end()
        busy, lasted = busy_s() - busy, time.monotonic() - began
    if not ended:
        raise RuntimeError(f"{folder} did not end: its log is beside it")
    found = find_run(workload.name, began_at)
    if found["status"] != "succeeded":
        raise RuntimeError(f"{folder} {found['status']}: its log is beside it\n{(folder.parent / (workload.name + '.log')).read_text()[-2000:]}")
    return found, (busy - (found["user_ns"] + found["kernel_ns"]) / 1e9) / lasted


def warm():
    """Has the files of the engines read, and sees the machine at its best."""
    for _ in range(CALIBRATIONS):
        Machine.is_quiet()
    subprocess.run(["/usr/bin/python3", "-c", "import snakemake, pulp"], check=True)
