# SPDX-License-Identifier: Apache-2.0
"""The rows of exact.py about wall time."""
import sys
from collections import defaultdict

CLASSES = ("computing", "runnable", "disk", "paging", "network", "pipe_read", "pipe_write", "lock", "child", "sleep", "poll", "other")
BESIDE = ("runnable", "disk", "paging")  # of any program: for a CPU, its image, its memory
PART = 0.02  # so much of a life may be in a wrong class
SUM_PART = 0.001
DRIVERS = {
    "parallel": "beside 30 idle threads",
    "pipe": "a pipe of three",
    "jvm": "a JVM, a child",
    "child": "Python, a child",
    "ticker": "a pipe, a ticker",
}


class Image:
    """What a driver said of itself, and what was recorded."""

    def __init__(self, driver, pid, process):
        self.driver, self.pid, self.process, self.said = driver, pid, process, {}
        self.life_ns = process["wall_s"] * 1e9 if process else 0

    def recorded(self, name):
        return self.process[f"wall_{name}_ns"]

    def sum_ns(self):
        return sum(map(self.recorded, CLASSES))

    def error_ns(self, name):
        """How far a figure is off. The driver's clock goes on while it is ready and gets no CPU, or a page of its image has to be read:
        so much less may be recorded. What it computes besides (its start, its end) is not said. Threads that are to compute at the
        same moment do not if one of them gets no CPU."""
        off, beside = self.recorded(name) - self.said[name], sum(map(self.recorded, BESIDE))
        if name == "serial":
            return max(0, abs(off) - self.process["runnable_ns"])
        if name == "computing":
            return max(0, -off - beside)
        return max(off, -off - beside, 0)

    def others_ns(self):
        """The most in a class that it did not name: of those of any program what exceeds the time of its threads."""
        most = {name: self.process[f"{name}_ns"] for name in BESIDE}
        return max(max(0, self.recorded(name) - most.get(name, 0)) for name in CLASSES[1:] if name not in self.said)


def read(truth_path, report):
    """The images of the drivers: of a process the one that lived longest."""
    processes, images = {}, {}
    for process in sorted(report["processes"], key=lambda p: p["wall_s"] or 0):
        processes[process["pid"]] = process
    for line in open(truth_path):
        driver, pid, name, ns = line.split()
        image = images.setdefault(pid, Image(driver, int(pid), processes.get(int(pid))))
        image.said[name] = int(ns)
    return images.values()


def sum_row(table, images, where):
    seen = [image for image in images if image.process]
    off = [abs(image.sum_ns() - image.life_ns) / image.life_ns for image in seen]
    table.row(f"wall time adds up to the life{where}", sum(part <= SUM_PART for part in off), len(images),
              f"{max(off, default=1):.4%}", f"{SUM_PART:.1%} of the life")


def class_row(table, figure, errors):
    """errors: (image, ns)"""
    parts = [ns / image.life_ns for image, ns in errors]
    table.row(figure, sum(part <= PART for part in parts), len(parts), f"{max(parts, default=1):.2%}", f"{PART:.0%} of the life")
    for (image, ns), part in zip(errors, parts):
        if part > PART:
            spent = {name: image.recorded(name) for name in (*CLASSES, "serial") if image.recorded(name)}
            print(f"  {figure}, process {image.pid}: {ns:.0f} ns off; said {image.said}, recorded {spent}", file=sys.stderr)


def rows(table, truth_path, report, where=""):
    """where: what the rows say of the machine. Of a wait and of computing a driver cannot know how much was without a free CPU: it may be
    recorded as runnable, but no more than its threads were."""
    images = read(truth_path, report)
    sum_row(table, images, where)
    if not table.clocks:
        return
    named, others = defaultdict(list), defaultdict(list)
    for image in images:
        if image.process:
            for name in image.said:
                named[image.driver, name].append((image, image.error_ns(name)))
            others[image.driver].append((image, image.others_ns()))
    for driver, title in DRIVERS.items():
        for (of, name), errors in named.items():
            if of == driver:
                class_row(table, f"wall time in {name}: {title}{where}", errors)
        class_row(table, "  … and in a class that it did not name", others[driver])
