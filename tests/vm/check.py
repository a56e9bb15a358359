#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what was recorded in a test machine against what the drivers did there: check.py FOLDER KERNEL WORLD
[KERNEL PARAMETER…]

FOLDER holds the plan of passes, as boot.sh read it, and what guest.sh left. Prints the table of bench/exact.sh for each
pass, and at the end the rows that missed their bar; exit 1 if there is one. The plan says which rows there are: what a
driver did not come to is missed. A pass that must be refused ("no-…") must have been, with the name of the figure that
cannot be served.

With TRACER_CLOCKS=1 in the environment also the rows with a bar in time, which need a host that does nothing else.
"""
import collections
import datetime
import json
import os
import pathlib
import shlex
import sys

import check_hooks

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import exact
import exact_files
import exact_sockets
import exact_waits

STATES = exact_waits.STATES
CLOCKS = os.environ.get("TRACER_CLOCKS") == "1"


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
        self.files, self.events, self.container_samples = [], [], []
        self.losses, self.calls = collections.Counter(), collections.Counter()
        for batch in batches(path):
            for kind in ("samples", "host_samples", "container_samples"):
                self.intervals += [(kind, instant(s["until_at"]) - instant(s["since_at"])) for s in batch.get(kind, [])]
            for loss in batch.get("losses", []):
                self.losses[loss["what"]] += loss["count"]
            self.files += batch.get("files", [])
            self.container_samples += batch.get("container_samples", [])
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
        """The run as `tracer report --json` has it."""
        processes = self.of(program)
        spent, lives = sum(p[f"{s}_ns"] for p in processes for s in STATES), sum(p["threads_ns"] for p in processes)
        return {"processes": processes, "totals": {"lost_records": self.lost, "coverage": spent / lives if lives else 0}}


def check_cgroups(table, recorded):
    """The drivers ran in /exact/work of every hierarchy."""
    found = [recorded.containers.get(e["cgroup_id"], {}).get("path") for e in recorded.of("exact_driver")]
    worst = next((str(path) for path in found if path != "/exact/work"), "")
    table.row("cgroup of the driver's processes", found.count("/exact/work"), len(found), worst, "/exact/work")


def check_compat(table, recorded):
    """32-bit system calls have numbers of their own: what they wait for is unknown, and never wrong."""
    stall, recorded_ends = exact_waits.STALL_MS * 10**6, recorded.of("compat_driver")

    def is_right(e):
        # It waits for its own image besides, which a busy host brings when it may.
        elsewhere = sum(e[f"{s}_ns"] for s in STATES[3:-1] if s not in ("disk", "paging"))
        least, most = (300 * 10**6 - stall, stall) if table.clocks else (1, e["other_ns"])
        return least <= e["other_ns"] <= e["threads_ns"] and elsewhere <= most

    table.row("a 32-bit program waits in other (ns)", int([is_right(e) for e in recorded_ends] == [True]), 1,
              " ".join(str(e["other_ns"]) for e in recorded_ends),
              f"300 ms within {exact_waits.STALL_MS} ms, and no other wait" if table.clocks else "some, and less in any other")


# What guest.sh has the driver call, beside what a program that calls nothing does: by class and error.
CALLS = {("process", ""): 5000 + 90, ("read", "EBADF"): 30, ("write", ""): 40, ("memory", ""): 2 * 50,
         ("metadata", "ENOENT"): 60, ("lock", "EAGAIN"): 70, ("poll", ""): 80, ("signal", ""): 90, ("time", ""): 2,
         ("socket", "EAFNOSUPPORT"): 7}


def check_calls(table, recorded):
    """System calls by class and error, as the driver made them."""
    def counted(*arguments):
        found = [e for e in recorded.of("probe_driver") if e["argv"][2:2 + len(arguments)] == list(arguments)]
        return lambda kind: sum(recorded.calls[e["pid"], e["start_ns"], *kind] for e in found)

    idle, busy = counted("g", "0"), counted("g", "5000")
    for kind, calls in CALLS.items():
        made = busy(kind) - idle(kind)
        table.row(f"system calls: {' '.join(kind)}", int(made == calls), 1, str(made), str(calls))


def check_compat_calls(table, recorded):
    compat = [recorded.calls[e["pid"], e["start_ns"], "compat", ""] for e in recorded.of("compat_driver")]
    table.row("system calls of 32 bits are apart", int([calls > 0 for calls in compat] == [True]), 1, str(compat), "> 0")


def check_coverage(table, executions):
    if not table.clocks:
        exact_waits.explained_row(table, executions, emulated=True)
        return
    spent, lives = sum(e[f"{s}_ns"] for e in executions for s in STATES), sum(e["threads_ns"] for e in executions)
    covered = spent / lives if lives else 0
    table.row("  … coverage", int(0.98 <= covered <= 1.02), 1, f"{covered:.4f}", "≥ 98 %, ≤ 102 %")


def check_births(table, recorded, its):
    """Each way of coming into the world gave one process, which ended as it said. Its cgroup is memory's: of v1 where the
    kernel has that one there, as Debian's 6.12 has not."""
    def born(name):
        return [e for e in recorded.executions.values() if e["argv"][-1:] == [f"id={name}"] and e["status"] != "replaced"]

    for name in ("vfork", "posix_spawn", "clone3", "deleted", "script", "thread"):
        codes = [e["exit_code"] for e in born(name) if e["argv"][0] != "birth_driver" or e["argv"][1] == "leaf"]
        table.row(f"one process by {name}, and its exit code", int(codes == [len(name)]), 1, str(codes), f"[{len(name)}]")
    exe = [e["exe"].split(" ")[0] for e in born("deleted")]
    table.row("  … its file's former path", int(exe == ["/tmp/gone"]), 1, str(exe), "/tmp/gone")
    paths = [recorded.containers.get(e["cgroup_id"], {}).get("path") for e in born("clone3") if e["argv"][1] == "leaf"]
    wanted = "/exact/work" if (its.kernel, its.world) == ("6.1-amd64", "v1") else "/exact/born"
    table.row("  … born into another cgroup", int(paths == [wanted]), 1, str(paths), wanted)
    crowd = [(e["threads_peak"], e["exit_code"]) for e in born("crowd")]
    table.row("5,000 threads that outlive their leader", int(crowd == [(5001, 0)]), 1, str(crowd), "one process of 5001")
    check_coverage(table, born("crowd"))


def check_wrap(table, recorded, count=800):
    """More processes than there are process ids: each is one of its own."""
    ends = [e for e in recorded.of("birth_driver") if e["argv"][1:2] == ["leaf"] and e["argv"][-1][3:].isdigit()
            and e["status"] != "replaced"]
    good = {int(e["argv"][-1][3:]) for e in ends if e["exit_code"] == int(e["argv"][-1][3:]) % 256}
    table.row("processes of reused ids", len(good), count, f"{len({e['pid'] for e in ends})} ids", "all, with their codes")
    table.row("  … none twice", int(len(ends) == count), 1, str(len(ends)), str(count))
    table.row("  … ids were reused", int(len({e["pid"] for e in ends}) < count), 1, "", "fewer than processes")


# The processes that day_driver.c writes down.
DAYS = {"step": ("ahead", "behind", "across"), "suspend": ("reads", "spins", "naps", "pair"), "unplug": ("solo", "dozes", "duo")}
WALL = ("computing", "runnable", "disk", "paging", "network", "pipe_read", "pipe_write", "lock", "child", "sleep", "poll", "other")


def check_spent(table, e, state):
    """What it did was recorded as that, and as no longer than its life. (A kernel that counts by ticks may count 0.1 s of CPU, spent by
    asking for the time, as its own alone: user and kernel are one here.)"""
    cpu = ("user", "kernel")
    own = {"user": (cpu,), "pipe_read": (("pipe_read",),), "mixed": (cpu, ("sleep",))}.get(state, (("sleep",),))
    spent = [sum(e[f"{s}_ns"] for s in states) for states in own]
    table.row(f"  … {state}", int(min(spent) > 0 and sum(spent) <= e["wall_ns"]), 1, f"{sum(spent) / 1e9:.2f} s", "some, in its life")


def check_wall(table, e):
    """The classes of wall time are the life, but for 1 % or 10 ms; of one or more CPUs that it computed on, one is a part."""
    classes = sum(e[f"wall_{c}_ns"] for c in WALL)
    most = max(WALL, key=lambda c: e[f"wall_{c}_ns"])
    good = abs(e["wall_ns"] - classes) <= max(10**7, e["wall_ns"] / 100) and e["wall_serial_ns"] <= e["wall_computing_ns"]
    table.row(f"  … wall time, most of it {most}", int(good), 1, f"{classes / 1e9:.2f} s", f"{e['wall_ns'] / 1e9:.2f} s")


def check_days(table, recorded, path):
    """Neither a set clock nor a machine that slept, nor a CPU that came and went, made a life longer or shorter than it was, or left time
    unexplained."""
    day = path.suffix[1:]
    lines = {line.split("\t")[0]: line.split("\t")[1:] for line in path.read_text().splitlines()}
    slept_ns = int(lines["machine"][1]) if "machine" in lines else 0
    if day == "suspend":
        table.row("the machine did sleep", int(slept_ns >= 2 * 10**9), 1, f"{slept_ns / 1e9:.2f} s", "≥ 2 s")
    for name in DAYS[day]:
        ended = [e for e in recorded.of("day_driver") if e["status"] == "succeeded" and e["argv"][-1] == f"id={name}"]
        if len(ended) != 1 or name not in lines:
            table.row(f"{day}: life of '{name}'", 0, 1, f"{len(ended)} recorded", "one, and written down by its driver")
            continue
        (e,), (state, did, life, queued) = ended, lines[name]
        did, life, queued = int(did), int(life), int(queued)
        recorded_ns = (instant(e["ended_at"]) - instant(e["started_at"])) * 1e9
        # The driver began to look before it was born, and looked last after its end.
        good = e["wall_ns"] <= life and abs(recorded_ns - e["wall_ns"]) <= 10**5 and (state == "pipe_read" or e["wall_ns"] >= did)
        table.row(f"{day}: life of '{name}'", int(good), 1, f"{recorded_ns / 1e9:.2f} s", f"{life / 1e9:.2f} s")
        check_coverage(table, ended)
        check_wall(table, e)
        if state == "pair":
            continue
        if not table.clocks:
            check_spent(table, e, state)
            continue
        table.row("  … queued for a CPU", int(e["runnable_ns"] >= queued - 5 * 10**7), 1, f"{e['runnable_ns'] / 1e9:.2f} s",
                  f"{queued / 1e9:.2f} s")
        spent = {"user": e["user_ns"] + e["kernel_ns"], "pipe_read": e["pipe_read_ns"]}.get(state, e["sleep_ns"])
        most = did + 10**9 + (0 if state == "user" else slept_ns)  # who naps or waits may do so while the machine sleeps
        # Who is woken, by its end or by a frozen machine's thaw, may queue for a CPU: its driver's clock takes that for its wait.
        held_up = queued if state == "pipe_read" else 0
        good = did - held_up - 5 * 10**7 <= spent <= most
        table.row(f"  … {state}", int(good), 1, f"{spent / 1e9:.2f} s", f"{did / 1e9:.2f} s")
        if not good:
            print(f"  {name}: {({s: e[f'{s}_ns'] for s in STATES if e[f'{s}_ns']})}", file=sys.stderr)


DAY_S = 3000  # no machine runs that long, and day_driver.c sets its clock by an hour


def check_intervals(table, recorded):
    bad = [(kind, s) for kind, s in recorded.intervals if not 0 <= s <= DAY_S]
    table.row("intervals of samples, none backwards", len(recorded.intervals) - len(bad), len(recorded.intervals),
              str(bad[0] if bad else ""), "0 s to less than a clock is set by")


class Pass:
    """A line of the plan: "pass NAME WHAT… -- OPTION…"."""

    def __init__(self, line, folder, kernel, world):
        _, self.name, *words = shlex.split(line)
        at = words.index("--")
        self.what, self.options = words[:at], words[at + 1:]
        self.folder, self.kernel, self.world = folder, kernel, world

    def file(self, kind):
        return self.folder / f"{self.name}.{kind}"

    def is_whole(self):
        """Files are served by fentry and fexit, which arm64 has since Linux 6.4."""
        return self.name != "last" and self.kernel != "6.1-arm64"

    def ended(self):
        """How each driver ended, and audit."""
        return dict(line.split() for line in self.file("ended").read_text().splitlines())


def check_processes(table, recorded, its):
    exact.process_rows(table, its.file("exact"), recorded.report("exact_driver"), emulated=True)
    check_cgroups(table, recorded)


def check_waits(table, recorded, its):
    exact_waits.rows(table, exact.compare, its.file("waits"), recorded.report("wait_driver"))


def check_reclaims(table, recorded, its):
    """What a write waits for memory is paging, as a page fault's wait is."""
    recorded_by_pid = {p["pid"]: p for p in recorded.of("dirty_driver") if p["argv"][1] == "dirty" and p["status"] == "succeeded"}
    pairs = []
    for identity, _, _, pid, waited, queued in (line.split("\t") for line in its.file("reclaims").read_text().splitlines()):
        p = recorded_by_pid.get(int(pid))
        pairs.append((int(identity), p and p["paging_ns"], int(waited) - (exact_waits.taken_ns(p, queued) if p else 0)))
    exact.compare(table, "time in paging: to write at a cgroup's limit (ns)", pairs, f"1 % or {exact_waits.STALL_MS} ms",
                  lambda measured, true: abs(measured - true) <= max(0.01 * true, exact_waits.STALL_MS * 10**6), clock=True)
    table.row("to write at a cgroup's limit is paging: some of it", sum(p["paging_ns"] > 0 for p in recorded_by_pid.values()), 2, "", "> 0")


def check_shared(table, recorded, its):
    """A wait for the disk of another machine is a disk wait, counted as shared."""
    (_, _, _, pid, waited, queued), = (line.split("\t") for line in its.file("shared").read_text().splitlines())
    waits = [p for p in recorded.of("wait_driver") if p["pid"] == int(pid) and p["status"] == "succeeded"]
    exact.compare(table, "time in disk, on another machine: O_DIRECT, over NFS (ns)",
                  [(1, waits[0]["disk_shared_ns"], int(waited) - exact_waits.taken_ns(waits[0], queued))] if waits else [(1, None, 0)],
                  f"1 % or {exact_waits.STALL_MS} ms",
                  lambda measured, true: abs(measured - true) <= max(0.01 * true, exact_waits.STALL_MS * 10**6), clock=True)
    table.row("to wait for another machine's disk is shared: some of it", sum(p["disk_shared_ns"] > 0 for p in waits), 1, "", "> 0")
    parts = [p["disk_shared_ns"] <= p["disk_ns"] for p in recorded.of("wait_driver")]
    table.row("  … it is part of all time in disk", sum(parts), len(parts), "", "all")
    local = [p["disk_shared_ns"] for p in recorded.of("wait_driver") if p["argv"][2:3] != ["/shared"]]
    table.row("  … and no other of its waits is", int(not any(local)), 1, str(max(local, default=0)), "0")


def check_squeezed(table, recorded, its):
    """What a cgroup of version 2 counted in its whole life: as its own files say."""
    true = {}
    for line in its.file("squeezed").read_text().splitlines():
        file, text = line.removeprefix("./").split(":", 1)
        first, *words = text.split()
        true[f"{file} {first}"] = int(words[-1].removeprefix("total=")) if words else None
    folders = {c["cgroup_id"] for c in recorded.containers.values() if c["path"] == "/exact/squeezed"}
    samples = [s for s in recorded.container_samples if s["cgroup_id"] in folders]
    figures = {f"memory_{ours}": true[f"memory.events {its_own}"]
               for ours, its_own in (("high_events", "high"), ("max_events", "max"), ("oom_events", "oom"), ("oom_kills", "oom_kill"))}
    for what in ("cpu", "memory", "io"):
        figures |= {f"{what}_pressure_ns": true[f"{what}.pressure some"] * 1000,
                    f"{what}_pressure_full_ns": true[f"{what}.pressure full"] * 1000}
    counted = {name: sum(s.get(name, 0) for s in samples) for name in figures}
    right = sum(counted[name] == figures[name] for name in figures)
    wrong = next((f"{name} {counted[name]} for {figures[name]}" for name in figures if counted[name] != figures[name]), "")
    table.row("pressure and memory events of a cgroup", right, len(figures), wrong, "as its files say")
    squeezed = figures["memory_high_events"] > 0 and figures["memory_pressure_ns"] > 0
    table.row("  … memory was short in it", int(squeezed), 1, str(figures["memory_high_events"]), "> 0")


def check_polls(table, recorded, its):
    exact_waits.poll_rows(table, exact.compare, its.file("polls"), recorded.report("poll_driver"))


# What guest.sh can have watched, and who checks it.
CHECKS = {
    "processes": check_processes,
    "waits": check_waits,
    "polls": check_polls,
    "reclaims": check_reclaims,
    "shared": check_shared,
    "squeezed": check_squeezed,
    "sockets": lambda table, recorded, its:
        exact_sockets.rows(table, its.file("sockets"), recorded.report("network_driver")),
    "calls": lambda table, recorded, its: check_calls(table, recorded),
    "compat": lambda table, recorded, its:
        (check_compat_calls if "--syscalls" in its.options else check_compat)(table, recorded),
    "births": check_births,
    "files": lambda table, recorded, its:
        exact_files.rows(table, recorded.of("file_driver"), recorded.files, recorded.events, whole=its.is_whole()),
    "wrap": lambda table, recorded, its: check_wrap(table, recorded),
    "step": lambda table, recorded, its: check_days(table, recorded, its.file("step")),
    "suspend": lambda table, recorded, its: check_days(table, recorded, its.file("suspend")),
    "unplug": lambda table, recorded, its: check_days(table, recorded, its.file("unplug")),
}


def check_pass(its):
    print(f"-- pass {its.name}")
    table, ended = exact.Table(clocks=CLOCKS), its.ended()
    for each in (*its.what, "audit"):
        status = ended.get(each, "none")
        table.row(f"{each}: its status", int(status == "0"), 1, status, "0")
    recorded = Recorded(its.file("batches"))
    for each in its.what:
        CHECKS[each](table, recorded, its)
    check_intervals(table, recorded)
    table.row("records lost in this pass", int(not recorded.losses), 1, str(dict(recorded.losses) or 0), "0")
    return table.missed


# What no hook of the kind that is forced can serve: the first of these that hooks.c comes to.
REFUSED = {
    ("6.1-amd64", "tracepoint"): "exact peak memory at exec",   # sched_prepare_exec is of 6.10
    ("6.12-amd64", "tracepoint"): "exact peak memory at exit",  # sched_process_exit comes after memory went, before 6.16
    ("6.1-arm64", "fentry"): "exact peak memory at exec",       # it has none before 6.4
}


def check_refused(its):
    words, kind = its.file("words").read_text(), its.options[-1]
    expected = f"force-hook {kind}: '{REFUSED[its.kernel, kind]}' cannot be served"
    good = expected in words and list(its.ended()) == ["audit"] and its.ended()["audit"] != "0"
    line = f"pass {its.name}: {'refused as it must be' if good else 'MISS'}: {words.strip()}"
    print(f"-- {line}")
    return [] if good else [line]


def check_doctor(path, kernel, parameters):
    print("-- tracer doctor")
    table = exact.Table(clocks=CLOCKS)
    check_hooks.rows(table, path, kernel, parameters)
    return table.missed


def main(folder, kernel, world, *parameters):
    folder = pathlib.Path(folder)
    passes = [Pass(line, folder, kernel, world) for line in (folder / "plan").read_text().splitlines() if line]
    missed = [row for its in passes for row in (check_refused if its.name.startswith("no-") else check_pass)(its)]
    missed += check_doctor(folder / "doctor", kernel, parameters)
    if missed:
        print("\nWhat missed its bar:", *missed, sep="\n")
    return 1 if missed or not passes else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
