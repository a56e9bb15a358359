# SPDX-License-Identifier: Apache-2.0
"""lookup.py FILE COUNT: looks up places all over a mapped index."""
import mmap
import sys

with open(sys.argv[1], "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as index:
    state, total = 1, 0
    for _ in range(int(sys.argv[2])):
        state = (state * 1103515245 + 12345) % 2147483648
        total += index[state * 97 % len(index)]
print(total)
