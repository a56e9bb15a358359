# SPDX-License-Identifier: Apache-2.0
"""The machines of AWS in one region, with their spot prices, as src/cloud/catalogue.tsv and src/cloud/machines.tsv have them."""
import dataclasses
import pathlib

CLOUD = pathlib.Path(__file__).parents[2] / "src" / "cloud"
BANDS = [0.05, 0.1, 0.15, 0.2, 0.3]


@dataclasses.dataclass
class Machine:
    type: str
    cpus: float
    memory: float  # bytes
    usd_hour: float
    interrupted: float
    plain: bool  # neither burstable nor bare metal, without GPUs, of x86-64

    @property
    def family(self):
        return self.type.partition(".")[0]


def lines(name, *start):
    for line in (CLOUD / name).read_text().splitlines():
        fields = line.split("\t")
        if fields[:len(start)] == list(start):
            yield fields


def listed(fields, at, type_):
    """Of the family, or of the type where it has its own."""
    size = type_.partition(".")[2]
    apart = dict(word.split("=") for word in fields[at + 1 if fields[0] == "interruption" else at + 2].split())
    return float(apart.get(size, fields[at]))


def read_machines(region):
    """Those with a spot price there, by type."""
    tables = {kind: {fields[3]: fields for fields in lines(name, kind, "aws", region)}
              for name, kind in (("catalogue.tsv", "factor"), ("catalogue.tsv", "spot"), ("machines.tsv", "interruption"))}
    flags = {fields[2]: fields[5] for fields in lines("machines.tsv", "machine", "aws")}
    found = {}
    for _, _, type_, cpus, mib, arch, usd, gpus, gpu in lines("catalogue.tsv", "type", "aws"):
        family = type_.partition(".")[0]
        if not float(usd) or family not in tables["spot"]:
            continue
        factor = tables["factor"].get(family) or tables["factor"]["*"]
        band = tables["interruption"].get(family)
        found[type_] = Machine(type_, float(cpus), float(mib) * 2**20,
                               float(usd) * listed(factor, 4, type_) * listed(tables["spot"][family], 4, type_),
                               BANDS[int(listed(band, 4, type_))] if band else -1,
                               arch == "x86_64" and not float(gpus) and not gpu and not set("bm") & set(flags.get(type_, "")))
    return found
