#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the wall time that the probe counted against that of the reference (wall_time.py), of the same processes:

    agree.py WALL_PROBE RECORDER PARALLEL

Each driver runs under both at once. A class may differ by 2 % of the image's life. Computing and waiting for a free CPU are compared as a
sum: what interrupts and other guests of the machine take from a process's only running thread is waiting for the probe, and computing for
the reference, which sees switches only."""
import json
import pathlib
import subprocess
import sys
import tempfile

import recording
import wall_time

DRIVERS = pathlib.Path(__file__).resolve().parents[2] / "bench/drivers/wall"
LONG_NS = 500_000_000  # images that are compared live so long at least
PART = 0.02


def classes(image):
    ns = {name: image[f"wall_{name}_ns"] for name in recording.CLASSES}
    return {"computing or runnable": image["wall_computing_ns"] + image["wall_runnable_ns"], **ns}


def differences(counted, reference):
    """Of one image: each class that is too far off."""
    life = reference["life_ns"]
    if abs(counted["life_ns"] - life) > PART * life:
        yield f"it lived {counted['life_ns']} ns by the probe, {life} ns by the reference"
    other = classes(reference)
    for name, ns in classes(counted).items():
        if abs(ns - other[name]) > PART * life:
            yield f"{name}: {ns} ns by the probe, {other[name]} ns by the reference, of {life} ns"


def record(probe, recorder, command):
    """What the driver wrote, the images by the probe, those by the reference."""
    with tempfile.TemporaryDirectory() as folder:
        counted, recorded = f"{folder}/counted", f"{folder}/recorded"
        output = subprocess.run([probe, counted, recorder, "-o", recorded, "--", *command], check=True, capture_output=True, text=True).stdout
        return (output, [json.loads(line) for line in open(counted)], wall_time.figures(recording.read(recorded)))


def check(output, counted, reference):
    """The number of images compared. Those of the driver are among them."""
    faults, compared = [], set()
    for image in reference:
        if image["life_ns"] < LONG_NS:
            continue
        same = [other for other in counted if other["pid"] == image["pid"]]
        if not same:
            faults.append(f"{image['comm']} ({image['pid']}): the probe did not see it")
            continue
        nearest = min(same, key=lambda other: abs(other["begin_ns"] - image["begin_ns"]))
        faults += [f"{image['comm']} ({image['pid']}): {difference}" for difference in differences(nearest, image)]
        compared.add(image["pid"])
    faults += [f"{line}: the reference did not see it" for line in output.splitlines() if int(line.split()[0]) not in compared]
    return faults, len(compared)


def main(probe, recorder, parallel):
    waits = [sys.executable, str(DRIVERS / "python_waits.py")]
    failed = False
    for command in ([*waits, "ticker"], [*waits, "child"], [parallel]):
        faults, compared = check(*record(probe, recorder, command))
        print(f"{' '.join(command[-2:])}: {compared} images compared, {len(faults)} faults", *faults, sep="\n  ")
        failed |= bool(faults) or not compared
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
