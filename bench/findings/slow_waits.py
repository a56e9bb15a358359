# SPDX-License-Identifier: Apache-2.0
"""Slowness: waits for others, and for nothing. Several seconds of them: an engine's own start takes a second, sometimes a quarter more."""
import os
import shlex

import data
from case import Cause
from slow_cpu import SLOW_ENGINES


def lock_held(case):
    """Somebody else holds the lock of a shared index."""
    lock, seconds = case.folder / "index.lock", case.draw.uniform(4, 5)
    lock.touch()
    lock.chmod(0o666)
    if case.injected:
        case.beside("flock", lock, "sleep", f"{seconds + 1.5:.2f}")
    command = case.draw.choice((
        f"flock {lock} samtools sort -m 32M -o {case.folder}/sorted.bam {case.lab.data}/reads.bam",
        f"python3 -c 'import fcntl, sys; fcntl.flock(open(sys.argv[1], \"w\"), fcntl.LOCK_EX)' {lock}",
        f"perl -e 'use Fcntl q(:flock); open(F, \">\", \"{lock}\"); flock(F, LOCK_EX)'",
    ))
    case.among("update", case.wrap(command))


def lock_threads(case):
    """Threads of a tool take turns under one lock."""
    # As many as there are CPUs: without the lock all of them compute.
    threads, rounds, us = os.cpu_count(), case.draw.randrange(500, 700), 6000
    work = f"{threads} {rounds} {us} 0" if case.injected else f"{threads} {rounds} 0 {us}"
    case.among("merge", case.wrap(f"{case.lab.programs}/contend {work} > {case.folder}/merged"))


def lock_contention(case):
    (lock_held if case.draw.random() < 0.6 else lock_threads)(case)


def idle_pool(case):
    """Many threads wait for work that comes when a command has ended: its own wait is what counts."""
    seconds = case.draw.uniform(4, 5.5) * case.injected
    child = case.draw.choice((f"sleep {seconds:.2f}", f"python3 -c 'import time; time.sleep({seconds:.2f})'",
                              f"perl -e 'select(undef, undef, undef, {seconds:.2f})'"))
    threads = case.draw.choice((8, 16))
    pool = case.draw.choice((f"python3 {case.lab.programs}/pool.py {threads}", f"{data.JAVA} -cp {case.lab.programs} Pool {threads}"))
    case.among("drive", case.wrap(f"{pool} {child}"))


def poll_loop(case):
    ready, seconds = case.folder / "ready", case.draw.uniform(3.5, 4.5)
    pause = case.draw.choice(("0.05", "0.1", "0.25"))
    command = case.draw.choice((
        f"while [ ! -e {ready} ]; do sleep {pause}; done",
        f"until test -s {ready}; do sleep {pause}; done",
        f"python3 {case.folder}/wait_for.py {ready}",
        f"perl -e 'select(undef, undef, undef, {pause}) until -e \"{ready}\"'",
    ))
    (case.folder / "wait_for.py").write_text(f"import os\nimport sys\nimport time\n\nwhile not os.path.exists(sys.argv[1]):\n    time.sleep({pause})\n")
    case.among("await", case.wrap(command))
    if case.injected:
        case.after(seconds, lambda: ready.write_text("ready\n"))
    else:
        ready.write_text("ready\n")


def sleep_loop(case):
    """It sleeps between its pieces of work, as those who once had a server to spare do."""
    times, pause = case.draw.randrange(6, 10), case.draw.uniform(0.5, 0.8)
    each = f"samtools view -c {case.lab.data}/reads.bam > {case.folder}/counted"
    rest = f"sleep {pause:.2f}" if case.injected else "true"
    naps = f"time.sleep({pause:.2f})" if case.injected else "pass"
    script = case.folder / "submit.py"
    script.write_text(f"import subprocess\nimport time\n\nfor _ in range({times}):\n    subprocess.run({each!r}, shell=True, check=True)\n    {naps}\n")
    command = case.draw.choice((
        f"for i in $(seq {times}); do {each}; {rest}; done",
        f"python3 {script}",
        f"perl -e 'for (1..{times}) {{ system({shlex.quote(each).replace(chr(39), chr(34))}); "
        + (f"select(undef, undef, undef, {pause:.2f}) " if case.injected else "") + "}'",
    ))
    case.among("submit", case.wrap(command))


def deadlock(case):
    free = "" if case.injected else " free"
    command = case.draw.choice((
        f"{case.lab.programs}/deadlock{free}",
        f"python3 {case.lab.programs}/deadlock.py{free}",
        f"{data.JAVA} -Xmx64m -cp {case.lab.programs} Deadlock{free}",
    ))
    case.among("merge", case.wrap(command))


CAUSES = [
    Cause("lock_contention", frozenset({"lock_contention"}), lock_contention, slow=True, engines=SLOW_ENGINES),
    Cause("idle_pool", frozenset({"sleeping"}), idle_pool, slow=True, engines=SLOW_ENGINES),
    Cause("poll_loop", frozenset({"polling"}), poll_loop, slow=True, engines=SLOW_ENGINES),
    Cause("sleep_loop", frozenset({"sleeping"}), sleep_loop, slow=True, engines=SLOW_ENGINES),
    Cause("deadlock", frozenset({"stalled"}), deadlock, stuck=True, engines=SLOW_ENGINES),
]
