# SPDX-License-Identifier: Apache-2.0
"""kmers.py ROUNDS [THREADS]: counts the words of a made sequence, on one thread or in so many processes."""
import collections
import multiprocessing
import sys


def count(rounds):
    state, total = 1, 0
    for _ in range(rounds):
        letters = []
        for _ in range(20000):
            state = (state * 1103515245 + 12345) % 2147483648
            letters.append("ACGT"[state >> 16 & 3])
        text = "".join(letters)
        total += len(collections.Counter(text[at:at + 8] for at in range(len(text) - 8)))
    return total


if __name__ == "__main__":
    rounds, threads = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if threads == 1:
        print(count(rounds))
    else:
        with multiprocessing.Pool(threads) as pool:
            print(sum(pool.map(count, [rounds // threads] * threads)))
