#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A fuzzer's corpus as one file (its format: pack.h), and as the folder that libFuzzer works on.

    pack.py pack FOLDER PACK        every file of the folder
    pack.py unpack PACK FOLDER      into a new folder
    pack.py self-test PROGRAM       there and back; and PROGRAM, a replaying fuzz target, refuses packs that are cut,
                                    empty, too long or short of an entry
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile


def packed(entries):
    parts = [b"fuzz corpus %d\n" % len(entries)]
    for name, content in sorted(entries.items()):
        if " " in name or "\n" in name or not 0 < len(name) < 64:
            sys.exit(f"'{name}' is no name for an entry: at most 63 characters, no space, no newline")
        parts.append(b"%s %d\n%s\n" % (name.encode(), len(content), content))
    return b"".join(parts)


def unpacked(content):
    head, _, rest = content.partition(b"\n")
    entries = {}
    if not head.startswith(b"fuzz corpus "):
        sys.exit("not a packed corpus: its first line is not 'fuzz corpus COUNT'")
    for _ in range(int(head.split()[2])):
        line, _, rest = rest.partition(b"\n")
        name, length = line.split(b" ")
        entries[name.decode()], rest = rest[:int(length)], rest[int(length):]
        if rest[:1] != b"\n":
            sys.exit(f"the entry {name.decode()} is cut off")
        rest = rest[1:]
    if rest:
        sys.exit(f"{len(rest)} bytes are left behind the last entry")
    return entries


def pack(folder, path):
    entries = {file.name: file.read_bytes() for file in pathlib.Path(folder).iterdir() if file.is_file()}
    pathlib.Path(path).write_bytes(packed(entries))
    print(f"{len(entries)} entries in {path}")


def unpack(path, folder):
    entries = unpacked(pathlib.Path(path).read_bytes())
    shutil.rmtree(folder, ignore_errors=True)
    pathlib.Path(folder).mkdir(parents=True)
    for name, content in entries.items():
        (pathlib.Path(folder) / name).write_bytes(content)
    print(f"{len(entries)} entries in {folder}")


def self_test(program):
    entries = {"empty": b"", "lines": b"a 3\nb\n", "bytes": b"\0\n\xff\x80 12"}
    whole = packed(entries)
    assert unpacked(whole) == entries
    one_more = whole.replace(b"corpus 3", b"corpus 4")
    one_less = whole.replace(b"corpus 3", b"corpus 2")
    wrong = [b"", packed({}), one_more, one_less, whole + b"x", whole.replace(b"bytes 7", b"bytes 6"),
             whole.replace(b"bytes 7", b"bytes " + b"9" * 40)] + [whole[:cut] for cut in range(len(whole))]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "one.pack"

        def status(content):
            file.write_bytes(content)
            return subprocess.run([program, file], capture_output=True, check=False).returncode

        assert status(whole) == 0
        for content in wrong:
            assert status(content) == 1, f"taken for a corpus: {content!r}"
        unpack_folder = pathlib.Path(folder) / "unpacked"
        file.write_bytes(whole)
        unpack(file, unpack_folder)
        pack(unpack_folder, file)
        assert file.read_bytes() == whole
    print(f"{len(wrong)} damaged packs refused")


if __name__ == "__main__":
    commands = {"pack": (pack, 2), "unpack": (unpack, 2), "self-test": (self_test, 1)}
    call, count = commands.get(sys.argv[1] if len(sys.argv) > 1 else "", (None, 0))
    if not call or len(sys.argv) != 2 + count:
        sys.exit(__doc__)
    call(*sys.argv[2:])
