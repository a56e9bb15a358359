# SPDX-License-Identifier: Apache-2.0
"""Simulates paired reads with a few variants: make_reads.py REFERENCE SAMPLE PAIRS FORWARD.gz REVERSE.gz

Seeded by the sample's name: the same arguments give the same reads.
"""
import gzip
import random
import sys

reference_path, sample, pairs, forward_path, reverse_path = sys.argv[1:]
generator = random.Random(sample)
with open(reference_path) as lines:
    genome = "".join(line.strip() for line in lines if not line.startswith(">"))

variants = bytearray(genome, "ascii")
for _ in range(len(genome) // 2000):
    variants[generator.randrange(len(genome))] = ord(generator.choice("ACGT"))
genome = variants.decode()

READ, FRAGMENT = 100, 350
complement = str.maketrans("ACGT", "TGCA")
quality = "I" * READ
with gzip.open(forward_path, "wt", compresslevel=1) as forward, gzip.open(reverse_path, "wt", compresslevel=1) as reverse:
    for number in range(int(pairs)):
        start = generator.randrange(len(genome) - FRAGMENT)
        left = genome[start:start + READ]
        right = genome[start + FRAGMENT - READ:start + FRAGMENT].translate(complement)[::-1]
        forward.write(f"@{sample}.{number}/1\n{left}\n+\n{quality}\n")
        reverse.write(f"@{sample}.{number}/2\n{right}\n+\n{quality}\n")
