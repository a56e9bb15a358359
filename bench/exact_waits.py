# SPDX-License-Identifier: Apache-2.0
"""The rows of exact.py about where time went."""
import sys
from collections import defaultdict

STATES = ("user", "kernel", "runnable", "disk", "paging", "network", "pipe_read", "pipe_write", "lock", "child", "sleep",
          "poll", "other")
POLLS = ("network", "pipe", "timer")  # the kinds of waits in poll that are distinguished
STALL_MS = 25
WAYS = {  # of the drivers, where their name says too little
    "fifo_open": "to open a FIFO",
    "lock": "a mutex",
    "disk": "O_DIRECT, a throttled disk",
    "uring_pipe": "io_uring, a pipe",
    "uring_disk": "io_uring, a throttled disk",
    "aio_disk": "aio, a throttled disk",
    "reclaim": "reclaim at a cgroup's limit",
    "paging": "a mapped cold file",
    "starved": "three for one CPU",
    "poll": "poll, select, epoll",
    "recv_far": "recv over a wire",
    "send_far": "send over a wire",
}
# What any program may wait in besides: for its image and its memory. And what a way waits in before its own wait.
BESIDE = ("disk", "paging", "other")
BEFORE = {
    "lock": ("pipe_read", "sleep"),  # of its thread that holds the mutex
    **dict.fromkeys(("disk", "uring_disk", "aio_disk", "paging"), ("child",)),  # cold.h
    # They fork, and a fork may wait for a lock of the kernel (a cgroup is being joined).
    **dict.fromkeys(("pipe_read", "fifo_open", "pipe_write", "unix", "tcp", "stopped", "starved"), ("child",)),
    **dict.fromkeys(("recv_far", "send_far"), ("pipe_read",)),                  # peer_driver.c
}


def taken_ns(process, queued):
    """What others (another guest of the machine below, interrupts) took of the CPUs that the process had."""
    return max(0, process["runnable_ns"] - int(queued))


def unreported_ns(process):
    """Time that is in no state. The scheduler reads its clock some instructions before the tracepoint of the switch: time taken from a
    CPU between the two is of no state, and a driver takes it for its wait. How much there may be is a row of its own."""
    return max(0, process["threads_ns"] - sum(process[f"{s}_ns"] for s in STATES))


def true_ns(recorded, waited, taken):
    """On the driver's clock a CPU that was taken from it looks like a wait, if it was taken during that wait, which the
    driver cannot know; recorded it is runnable. Nothing taken: what the driver waited, to the nanosecond."""
    return waited if recorded is None else min(max(recorded, waited - taken), waited)


def taken_row(table, taken, lost_ns):
    """That steal time is not invented: the machine counts in ticks what its CPUs lost, and a driver reads what it queued for
    some time before its end."""
    most = lost_ns + len(taken) * 10**6 + 3 * 10**7
    table.row("CPUs taken from those who waited (ns)", int(sum(taken) <= most), 1, f"{sum(taken)} of {lost_ns}",
              "no more than the machine lost, + 1 ms each")


def explained_row(table, processes, emulated=False):
    """The times of all states are parts of the threads' lives: they are some, and no more than those. CPU is by another clock
    than waits, and an emulated CPU may be taken between two readings of either. (How little is of no state is a row of the
    whole table: time taken during a switch is, and a busy host takes it.)"""
    over = [sum(p[f"{s}_ns"] for s in STATES) - p["threads_ns"] for p in processes]
    good = sum(-p["threads_ns"] < more and (emulated or more <= max(0.02 * p["threads_ns"], 10**6))
               for p, more in zip(processes, over))
    table.row("times are parts of the threads' lives", good, len(over), f"{max(over, default=0)} ns more",
              "> 0" if emulated else "> 0, ≤ 102 % or 1 ms")


def unseen_row(table, seen):
    unseen = [state for state in STATES[2:] if state not in seen]
    table.row("states that a driver waited in", len(STATES[2:]) - len(unseen), len(STATES[2:]), ", ".join(unseen), "all")


def whole_rows(table, report):
    parts = [sum(p[f"poll_{kind}_ns"] for kind in POLLS) <= p["poll_ns"] for p in report["processes"]]
    table.row("  … the parts are no more than the whole", sum(parts), len(parts), "", "all")


def is_beside(state, process, own):
    """Whether a process may wait in this state besides its own. A fork, an exec and a page fault take the lock of the address
    space, which a reader of /proc/PID/cmdline holds for as long as it gets no CPU: some of that, but less than its own wait."""
    return state == "lock" and process["lock_ns"] < process[f"{own}_ns"]


def attributed_rows(table, truth_path, ended):
    """That a driver waited was recorded, as what it waited in, and nothing as what it never waits in: true on any machine,
    however late it gets a CPU."""
    waits = defaultdict(list)
    for line in open(truth_path):
        identity, way, state, pid, *_ = line.split("\t")
        waits[state, way].append(ended.get((f"id={identity}", int(pid))))
    for state, way in sorted(waits, key=lambda key: STATES.index(key[0])):
        allowed = (state, *BESIDE, *BEFORE.get(way, ()))
        seen = [p[f"{state}_ns"] if p else 0 for p in waits[state, way]]
        strays = [{s: p[f"{s}_ns"] for s in STATES[3:] if s not in allowed and p[f"{s}_ns"] and not is_beside(s, p, state)}
                  for p in waits[state, way] if p]
        table.row(f"recorded in {state}: {WAYS.get(way, way)}", sum(ns > 0 for ns in seen), len(seen), f"{min(seen)} ns", "> 0")
        table.row("  … and in no state that it never waits in", strays.count({}), len(seen),
                  str(next((s for s in strays if s), "")), "none")
    return {state for state, _ in waits}


def attributed_poll_rows(table, truth_path, ended):
    """The same of what woke who polled."""
    own, others = defaultdict(list), []
    for line in open(truth_path):
        identity, way, state, pid, *_ = line.split("\t")
        process, kind = ended.get((f"id={identity}", int(pid))), state.removeprefix("poll_")
        reported = {kind: process[f"poll_{kind}_ns"] if process else 0 for kind in POLLS}
        own[kind].append(reported[kind] if kind in POLLS else process["poll_ns"] if process else 0)
        others += [reported[other] for other in POLLS if other != kind]
    for kind, seen in sorted(own.items()):
        table.row(f"polls woken by {'nothing that is reported' if kind == 'unknown' else kind}", sum(ns > 0 for ns in seen), len(seen),
                  f"{min(seen)} ns", "> 0")
    table.row("  … and by nothing else", others.count(0), len(others), f"{max(others)} ns", "0")


def poll_rows(table, compare, truth_path, report, lost_ns=None):
    """What woke who polled. lost_ns: as with rows()."""
    emulated = lost_ns is None
    wait_ms = STALL_MS if emulated else 1
    ended = {(p["argv"][-1], p["pid"]): p for p in report["processes"] if p["argv"] and p["status"] == "succeeded"}
    if not table.clocks:
        attributed_poll_rows(table, truth_path, ended)
        whole_rows(table, report)
        return
    truth, whole, lost = defaultdict(list), [], []
    for line in open(truth_path):
        identity, _, state, pid, waited, queued = line.split("\t")
        process = ended.get((f"id={identity}", int(pid)))
        reported = {kind: process[f"poll_{kind}_ns"] for kind in POLLS} if process else {}
        polled = process and process["poll_ns"]
        lost.append(taken_ns(process, queued) if process and not emulated else 0)
        waited = true_ns(polled, int(waited), lost[-1])
        whole.append((int(identity), polled, waited))
        for kind in POLLS:
            true = waited if state == f"poll_{kind}" else 0
            truth[kind if true else "unknown" if state == "poll_unknown" else "another"].append(
                (int(identity), reported.get(kind), true))

    def within_bar(recorded, true):
        return abs(recorded - true) <= max(0.01 * true, wait_ms * 10**6)

    bar = f"1 % or {wait_ms} ms"
    compare(table, "time in poll, in known ways (ns)", whole, bar, within_bar)
    for kind in POLLS:
        compare(table, f"  … woken by a {kind} (ns)" if kind != "network" else "  … woken by the network (ns)",
                truth[kind], bar, within_bar)
    compare(table, "  … and by nothing else (ns)", truth["another"], bar, within_bar)
    compare(table, "  … by an eventfd, a signal: by none of them (ns)", truth["unknown"], bar, within_bar)
    whole_rows(table, report)
    if not emulated:
        taken_row(table, lost, lost_ns)


def rows(table, compare, truth_path, report, lost_ns=None):
    """lost_ns: what the machine's CPUs lost meanwhile to interrupts and to other guests of the machine below; None: it is
    emulated, its CPUs are threads of a busy host, which takes them away for STALL_MS at a time, also between two readings
    of a clock: what is held there is that no wait is taken for another, and that all add up."""
    emulated = lost_ns is None
    wait_ms, life_ms = (STALL_MS, 4 * STALL_MS) if emulated else (1, 0)  # a life has several readings

    def within_bar(recorded, true):
        return abs(recorded - true) <= max(0.01 * true, wait_ms * 10**6)

    def adds_up(recorded, true):
        return true > 0 and abs(recorded - true) <= max(0.02 * true, life_ms * 10**6)

    ended = {(p["argv"][-1], p["pid"]): p for p in report["processes"] if p["argv"] and p["status"] == "succeeded"}
    if not table.clocks:
        unseen_row(table, attributed_rows(table, truth_path, ended))
        explained_row(table, report["processes"], emulated)
        return
    truth, lost = defaultdict(list), []
    for line in open(truth_path):
        identity, way, state, pid, waited, queued = line.split("\t")
        process = ended.get((f"id={identity}", int(pid)))
        seen, waited = process[f"{state}_ns"] if process else None, int(waited)
        taken = taken_ns(process, queued) if process and state != "runnable" else 0
        lost.append(taken)
        if not emulated:
            waited = true_ns(seen, waited, taken)
        elif process:
            unreported = min(unreported_ns(process), life_ms * 10**6)  # more than that misses where all is added up
            waited = true_ns(seen, waited - (taken if state in ("disk", "paging") else 0), unreported)
        truth[state, way].append((int(identity), seen, waited))
        if process and not within_bar(seen, waited):
            spent = {s: process[f"{s}_ns"] for s in STATES if process[f"{s}_ns"]}
            print(f"  id={identity}: lived {process['threads_ns']}, queued {queued.strip()}: {spent}", file=sys.stderr)
    for state, way in sorted(truth, key=lambda key: STATES.index(key[0])):
        compare(table, f"time in {state}: {WAYS.get(way, way)} (ns)", truth[state, way], f"1 % or {wait_ms} ms", within_bar)
    if not emulated:
        taken_row(table, lost, lost_ns)
    unseen_row(table, {state for state, _ in truth})
    explained = [(p["pid"], sum(p[f"{s}_ns"] for s in STATES), p["threads_ns"]) for p in report["processes"]]
    compare(table, "times add up to the threads' lives (ns)", explained,
            "coverage ≥ 98 %, ≤ 102 %" + (f" or {life_ms} ms" if emulated else ""), adds_up)
    whole = report["totals"]["coverage"]
    table.row("coverage of the run", int(0.98 <= whole <= 1.02), 1, f"{whole:.4f}", "≥ 98 %")
