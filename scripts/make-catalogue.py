#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/cloud/catalogue.tsv from a folder of cloud facts.

    scripts/make-catalogue.py FOLDER > src/cloud/catalogue.tsv

FOLDER holds aws_instance_types.csv, aws_region_multipliers.csv, gcp_machine_types.csv and gcp_prices.csv. The
catalogue is one table of lines, tab-separated, sorted, each beginning with its kind; its own head explains it.
"""
import collections
import csv
import pathlib
import statistics
import sys

HEAD = """\
# What machines cost on demand. Written by scripts/make-catalogue.py; do not edit.
#
# provider  name  base region  date of prices  source, licence
# type      provider  type  vcpus  memory MiB  architecture  USD an hour in the base region (0: unknown)
# factor    provider  region  family (*: any)  price there / price in the base region  1: as exact as the price, 0: estimated
provider\taws\tus-east-1\t2026-07-20\tgetmoto/moto, aws/karpenter-provider-aws, cortexlabs/cortex; Apache-2.0
provider\tgcp\tus-central1\t2026-08\tCyclenerd/google-cloud-pricing-cost-calculator, cloudpilot-ai/karpenter-provider-gcp; Apache-2.0
"""
GCP_BASE = "us-central1"
# A family with types that differ by more than this between regions has no factor that is exact.
EXACT_SPREAD = 0.001


def rows(folder, name):
    with open(folder / name, newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def number(value, digits):
    return f"{float(value):.{digits}f}".rstrip("0").rstrip(".")


def aws(folder):
    for row in rows(folder, "aws_instance_types.csv"):
        arch = "arm64" if row["arch"].startswith("arm64") else "x86_64"
        price = number(row["us_east_1_on_demand_usd_hour"] or 0, 6)
        yield "type", "aws", row["type"], row["vcpus"], row["memory_mib"], arch, price
    # Measured in 2022, so estimated everywhere but at home.
    for row in rows(folder, "aws_region_multipliers.csv"):
        if row["region"] != "us-east-1":
            yield "factor", "aws", row["region"], row["family"], number(row["multiplier_vs_us_east_1"], 4), "0"


def gcp_factors(prices):
    base = prices[GCP_BASE]
    for region, here in prices.items():
        ratios = collections.defaultdict(list)
        for name, price in here.items():
            if region != GCP_BASE and base.get(name):
                ratios[name.split("-")[0]].append(price / base[name])
                ratios["*"].append(price / base[name])
        for family, values in ratios.items():
            factor = statistics.median(values)
            exact = family != "*" and max(abs(value / factor - 1) for value in values) <= EXACT_SPREAD
            yield "factor", "gcp", region, family, number(factor, 6 if exact else 4), "1" if exact else "0"


def gcp(folder):
    prices = collections.defaultdict(dict)
    for row in rows(folder, "gcp_prices.csv"):
        if row["on_demand_usd_hour"]:
            prices[row["region"]][row["type"]] = float(row["on_demand_usd_hour"])
    for row in rows(folder, "gcp_machine_types.csv"):
        name = row["type"]
        # The families with Arm processors.
        arch = "arm64" if name.split("-")[0] in ("t2a", "c4a", "n4a") else "x86_64"
        price = number(prices[GCP_BASE].get(name, 0), 6)
        yield "type", "gcp", name, row["vcpus"], str(round(float(row["memory_gib"]) * 1024)), arch, price
    yield from gcp_factors(prices)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    sys.stdout.write(HEAD)
    for line in sorted([*aws(folder), *gcp(folder)]):
        print("\t".join(line))


if __name__ == "__main__":
    main()
