# SPDX-License-Identifier: Apache-2.0
"""What others cost that watch processes, on the same workloads in the same run: the last rows of overhead.py."""
import os
import re
import signal
import statistics
import subprocess
import time

PRINTING = ('tracepoint:sched:sched_process_exec { printf("%d %s\\n", pid, str(args->filename)); } '
            'tracepoint:sched:sched_process_exit { printf("%d %s %d\\n", pid, comm, elapsed); }')


def bpftrace(work):
    """Prints each exec and exit, and nothing else. It wants tracefs, which is mounted for it alone."""
    script = work / "print.bt"
    script.write_text(PRINTING)
    return ["unshare", "--mount", "sh", "-c", "mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; "
            f"exec bpftrace {script} >{work}/printed"]


def atop(work):
    """Once a second, with process accounting for what is too short for that."""
    return ["atop", "-a", "-w", str(work / "atop.raw"), "1"]


class Running:
    def __init__(self, command, settle_s):
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        time.sleep(settle_s)
        self.ran = self.process.poll() is None

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def ratios_with(command, workload, blocks):
    """Pairs in ABBA order; None where it does not run here."""
    ratios = []
    for _ in range(blocks):
        first = workload()
        peer = Running(command, 2)
        second, third = workload(), workload()
        ran = peer.ran and peer.process.poll() is None
        peer.stop()
        if not ran:
            return None
        fourth = workload()
        ratios += [second[0] / first[0], third[0] / fourth[0]]
    return ratios


def benchmarked(snakefile, target):
    """The same pipeline with a `benchmark:` in each rule, which is all that Snakemake has of its own."""
    def add(match):
        name, body = match.group(1), match.group(0)
        if name == "all":
            return body
        wild = ".{sample}" if "{sample}" in body.split("shell:")[0].split("output:")[1] else ""
        return body.replace("    shell:", f'    benchmark: "benchmarks/{name}{wild}.tsv"\n    shell:', 1)

    text = re.sub(r"^rule (\w+):\n(?:(?:[ \t].*)?\n)+", add, snakefile.read_text(), flags=re.M)
    text = re.sub(r'(script: ")(?!/)', rf"\g<1>{snakefile.parent}/", text)  # it is beside the Snakefile
    target.write_text(text.replace("{workflow.basedir}", str(snakefile.parent)))


def floor(work):
    """A program that does nothing, at each switch."""
    return [work / "empty", work / "floor.bpf.o"]


def show(name, ratios, interval):
    if ratios is None:
        print(f"{name:<40} {'does not run here':>21}", flush=True)
        return
    low, high = interval(ratios)
    print(f"{name:<40} {statistics.median(ratios):6.3f} [{low:.3f}, {high:.3f}]", flush=True)


def rows(work, root, interval, workloads, pipeline, blocks):
    storm, pingpong = workloads
    print(f"\n{'others, for comparison':<40} {'wall ratio [95 %]':>21}", flush=True)
    for name, command, workload in (
            ("ping-pong, an empty program a switch", floor(work), pingpong),
            ("exec storm, bpftrace (exec + exit)", bpftrace(work), storm),
            ("exec storm, atop -w 1 s", atop(work), storm)):
        show(name, ratios_with(command, workload, blocks), interval)
    benchmark = work / "benchmarked.smk"
    benchmarked(root / "demo/Snakefile", benchmark)
    plain = [pipeline(root / "demo/Snakefile")[0] for _ in range(2)]
    watched = [pipeline(benchmark)[0] for _ in range(2)]
    show("pipeline, Snakemake's benchmark:", [w / p for w, p in zip(watched, plain)], interval)
