# SPDX-License-Identifier: Apache-2.0
"""Prints a random genome as FASTA: make_reference.py BASES. The same BASES give the same genome."""
import random
import sys

bases = int(sys.argv[1])
generator = random.Random(20261121)
print(">chr1")
for start in range(0, bases, 60):
    print("".join(generator.choices("ACGT", k=min(60, bases - start))))
