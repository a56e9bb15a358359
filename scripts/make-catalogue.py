#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/cloud/catalogue.tsv and src/cloud/machines.tsv from a folder of cloud facts.

    scripts/make-catalogue.py FOLDER > src/cloud/catalogue.tsv
    scripts/make-catalogue.py FOLDER machines > src/cloud/machines.tsv

FOLDER holds aws_instance_types.csv, aws_region_multipliers.csv, aws_spot_advisor_linux.csv, gcp_machine_types.csv and
gcp_prices.csv. Each is one table of lines, tab-separated, sorted by their bytes, each beginning with its kind; its own
head explains it. machines.tsv is apart because only the server needs it: the agent stays small.
"""
import collections
import csv
import pathlib
import re
import statistics
import sys

HEAD = """\
# What machines cost. Written by scripts/make-catalogue.py; do not edit. Sorted by bytes.
#
# factor    provider  region  family (*: any)  price there / in the base region  1: exact, 0: estimated  types with another one: SIZE=FACTOR ...
# provider  name  base region  date of prices  date of spot prices  source, licence
# spot      provider  region  family  spot price / on demand in the region  1: exact, 0: estimated  types with another one: SIZE=FACTOR ...
# type      provider  type  vcpus  memory MiB  architecture  USD an hour in the base region (0: unknown)  GPUs  their name
# weight    provider (*: others)  family (*: others)  USD an hour of a vCPU  of a GiB of memory  of a GPU (0: what is left of the price)
#
# Weights are regressed from prices on demand in the base region: AWS over the c, m and r families of one generation, GCP within a family, GPUs
# within a family with different numbers of vCPUs for one; those of * are medians, and those of other providers are AWS's.
"""
MACHINES_HEAD = """\
# What machines are beside their prices. Written by scripts/make-catalogue.py; do not edit. Sorted by bytes.
#
# interruption  provider  region  family  band of spot machines that were interrupted within a month (0: < 5 %, 1: 5 to 10, 2: 10 to 15, 3: 15 to 20, 4: > 20)  types with another one: SIZE=BAND ...
# machine       provider  type  threads a core  clock (GHz)  b: burstable, m: bare metal, p: of a previous generation  network's baseline, its peak (Gbit/s)  baseline of network storage (Mbit/s)  local storage (GB, -1: unknown)
#
# 0 of the others: unknown. AWS: types of 2026-08-02, bands of 2025-06-28 (getmoto/moto, aws/karpenter-provider-aws, alexei-led/spotinfo; Apache-2.0).
# GCP: 2026-08 (Cyclenerd/google-cloud-pricing-cost-calculator; Apache-2.0), of which only what is burstable is known.
"""
PROVIDERS = [
    ("aws", "us-east-1", "2026-07-20", "2025-06-28",
     "getmoto/moto, aws/karpenter-provider-aws, cortexlabs/cortex, alexei-led/spotinfo; Apache-2.0"),
    ("gcp", "us-central1", "2026-08", "2026-08",
     "Cyclenerd/google-cloud-pricing-cost-calculator, cloudpilot-ai/karpenter-provider-gcp; Apache-2.0"),
]
GCP_BASE = "us-central1"
# Types of a family of which the factor differs by more than this have their own.
EXACT_SPREAD = 0.0001
# The savings are whole per cents, and move by more from day to day.
AWS_SPOT_SPREAD = 0.04
# A family of which a type's price is that far from its regression has no weights of its own.
WEIGHT_ERROR = 0.1
# GPUs of types that do not say it in their names ("a3-highgpu-8g" does), by vCPUs.
# https://cloud.google.com/compute/docs/accelerator-optimized-machines; prices agree: they regress without an error.
GCP_GPUS = {
    "g2": {4: 1, 8: 1, 12: 1, 16: 1, 32: 1, 24: 2, 48: 4, 96: 8},
    "g4": {6: 0.125, 12: 0.25, 24: 0.5, 48: 1, 96: 2, 192: 4, 384: 8},
}
GCP_GPU_NAMES = {
    "a2-highgpu": "NVIDIA A100 40GB", "a2-megagpu": "NVIDIA A100 40GB", "a2-ultragpu": "NVIDIA A100 80GB",
    "a3-edgegpu": "NVIDIA H100", "a3-highgpu": "NVIDIA H100", "a3-megagpu": "NVIDIA H100", "a3-ultragpu": "NVIDIA H200",
    "a4-highgpu": "NVIDIA B200", "a4x-highgpu": "NVIDIA GB200", "a4x-maxgpu": "NVIDIA GB300",
    "g2-standard": "NVIDIA L4", "g4-standard": "NVIDIA RTX PRO 6000",
}


def rows(folder, name):
    with open(folder / name, newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def number(value, digits=7):
    return f"{float(value):.{digits}g}"


def family_of(name):
    return re.split(r"[.-]", name)[0]


def size_of(name):
    return name[len(family_of(name)) + 1 :]


def read_aws(folder):
    types = {}
    for row in rows(folder, "aws_instance_types.csv"):
        types[row["type"]] = {
            "vcpus": float(row["vcpus"]),
            "mib": float(row["memory_mib"]),
            "arch": "arm64" if row["arch"].startswith("arm64") else "x86_64",
            "usd": float(row["us_east_1_on_demand_usd_hour"] or 0),
            "gpus": float(row["gpu_count"] or 0),
            "gpu": row["gpu"],
            "plain": row["bare_metal"] == "0",
        }
    return types


def gcp_gpus(name, vcpus):
    stated = re.search(r"-(\d+)g\b", name)
    if stated and family_of(name).startswith("a"):
        return float(stated[1])
    return float(GCP_GPUS.get(family_of(name), {}).get(vcpus, 0))


def read_gcp(folder, base):
    types = {}
    for row in rows(folder, "gcp_machine_types.csv"):
        name, vcpus = row["type"], int(row["vcpus"])
        gpus = gcp_gpus(name, vcpus)
        types[name] = {
            "vcpus": float(vcpus),
            "mib": float(round(float(row["memory_gib"]) * 1024)),
            # The families with Arm processors.
            "arch": "arm64" if family_of(name) in ("t2a", "c4a", "n4a", "a4x") else "x86_64",
            "usd": base.get(name, 0),
            "gpus": gpus,
            "gpu": GCP_GPU_NAMES.get("-".join(name.split("-")[:2]), "") if gpus else "",
            "plain": row["shared_cpu"] == "0" and not re.search("lssd|metal", name),
        }
    return types


def type_lines(provider, types):
    for name, of in types.items():
        yield ("type", provider, name, number(of["vcpus"]), number(of["mib"]), of["arch"], number(of["usd"]),
               number(of["gpus"]), of["gpu"])


def regress(types, amounts):
    """The USD of two amounts, by least squares of the relative error; None where the types do not differ enough."""
    points = [[amount(of) / of["usd"] for amount in amounts] for of in types]
    xx, xy, yy = (sum(point[i] * point[k] for point in points) for i, k in ((0, 0), (0, 1), (1, 1)))
    x1, y1 = (sum(point[i] for point in points) for i in (0, 1))
    determinant = xx * yy - xy * xy
    if determinant <= 1e-6 * xx * yy:
        return None
    x, y = (x1 * yy - y1 * xy) / determinant, (y1 * xx - x1 * xy) / determinant
    error = max(abs(x * point[0] + y * point[1] - 1) for point in points)
    return (x, y) if x > 0 and y > 0 and error <= WEIGHT_ERROR else None


def vcpus(of):
    return of["vcpus"]


def gib(of):
    return of["mib"] / 1024


def gpus(of):
    return of["gpus"]


def grouped(types, group_of):
    groups = collections.defaultdict(dict)
    for name, of in types.items():
        group = group_of(family_of(name))
        if group and of["usd"] > 0 and of["plain"]:
            groups[group][name] = of
    return groups


def gpu_weights(provider, types, ratio):
    """Families with one GPU and types of different vCPUs for each; a vCPU costs as much as `ratio` GiB."""
    having = {name: of for name, of in types.items() if of["gpus"]}
    for family, members in grouped(having, lambda family: family).items():
        fit = regress(members.values(), (lambda of: ratio * vcpus(of) + gib(of), gpus))
        if fit and len({of["gpu"] for of in members.values()}) == 1:
            yield "weight", provider, family, number(fit[0] * ratio, 4), number(fit[0], 4), number(fit[1], 4)


def weights(provider, types, group_of):
    """Lines of the families, and the medians over the groups."""
    plain = {name: of for name, of in types.items() if not of["gpus"]}
    lines, fits = [], []
    for members in grouped(plain, group_of).values():
        fit = regress(members.values(), (vcpus, gib))
        if fit:
            fits.append(fit)
            lines += [("weight", provider, family, number(fit[0], 4), number(fit[1], 4), "0")
                      for family in {family_of(name) for name in members}]
    # The medians have the median ratio, so that both are of one kind of machine.
    ratio = statistics.median(a / b for a, b in fits)
    vcpu = statistics.median(a for a, b in fits)
    rest = statistics.median((of["usd"] - vcpu * vcpus(of) - vcpu / ratio * gib(of)) / of["gpus"]
                             for of in types.values() if of["gpus"] and of["usd"] > 0)
    lines += gpu_weights(provider, types, ratio)
    return lines, (number(vcpu, 4), number(vcpu / ratio, 4), number(rest, 4))


def aws_group(family):
    siblings = re.match(r"[cmr](\d.*)$", family)
    return siblings and siblings[1]


def by_family(kind, provider, region, ratios, exact, spread=EXACT_SPREAD):
    """Lines of one region: the median of a family, and the types that differ from it."""
    families = collections.defaultdict(dict)
    for name, ratio in ratios.items():
        families[family_of(name)][size_of(name)] = ratio
    for family, sizes in families.items():
        middle = statistics.median_low(sizes.values())
        apart = [f"{size}={number(ratio)}" for size, ratio in sorted(sizes.items())
                 if abs(ratio / middle - 1) > spread]
        yield kind, provider, region, family, number(middle), exact, " ".join(apart)


def aws(folder):
    types = read_aws(folder)
    yield from type_lines("aws", types)
    # Measured in 2022, so estimated everywhere but at home.
    for row in rows(folder, "aws_region_multipliers.csv"):
        if row["region"] != "us-east-1":
            yield "factor", "aws", row["region"], row["family"], number(row["multiplier_vs_us_east_1"], 5), "0", ""
    savings = collections.defaultdict(dict)
    for row in rows(folder, "aws_spot_advisor_linux.csv"):
        if row["type"] in types and 0 <= int(row["savings_percent_vs_on_demand"]) < 100:
            savings[row["region"]][row["type"]] = (100 - int(row["savings_percent_vs_on_demand"])) / 100
    for region, ratios in savings.items():
        yield from by_family("spot", "aws", region, ratios, "0", AWS_SPOT_SPREAD)
    lines, rest = weights("aws", types, aws_group)
    yield from lines
    yield "weight", "aws", "*", *rest
    yield "weight", "*", "*", *rest


def gcp(folder):
    prices, spot = collections.defaultdict(dict), collections.defaultdict(dict)
    for row in rows(folder, "gcp_prices.csv"):
        if float(row["on_demand_usd_hour"] or 0) > 0:
            prices[row["region"]][row["type"]] = float(row["on_demand_usd_hour"])
            if float(row["spot_usd_hour"] or 0) > 0:
                spot[row["region"]][row["type"]] = float(row["spot_usd_hour"])
    base = prices[GCP_BASE]
    types = read_gcp(folder, base)
    yield from type_lines("gcp", types)
    for region, here in prices.items():
        ratios = {name: price / base[name] for name, price in here.items() if name in base}
        if region != GCP_BASE:
            yield from by_family("factor", "gcp", region, ratios, "1")
            yield "factor", "gcp", region, "*", number(statistics.median(ratios.values()), 5), "0", ""
        yield from by_family("spot", "gcp", region, {name: price / here[name] for name, price in spot[region].items()}, "1")
    lines, rest = weights("gcp", types, lambda family: family)
    yield from lines
    yield "weight", "gcp", "*", *rest


def machine_lines(folder):
    for row in rows(folder, "aws_instance_types.csv"):
        # T1 was burstable before the data had a word for it.
        flags = "b" * (row["burstable"] == "1" or row["type"].startswith("t1.")) + "m" * (row["bare_metal"] == "1") + "p" * (row["current_generation"] == "0")
        yield ("machine", "aws", row["type"], row["threads_per_core"] or "0", number(row["clock_ghz"] or 0), flags,
               number(row["net_baseline_gbps"] or 0, 4), number(row["net_peak_gbps"] or 0, 4), number(row["ebs_baseline_mbps"] or 0),
               number(row["local_storage_gb"] or 0))
    for row in rows(folder, "gcp_machine_types.csv"):
        flags = "b" * (row["shared_cpu"] == "1") + "m" * ("metal" in row["type"])
        yield "machine", "gcp", row["type"], "0", "0", flags, "0", "0", "0", "-1"


def interruption_lines(folder):
    bands = collections.defaultdict(lambda: collections.defaultdict(dict))
    for row in rows(folder, "aws_spot_advisor_linux.csv"):
        bands[row["region"]][family_of(row["type"])][size_of(row["type"])] = row["interruption_band"]
    for region, families in bands.items():
        for family, sizes in families.items():
            usual = statistics.mode(sorted(sizes.values()))
            apart = " ".join(f"{size}={band}" for size, band in sorted(sizes.items()) if band != usual)
            yield "interruption", "aws", region, family, usual, apart


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["machines"]):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    if sys.argv[2:]:
        head, lines = MACHINES_HEAD, [*machine_lines(folder), *interruption_lines(folder)]
    else:
        head, lines = HEAD, [("provider", *about) for about in PROVIDERS] + [*aws(folder), *gcp(folder)]
    sys.stdout.write(head)
    for line in sorted("\t".join(line) for line in lines):
        print(line)


if __name__ == "__main__":
    main()
