# SPDX-License-Identifier: Apache-2.0
"""How fast a lake takes samples from 64 senders, each row durable before its acknowledgement, beside DuckDB's own appender
in C with the same tables and rows in the same run. At the end the lake is killed: what it has is what it acknowledged."""
import collections
import json
import shutil
import signal
import statistics
import subprocess
import time

from lake import BUILD, Lake, number

SENDERS = 64
# Samples a batch, and the bars: batches or rows a second.
RATES = [(200, "batches", 2000), (4000, "samples", 300_000)]
PEER_SHARE, STEADY = 25, 90  # per cent
HOURS_AGO = 20  # the times of samples go faster than the clock
TURNS, TURN_S = 6, 5


def append(source, target, rows, seconds):
    """Rows a second of DuckDB's own appender; as many batches in a transaction as there are senders."""
    out = subprocess.run([BUILD / "bench" / "lake_append", source, target, str(rows), str(SENDERS), str(seconds)],
                         stdout=subprocess.PIPE, text=True, check=True)
    target.unlink()
    said = json.loads(out.stdout)
    return said["rows"] / said["seconds"]


def make_source(folder):
    """The file of a lake that took some batches: tables and rows for the appender."""
    lake = Lake(folder).start()
    lake.load("samples", agents=SENDERS, rows=4000, seconds=3, ago=HOURS_AGO * 3600)
    lake.stop()
    return lake.file


def quarters(said):
    """Rows a second in the first and in the last quarter."""
    seconds = said["samples_in"]
    part = max(1, len(seconds) // 4)
    return sum(seconds[:part]) / part, sum(seconds[-part:]) / part


class Sending:
    """A lake, and the senders that go on where they were."""

    def __init__(self, folder, rows):
        self.lake = Lake(folder).start()
        self.options = {"agents": SENDERS, "rows": rows, "began_at": time.time_ns() - HOURS_AGO * 3600 * 10**9,
                        "acknowledged": folder / "acknowledged"}
        self.said = collections.Counter()
        # The hosts, runs, tasks and processes: one batch of each.
        self.lake.load("samples", batches=1, seconds=600, **self.options)

    def send(self, seconds):
        said = self.lake.load("samples", seconds=seconds, **self.options)
        self.said.update({name: said[name] for name in ("samples", "batches", "refused", "errors")})
        return said

    def pause(self):
        self.lake.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.lake.process.send_signal(signal.SIGCONT)


def take_turns(full, empty, turns, turn_s):
    """The rate into a lake with much in it ÷ that into an empty one. They take turns, each while the other one is stopped: what
    the machine does meanwhile happens to both."""
    rates = {full: [], empty: []}
    full.pause()
    empty.pause()
    for _ in range(turns):
        for sending in (full, empty):
            sending.go_on()
            said = sending.send(turn_s)
            sending.pause()
            rates[sending].append(said["samples"] / said["seconds"])
    full.go_on()
    empty.go_on()
    return statistics.median(rates[full]) / statistics.median(rates[empty])


def ingest(folder, rows, seconds, turns):
    """What the senders saw; how much slower it becomes; what was acknowledged and refused in all; rows and batches of the lake,
    which was killed behind the last acknowledgement; bytes a row."""
    full = Sending(folder / "full", rows)
    lake, cpu_s = full.lake, full.lake.cpu_s()
    said = full.send(seconds)
    said["cpu_of_lake"] = lake.cpu_s() - cpu_s
    empty = Sending(folder / "empty", rows)
    steady = take_turns(full, empty, turns, TURN_S)
    lake.kill()
    empty.lake.kill()
    lake.start()
    lake.stop()
    stored = number(lake.file, "SELECT count(*) FROM samples"), number(lake.file, "SELECT count(*) FROM ledger") - SENDERS
    size = lake.file.stat().st_size / max(1, full.said["samples"])
    shutil.rmtree(folder)
    return said, steady, full.said, stored, size


def measure(table, folder, quick):
    seconds, peer_s, turns = (10, 4, 1) if quick else (120, 20, TURNS)
    source = make_source(folder / "source")
    for rows, unit, bar in RATES:
        before = append(source, folder / "peer.duckdb", rows, peer_s)
        said, steady, total, stored, size = ingest(folder / "lake", rows, seconds, turns)
        peer = (before + append(source, folder / "peer.duckdb", rows, peer_s)) / 2
        ours, (first, last) = said["samples"] / said["seconds"], quarters(said)
        what = f"{SENDERS} senders, {rows:,} samples a batch"
        table.least(f"{what}, for {seconds} s", said[unit] / said["seconds"], bar, "rows/s" if unit == "samples" else "batches/s")
        table.row(f"{what}: rows", f"{ours:,.0f} rows/s, p99 {said['p99_ms']:.0f} ms, CPU of the lake {said['cpu_of_lake'] / said['seconds']:.2f}, "
                  f"of the senders {said['cpu_s'] / said['seconds']:.2f}, last quarter ÷ first {100 * last / max(1, first):.0f} %, "
                  f"{size:.0f} bytes a row", "", None)
        table.least(f"{what}: of DuckDB's own appender ({peer:,.0f} rows/s)", 100 * ours / peer, PEER_SHARE, "%")
        table.least(f"{what}: into a lake with {said['samples'] / 1e6:.0f} M rows ÷ into an empty one", 100 * steady, STEADY, "%")
        table.row(f"{what}: stored after SIGKILL", f"{stored[0]:,} rows, {stored[1]:,} batches",
                  f"= {total['samples']:,} and {total['batches']:,} acknowledged", stored == (total["samples"], total["batches"]))
        table.row(f"{what}: refused, failed", f"{total['refused']:,} and {total['errors']:,} batches", "0", not total["refused"] + total["errors"])
