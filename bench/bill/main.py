#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a month of 400 nodes is reconciled with its bill to the cent, and each part of what is left has its name: a lake that is
sent what agents saw, and imports the bill (bench/bill.sh)."""
import argparse
import datetime
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "lake")]
import agents  # noqa: E402
import focus  # noqa: E402
from lake import BUILD, Lake  # noqa: E402
from month import ACCOUNT, EURO_ACCOUNT, PROVISIONAL_DAYS, DAY, Month  # noqa: E402
from table import Table  # noqa: E402

PAGE = HERE.parents[1] / "docs" / "cost.md"
NODES, CENT, ANSWER_MS = 400, Fraction(1, 100), 20000
# Of these an hour's part that agents saw is rounded; all other names are exact.
ROUNDED = {"no_agent", "seen", "rounding"}


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hosts", type=int, default=NODES, help="how many nodes")
    parser.add_argument("--quick", action="store_true", help="a tenth of the nodes; the document stays as it is")
    return parser.parse_args()


def make_tokens(folder):
    (folder / "tokens").mkdir(parents=True)
    tokens = {scope: f"{random.SystemRandom().getrandbits(160):040x}" for scope in ("read", "admin")}
    for scope, token in tokens.items():
        (folder / "tokens" / scope).write_text(token)
        (folder / "tokens" / scope).chmod(0o600)
    return tokens


def import_bill(lake, *files):
    """By the command that people use. The id of the last file."""
    said = subprocess.run([BUILD / "tracer", "bill", "import", *files, "--json", "--lake", f"http://127.0.0.1:{lake.port}", "--token-file",
                           lake.folder / "tokens" / "admin"], capture_output=True, text=True)
    if said.returncode:
        raise SystemExit(f"the bill is not imported: {said.stderr}")
    return json.loads(said.stdout[said.stdout.rindex("{"):])["id"]


def make_files(month, folder):
    days = month.since + PROVISIONAL_DAYS * DAY
    early = [{**line, "InvoiceId": ""} for line in month.lines if line["until"] <= days]
    half = len(month.lines) // 2
    later = month.until + 31 * DAY
    euro = [{**line, "InvoiceId": "EUR-1"} for line in month.lines[:500]]

    def write(name, lines, *rest):
        return focus.write(folder / name, lines, *rest)
    return {"provisional": write("provisional.csv", early, month.since, month.until, ACCOUNT),
            "first": write("final-1.csv.gz", month.lines[:half], month.since, month.until, ACCOUNT),
            "second": write("final-2.csv", month.lines[half:], month.since, month.until, ACCOUNT),
            "later": write("later.csv", month.later, month.until, later, ACCOUNT),
            "euro": write("euro.csv", euro, month.since, month.until, EURO_ACCOUNT, "EUR")}


def usd(amount):
    return f"{float(amount):,.9f}".replace("-0.000000000", "0.000000000")


def judge_invoice(table, answer, invoice, expected):
    row = next(row for row in answer["invoices"] if row["invoice"] == invoice)
    parts = {name: sum(Fraction(one["nusd"], 10**9) for one in answer["remainder"] if one["invoice"] == invoice and one["name"] == name)
             for name in {one["name"] for one in answer["remainder"]} | set(expected) - {"billed", "seen"} | {"rounding"}}
    held = sum(Fraction(round(row[name] * 10**9), 10**9) for name in ("tasks_usd", "engines_usd", "unallocated_usd"))
    billed = Fraction(row["billed"])
    left = held + sum(parts.values()) - billed
    table.row(f"{invoice}: billed, as the generator added it up", usd(billed), usd(expected["billed"]), billed == expected["billed"])
    table.row(f"{invoice}: Σ of all parts less what was billed", usd(left), "0 (< 1 nano-dollar)", abs(left) < Fraction(1, 10**9))
    table.row(f"{invoice}: tasks, engines and hosts that nothing held", usd(held), usd(expected["seen"]) + " to the cent",
              abs(held - expected["seen"]) < CENT / 2)
    for name in sorted(parts):
        wanted = expected.get(name, Fraction(0))
        most = CENT / 2 if name in ROUNDED else Fraction(2, 10**9)
        if parts[name] or wanted:
            table.row(f"{invoice}: {name.replace('_', ' ')}", usd(parts[name]), usd(wanted), abs(parts[name] - wanted) < most)


def fill(table, lake, month, token, seed):
    began = time.monotonic()
    seen = [node for node in month.nodes if node.seen]
    count = sum(agents.send_node(lake, token, node, seed) for node in seen)
    table.row(f"{len(month.nodes)} nodes, {len(seen)} of them with an agent: {count:,} tasks are sent in", f"{time.monotonic() - began:.0f} s", "", None)
    lake.json("/api/v1/hosts")


def judge(table, lake, month, files):
    import_bill(lake, files["provisional"])
    began = time.monotonic()
    bill = import_bill(lake, files["first"], files["second"])
    table.row(f"{len(month.lines):,} lines of two files are imported in", f"{time.monotonic() - began:.1f} s", "", None)
    later = import_bill(lake, files["later"])
    euro = import_bill(lake, files["euro"])
    states = [(row["name"], row["superseded_by"] is not None) for row in lake.json("/api/v1/bills")["bills"]]
    table.row("files that a later one replaced", ", ".join(name for name, replaced in states if replaced), "provisional.csv",
              [name for name, replaced in states if replaced] == ["provisional.csv"])
    began = time.monotonic()
    answer = lake.json(f"/api/v1/bills/{bill}")
    table.most("GET /api/v1/bills/ID", (time.monotonic() - began) * 1000, ANSWER_MS, "ms")
    for invoice in ("INV-1", "INV-2"):
        judge_invoice(table, answer, invoice, month.names[invoice])
    judge_invoice(table, lake.json(f"/api/v1/bills/{later}"), "INV-3", month.names["INV-3"])
    apart = lake.json(f"/api/v1/bills/{euro}")
    table.row("an invoice in EUR: parts in USD", len(apart["remainder"]), "0, and no sum in USD",
              not apart["remainder"] and apart["invoices"][0]["billed_usd"] is None)


def main():
    given = options()
    table = Table("bill", f"seed {given.seed}", given.quick, PAGE)
    month = Month(given.hosts // 10 if given.quick else given.hosts, given.seed, datetime.datetime.now(datetime.timezone.utc))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tokens = make_tokens(folder)
        files = make_files(month, folder)
        lake = Lake(folder).start()
        try:
            fill(table, lake, month, tokens["admin"], given.seed)
            judge(table, lake, month, files)
        finally:
            lake.stop()
    return table.end(given.seed == 1 and given.hosts == NODES)


if __name__ == "__main__":
    sys.exit(main())
