# SPDX-License-Identifier: Apache-2.0
"""The rows of exact.py about files, which tests/vm/check.py has as well (tests/vm/file_driver.c)."""
import errno

USED = ("close", "exit", "dup2", "range", "exec")  # ways of file_driver.c: five files each, 500 bytes in each
ONLY_CLOSE = ("dup2", "range", "exec")             # of which a tracepoint of close sees nothing
FULL_BYTES = 65536                                 # of the file system that is full


def used_rows(table, name, folder, reported, count):
    regular = [f for f in reported if f["kind"] == "file"]
    opens, moved = sum(f["opens"] for f in regular), sum(f["moved_bytes"] for f in regular)
    table.row(f"files let go by {name}: opens, bytes", int((opens, moved) == (count, 500 * count)), 1,
              f"{opens}, {moved}", f"{count}, {500 * count}")
    paths = sorted(f["path"] for f in regular if f["path"])
    table.row("  … their paths", int(paths == [f"{folder}/{name}.{n}" for n in range(count)]), 1, str(len(paths)), str(count))


def missing_rows(table, reported):
    failed = sum(f["failures"] for f in reported if f["kind"] == "failed" and f["error"] == errno.ENOENT)
    table.row("opens that fail, by ENOENT", int(failed == 5), 1, str(failed), "5")


def full_rows(table, folder, reported, events, pids):
    regular = [f for f in reported if f["kind"] == "file"]
    seen = tuple(sum(f[key] for f in rows) for key, rows in (
        ("opens", regular), ("moved_bytes", regular), ("failures", [f for f in regular if f["error"] == errno.ENOSPC])))
    table.row("writes that fail, by ENOSPC", int(seen == (1, FULL_BYTES, 5)), 1, "%d, %d, %d" % seen,
              f"1 file, {FULL_BYTES}, 5")
    events = [e["pid"] for e in events if e["kind"] == "disk_full" and e["path"] == f"{folder}/file"]
    table.row("  … its event disk_full", int(events == pids), 1, str(len(events)), "1, with its path")


def rows(table, executions, files, events, whole=True):
    """whole: served by fentry and fexit. Else what only they see must not be there, and nothing be reported twice."""
    own = {name: [e for e in executions if e["argv"] and e["argv"][0] == "file_driver" and e["argv"][-1] == f"id={name}"]
           for name in (*USED, "missing", "full")}
    table.row("ways to use files, one process each", sum(len(of) == 1 for of in own.values()), len(own), "", "all")
    for name, of in own.items():
        folder = of[0]["argv"][2] if of else ""
        ids = [(e["pid"], e["start_ns"], e["image_seq"]) for e in of]
        reported = [f for f in files if (f["pid"], f["start_ns"], f["image_seq"]) in ids]
        if name in USED:
            used_rows(table, name, folder, reported, 5 if whole or name not in ONLY_CLOSE else 0)
        elif name == "missing":
            missing_rows(table, reported)
        else:
            full_rows(table, folder, reported, events, [e["pid"] for e in of])
