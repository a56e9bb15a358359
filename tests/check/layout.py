#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The layout of folders and headers, as a test (docs/design/architecture.md).

    layout.py ROOT           checks the tree, one line a fault, exit 1 if there is one
    layout.py --self-test    each rule against a tree that breaks it and one that keeps it

- A folder holds at most 30 sources.
- No two files of a library (a folder of src/) have the same name.
- A header named NOUN_private.h is included from its own folder only.
- Every source names its licence (SPDX-License-Identifier) in its first two lines.
"""
import collections
import pathlib
import re
import subprocess
import sys

SOURCES = {".c", ".h", ".sql", ".ts", ".tsx", ".mjs", ".css", ".py", ".sh", ".proto", ".cmake"}
SOURCES_MAX = 30
LICENSED = SOURCES | {".jq", ".nf", ".smk", ".java"}
TAG = "SPDX-" + "License-Identifier: "  # in two parts: reuse takes it for this file's own
NOT_OURS = ("tests/data/", "third_party/")


def crowded_folders(files):
    count = collections.Counter(path.parent for path in files if path.suffix in SOURCES)
    for folder, sources in sorted(count.items()):
        if sources > SOURCES_MAX:
            yield f"{folder}: {sources} sources, at most {SOURCES_MAX}: a sub-folder is missing"


def same_names(files):
    seen = {}
    for path in files:
        if path.parts[0] != "src" or path.suffix not in (".c", ".h") or path.name == "main.c":
            continue
        key = path.parts[1], path.name
        if key in seen:
            yield f"{path}: {seen[key]} has the same name"
        seen.setdefault(key, path)


def private_headers(files):
    for path, text in files.items():
        for match in re.finditer(r'^\s*#\s*include\s+"([^"]*_private\.h)"', text, re.M):
            if path.parts[0] == "src" and pathlib.Path("src", match.group(1)).parent != path.parent:
                yield f"{path}: includes {match.group(1)}, which is private to its folder"


def licences(files):
    for path, text in files.items():
        if path.suffix in LICENSED and not str(path).startswith(NOT_OURS):
            if TAG not in "".join(text.splitlines(True)[:2]):
                yield f"{path}: no SPDX-License-Identifier in its first two lines"


RULES = [crowded_folders, same_names, private_headers, licences]


def read_tree(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"],
                            check=True, capture_output=True, text=True).stdout.split("\n")
    files = {}
    for name in filter(None, listed):
        path = pathlib.Path(root) / name
        if path.is_file() and path.suffix in LICENSED:
            files[pathlib.Path(name)] = path.read_text()
    return files


def self_test():
    spdx = f"/* {TAG}Apache-2.0 */\n"
    good = {pathlib.Path(f"src/a/x/{i}.c"): spdx for i in range(SOURCES_MAX)}
    good[pathlib.Path("src/a/x/x_private.h")] = spdx
    good.pop(pathlib.Path("src/a/x/0.c"))
    good[pathlib.Path("src/a/x/1.c")] = spdx + '#include "a/x/x_private.h"\n'
    good[pathlib.Path("src/b/1.c")] = spdx
    for rule in RULES:
        assert not list(rule(good)), rule.__name__
    bad = {
        crowded_folders: {pathlib.Path(f"src/a/{i}.c"): spdx for i in range(SOURCES_MAX + 1)},
        same_names: {pathlib.Path("src/a/x/1.c"): spdx, pathlib.Path("src/a/y/1.c"): spdx},
        private_headers: {pathlib.Path("src/a/y/1.c"): spdx + '#include "a/x/x_private.h"\n'},
        licences: {pathlib.Path("src/a/y/1.c"): "int x;\n"},
    }
    for rule, files in bad.items():
        assert list(rule(files)), rule.__name__
    print(f"{len(RULES)} rules hold")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    files = read_tree(sys.argv[1])
    if len(files) < 100:
        sys.exit(f"layout.py: only {len(files)} sources: is this a checkout?")
    faults = [fault for rule in RULES for fault in rule(files)]
    print("\n".join(faults + [f"{len(files)} files, {len(faults)} faults"]))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
