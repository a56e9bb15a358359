# SPDX-License-Identifier: Apache-2.0
"""A driver in Python: it works in processes of its own, and starts tools."""
import multiprocessing
import subprocess
import sys


def work(n):
    return sum(i * i for i in range(n))


def index(path):
    subprocess.run(["samtools", "faidx", path], check=True)


if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        pool.map(work, [300000] * 4)
        pool.map(index, sys.argv[1:2])
        with open("driver.known") as known:
            known.readline()
        pool.map(index, sys.argv[2:], chunksize=1)
