#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a step is as usual, and when tasks, steps and runs end: judged on recorded runs and on runs made of them (bench/expect.sh)."""
import argparse
import pathlib
import random
import sys

import driver
import ends
import recorded
import series
import unusual

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "lake"))
from table import Table  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "sizes.md"


def options():
    parser = argparse.ArgumentParser(prog="bench/expect.sh", description=__doc__)
    parser.add_argument("--driver", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=1, help="of the runs that are made; 1 is that of the table in docs/sizes.md")
    parser.add_argument("--quick", action="store_true", help="a tenth of the cases, too few to judge false alarms and intervals; the document stays as it is")
    parser.add_argument("--chosen-by", action="store_true", help="the steps that the constants were chosen by, instead of those that judge")
    return parser.parse_args()


def main():
    given = options()
    table = Table("expect", f"seed {given.seed}", given.quick, PAGE)
    asked = driver.Driver(given.driver)
    steps = series.halves()[0 if given.chosen_by else 1]
    unusual.judge_all(asked, steps, recorded, random.Random(given.seed), 2 if given.quick else 20, table)
    ends.judge_all(asked, random.Random(given.seed), 4 if given.quick else 40, table)
    asked.close()
    return table.end(given.seed == 1 and not given.chosen_by)


if __name__ == "__main__":
    sys.exit(main())
