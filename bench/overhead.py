#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Called by overhead.sh: runs the workloads in ABBA order and prints the table. overhead.py WORK ROOT [--quick]

Two judgements a row:
  wall      median of (with ÷ without) over pairs, with the 95 % interval of the median; a MISS when all of it lies
            above the budget
  account   (time of the agent's BPF programs, less an empty program a call, + CPU time of the agent) ÷ CPU time of the
            workload; a MISS when it exceeds budget − 1. It decides where the interval straddles the budget.

Exit 3 when a row misses: the table is whole all the same.
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

import peers

WORK, ROOT = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
QUICK = "--quick" in sys.argv[3:]
BLOCKS = 4 if QUICK else 16  # each ABBA: two pairs

# name, arguments of the workload, budget when tracked
WORKLOADS = [
    ("exec storm", ["storm", "600"], 1.02),
    ("getppid loop", ["getppid", "3000000"], 1.02),
    ("open-close loop", ["openclose", "300000"], 1.05),
    ("context-switch ping-pong", ["pingpong", "120000"], 1.10),
    ("TCP loopback stream", ["tcp", "30000"], 1.02),
]
# What files: off changes.
CALLS = ("exec storm", "getppid loop", "open-close loop", "context-switch ping-pong")
# What `tracer doctor` serves of each workload by tracepoints of its system calls where the kernel refuses fentry.
SERVED = {
    "exec storm": ("execs that fail", "files", "files that cannot be opened"),
    "getppid loop": (),
    "open-close loop": ("files", "files that cannot be opened"),
    "context-switch ping-pong": ("writes that fail",),
}
OTHERS = "no tracepoints of system calls, which slow every call"
# With the system calls of tracked work counted: on request, so without a budget.
ON_REQUEST = ("exec storm", "getppid loop")
PIPELINE_BUDGET, UNTRACKED_BUDGET = 1.01, 1.01
MISSED = []  # names of rows


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
    def __init__(self, lake, options=(), state="agent"):
        self.process = subprocess.Popen(
            ["tracer", "collect", f"--lake={lake.url}", f"--token-file={lake.data}/tokens/ingest",
             f"--state-folder={lake.data}/{state}", *options], stderr=subprocess.DEVNULL)
        started = time.monotonic()
        self.socket = lake.data / state / "control.sock"
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
    """BPF programs of this host by id: (name, run_time_ns, run_cnt)."""
    shown = subprocess.run(["bpftool", "prog", "show", "--json"], check=True, capture_output=True).stdout
    return {program["id"]: (program.get("name", ""), program.get("run_time_ns", 0), program.get("run_cnt", 0))
            for program in json.loads(shown)}


def spent_since(before, after):
    """ns that programs took, less what empty ones would have: at a switch, which is hot, an empty one costs less."""
    spent = 0
    for number, (name, ran, count) in after.items():
        _, ran_before, count_before = before.get(number, ("", 0, 0))
        empty = SWITCH_NS if name.startswith("on_switch") else EMPTY_NS
        spent += max(0, ran - ran_before - (count - count_before) * empty)
    return spent


def begin(command, tracked):
    """A workload, started by overhead.sh: a child of this script would be tracked as the work of an interpreter."""
    prefix = ["tracer", "run", "--name", "bench", "--"] if tracked else []
    print(*prefix, *command, file=ASK, flush=True)


def end(command):
    """Wall and CPU time in ns of the workload that was begun."""
    answer = (WORK / "answer").read_text().split()
    if len(answer) != 2:
        sys.exit(f"overhead.py: {' '.join(command)} failed")
    return int(answer[0]), int(answer[1])


def run(command, tracked):
    begin(command, tracked)
    return end(command)


def run_pipeline(snakefile=ROOT / "demo/Snakefile"):
    folder = WORK / "pipeline"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    started, usage = time.monotonic_ns(), os.times()
    subprocess.run(["snakemake", "--snakefile", snakefile, "--cores", "2", "--config", "genome=200000",
                    "pairs=8000"], cwd=folder, check=True, capture_output=True)
    after = os.times()
    cpu = after.children_user + after.children_system - usage.children_user - usage.children_system
    return time.monotonic_ns() - started, int(cpu * 1e9)


def interval(values):
    """The 95 % confidence interval of the median, by order statistics."""
    ordered, n = sorted(values), len(values)
    rank = max(0, int(n / 2 - 0.98 * n**0.5 - 0.5))
    return ordered[rank], ordered[n - 1 - rank]


def start_agent(lake, options, idle):
    """idle: wait until no tracked process runs; while one does, the agent watches system calls. overhead.sh starts `tracer run`
    and is a run itself. An agent reads from its state folder that it is: an idle agent has a folder of its own."""
    if not idle:
        return Agent(lake, options)
    for _ in range(100):
        agent = Agent(lake, options, "idle")
        status = agent.status()
        if not status["processes"] and not status["watches_calls"]:
            return agent
        agent.stop()
        time.sleep(0.2)
    sys.exit("overhead.py: tracked processes run on this host, so that the cost of an idle agent cannot be measured: wait until "
             "they have ended, or end them, and start the bench again")


def measure(lake, workload, blocks, options=(), idle=False):
    """Ratios of pairs in ABBA order, and the account."""
    ratios, spent, workload_cpu = [], 0, 0
    for _ in range(blocks):
        first = workload()
        agent = start_agent(lake, options, idle)
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


def program_share(lake, workload, options=(), idle=False):
    """What the agent's programs take of the workload's CPU time, counted in a run of its own: counting costs, too."""
    agent = start_agent(lake, options, idle)
    subprocess.run(["sysctl", "-qw", "kernel.bpf_stats_enabled=1"], check=True)
    before = programs()
    _, cpu = workload()
    _, more = workload()
    after = programs()
    subprocess.run(["sysctl", "-qw", "kernel.bpf_stats_enabled=0"], check=True)
    agent.stop()
    return spent_since(before, after) / (cpu + more)


def hooks():
    """What `tracer doctor` says of each figure's hook."""
    doctor = json.loads(subprocess.run(["tracer", "doctor", "--json"], capture_output=True, check=True).stdout)
    return {hook["figure"]: hook for hook in doctor["hooks"]}


def hook_of(figure):
    """A tracepoint of a system call makes every call of every process slower, as long as anything tracked lives."""
    return "{hook} ({why})".format(**hooks()[figure])


def instead(row_name, served):
    """What a common kernel has for the tracepoints of system calls that a row meets here."""
    taken = any(hook["hook"].startswith("tracepoint/syscalls/") for hook in served.values())
    if not taken or row_name.startswith("agent:") or not row_name.endswith(", tracked"):
        return "the same: it is no matter of hooks"
    better = [hook["why"].split()[1].rstrip(",;") for figure, hook in served.items()
              if figure in SERVED.get(row_name.removesuffix(", tracked"), ()) and hook["why"].startswith("no ")]
    return ", ".join([*better, OTHERS])


def print_missed(missed, without_files, served):
    """Beside each row that misses: what it is with files: off, and which hooks a common kernel has instead."""
    if missed:
        print(f"\n{'rows that miss':<40} {'files: off':>21}  a common kernel has instead of this one's hooks")
    for name in missed:
        cost = without_files.get(name.removesuffix(", tracked"), "not measured")
        print(f"{name:<40} {cost:>21}  {instead(name, served)}")


def empty_cost(name, work):
    """ns a call of an empty program while `work` is done, by the kernel's own count."""
    others = programs()
    empty = subprocess.Popen([WORK / "empty", WORK / f"{name}.bpf.o"], stdout=subprocess.PIPE, text=True)
    if empty.stdout.readline() != "attached\n":
        sys.exit(f"overhead.py: the empty program {name} did not load")
    subprocess.run(["sysctl", "-qw", "kernel.bpf_stats_enabled=1"], check=True)
    work()
    subprocess.run(["sysctl", "-qw", "kernel.bpf_stats_enabled=0"], check=True)
    mine = [times for number, times in programs().items() if number not in others]
    empty.kill()
    empty.wait()
    return sum(ran for _, ran, _ in mine) / sum(count for _, _, count in mine)


def row(name, lake, workload, budget, blocks, options=(), idle=False):
    """budget None: what it does was asked for. Its ratio and account in short."""
    ratios, spent, cpu = measure(lake, workload, blocks, options, idle)
    low, high = interval(ratios)
    agent_share = spent / cpu
    account = agent_share + program_share(lake, workload, options, idle)
    miss = budget is not None and (low > budget or (high > budget and account > budget - 1))
    print(f"{name:<40} {statistics.median(ratios):6.3f} [{low:.3f}, {high:.3f}]  {account * 100:6.2f} %  "
          f"{'on request' if budget is None else f'≤ {budget:.2f}'}{'  MISS' if miss else ''}", flush=True)
    note(name, miss)
    return f"{statistics.median(ratios):.3f} {account * 100:6.2f} %"


def note(name, miss):
    """For the rows that miss, at the end."""
    if miss:
        MISSED.append(name)


def budget_row(name, value, shown, budget, budget_shown):
    miss = value > budget
    print(f"{name:<40} {shown:>32}  ≤ {budget_shown}{'  MISS' if miss else ''}", flush=True)
    note(name, miss)


def agent_rows(lake):
    """The agent itself: how soon it sees, what it holds after a storm, what it takes while nothing happens."""
    agent = Agent(lake)
    budget_row("agent: ready", agent.ready_s, f"{agent.ready_s * 1000:.0f} ms", 0.5, "500 ms")
    count = 10_000 if QUICK else 100_000
    run([str(WORK / "workload"), "storm", str(count)], True)
    time.sleep(3)
    status = agent.status()
    memory, maps, lost = agent.memory(), status["map_bytes"], sum(status["losses"].values())
    name = f"agent: after a storm of {count}"
    budget_row(f"{name}, memory", memory, f"{memory / 2**20:.1f} MiB", 16 * 2**20, "16 MiB")
    budget_row("agent: kernel maps", maps, f"{maps / 2**20:.1f} MiB", 16 * 2**20, "16 MiB")
    budget_row(f"{name}, lost", lost, str(lost), 0, "0")
    beside_row(agent, count)
    crowd_row(agent, 300, 10 if QUICK else 600)
    crowd_row(agent, 20_000, 0)
    agent.stop()
    lives_row(lake, *((2_000, 20_000) if QUICK else (100_000, 1_000_000)))


def beside_row(agent, count):
    """Nothing is lost in a storm while another process keeps the ring and the table of files busy."""
    before = sum(agent.status()["losses"].values())
    run([str(WORK / "workload"), "beside", str(count)], True)
    time.sleep(3)
    lost = sum(agent.status()["losses"].values()) - before
    budget_row(f"agent: storm of {count} beside opens, lost", lost, str(lost), 0, "0")


def lives_row(lake, early, late):
    """What an agent holds after so many lives is what it held after a tenth: nothing is kept of who has gone."""
    agent, done, held = Agent(lake), 0, []
    for count in (early, late):
        run([str(WORK / "workload"), "lives", str(count - done)], True)
        done = count
        while agent.status()["spool"]["entries"] > 0:  # what waits for the lake is not kept for good
            time.sleep(0.5)
        time.sleep(5)
        status = agent.status()
        held.append((agent.memory(), status["map_bytes"], sum(status["losses"].values())))
    agent.stop()
    (memory, maps, _), (memory_late, maps_late, lost) = held
    grown = memory_late - memory
    budget_row(f"agent: {late} lives, memory", memory_late,
               f"{memory_late / 2**20:.1f} ({early}: {memory / 2**20:.1f}) MiB", 16 * 2**20, "16 MiB")
    budget_row(f"agent: {late} lives, memory grown", grown, f"{grown / 2**20:.2f} MiB", 2**20, "1 MiB")
    budget_row(f"agent: {late} lives, maps grown", maps_late - maps, f"{maps_late - maps} B", 4096, "4 KiB")
    budget_row(f"agent: {late} lives, lost", lost, str(lost), 0, "0")


def crowd_row(agent, count, seconds):
    """What the agent takes and holds while so many processes sleep."""
    command = [str(WORK / "workload"), "crowd", str(count)]
    begin(["env", f"CROWD_S={seconds + 25}", *command], True)
    time.sleep(15)
    before, held = agent.cpu_ns(), agent.status()
    if not count <= held["processes"] <= count + 100:
        sys.exit(f"overhead.py: {held['processes']} processes are followed, not {count}")
    time.sleep(seconds)
    share = (agent.cpu_ns() - before) / max(seconds, 1) / 1e9
    memory, maps = agent.memory(), held["map_bytes"]
    end(command)
    name = f"agent: {count} asleep"
    if seconds:
        budget_row(f"{name} for {seconds} s, of a core", share, f"{share * 100:.2f} %", 0.003, "0.30 %")
    budget_row(f"{name}, memory", memory, f"{memory / 2**20:.1f} MiB", 16 * 2**20, "16 MiB")
    budget_row(f"{name}, kernel maps", maps, f"{maps / 2**20:.1f} MiB", 16 * 2**20, "16 MiB")


def main():
    global ASK, EMPTY_NS, SWITCH_NS
    ASK = open(WORK / "ask", "w")
    EMPTY_NS = empty_cost("empty", lambda: run([str(WORK / "workload"), "storm", "1000"], False))
    SWITCH_NS = empty_cost("floor", lambda: run([str(WORK / "workload"), "pingpong", "120000"], False))
    lake = Lake()
    print(f"an empty program: {EMPTY_NS:.0f} ns a call at a fork, {SWITCH_NS:.0f} ns at a switch (subtracted)")
    print(f"files are seen by {hook_of('files')}, failed writes by {hook_of('writes that fail')}\n")
    print(f"{'workload':<40} {'wall ratio [95 %]':>21}  {'account':>8}  budget")
    without_files = {}
    for tracked in (True, False):
        for name, arguments, budget in WORKLOADS:
            command = [str(WORK / "workload"), *arguments]
            row(f"{name}, {'' if tracked else 'not '}tracked", lake, lambda: run(command, tracked),
                budget if tracked else UNTRACKED_BUDGET, BLOCKS, idle=not tracked)
    for name, arguments, budget in WORKLOADS:
        command = [str(WORK / "workload"), *arguments]
        if name in CALLS:  # what seeing files costs
            without_files[name] = row(f"{name}, tracked, files: off", lake, lambda: run(command, True), budget, BLOCKS,
                                      ["--files=off"])
        if name in ON_REQUEST:
            row(f"{name}, tracked, --syscalls", lake, lambda: run(command, True), None, BLOCKS, ["--syscalls"])
    row("Snakemake pipeline, tracked", lake, run_pipeline, PIPELINE_BUDGET, 1 if QUICK else 4)
    print()
    agent_rows(lake)
    print_missed(MISSED, without_files, hooks())
    untracked = {name: (lambda arguments=arguments: run([str(WORK / "workload"), *arguments], False))
                 for name, arguments, _ in WORKLOADS}
    peers.rows(WORK, ROOT, interval, (untracked["exec storm"], untracked["context-switch ping-pong"]), run_pipeline,
               2 if QUICK else 8)
    return 3 if MISSED else 0


if __name__ == "__main__":
    sys.exit(main())
