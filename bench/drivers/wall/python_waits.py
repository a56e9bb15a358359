#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A Python process that waits beside threads of its own, and measures how long.

    python_waits.py idle       a loop of sleep and work beside 30 threads that wait for an event
    python_waits.py child      waits for a child beside 4 threads that wait for an event, then works
    python_waits.py alone      waits for a child, without another thread, then works
    python_waits.py ticker     the main thread waits in a pipe beside a thread that sleeps 20 ms again and again, then works
    python_waits.py sleeper    a loop of sleep and work beside such a thread
    python_waits.py pipes      the main thread waits in a pipe again and again, beside such a thread, and works a little each time

Output: PID CLASS NANOSECONDS."""
import os
import subprocess
import sys
import threading
import time

WORK_S = 0.5
TICK_S = 0.02
measured = {}


def now_ns(name):
    """Of a wait: less what the threads used of a CPU."""
    return time.monotonic_ns() - (0 if name == "computing" else time.process_time_ns())


class Measure:
    """Adds the time of a block to a class."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.begin = now_ns(self.name)

    def __exit__(self, *_):
        measured[self.name] = measured.get(self.name, 0) + now_ns(self.name) - self.begin


def work(seconds=WORK_S):
    with Measure("computing"):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass


def beside(count, run):
    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads


def idle():
    done = threading.Event()
    threads = beside(30, done.wait)
    for _ in range(3):
        with Measure("sleep"):
            time.sleep(0.5)
        work()
    done.set()
    for thread in threads:
        thread.join()


def child(helpers=4):
    done = threading.Event()
    threads = beside(helpers, done.wait)
    with Measure("child"):
        subprocess.run(["sleep", "2"], check=True)
    work()
    done.set()
    for thread in threads:
        thread.join()


class Ticker:
    def __init__(self):
        self.done = False
        self.threads = beside(1, self.tick)

    def tick(self):
        while not self.done:
            time.sleep(TICK_S)

    def end(self):
        self.done = True
        with Measure("sleep"):
            self.threads[0].join()


def written_by_child(seconds, count=1):
    source, target = os.pipe()
    if os.fork() == 0:
        os.close(source)
        for _ in range(count):
            time.sleep(seconds)
            os.write(target, b"x")
        os._exit(0)
    os.close(target)
    return source


def ticker():
    source = written_by_child(2)
    other = Ticker()
    with Measure("pipe_read"):
        os.read(source, 1)
    work()
    other.end()


def sleeper():
    other = Ticker()
    for _ in range(3):
        with Measure("sleep"):
            time.sleep(0.5)
        work()
    other.end()


def pipes():
    source = written_by_child(0.25, 10)
    other = Ticker()
    for _ in range(10):
        with Measure("pipe_read"):
            os.read(source, 1)
        work(0.03)
    other.end()


{"idle": idle, "child": child, "alone": lambda: child(0), "ticker": ticker, "sleeper": sleeper, "pipes": pipes}[sys.argv[1]]()
for name, ns in measured.items():
    print(os.getpid(), name, ns)
