# SPDX-License-Identifier: Apache-2.0
"""The wall time of processes, computed from a recording: each instant of the life of a process image is of one class. The rules:

1.  A thread is active while it is on a CPU or ready for one: from its fork or the wake-up that ends its wait until it leaves a CPU to
    wait, or exits. An instant is computing if a thread is on a CPU (serial: exactly one), else runnable if a thread is active, else it is
    in a gap.
2.  A gap is ended by T, the thread that becomes active first. It belongs to the class of T's wait, unless T is housekeeping:
3.  T is timed if its wait had a timeout. T is own if a thread of the same process woke it. Of a process with one thread no gap is
    housekeeping. A gap ended by a timed T is pending. The burst after it is the computing time until the pending gap is judged: when a
    thread that is not own ends the next gap, when a thread claims, or at the end. (A gap ended by an own T is the end of an exit.)
4.  Judged: with `held` = time of earlier gaps of which the class is not decided, and `bursts` = what was computed after them,
    (bursts + burst) * BOUND <= held + gap: housekeeping. The gap is added to held, the burst to bursts; held.class becomes T's class if
    T's share and the gap are at least half of held.
    Else it was real work: the gap is of T's class, and T's share of held is given to it.
5.  T's share is what was added to held since T left its CPU. If a share of more than 0 is given, bursts = 0; the rest remains held.
6.  A T that is neither timed nor own, was waiting and becomes active, claims; at any moment, also during a burst. If a gap became pending
    since T left its CPU, what is pending is judged, and T's share is given to T's class.
7.  What is held at exec and exit goes to held.class.

A thread needs one number for its share: how much had ever been pending (`total`) when it left its CPU. The share is
min(held, total - that number)."""
import collections
import dataclasses

from recording import CLASSES, COME, EXEC, EXIT, FORK, LEAVE, WAKING

BOUND = 10
STATES = ("computing", "serial", "runnable", *CLASSES)


@dataclasses.dataclass
class Thread:
    tid: int
    comm: str = ""
    on_cpu: bool = False
    active: bool = False
    wait: str | None = None
    timed: bool = False
    total_before: int = 0  # Process.total when the thread left its CPU


@dataclasses.dataclass
class Pending:
    """A gap that is not judged yet, and the thread that ended it."""
    ns: int
    wait: str
    total_before: int
    computing_before: int
    comm: str


class Process:
    """An image of a process. trace: a function that takes a line of text, or None."""

    def __init__(self, pid, image, begin_ns, comm, bound, trace):
        self.pid, self.image, self.begin_ns, self.comm, self.bound, self.trace = pid, image, begin_ns, comm, bound, trace
        self.threads = {}
        self.ns = collections.Counter()
        self.now_ns = begin_ns
        self.on_cpu = self.active = 0
        self.held = self.bursts = self.total = 0
        self.held_class = "other"
        self.pending = None

    def say(self, text):
        if self.trace:
            self.trace(f"{(self.now_ns - self.begin_ns) / 1e6:12.3f} ms  {text}")

    def give(self, name, ns, why):
        self.ns[name] += ns
        if ns:
            self.say(f"{ns / 1e6:.3f} ms {name}: {why}")

    # The clock: what the time since the last event was, but for gaps.

    def advance(self, now_ns):
        ns = now_ns - self.now_ns
        self.now_ns = now_ns
        if self.on_cpu:
            self.ns["computing"] += ns
            self.ns["serial"] += ns if self.on_cpu == 1 else 0
        elif self.active:
            self.ns["runnable"] += ns
        return 0 if self.active else ns

    def advance_in_thread(self, now_ns):
        """To what a thread does: one is active, unless its arrival is not known."""
        self.give("other", self.advance(now_ns), "no thread is known to have ended it")

    # The threads.

    def add(self, tid, comm, now_ns, on_cpu):
        self.advance_in_thread(now_ns)
        self.threads[tid] = Thread(tid, comm, on_cpu=on_cpu, active=True)
        self.active += 1
        self.on_cpu += on_cpu

    def become_active(self, thread, now_ns, own):
        gap_ns = self.advance(now_ns)
        self.end_wait(thread, gap_ns, own)
        thread.active = True
        self.active += 1

    def come(self, thread, now_ns):
        if not thread.active:  # its wake-up came before it had left, or was not seen
            self.become_active(thread, now_ns, False)
        self.advance(now_ns)
        thread.on_cpu = True
        self.on_cpu += 1

    def leave(self, thread, now_ns, wait, timed):
        self.advance(now_ns)
        thread.on_cpu = False
        self.on_cpu -= 1
        if wait is None:
            return
        thread.wait, thread.timed, thread.total_before = wait, timed, self.total
        thread.active = False
        self.active -= 1

    def exit(self, tid, now_ns):
        thread = self.threads.pop(tid)
        self.advance_in_thread(now_ns)
        self.on_cpu -= thread.on_cpu
        self.active -= thread.active

    # The gaps.

    def end_wait(self, thread, gap_ns, own):
        """gap_ns: 0 if another thread is active."""
        if len(self.threads) == 1:
            self.give(thread.wait, gap_ns, "the only thread")
            return
        if thread.timed:
            if gap_ns:
                self.judge()
                self.hold(thread, gap_ns)
            return
        if not own and (gap_ns or self.total > thread.total_before):
            self.judge()
            self.give_share(thread.wait, self.share(self.total, thread.total_before), f"claimed by {thread.comm}")
        self.give(thread.wait, gap_ns, f"ended by {thread.comm} ({thread.tid})")

    def hold(self, thread, gap_ns):
        self.say(f"{gap_ns / 1e6:.3f} ms pending: ended by {thread.comm} ({thread.tid}), {thread.wait}")
        self.pending = Pending(gap_ns, thread.wait, thread.total_before, self.ns["computing"], thread.comm)
        self.total += gap_ns

    def judge(self):
        gap, self.pending = self.pending, None
        if not gap:
            return
        burst = self.ns["computing"] - gap.computing_before
        share = self.share(self.total - gap.ns, gap.total_before)
        if (self.bursts + burst) * self.bound <= self.held + gap.ns:
            self.held += gap.ns
            self.bursts += burst
            if (share + gap.ns) * 2 >= self.held:
                self.held_class = gap.wait
            return
        self.give(gap.wait, gap.ns, f"{gap.comm} computed {burst / 1e6:.3f} ms after it")
        self.give_share(gap.wait, share, f"the share of {gap.comm}")

    def share(self, total, total_before):
        return max(0, min(self.held, total - total_before))

    def give_share(self, wait, ns, why):
        if not ns:
            return
        self.held -= ns
        self.bursts = 0
        self.give(wait, ns, f"{why}; {self.held / 1e6:.3f} ms are still held")

    def end(self, now_ns):
        self.advance_in_thread(now_ns)
        self.judge()
        self.give(self.held_class, self.held, "held at the end")
        self.held = 0

    def figures(self):
        life_ns = self.now_ns - self.begin_ns
        if sum(ns for name, ns in self.ns.items() if name != "serial") != life_ns:
            raise AssertionError(f"the classes of process {self.pid} do not add up to its life")
        return {"pid": self.pid, "image": self.image, "comm": self.comm, "begin_ns": self.begin_ns, "life_ns": life_ns,
                **{f"wall_{name}_ns": self.ns[name] for name in STATES}}


class Reference:
    """All processes of a recording."""

    def __init__(self, bound=BOUND, trace_pid=None, trace=print):
        self.bound, self.trace_pid, self.trace = bound, trace_pid, trace
        self.alive, self.ended = {}, []
        self.images = collections.Counter()

    def begin(self, event):
        pid = event.tgid
        trace = self.trace if pid == self.trace_pid else None
        self.alive[pid] = Process(pid, self.images[pid], event.time_ns, event.comm, self.bound, trace)
        self.images[pid] += 1

    def end(self, pid, now_ns):
        process = self.alive.pop(pid, None)
        if process:
            process.end(now_ns)
            self.ended.append(process)

    def take(self, event):
        if event.kind == EXEC:
            self.end(event.tgid, event.time_ns)
            self.begin(event)
        elif event.kind == FORK and event.tid == event.tgid:
            self.begin(event)
        process = self.alive.get(event.tgid)
        if not process:
            return
        if event.kind in (EXEC, FORK):
            process.add(event.tid, event.comm, event.time_ns, on_cpu=event.kind == EXEC)
        elif event.tid in process.threads:
            self.take_of_thread(event, process, process.threads[event.tid])

    def take_of_thread(self, event, process, thread):
        thread.comm = event.comm
        if event.tid == event.tgid:
            process.comm = event.comm
        if event.kind == COME and not thread.on_cpu:
            process.come(thread, event.time_ns)
        elif event.kind == LEAVE and thread.on_cpu:
            process.leave(thread, event.time_ns, event.wait, event.timed)
        elif event.kind == WAKING and not thread.active:
            process.become_active(thread, event.time_ns, event.other_tgid == event.tgid)
        elif event.kind == EXIT:
            process.exit(event.tid, event.time_ns)
            if not process.threads:
                self.end(event.tgid, event.time_ns)


def figures(events, **options):
    """Of each image that has ended, in the order of the ends."""
    reference = Reference(**options)
    for event in events:
        reference.take(event)
    return [process.figures() for process in reference.ended]
