# SPDX-License-Identifier: Apache-2.0
"""table.py MEGABYTES PASSES: builds a table in memory and goes through all of it so many times."""
import sys

table = bytearray(int(sys.argv[1]) << 20)
total = 0
for turn in range(int(sys.argv[2])):
    for at in range(0, len(table), 4096):
        table[at] = turn & 0xFF
        total += table[at]
print(total)
