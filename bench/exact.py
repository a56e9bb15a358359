#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what Tracer recorded with what the drivers did: exact.py FOLDER [--counts]

FOLDER has for each run NAME.tsv, the figures of the driver, and NAME.json, what was recorded (exact.sh); doctor.json
names the hooks. Prints a table of rows with their limits; exit status 3 if a row misses its limit, after the complete
table. --counts: leaves out the rows with a limit in time or a share of time, which mean something only on an idle
machine; checks instead that each wait was recorded with its own class and no other.
"""
import gzip
import json
import pathlib
import re
import sys
from collections import defaultdict

import exact_ends
import exact_files
import exact_sockets
import exact_waits
import exact_wall

MIB = 1 << 20


def tick_ns():
    """The kernel's tick: within one of it CPU accounting by wait4 may differ."""
    for path in ("/proc/config.gz", *map(str, pathlib.Path("/boot").glob("config-*"))):
        try:
            text = gzip.open(path, "rt").read() if path.endswith(".gz") else open(path).read()
        except OSError:
            continue
        found = re.search(r"^CONFIG_HZ=(\d+)$", text, re.M)
        if found:
            return 10**9 // int(found.group(1))
    return 10**9 // 100


class Table:
    """clocks: with the rows that have a limit in time or a share of time."""

    def __init__(self, clocks=True):
        self.missed, self.clocks = [], clocks
        print(f"{'figure':<52} {'exact':>13}  {'worst':>22}  bar")

    def row(self, figure, good, total, worst, bar):
        is_met = good == total and total > 0
        line = f"{figure:<52} {good:>6}/{total:<6}  {worst:>22}  {bar}{'' if is_met else '  MISS'}"
        print(line)
        if not is_met:
            self.missed.append(line)


def compare(table, figure, pairs, bar, within, clock=False):
    """pairs: (id, recorded, true); within(recorded, true) says whether that is exact enough. clock: the bar is a time."""
    if clock and not table.clocks:
        return
    worst, good = "", 0
    largest = -1.0
    for identity, recorded, true in pairs:
        ok = recorded is not None and within(recorded, true)
        good += ok
        difference = abs((recorded or 0) - true)
        if difference > largest:
            largest, worst = difference, f"{recorded} for {true}"
        if not ok:
            print(f"  id={identity}: recorded {recorded}, true {true}", file=sys.stderr)
    table.row(figure, good, len(pairs), worst, bar)


def process_rows(table, truth_path, report, emulated=False):
    """emulated: in a machine where to start and to end a process costs milliseconds, which no driver can foretell."""
    truth = []
    for line in open(truth_path):
        identity, role, pid, cpu, code, signal, facts = line.rstrip("\n").split("\t")
        truth.append({"id": int(identity), "role": role, "pid": int(pid), "cpu": int(cpu), "code": int(code),
                      "signal": int(signal), **{k: int(v) for k, v in (f.split("=") for f in facts.split())}})
    images = defaultdict(list)  # by pid and start: all images of a process
    last = {}                   # by id: the process's last image
    for process in report["processes"]:
        images[process["pid"], process["start_ns"]].append(process)
    for group in images.values():
        group.sort(key=lambda p: p["image_seq"])
        end = group[-1]
        if end["argv"] and end["argv"][-1].startswith("id="):
            last[int(end["argv"][-1][3:])] = end

    def of(role, key):
        return [t for t in truth if t["role"] == role and key in t]

    def recorded(t, key):
        return last[t["id"]][key] if t["id"] in last else None

    def whole(t, *keys):
        if t["id"] not in last:
            return None
        end = last[t["id"]]
        return sum(p[key] for p in images[end["pid"], end["start_ns"]] for key in keys)

    def with_children(t):
        """As wait4() counts: a process and what it waited for."""
        own = whole(t, "user_ns", "kernel_ns")
        children = [c for c in truth if c["id"] in (t["giant"], t["giant"] + 1)] if "giant" in t else []
        return None if own is None else own + sum(whole(c, "user_ns", "kernel_ns") or 0 for c in children)

    tick = exact_waits.STALL_MS * 10**6 if emulated else tick_ns()
    at_least = emulated or not table.clocks
    burnt_bar = "at least, within a tick" if at_least else "1 % or a tick"

    def burnt(seen, true):
        return seen >= true - tick if at_least else abs(seen - true) <= max(0.01 * true, tick)

    table.row("processes seen = spawned", sum(t["id"] in last and last[t["id"]]["pid"] == t["pid"] for t in truth),
              len(truth), "", "all")
    ends = [p for p in report["processes"] if p["argv"] and p["argv"][-1].startswith("id=") and p["status"] != "replaced"]
    table.row("no process twice", len({p["argv"][-1] for p in ends}), len(ends), "", "all")
    compare(table, "exit code", [(t["id"], recorded(t, "exit_code") or 0, t["code"]) for t in truth], "equal", int.__eq__)
    compare(table, "signal", [(t["id"], recorded(t, "signal") or 0, t["signal"]) for t in truth], "equal", int.__eq__)
    compare(table, "CPU of a process, all images, against wait4 (ns)",
            [(t["id"], with_children(t), t["cpu"]) for t in truth],
            f"1 % or {tick // 10**6} ms ({'emulated' if emulated else 'a tick'})", lambda r, t: abs(r - t) <= max(0.01 * t, tick),
            clock=True)
    compare(table, "CPU that the driver burnt, last image (ns)",
            [(t["id"], whole(t, "user_ns", "kernel_ns"), t["spin_ms"] * 10**6) for t in of("spin", "spin_ms")],
            burnt_bar, burnt)
    brief = [(t["id"], whole(t, "user_ns", "kernel_ns"), t["spend_us"] * 1000, t["cpu"]) for t in of("spend", "spend_us")]
    compare(table, "CPU of a process of 300 µs (ns)", [(i, seen, spent) for i, seen, spent, _ in brief], "at least",
            lambda r, t: r >= t, clock=True)
    # wait4() also counts what came before the first image; neither counts what comes after the record of an end.
    compare(table, "CPU of these together, against wait4 (ns)", [("all", sum(b[1] or 0 for b in brief), sum(b[3] for b in brief))],
            "105 % at most", lambda r, t: r <= 1.05 * t, clock=True)
    compare(table, "CPU of threads that outlived their leader (ns)",
            [(t["id"], whole(t, "user_ns", "kernel_ns"), t["leader_ms"] * 15 * 10**6) for t in of("leader", "leader_ms")],
            burnt_bar, burnt)
    compare(table, "threads at most, leader included",
            [(t["id"], recorded(t, "threads_peak"), 6) for t in of("leader", "leader_ms")], "equal", int.__eq__)
    compare(table, "bytes read", [(t["id"], recorded(t, "read_chars_bytes"), 2 * t["bytes"]) for t in of("bytes", "bytes")],
            "equal", int.__eq__)
    compare(table, "bytes written", [(t["id"], recorded(t, "write_chars_bytes"), t["bytes"]) for t in of("bytes", "bytes")],
            "equal", int.__eq__)
    chains = [(t["id"], p["write_chars_bytes"], int(p["argv"][2]) * 1000) for t in of("chain", "chain") if t["id"] in last
              for p in images[last[t["id"]]["pid"], last[t["id"]]["start_ns"]] if p["argv"][1:2] == ["chain"]]
    table.row("images of an exec chain", len(chains), 4 * len(of("chain", "chain")), "", "all")
    compare(table, "bytes written by each image of a chain", chains, "equal", int.__eq__)
    small = [t for t in of("touch", "peak_mib")]
    giants = {t["giant"] + n for t in of("giant", "giant") for n in (0, 1)}
    for figure, chosen in (("peak memory, released before the end", [t for t in small if t["id"] not in giants]),
                           ("peak of a small tool of a 1 GiB parent", [t for t in small if t["id"] in giants])):
        compare(table, figure, [(t["id"], recorded(t, "rss_peak_bytes"), t["peak_mib"] * MIB) for t in chosen],
                "+ 2 MiB (the program itself)", lambda r, t: t <= r <= t + 2 * MIB)
        table.row("  … marked exact", sum(bool(recorded(t, "peak_exact")) for t in chosen), len(chosen), "", "all")
    lives = [recorded(t, "wall_s") for t in of("short", "exit")]
    table.row("lifetime known, shortest", sum(bool(w) for w in lives), len(lives),
              f"{min((w or 9 for w in lives)) * 1e6:.0f} µs", "all > 0")
    lost = report["totals"]["lost_records"]
    table.row("records lost", int(lost == 0), 1, str(lost), "0")


def disk_rows(table, truth_path, report):
    """The reads of a disk that only this driver reads, against the kernel's account of it: its requests, and their ms."""
    device, *numbers = truth_path.read_text().split()
    pid, reads_before, ms_before, reads_after, ms_after = map(int, numbers)
    reads, milliseconds = reads_after - reads_before, ms_after - ms_before
    rows = [row for row in report["io"] if row["pid"] == pid and row["device"] == device and row["operation"] == "read"]
    reported, unfinished = (sum(row[key] for row in rows) for key in ("requests", "unfinished"))
    compare(table, "requests of a disk", [(device, reported + unfinished, reads)], "equal", int.__eq__, clock=True)
    # The kernel counts from when a request is made until after its end was traced, in whole ms.
    least = 0.9 * milliseconds * reported / max(reported + unfinished, 1) - 2
    compare(table, "latency of a disk, all requests (ms)",
            [(device, sum(row["latency_ns"] for row in rows) / 1e6, milliseconds)],
            "90 % to 105 %, 2 ms", lambda r, t: least <= r <= 1.05 * t + 2, clock=True)


def lost_ns(path):
    """What the machine lost between the two lines of the file."""
    before, after = (int(line) for line in path.read_text().split())
    return after - before


def main(folder, *options):
    folder = pathlib.Path(folder)
    table = Table(clocks="--counts" not in options)

    def of(run):
        return folder / f"{run}.tsv", json.loads((folder / f"{run}.json").read_text())

    truth, report = of("exact")
    process_rows(table, truth, report)
    # (What files were read and written is counted by file. The time at work is no sum, and the wall time one over tasks.)
    sums = [key for key in report["totals"] if key.endswith(("_ns", "_bytes")) and not key.startswith(("rss", "wall_")) and
            key not in ("file_bytes", "work_ns")]
    table.row("totals = sum over processes", sum(report["totals"][k] == sum(p[k] for p in report["processes"])
                                                for k in sums), len(sums), "", "all figures")
    exact_waits.rows(table, compare, *of("waits"), lost_ns=lost_ns(folder / "waits.lost"))
    exact_wall.rows(table, *of("wall"))
    if table.clocks:
        exact_wall.rows(table, *of("wall_busy"), ", busy")
    exact_ends.rows(table, *of("ends"))
    exact_waits.poll_rows(table, compare, *of("polls"), lost_ns=lost_ns(folder / "polls.lost"))
    exact_sockets.rows(table, *of("sockets"))
    disk_rows(table, *of("disk"))
    report = of("files")[1]
    hooks = {hook["figure"]: hook for hook in json.loads((folder / "doctor.json").read_text())["hooks"]}
    exact_files.rows(table, report["processes"], report["files"], report["events"],
                     whole=hooks["files"]["hook"].startswith("fentry"))
    return 3 if table.missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
