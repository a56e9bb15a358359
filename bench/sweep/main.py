#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether sweeps find waste, in generated fleets and through a real lake (bench/sweep.sh)."""
import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "lake")]
import generated  # noqa: E402
import lake_part  # noqa: E402
from lake import BUILD  # noqa: E402
from table import Table  # noqa: E402

PAGE = HERE.parents[1] / "docs" / "sweep.md"


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="fewer fleets; the document stays as it is")
    parser.add_argument("--only", choices=("generated", "lake"), help="one part")
    return parser.parse_args()


def main():
    given = options()
    table = Table("sweep", f"seed {given.seed}", given.quick, PAGE)
    if given.only != "lake":
        generated.judge(table, BUILD / "bench" / "sweep_driver", given.seed, given.quick)
    if given.only != "generated":
        lake_part.judge(table, given.seed, given.quick)
    return table.end(given.seed == 1 and not given.only)


if __name__ == "__main__":
    sys.exit(main())
