#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The layout of folders and headers, as a test (docs/design/architecture.md).

    layout.py ROOT           checks the tree, one line a fault, exit 1 if there is one
    layout.py --self-test    each rule against a tree that breaks it and one that keeps it

- A folder holds at most 30 sources.
- No two files of a library (a folder of src/) have the same name.
- A header named NOUN_private.h is included from its own folder only.
- In src/collect no header reaches more than a quarter of the files, also through other headers, and the includes between its folders
  form no cycle.
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
LIBRARIES_WITHOUT_HUB = ("collect",)
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


def includes_of(files, library):
    """Of each file of a library those that it includes of the same one."""
    return {path: {pathlib.Path("src", name) for name in re.findall(rf'^\s*#\s*include\s+"({library}/[^"]*)"', text, re.M)}
            for path, text in files.items() if path.parts[:2] == ("src", library) and path.suffix in (".c", ".h")}


def reached(edges, start):
    """What is reached from start over one edge or more."""
    seen, todo = set(), [start]
    while todo:
        for following in edges.get(todo.pop(), ()):
            if following not in seen:
                seen.add(following)
                todo.append(following)
    return seen


def hub_headers(files):
    for library in LIBRARIES_WITHOUT_HUB:
        includes = includes_of(files, library)
        count = collections.Counter(header for path in includes for header in reached(includes, path))
        for header, sources in sorted(count.items()):
            if sources * 4 > len(includes):
                yield f"{header}: included by {sources} of {len(includes)} files of {library}, at most a quarter"


def folder_cycles(files):
    for library in LIBRARIES_WITHOUT_HUB:
        folders = collections.defaultdict(set)
        for path, headers in includes_of(files, library).items():
            folders[path.parent] |= {header.parent for header in headers} - {path.parent}
        for folder in sorted(folders):
            circle = sorted(str(other) for other in reached(folders, folder) if folder in reached(folders, other))
            if folder in reached(folders, folder):
                yield f"{folder}: includes in a circle with {', '.join(circle)}"


def licences(files):
    for path, text in files.items():
        if path.suffix in LICENSED and not str(path).startswith(NOT_OURS):
            if TAG not in "".join(text.splitlines(True)[:2]):
                yield f"{path}: no SPDX-License-Identifier in its first two lines"


RULES = [crowded_folders, same_names, private_headers, hub_headers, folder_cycles, licences]


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
    good.update({pathlib.Path(f"src/collect/x/{i}.c"): spdx for i in range(6)})
    good[pathlib.Path("src/collect/y/9.c")] = spdx + '#include "collect/x/1.h"\n'
    good[pathlib.Path("src/collect/x/1.h")] = spdx
    for rule in RULES:
        assert not list(rule(good)), rule.__name__
    through = {pathlib.Path("src/collect/x/1.h"): '#include "collect/x/2.h"\n', pathlib.Path("src/collect/x/2.h"): spdx}
    through.update({pathlib.Path(f"src/collect/x/{i}.c"): '#include "collect/x/1.h"\n' for i in range(2)})
    bad = {
        crowded_folders: {pathlib.Path(f"src/a/{i}.c"): spdx for i in range(SOURCES_MAX + 1)},
        same_names: {pathlib.Path("src/a/x/1.c"): spdx, pathlib.Path("src/a/y/1.c"): spdx},
        private_headers: {pathlib.Path("src/a/y/1.c"): spdx + '#include "a/x/x_private.h"\n'},
        hub_headers: through,
        folder_cycles: {pathlib.Path("src/collect/x/1.c"): '#include "collect/y/1.h"\n',
                        pathlib.Path("src/collect/y/1.c"): '#include "collect/x/1.h"\n'},
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
