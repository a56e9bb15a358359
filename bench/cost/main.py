#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the split of prices adds up, how long it takes, and whether it reproduces costs of real tasks (bench/cost.sh)."""
import argparse
import pathlib
import sys

import driver
import levels
import seqera
import sheets

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "lake"))
from table import Table  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "cost.md"
TASKS, HOSTS, MOST_S = 1_000_000, 400, 1


def options():
    parser = argparse.ArgumentParser(prog="bench/cost.sh", description=__doc__)
    parser.add_argument("--driver", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--sheet-driver", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=1, help="of the random hosts; 1 is that of the table in docs/cost.md")
    parser.add_argument("--hosts", type=int, default=400, help="how many random hosts")
    parser.add_argument("--quick", action="store_true", help="a tenth of the hosts; the document stays as it is")
    return parser.parse_args()


def judge_time(asked, seed, table):
    for rule in ("held", "aws"):
        parts, cells, seconds = min((asked.time(TASKS, HOSTS, seed, rule) for _ in range(3)), key=lambda each: each[2])
        what = f"a month of {TASKS:,} tasks on {HOSTS} hosts ({parts:,} parts in {cells:,} cells)"
        table.most(f"{rule}: CPU time to split {what}, best of 3", seconds, MOST_S, "s", 2)


def judge_sheet_time(path, seed, table):
    made = sheets.Sheets(path)
    for rule in ("held", "aws"):
        answers = [made.time(TASKS, HOSTS, seed, rule)[1] for _ in range(3)]
        filled, *seconds = map(min, zip(*answers))
        table.row(f"{rule}: CPU time to put the tasks of the month into a sheet (with making them up), best of 3", f"{filled:.2f} s", "", None)
        for what, each in zip(("to split it", "of its rows by pipeline", "by task", "by tool"), seconds):
            table.most(f"{rule}: CPU time {what}, best of 3", each, MOST_S, "s", 2)
    made.close()


def main():
    given = options()
    table = Table("cost", f"seed {given.seed}", given.quick, PAGE)
    asked = driver.Driver(given.driver)
    for rule in ("held", "aws"):
        hosts = given.hosts // 10 if given.quick else given.hosts
        levels.judge(asked, given.seed, hosts, rule, table)
        sheets.judge(given.sheet_driver, given.seed, hosts, rule, table)
    judge_time(asked, given.seed, table)
    judge_sheet_time(given.sheet_driver, given.seed, table)
    seqera.judge(asked, table)
    asked.close()
    return table.end(given.seed == 1 and given.hosts == 400)


if __name__ == "__main__":
    sys.exit(main())
