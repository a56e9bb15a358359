#!/usr/bin/env python3
"""Called by overhead.sh: runs the workloads in ABBA order and prints the table. overhead.py WORK ROOT [--quick]

Two judgements a row:
  wall      median of (with ÷ without) over pairs, with the 95 % interval of the median; a MISS when all of it lies
            above the budget
  account   (time of the agent's BPF programs, less an empty program a call, + CPU time of the agent) ÷ CPU time of the
            workload; a MISS when it exceeds budget − 1. It decides where the interval straddles the budget.
"""
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import time

WORK, ROOT = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
QUICK = "--quick" in sys.argv[3:]
BLOCKS = 4 if QUICK else 16  # each ABBA: two pairs

# name, arguments of the workload, budget when tracked
WORKLOADS = [
    ("exec storm", ["storm", "600"], 1.02),
    ("getppid loop", ["getppid", "3000000"], 1.02),
    ("context-switch ping-pong", ["pingpong", "120000"], 1.10),
]
PIPELINE_BUDGET, UNTRACKED_BUDGET = 1.01, 1.01


class Lake:
    """The lake runs all the while: what is measured is the agent."""

    def __init__(self):
        data = WORK / "data"
        subprocess.run(["tracer", "up", "--data", data, "--port", "0"], check=True, stdout=subprocess.DEVNULL)
        os.kill(int((data / "agent.pid").read_text().split()[0]), signal.SIGTERM)
        self.url = (data / "lake.url").read_text().strip()
        self.data = data
        while os.path.exists(f"/proc/{(data / 'agent.pid').read_text().split()[0]}"):
            time.sleep(0.05)


class Agent:
    def __init__(self, lake):
        self.process = subprocess.Popen(
            ["tracer", "collect", f"--lake={lake.url}", f"--token-file={lake.data}/tokens/ingest",
             f"--state-folder={lake.data}/agent"], stderr=subprocess.DEVNULL)
        started = time.monotonic()
        self.socket = lake.data / "agent" / "control.sock"
        deadline = started + 10
        while not self.answers(self.socket):
            if time.monotonic() > deadline or self.process.poll() is not None:
                sys.exit("overhead.py: the agent did not start")
            time.sleep(0.02)
        self.ready_s = time.monotonic() - started

    def status(self):
        return json.loads(subprocess.run(["curl", "-sf", "--unix-socket", self.socket, "http://agent/status"],
                                         check=True, capture_output=True).stdout)

    @staticmethod
    def answers(socket):
        return subprocess.run(["curl", "-sf", "--unix-socket", socket, "http://agent/status"],
                              stdout=subprocess.DEVNULL).returncode == 0

    def cpu_ns(self):
        """Of all its threads, by the scheduler (not by ticks)."""
        return sum(int((task / "schedstat").read_text().split()[0])
                   for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir())

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) * 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def programs():
    """BPF programs of this host by id: (run_time_ns, run_cnt)."""
    shown = subprocess.run(["bpftool", "prog", "show", "--json"], check=True, capture_output=True).stdout
    return {program["id"]: (program.get("run_time_ns", 0), program.get("run_cnt", 0)) for program in json.loads(shown)}


def program_times(others):
    """(run_time_ns, run_cnt) summed over programs that are not among `others`."""
    mine = [times for number, times in programs().items() if number not in others]
    return sum(time for time, _ in mine), sum(count for _, count in mine)


def run(command, tracked):
    prefix = ["tracer", "run", "--name", "bench", "--"] if tracked else []
    out = subprocess.run(prefix + command, check=True, capture_output=True, text=True).stdout
    wall, cpu = map(int, out.split())
    return wall, cpu


def run_pipeline():
    folder = WORK / "pipeline"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    started, usage = time.monotonic_ns(), os.times()
    subprocess.run(["snakemake", "--snakefile", ROOT / "demo/Snakefile", "--cores", "2", "--config", "genome=200000",
                    "pairs=8000"], cwd=folder, check=True, capture_output=True)
    after = os.times()
    cpu = after.children_user + after.children_system - usage.children_user - usage.children_system
    return time.monotonic_ns() - started, int(cpu * 1e9)


def interval(values):
    """The 95 % confidence interval of the median, by order statistics."""
    ordered, n = sorted(values), len(values)
    rank = max(0, int(n / 2 - 0.98 * n**0.5 - 0.5))
    return ordered[rank], ordered[n - 1 - rank]


def measure(lake, workload, blocks):
    """Ratios of pairs in ABBA order, and the account."""
    ratios, spent, workload_cpu = [], 0, 0
    for _ in range(blocks):
        first = workload()
        agent = Agent(lake)
        subprocess.run(["sysctl", "-qw", "kernel.bpf_stats_enabled=0"], check=True)
        cpu = agent.cpu_ns()
        second, third = workload(), workload()
        time.sleep(0.3)  # the agent's share that comes a little later belongs to these runs as well
        spent += agent.cpu_ns() - cpu
        workload_cpu += second[1] + third[1]
        agent.stop()
        fourth = workload()
        ratios += [second[0] / first[0], third[0] / fourth[0]]
    return ratios, spent, workload_cpu


def program_share(lake, workload):
    """What the agent's programs take of the workload's CPU time, counted in a run of its own: counting costs, too."""
    others = programs()
    agent = Agent(lake)
    subprocess.run(["sysctl", "-qw", "kernel.bpf_stats_enabled=1"], check=True)
    before = program_times(others)
    _, cpu = workload()
    _, more = workload()
    after = program_times(others)
    subprocess.run(["sysctl", "-qw", "kernel.bpf_stats_enabled=0"], check=True)
    agent.stop()
    calls = after[1] - before[1]
    return max(0, after[0] - before[0] - calls * EMPTY_NS) / (cpu + more)


def empty_cost(others):
    """ns a call of an empty program, by the kernel's own count."""
    subprocess.run(["sysctl", "-qw", "kernel.bpf_stats_enabled=1"], check=True)
    for _ in range(300):
        subprocess.run(["true"], check=True)
    subprocess.run(["sysctl", "-qw", "kernel.bpf_stats_enabled=0"], check=True)
    total, count = program_times(others)
    return total / count


def row(name, lake, workload, budget, blocks):
    ratios, spent, cpu = measure(lake, workload, blocks)
    low, high = interval(ratios)
    agent_share = spent / cpu
    account = agent_share + program_share(lake, workload)
    miss = low > budget or (high > budget and account > budget - 1)
    print(f"{name:<40} {statistics.median(ratios):6.3f} [{low:.3f}, {high:.3f}]  {account * 100:6.2f} %  "
          f"≤ {budget:.2f}{'  MISS' if miss else ''}", flush=True)
    return miss


def budget_row(name, value, shown, budget, budget_shown):
    miss = value > budget
    print(f"{name:<40} {shown:>32}  ≤ {budget_shown}{'  MISS' if miss else ''}", flush=True)
    return miss


def agent_rows(lake):
    """The agent itself: how soon it sees, what it holds after a storm, what it takes while nothing happens."""
    agent = Agent(lake)
    missed = budget_row("agent: ready", agent.ready_s, f"{agent.ready_s * 1000:.0f} ms", 0.5, "500 ms")
    count = 10_000 if QUICK else 100_000
    run([str(WORK / "workload"), "storm", str(count)], True)
    time.sleep(3)
    status = agent.status()
    memory, maps, lost = agent.memory(), status["map_bytes"], sum(status["losses"].values())
    name = f"agent: after a storm of {count}"
    missed |= budget_row(f"{name}, memory", memory, f"{memory / 2**20:.1f} MiB", 16 * 2**20, "16 MiB")
    missed |= budget_row("agent: kernel maps", maps, f"{maps / 2**20:.1f} MiB", 16 * 2**20, "16 MiB")
    missed |= budget_row(f"{name}, lost", lost, str(lost), 0, "0")
    seconds = 10 if QUICK else 60
    before = agent.cpu_ns()
    time.sleep(seconds)
    share = (agent.cpu_ns() - before) / seconds / 1e9
    missed |= budget_row("agent: idle, of a core", share, f"{share * 100:.2f} %", 0.003, "0.30 %")
    agent.stop()
    return missed


def main():
    global EMPTY_NS
    others = programs()
    empty = subprocess.Popen([WORK / "empty", WORK / "empty.bpf.o"], stdout=subprocess.PIPE, text=True)
    if empty.stdout.readline() != "attached\n":
        sys.exit("overhead.py: the empty program did not load")
    EMPTY_NS = empty_cost(others)
    empty.kill()
    empty.wait()
    lake = Lake()
    print(f"an empty program: {EMPTY_NS:.0f} ns a call (subtracted)\n")
    print(f"{'workload':<40} {'wall ratio [95 %]':>21}  {'account':>8}  budget")
    missed = False
    for tracked in (True, False):
        for name, arguments, budget in WORKLOADS:
            command = [str(WORK / "workload"), *arguments]
            missed |= row(f"{name}, {'' if tracked else 'not '}tracked", lake, lambda: run(command, tracked),
                          budget if tracked else UNTRACKED_BUDGET, BLOCKS)
    missed |= row("Snakemake pipeline, tracked", lake, run_pipeline, PIPELINE_BUDGET, 1 if QUICK else 4)
    print()
    missed |= agent_rows(lake)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
