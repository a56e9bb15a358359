#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rules of style that a machine can check (docs/design/style.md), as a test.

    style.py ROOT            checks the tree, one line a fault, exit 1 if there is one
    style.py --self-test     each rule against a text that breaks it and one that keeps it
"""
import pathlib
import re
import subprocess
import sys

# Which libraries a library may include, besides itself (docs/design/architecture.md, Libraries).
MAY_USE = {
    "base": set(),
    "signal": {"base"},
    "probe": {"base", "signal"},
    "correlate": {"base", "signal"},
    "ship": {"base", "signal"},
    "gpu": {"base"},
    "collect": {"base", "gpu", "cloud", "signal", "probe", "correlate", "ship"},
    "lake": {"base", "signal"},
    "cloud": {"base"},
    "inventory": {"base"},
    "cost": {"base", "signal", "cloud"},
    "findings": {"base", "signal", "cost", "tune"},
    "sweep": {"base", "signal"},
    "tune": {"base", "signal"},
    "server": {"base", "signal", "ship", "lake", "cloud", "inventory", "cost", "findings", "sweep", "tune"},
    "cli": {"base", "gpu", "signal", "probe", "correlate", "collect", "ship", "cloud", "cost"},
}
FORBIDDEN_CALLS = {
    "strcpy": "memcpy with a length, or struct buffer",
    "strcat": "struct buffer",
    "sprintf": "snprintf",
    "vsprintf": "vsnprintf",
    "gets": "file_read",
    "strtok": "strsep or a loop",
    "atoi": "strtoull with its checks",
    "atol": "strtoull with its checks",
    "atof": "strtod with its checks",
    "system": "posix_spawn",
    "popen": "posix_spawn",
    "alloca": "a buffer with a cap",
    "mktemp": "mkstemp",
    "tmpnam": "mkstemp",
    "rand": "getrandom",
}
PURE_LIBRARIES = {"correlate", "cost", "findings", "sweep", "tune"}
IMPURE_CALLS = ["time", "clock_gettime", "open", "openat", "fopen", "read", "socket", "getenv", "clock_real_ns",
                "clock_boot_ns", "file_read"]
MAX_FILE, MAX_HEADER, MAX_FUNCTION = 400, 120, 50


def code_only(text):
    """The text with comments and literals blanked, line numbers kept."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


def lengths(path, text):
    lines = text.count("\n") - text.startswith("/* SPDX-")
    limit = MAX_HEADER if path.suffix == ".h" else MAX_FILE
    if path.name != "core_types.h" and lines > limit:
        yield 1, f"{lines} lines, at most {limit}: a second noun is hiding here"


def functions(path, text):
    if path.suffix != ".c":
        return
    start = None
    for number, line in enumerate(text.split("\n"), 1):
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            if number - start - 1 > MAX_FUNCTION:
                yield start, f"a function of {number - start - 1} lines, at most {MAX_FUNCTION}"
            start = None


def header_rules(path, text):
    if path.suffix != ".h":
        return
    if "#pragma once" not in text:
        yield 1, "a header without #pragma once"
    for match in re.finditer(r"^typedef\s+(struct|union|enum)\b", code_only(text), re.M):
        yield text[:match.start()].count("\n") + 1, "a typedef of a struct, union or enum"


def arrows(path, text):
    parts = path.parts
    if "src" not in parts:
        return
    library = parts[parts.index("src") + 1]
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r'\s*#\s*include\s+"(\w+)/', line)
        if match and match.group(1) in MAY_USE and match.group(1) not in MAY_USE[library] | {library}:
            yield number, f"{library} may not use {match.group(1)}"


def calls(path, text):
    code = code_only(text)
    library = path.parts[path.parts.index("src") + 1] if "src" in path.parts else ""
    banned = dict(FORBIDDEN_CALLS)
    if library in PURE_LIBRARIES:
        banned.update({name: "a value from the caller: this library is pure" for name in IMPURE_CALLS})
    for match in re.finditer(r"(?<![\w.>])(" + "|".join(banned) + r")\s*\(", code):
        yield code[:match.start()].count("\n") + 1, f"{match.group(1)}(): use {banned[match.group(1)]}"
    if not path.name.endswith(".bpf.c"):
        for match in re.finditer(r"\bgoto\b", code):
            yield code[:match.start()].count("\n") + 1, "goto"


def open_ends(path, text):
    for number, line in enumerate(text.split("\n"), 1):
        if re.search(r"\b(TODO|FIXME|XXX|HACK)\b", line):
            yield number, "an open end: it goes into the issue's note"
        if re.search(r"/work/(main|shared)", line):
            yield number, "a path of one machine"


def owners(path, text):
    """The destructor runs at every return: an owner that holds nothing yet must say so."""
    code = code_only(text)
    for match in re.finditer(r"\bCLEANUP\(\w+\)[\w ]*;", code):
        yield code[:match.start()].count("\n") + 1, "an owner without an initial value"


def engine_comparisons(path, text):
    """Code that asks for one engine: a field or an operation of struct engine says what it is asked for."""
    if "src/correlate/engines/" in str(path) or "src" not in path.parts:
        return
    code = re.sub(r"/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match.group(0)), text, flags=re.S)
    for match in re.finditer(r"(?<!&)&engine_\w+|\bengine->name\s*,\s*\"", code):
        yield code[:match.start()].count("\n") + 1, f"{match.group(0)}: ask for a field or an operation of the engine"


def rows_by_hand(path, text):
    """Lists of the API go through the row writer, so that each can be answered in every format."""
    if not str(path).startswith("src/server/api/"):
        return
    code = code_only(text)
    for match in re.finditer(r"\bjson_array_begin\s*\(", code):
        yield code[:match.start()].count("\n") + 1, "a list written by hand: use server/rows/row_writer.h"


RULES = [rows_by_hand, owners, lengths, functions, header_rules, arrows, calls, open_ends, engine_comparisons]


def tracked(root, *patterns):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "--", *patterns],
                            check=True, capture_output=True, text=True).stdout
    return [pathlib.Path(name) for name in listed.split("\n") if name and (pathlib.Path(root) / name).exists()]


def check_tree(root):
    faults = 0
    sources = tracked(root, "src/*.c", "src/*.h")
    if not sources:
        sys.exit("style.py: no sources found: is this a checkout?")
    for path in sources:
        text = (pathlib.Path(root) / path).read_text()
        for rule in RULES:
            for line, words in rule(path, text):
                print(f"{path}:{line}: {words}")
                faults += 1
    for path in tracked(root, "tests/*.c", "bench/*.c", "web/src/*.ts*"):
        text = (pathlib.Path(root) / path).read_text()
        for rule in (open_ends, lengths):
            for line, words in rule(path, text):
                print(f"{path}:{line}: {words}")
                faults += 1
    print(f"{len(sources)} files, {faults} faults")
    return faults


def self_test():
    c, h, pure, tree = (pathlib.Path(name) for name in ("src/ship/a.c", "src/ship/a.h", "src/tune/a.c", "src/correlate/tree/a.c"))
    cases = [
        (lengths, c, "x\n" * 401, "x\n" * 400),
        (lengths, h, "x\n" * 121, "x\n" * 120),
        (functions, c, "{\n" + "x;\n" * 51 + "}\n", "{\n" + "x;\n" * 50 + "}\n"),
        (header_rules, h, "int x;\n", "#pragma once\n"),
        (header_rules, h, "#pragma once\ntypedef struct a b;\n", "#pragma once\nstruct a;\n"),
        (arrows, c, '#include "lake/store/store.h"\n', '#include "base/error.h"\n'),
        (calls, c, "x = strcpy(a, b);", "/* strcpy(a) */ my_strcpy(a); s.system(x);"),
        (calls, pure, "clock_real_ns();", "x = later(now);"),
        (calls, c, "goto out;", '"goto";'),
        (rows_by_hand, pathlib.Path("src/server/api/a.c"), "json_array_begin(&json);", "row_list_begin(writer);"),
        (owners, c, "struct buffer text CLEANUP(buffer_clear);", "struct buffer text CLEANUP(buffer_clear) = { 0 };"),
        (open_ends, c, "/" + "work/main", "/var/lib"),
        (open_ends, c, "/* TODO */", "/* done */"),
        (engine_comparisons, tree, "if (run->engine == &engine_slurm)", "if (run->engine->is_scheduler) /* &engine_slurm */"),
        (engine_comparisons, tree, 'strcmp(run->engine->name, "slurm")', 'printf("%s", run->engine->name)'),
    ]
    for rule, path, bad, good in cases:
        assert list(rule(path, bad)), f"{rule.__name__} missed {bad[:40]!r}"
        assert not list(rule(path, good)), f"{rule.__name__} blamed {good[:40]!r}"
    print(f"{len(cases)} rules hold")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif len(sys.argv) == 2:
        sys.exit(1 if check_tree(sys.argv[1]) else 0)
    else:
        sys.exit(__doc__)
