#!/usr/bin/env python3
"""docs/signal.md is the data dictionary: each field of each record of proto/signal.proto stands in it, in `backticks`.

    dictionary.py ROOT | --self-test
"""

import re
import sys
from pathlib import Path

TRANSPORT = {"Batch"}  # the envelope: docs/architecture.md tells of it


def fields(proto):
    for message in re.finditer(r"^message (\w+) \{(.*?)^\}", proto, re.S | re.M):
        if message[1] not in TRANSPORT:
            for name in re.findall(r"^\s*(?:repeated |optional )?[\w.]+ (\w+) = \d+;", message[2], re.M):
                yield message[1], name


def missing(proto, doc):
    told = {word for span in re.findall(r"`([^`]+)`", doc) for word in re.findall(r"\w+", span)}
    return [f"{message}.{name}" for message, name in fields(proto) if name not in told]


def self_test():
    proto = "message A {\n  uint32 pid = 1; // of it\n  repeated string argv = 2;\n}\nmessage Batch {\n  uint64 sequence = 1;\n}\n"
    assert missing(proto, "`pid`, `argv`") == []
    assert missing(proto, "`pid`, argv") == ["A.argv"]
    assert missing(proto, "`pid_ns`, `argv`") == ["A.pid"]


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root = Path(sys.argv[1])
    lacks = missing((root / "proto/signal.proto").read_text(), (root / "docs/signal.md").read_text())
    for name in lacks:
        print(f"docs/signal.md does not tell what {name} of proto/signal.proto is")
    sys.exit(bool(lacks))


if __name__ == "__main__":
    main()
