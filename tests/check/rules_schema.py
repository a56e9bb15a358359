#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The schema of rules (docs/rules.schema.json) says the same as the program: all rules/*.yaml are good by it, each wrong
rule of the tests' table is wrong by it, and what the program takes without a fault it takes, too.

    rules_schema.py ROOT TRACER
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema
import yaml

ROOT, TRACER = pathlib.Path(sys.argv[1]), sys.argv[2]
TABLES = ROOT / "tests/unit/correlate/data"
# What a schema cannot say: the order of a file's parts, keys given twice, what is no YAML.
BEYOND = ("given twice", "cannot start any token", "expected node content", "too many rules", "holds no NUL")


def words(line):
    """A table's line, as tests/unit/correlate/fixture_table.c reads it."""
    found = []
    for match in re.finditer(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|(\S+)", line):
        word = next(group for group in match.groups() if group is not None)
        word = re.sub(r"\\\*(\d+)\*(.)", lambda m: m[2] * int(m[1]), word)
        found.append(word.replace("\\n", "\n").replace("\\0", "\0").replace('\\"', '"'))
    return found


def rows(name):
    for line in (TABLES / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield words(line)


def program_takes(text):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        return subprocess.run([TRACER, "rules", "check", file.name], capture_output=True).returncode == 0


def schema_takes(validator, text):
    try:
        return validator.is_valid(yaml.safe_load(text))
    except yaml.YAMLError:  # what is no YAML, or none that Python can hold
        return False


def main():
    schema = json.loads((ROOT / "docs/rules.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    faults, good, wrong = [], 0, 0
    for path in sorted((ROOT / "rules").glob("*.yaml")):
        faults += [f"{path.name}: {error.message}" for error in validator.iter_errors(yaml.safe_load(path.read_text()))]
        good += 1
    for expected, text in (row[:2] for row in rows("wrong_rules.txt")):
        if program_takes(text):
            faults.append(f"the program takes {text!r}")
        if any(what in expected for what in BEYOND):
            continue
        if schema_takes(validator, text):
            faults.append(f"the schema takes {text!r}, about which the program says: {expected}")
        wrong += 1
    for text in (row[0] for row in rows("checked_rules.txt")):
        faults += [f"{text!r}: {error.message}" for error in validator.iter_errors(yaml.safe_load(text))]
        if not program_takes(text):
            faults.append(f"the program refuses {text!r}")
        good += 1
    print(*faults, sep="\n")
    print(f"{good} texts good, {wrong} wrong, {len(faults)} faults")
    return 1 if faults or good < 20 or wrong < 20 else 0


sys.exit(main())
