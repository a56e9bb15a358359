# SPDX-License-Identifier: Apache-2.0
"""hold.py MEGABYTES [SECONDS]: reads so much into memory, bit by bit, and keeps it for a while."""
import sys
import time

parts = []
for _ in range(int(sys.argv[1])):
    parts.append(bytearray(b"ACGT" * (1 << 18)))
if len(sys.argv) > 2:
    time.sleep(float(sys.argv[2]))
print(sum(len(part) for part in parts))
