# SPDX-License-Identifier: Apache-2.0
"""deadlock.py [free]: two threads, each of which holds the lock that the other one waits for."""
import sys
import threading

locks, both = (threading.Lock(), threading.Lock()), threading.Barrier(2)


def take(first):
    with locks[first]:
        both.wait()
        if len(sys.argv) == 1:
            with locks[1 - first]:
                print("never")


threads = [threading.Thread(target=take, args=(first,)) for first in (0, 1)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
