#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Called by ingest.sh: ingest.py [--quick] [--only PART]…"""
import argparse
import pathlib
import sys
import tempfile

import ingest_agents
import ingest_live
import ingest_rate
import ingest_size
from table import Table

PARTS = {"rate": ingest_rate.measure, "agents": ingest_agents.measure, "size": ingest_size.measure,
         "idle": ingest_agents.measure_idle, "live": ingest_live.measure}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    options.add_argument("--only", action="append", choices=PARTS)
    options.add_argument("--folder", help="where the lakes are (default: a temporary folder)")
    options = options.parse_args()
    table = Table("ingest", "what", options.quick)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for name, measure in PARTS.items():
            if not options.only or name in options.only:
                measure(table, pathlib.Path(folder) / name, options.quick)
    sys.exit(table.end(not options.only))


main()
