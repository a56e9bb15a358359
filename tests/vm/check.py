#!/usr/bin/env python3
"""Holds what was recorded in a test machine against what the drivers did there: check.py FOLDER

Prints the table of bench/exact.sh for each pass; exit 1 when a row misses its bar. A pass that must be refused ("no-…")
must have been, with the name of the figure that cannot be served.
"""
import collections
import datetime
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import exact
import exact_files
import exact_sockets
import exact_waits

STATES = exact_waits.STATES


def batches(path):
    """What `tracer audit` printed: JSON objects one after another."""
    decoder, text, at = json.JSONDecoder(), path.read_text(), 0
    while True:
        at += len(text[at:]) - len(text[at:].lstrip())
        if at == len(text):
            return
        batch, at = decoder.raw_decode(text, at)
        yield batch


def instant(text):
    """Seconds; what is printed has microseconds."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Recorded:
    """The executions by program, the containers, the intervals of all samples, and how much was lost."""

    def __init__(self, path):
        self.executions, self.containers, self.intervals = {}, {}, []
        self.files, self.events = [], []
        self.losses, self.calls = collections.Counter(), collections.Counter()
        for batch in batches(path):
            for kind in ("samples", "host_samples", "container_samples"):
                self.intervals += [(kind, instant(s["until_at"]) - instant(s["since_at"])) for s in batch.get(kind, [])]
            for loss in batch.get("losses", []):
                self.losses[loss["what"]] += loss["count"]
            self.files += batch.get("files", [])
            self.events += batch.get("events", [])
            self.containers.update((c["cgroup_id"], c) for c in batch.get("containers", []))
            for s in batch.get("syscalls", []):
                self.calls[s["pid"], s["start_ns"], s["class"], s["error"]] += s["calls"]
            for e in batch.get("executions", []):
                self.executions[e["pid"], e["start_ns"], e["image_seq"]] = dict(e, wall_s=e["wall_ns"] / 1e9)

        self.lost = sum(self.losses.values())

    def of(self, program):
        return [e for e in self.executions.values() if e["exe"].rsplit("/", 1)[-1] == program]

    def report(self, program):
        """As `tracer report --json` tells a run."""
        processes = self.of(program)
        spent, lives = sum(p[f"{s}_ns"] for p in processes for s in STATES), sum(p["threads_ns"] for p in processes)
        return {"processes": processes, "totals": {"lost_records": self.lost, "coverage": spent / lives if lives else 0}}


def check_cgroups(table, recorded):
    """The drivers ran in /exact/work of every hierarchy."""
    found = [recorded.containers.get(e["cgroup_id"], {}).get("path") for e in recorded.of("exact_driver")]
    worst = next((str(path) for path in found if path != "/exact/work"), "")
    table.row("cgroup of the driver's processes", found.count("/exact/work"), len(found), worst, "/exact/work")


def check_compat(table, recorded):
    """32-bit system calls have numbers of their own: what they wait for is not told, and never told wrong."""
    for e in recorded.of("compat_driver"):
        # It waits for its own image besides, which a busy host brings when it may.
        elsewhere = sum(e[f"{s}_ns"] for s in STATES[3:-1] if s not in ("disk", "paging"))
        stall = exact_waits.STALL_MS * 10**6
        good = 300 * 10**6 - stall <= e["other_ns"] <= e["threads_ns"] and elsewhere <= stall
        table.row("a 32-bit program waits in other (ns)", int(good), 1, str(e["other_ns"]), f"300 ms within {exact_waits.STALL_MS} ms, and no other wait")


# What guest.sh has the driver call, beside what a program that calls nothing does: by class and error.
CALLS = {("process", ""): 5000 + 90, ("read", "EBADF"): 30, ("write", ""): 40, ("memory", ""): 2 * 50,
         ("metadata", "ENOENT"): 60, ("lock", "EAGAIN"): 70, ("poll", ""): 80, ("signal", ""): 90, ("time", ""): 2,
         ("socket", "EAFNOSUPPORT"): 7}


def check_calls(table, recorded):
    """System calls by class and error, as the driver made them."""
    def counted(*arguments):
        (e,) = [e for e in recorded.of("probe_driver") if e["argv"][2:2 + len(arguments)] == list(arguments)]
        return lambda kind: recorded.calls[e["pid"], e["start_ns"], *kind]

    idle, busy = counted("g", "0"), counted("g", "5000")
    for kind, calls in CALLS.items():
        made = busy(kind) - idle(kind)
        table.row(f"system calls: {' '.join(kind)}", int(made == calls), 1, str(made), str(calls))
    compat = [recorded.calls[e["pid"], e["start_ns"], "compat", ""] for e in recorded.of("compat_driver")]
    if compat:
        table.row("system calls of 32 bits are apart", int(min(compat) > 0), 1, str(compat), "> 0")


def check_births(table, recorded, world):
    """Each way of coming into the world gave one process, which ended as it said. On v1 a cgroup is memory's."""
    def born(name):
        return [e for e in recorded.executions.values() if e["argv"][-1:] == [f"id={name}"] and e["status"] != "replaced"]

    for name in ("vfork", "posix_spawn", "clone3", "deleted", "script", "thread"):
        codes = [e["exit_code"] for e in born(name) if e["argv"][0] != "birth_driver" or e["argv"][1] == "leaf"]
        table.row(f"one process by {name}, and its exit code", int(codes == [len(name)]), 1, str(codes), f"[{len(name)}]")
    exe = [e["exe"].split(" ")[0] for e in born("deleted")]
    table.row("  … its file's former path", int(exe == ["/tmp/gone"]), 1, str(exe), "/tmp/gone")
    paths = [recorded.containers.get(e["cgroup_id"], {}).get("path") for e in born("clone3") if e["argv"][1] == "leaf"]
    wanted = "/exact/born" if world == "v2" else "/exact/work"
    table.row("  … born into another cgroup", int(paths == [wanted]), 1, str(paths), wanted)
    crowd = [(e["threads_peak"], e["exit_code"]) for e in born("crowd")]
    table.row("5,000 threads that outlive their leader", int(crowd == [(5001, 0)]), 1, str(crowd), "one process of 5001")
    for e in born("crowd"):
        covered = sum(e[f"{s}_ns"] for s in STATES) / e["threads_ns"]
        table.row("  … coverage", int(0.98 <= covered <= 1.02), 1, f"{covered:.4f}", "≥ 98 %, ≤ 102 %")


def check_wrap(table, recorded, count=800):
    """More processes than there are process ids: each is one of its own."""
    ends = [e for e in recorded.of("birth_driver") if e["argv"][1:2] == ["leaf"] and e["argv"][-1][3:].isdigit()
            and e["status"] != "replaced"]
    good = {int(e["argv"][-1][3:]) for e in ends if e["exit_code"] == int(e["argv"][-1][3:]) % 256}
    table.row("processes of ids that come again", len(good), count, f"{len({e['pid'] for e in ends})} ids", "all, with their codes")
    table.row("  … none twice", int(len(ends) == count), 1, str(len(ends)), str(count))
    table.row("  … ids did come again", int(len({e["pid"] for e in ends}) < count), 1, "", "fewer than processes")


def check_days(table, recorded, path):
    """Neither a set clock nor a machine that slept made a life longer or shorter than it was, or left time unexplained."""
    ended = {e["argv"][-1]: e for e in recorded.of("day_driver") if e["status"] == "succeeded"}
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    slept_ns = sum(int(ns) for name, _, ns, _ in lines if name == "machine")
    if path.suffix == ".suspend":
        table.row("the machine did sleep", int(slept_ns >= 2 * 10**9), 1, f"{slept_ns / 1e9:.2f} s", "≥ 2 s")
    for name, state, did, life in (line for line in lines if line[0] != "machine"):
        e, did, life = ended[f"id={name}"], int(did), int(life)
        told_ns = (instant(e["ended_at"]) - instant(e["started_at"])) * 1e9
        good = abs(e["wall_ns"] - life) <= 10**9 and abs(told_ns - e["wall_ns"]) <= 10**5
        table.row(f"{path.suffix[1:]}: life of '{name}'", int(good), 1, f"{told_ns / 1e9:.2f} s", f"{life / 1e9:.2f} s")
        covered = sum(e[f"{s}_ns"] for s in STATES) / e["threads_ns"]
        table.row("  … coverage", int(0.98 <= covered <= 1.02), 1, f"{covered:.4f}", "≥ 98 %, ≤ 102 %")
        spent = {"user": e["user_ns"] + e["kernel_ns"], "pipe_read": e["pipe_read_ns"]}.get(state, e["sleep_ns"])
        most = did + 10**9 + (0 if state == "user" else slept_ns)  # who naps or waits may do so while the machine sleeps
        table.row(f"  … {state}", int(did - 5 * 10**7 <= spent <= most), 1, f"{spent / 1e9:.2f} s", f"{did / 1e9:.2f} s")


def check_intervals(table, recorded):
    bad = [(kind, s) for kind, s in recorded.intervals if not 0 <= s <= 60]
    table.row("intervals of samples, none backwards", len(recorded.intervals) - len(bad), len(recorded.intervals),
              str(bad[0] if bad else ""), "0 to 60 s")


def check_pass(folder, name):
    print(f"-- pass {name}")
    recorded = Recorded(folder / f"{name}.batches")
    table = exact.Table()
    done = {path.suffix for path in folder.glob(f"{name}.*")} - {".batches", ".words"}
    if ".exact" in done:
        exact.process_rows(table, folder / f"{name}.exact", recorded.report("exact_driver"), emulated=True)
        check_cgroups(table, recorded)
    if ".waits" in done:
        exact_waits.rows(table, exact.compare, folder / f"{name}.waits", recorded.report("wait_driver"), emulated=True)
    if ".polls" in done:
        exact_waits.poll_rows(table, exact.compare, folder / f"{name}.polls", recorded.report("poll_driver"), emulated=True)
    if ".sockets" in done:
        exact_sockets.rows(table, folder / f"{name}.sockets", recorded.report("network_driver"))
    if ".calls" not in done:
        check_compat(table, recorded)
    if ".births" in done:
        check_births(table, recorded, (folder / f"{name}.births").read_text().strip())
    if ".calls" in done:
        check_calls(table, recorded)
    if ".files" in done:
        exact_files.rows(table, recorded.of("file_driver"), recorded.files, recorded.events,
                         whole=name != "last" and not (folder / "arm64").exists())
    if ".wrap" in done:
        check_wrap(table, recorded)
    for day in done & {".step", ".suspend"}:
        check_days(table, recorded, folder / f"{name}{day}")
    check_intervals(table, recorded)
    table.row("records lost in this pass", int(not recorded.losses), 1, str(dict(recorded.losses) or 0), "0")
    return table.failed or not done


def check_refused(folder, name):
    words = (folder / f"{name}.words").read_text()
    good = "cannot be served" in words and not (folder / f"{name}.exact").exists()
    print(f"-- pass {name}: {'refused as it must be' if good else 'MISS'}: {words.strip()}")
    return not good


def main(folder):
    folder = pathlib.Path(folder)
    names = sorted(path.stem for path in folder.glob("*.words"))
    failed = [check_refused(folder, n) if n.startswith("no-") else check_pass(folder, n) for n in names]
    return 1 if any(failed) or not failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
