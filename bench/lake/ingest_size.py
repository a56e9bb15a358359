# SPDX-License-Identifier: Apache-2.0
"""Bytes a row of samples in a lake that was compacted, beside the same rows, with a column for each figure, in Parquet, SQLite and
ClickHouse's engine. The figures are those of the recorded runs, each varied by up to 30 %, so that
no store gains by their repetition."""
import csv
import sqlite3
import subprocess
import sys

from lake import Lake, has_command, number, sql

RATIO = 1.2
COLUMNS = "SELECT * EXCLUDE (figures), unnest(unpack_figures(figures)) FROM samples_packed"
CHDB = """
import chdb.session, sys
session = chdb.session.Session(sys.argv[1])
session.query("CREATE DATABASE peer")
session.query(f"CREATE TABLE peer.samples ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM file('{sys.argv[2]}', Parquet)")
session.query("OPTIMIZE TABLE peer.samples FINAL")
print(str(session.query("SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'samples'", "CSV")).strip())
"""


def compact(lake):
    """By the lake's own command, where there is one; a lake that stops writes a checkpoint. Returns what was done."""
    done = "not compacted: this lake has no such command"
    if has_command("compact"):
        out = subprocess.run(lake.command("compact"), capture_output=True, text=True)
        done = f"not compacted: {out.stderr.strip()}" if out.returncode else "compacted"
    lake.stop()
    return done


def tables_of(file):
    return [row[0] for row in sql(file, "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'samples%' ORDER BY 1")]


def ours(file, tables):
    """Bytes of the blocks that hold these tables."""
    blocks = set()
    for table in tables:
        blocks.update(row[0] for row in sql(file, "SELECT block_id FROM pragma_storage_info('" + table + "') WHERE block_id >= 0 "
                                            "UNION SELECT unnest(additional_block_ids) FROM pragma_storage_info('" + table + "')"))
    return len(blocks) * number(file, "SELECT block_size FROM pragma_database_size()")


def sqlite_size(folder):
    file = folder / "peer.sqlite"
    with sqlite3.connect(file) as peer, open(folder / "peer.csv", newline="") as rows:
        rows = csv.reader(rows)
        names = next(rows)
        peer.execute(f"CREATE TABLE samples ({', '.join(name + ' NUMERIC' for name in names)})")
        peer.executemany(f"INSERT INTO samples VALUES ({', '.join('?' * len(names))})", rows)
    peer.execute("VACUUM")
    peer.close()
    return file.stat().st_size


def chdb_size(folder):
    out = subprocess.run([sys.executable, "-c", CHDB, folder / "chdb", folder / "peer.parquet"], stdout=subprocess.PIPE, text=True, check=True)
    return int(out.stdout.splitlines()[-1])


def export(file, folder, name, what):
    sql(file, f"COPY ({what}) TO '{folder / name}.parquet' (FORMAT parquet, COMPRESSION zstd)")
    return (folder / f"{name}.parquet").stat().st_size


def measure(table, folder, quick):
    lake = Lake(folder).start()
    lake.load("samples", agents=16, rows=4000, life=100, batches=8 if quick else 40, seconds=3600, ago=20 * 3600)
    compacted = compact(lake)
    file, names = lake.file, tables_of(lake.file)
    rows = number(file, "SELECT count(*) FROM samples")
    parquet = export(file, folder, "peer", COLUMNS)
    sql(file, f"COPY ({COLUMNS}) TO '{folder / 'peer'}.csv' (FORMAT csv, HEADER)")
    # With the texts that the lake does not repeat.
    wide = export(file, folder, "api", "FROM samples")
    mine = ours(file, names)
    table.row(f"a row of samples in the lake, {compacted}",
              f"{mine / rows:.1f} bytes, {mine / parquet:.2f} × Parquet", f"≤ {RATIO} × Parquet", mine <= RATIO * parquet)
    table.row("the same in Parquet with zstd", f"{parquet / rows:.1f} bytes", "", None)
    table.row("the same in SQLite", f"{sqlite_size(folder) / rows:.1f} bytes", "", None)
    table.row("the same in ClickHouse's engine", f"{chdb_size(folder) / rows:.1f} bytes", "", None)
    table.row("all columns of the API in Parquet with zstd", f"{wide / rows:.1f} bytes, {rows:,} rows", "", None)
