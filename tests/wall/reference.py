#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wall time of each process image of a recording, computed in another way than the probe does, with no code of it (wall_time.py has the
rules):

    reference.py [--bound N] [--trace PID] FILE

Output: JSON, an array with an object for each image: pid, image (0: the process's first), comm, begin_ns, life_ns, wall_CLASS_ns.
wall_serial_ns is a part of wall_computing_ns; the other classes add up to life_ns. --trace prints each gap of a process, which thread
ended it and what was decided, on stderr."""
import argparse
import json
import sys

import recording
import wall_time


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bound", type=int, default=wall_time.BOUND)
    parser.add_argument("--trace", type=int, metavar="PID")
    parser.add_argument("file")
    options = parser.parse_args()
    images = wall_time.figures(recording.read(options.file), bound=options.bound, trace_pid=options.trace,
                               trace=lambda line: print(line, file=sys.stderr))
    json.dump(images, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
