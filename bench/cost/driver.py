# SPDX-License-Identifier: Apache-2.0
"""Splits prices with the library, through bench/drivers/cost/split_driver.c."""
import dataclasses
import subprocess


@dataclasses.dataclass(frozen=True)
class Host:
    capacity: tuple
    weights: tuple


@dataclasses.dataclass(frozen=True)
class Stretch:
    since: int
    until: int
    nusd_hour: int


@dataclasses.dataclass(frozen=True)
class Hold:
    since: int
    until: int
    key: int
    reserved: tuple
    used: tuple
    held: tuple


@dataclasses.dataclass(frozen=True)
class Cell:
    since: int
    until: int
    whole: int
    unallocated: int
    parts: dict  # index of a hold: (used, unused, idle)


class Driver:
    def __init__(self, path):
        self.path = path
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, word, *fields):
        self.process.stdin.write(" ".join([word, *map(str, fields)]) + "\n")

    def line(self):
        self.process.stdin.flush()
        line = self.process.stdout.readline().split()
        if not line:
            raise SystemExit("split_driver ended")
        return line

    def split(self, host, stretches, holds, rule):
        self.send("host", *host.capacity, *host.weights)
        for stretch in stretches:
            self.send("up", stretch.since, stretch.until, stretch.nusd_hour)
        for hold in holds:
            self.send("hold", hold.since, hold.until, hold.key, *hold.reserved, *hold.used, *hold.held)
        self.send("split", rule)
        cells, parts = [], {}
        while (line := self.line())[0] != "done":
            numbers = list(map(int, line[1:]))
            if line[0] == "part":
                parts[numbers[2]] = tuple(numbers[3:])
            else:
                cells.append(Cell(*numbers, parts))
                parts = {}
        return cells

    def share(self, whole, weights):
        self.send("share", whole, *weights)
        return list(map(int, self.line()[1:]))

    def time(self, tasks, hosts, seed, rule):
        """Parts, cells and CPU seconds."""
        answer = subprocess.run([self.path, "time", str(tasks), str(hosts), str(seed), rule], check=True, capture_output=True, text=True)
        _, parts, cells, ns = map(int, answer.stdout.split())
        return parts, cells, ns / 1e9

    def close(self):
        self.process.stdin.close()
        self.process.wait()
