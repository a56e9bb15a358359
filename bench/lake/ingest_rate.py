# SPDX-License-Identifier: Apache-2.0
"""How fast a lake takes samples from 64 senders, each row durable before its acknowledgement, beside DuckDB's own appender
in C with the same tables and rows in the same run. At the end the lake is killed: what it has is what it acknowledged."""
import json
import shutil
import subprocess
import time

from lake import BUILD, Lake, number

SENDERS = 64
# Samples a batch, and the bars: batches or rows a second.
RATES = [(200, "batches", 2000), (4000, "samples", 300_000)]
PEER_SHARE, STEADY = 25, 90  # per cent
HOURS_AGO = 20  # the times of samples go faster than the clock


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


def ingest(folder, rows, seconds):
    """What the senders saw; rows and batches that a lake has which was killed behind the last acknowledgement."""
    lake = Lake(folder).start()
    options = {"agents": SENDERS, "rows": rows, "began_at": time.time_ns() - HOURS_AGO * 3600 * 10**9,
               "acknowledged": folder / "acknowledged"}
    # The hosts, runs, tasks and processes: one batch of each.
    lake.load("samples", batches=1, seconds=600, **options)
    cpu_s = lake.cpu_s()
    said = lake.load("samples", seconds=seconds, **options)
    cpu_s = lake.cpu_s() - cpu_s
    lake.kill()
    lake.start()
    lake.stop()
    stored = number(lake.file, "SELECT count(*) FROM samples"), number(lake.file, "SELECT count(*) FROM ledger") - SENDERS
    size = lake.file.stat().st_size
    shutil.rmtree(folder)
    return said, stored, cpu_s, size


def measure(table, folder, quick):
    seconds, peer_s = (10, 4) if quick else (120, 20)
    source = make_source(folder / "source")
    for rows, unit, bar in RATES:
        before = append(source, folder / "peer.duckdb", rows, peer_s)
        said, stored, cpu_s, size = ingest(folder / "lake", rows, seconds)
        peer = (before + append(source, folder / "peer.duckdb", rows, peer_s)) / 2
        ours, (first, last) = said["samples"] / said["seconds"], quarters(said)
        what = f"{SENDERS} senders, {rows:,} samples a batch"
        table.least(f"{what}, for {seconds} s", said[unit] / said["seconds"], bar, "rows/s" if unit == "samples" else "batches/s")
        table.row(f"{what}: rows", f"{ours:,.0f} rows/s, p99 {said['p99_ms']:.0f} ms, CPU of the lake {cpu_s / said['seconds']:.2f}, "
                  f"of the senders {said['cpu_s'] / said['seconds']:.2f}, {size / max(1, said['samples']):.0f} bytes a row", "", None)
        table.least(f"{what}: of DuckDB's own appender ({peer:,.0f} rows/s)", 100 * ours / peer, PEER_SHARE, "%")
        table.least(f"{what}: last quarter of the time ÷ first", 100 * last / max(1, first), STEADY, "%")
        table.row(f"{what}: stored after SIGKILL", f"{stored[0]:,} rows, {stored[1]:,} batches",
                  f"= {said['samples']:,} and {said['batches']:,} acknowledged",
                  stored == (said["samples"], said["batches"]))
        table.row(f"{what}: refused, failed", f"{said['refused']:,} and {said['errors']:,} batches", "0", not said["refused"] + said["errors"])
