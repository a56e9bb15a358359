#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/signal.md is the data dictionary. It has each field of each record of proto/signal.proto in `backticks`; its table of
hooks is that of src/probe/load/hooks.c, way for way, and no hook of the probe's is left unnamed.

    dictionary.py ROOT | --self-test
"""

import re
import sys
from pathlib import Path

TRANSPORT = {"Batch"}  # the envelope: see docs/design/architecture.md


def fields(proto):
    for message in re.finditer(r"^message (\w+) \{(.*?)^\}", proto, re.S | re.M):
        if message[1] not in TRANSPORT:
            for name in re.findall(r"^\s*(?:repeated |optional )?[\w.]+ (\w+) = \d+;", message[2], re.M):
                yield message[1], name


def named(doc):
    return {word for span in re.findall(r"`([^`]+)`", doc) for word in re.findall(r"\w+", span)}


def missing(proto, doc):
    words = named(doc)
    return [f"{message}.{name}" for message, name in fields(proto) if name not in words]


def ways(source):
    """What hooks.c serves, each with its ways in order; one that differs in its programs alone is the same way."""
    words = {}  # a name that is defined for several machines has several
    for name, text in re.findall(r'#define (\w+)\s+"([^"]*)"', source):
        words.setdefault(name, []).append(text)
    prefixes = dict(re.findall(r'\[(\w+)\] = \{ "\w*", "(\w+)" \}', source))
    served = {}
    table = source.split("struct way ways[] = {", 1)[1].split("\n};", 1)[0]
    for figure, kind, text, name in re.findall(r'\{ (\w+), (\w+), (?:"([^"]*)"|(\w+)),', table):
        for target in [text] if text else words[name]:
            served.setdefault(words[figure][0], {})[f"{prefixes[kind]}/{target}"] = None
    return {figure: list(names) for figure, names in served.items()}


def told_ways(doc):
    section = doc.split("\n## Hooks\n", 1)[1].split("\n## ", 1)[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("|")]
    return {row[0]: re.findall(r"`(\w+/[\w./]+)`", row[1]) for row in rows[2:]}


def hooks_differ(source, doc):
    has, says = ways(source), told_ways(doc)
    return [f"'{figure}': hooks.c has {has.get(figure)}, the document {says.get(figure)}"
            for figure in sorted(has.keys() | says.keys()) if has.get(figure) != says.get(figure)]


def unnamed(programs, doc):
    return sorted(set(re.findall(r'SEC\("(?:tp_btf|fentry|fexit|kprobe)/(\w+)"\)', programs)) - named(doc))


SELF_PROTO = "message A {\n  uint32 pid = 1; // of it\n  repeated string argv = 2;\n}\nmessage Batch {\n  uint64 sequence = 1;\n}\n"
SELF_SOURCE = """
#define CALL "one_call"
#define CALL "other_call"
	[FENTRY] = { "fentry", "fentry" },
	[TP_BTF] = { "tracepoint", "tp_btf" },
#define LIFE  "lives"
#define CALLS "calls"
static const struct way ways[] = {
	{ LIFE, TP_BTF, "fork", here, "on_fork", NULL },
	{ LIFE, TP_BTF, "fork", here, "on_fork_of_two",
	  NULL },
	{ LIFE, FENTRY, "begin", here, "", NULL },
	{ CALLS, FENTRY, CALL, here, "", NULL },
};
"""
SELF_DOC = """
## Hooks

| serves | ways |
|---|---|
| lives | `tp_btf/fork` (of two, too), `fentry/begin` |
| calls | `fentry/one_call`, `fentry/other_call` |

## Other
| lives | `fentry/unheeded` |
"""


def self_test():
    assert missing(SELF_PROTO, "`pid`, `argv`") == []
    assert missing(SELF_PROTO, "`pid`, argv") == ["A.argv"]
    assert missing(SELF_PROTO, "`pid_ns`, `argv`") == ["A.pid"]
    assert hooks_differ(SELF_SOURCE, SELF_DOC) == []
    assert len(hooks_differ(SELF_SOURCE, SELF_DOC.replace(", `fentry/begin`", ""))) == 1
    assert len(hooks_differ(SELF_SOURCE, SELF_DOC.replace("`fentry/begin`", "fentry/begin"))) == 1
    assert len(hooks_differ(SELF_SOURCE, SELF_DOC.replace("| calls", "| gone | `fentry/x` |\n| calls"))) == 1
    assert len(hooks_differ(SELF_SOURCE.replace("CALLS, FENTRY", "CALLS, TP_BTF"), SELF_DOC)) == 1
    assert unnamed('SEC("tp_btf/fork")\nSEC("fexit/shut")', SELF_DOC) == ["shut"]


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root = Path(sys.argv[1])
    doc = (root / "docs/signal.md").read_text()
    programs = "".join(path.read_text() for path in root.glob("src/probe/bpf/**/*.bpf.[ch]"))
    faults = [f"does not say what {name} of proto/signal.proto is"
              for name in missing((root / "proto/signal.proto").read_text(), doc)]
    faults += [f"has another table of hooks: {fault}"
               for fault in hooks_differ((root / "src/probe/load/hooks.c").read_text(), doc)]
    faults += [f"does not name the hook {name} of src/probe" for name in unnamed(programs, doc)]
    for fault in faults:
        print(f"docs/signal.md {fault}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
