# SPDX-License-Identifier: Apache-2.0
"""pool.py THREADS COMMAND…: a pool of threads that has nothing to do while it waits for a command."""
import concurrent.futures
import subprocess
import sys
import threading

with concurrent.futures.ThreadPoolExecutor(int(sys.argv[1])) as pool:
    gate = threading.Barrier(int(sys.argv[1]))
    list(pool.map(lambda _: gate.wait(), range(int(sys.argv[1]))))
    subprocess.run(sys.argv[2:], check=True)
