# SPDX-License-Identifier: Apache-2.0
"""Reads what tests/wall/recorder wrote (recorder.h), and says why a thread left its CPU: by a table of x86-64's system calls that is
this file's own."""
import dataclasses
import stat
import struct

FORK, EXEC, EXIT, LEAVE, COME, WAKING = range(1, 7)
FORMAT = struct.Struct("<2Q6Iq6Q4H3B5x16s")
NO_FILE = 0xffff
INTERRUPTIBLE, UNINTERRUPTIBLE = 1, 2
FUTEX_COMMAND = 0x7f
FUTEX_WITH_TIMEOUT = (0, 6, 9, 11, 13)  # WAIT, LOCK_PI, WAIT_BITSET, WAIT_REQUEUE_PI, LOCK_PI2
CLASSES = ("disk", "paging", "network", "pipe_read", "pipe_write", "lock", "child", "sleep", "poll", "other")


@dataclasses.dataclass
class Event:
    """One event. `wait` and `timed` are of LEAVE: the class of the wait, None if the thread was still ready; and whether the wait had
    a timeout."""
    time_ns: int
    kind: int
    tid: int
    tgid: int
    other_tid: int = 0
    other_tgid: int = 0
    wait: str | None = None
    timed: bool = False
    comm: str = ""
    arrival_ns: int = 0


# What each system call waits for. The numbers in a tuple: which argument is the descriptor that decides (from, to).
READ, WRITE, COPY, OPEN = "read", "write", "copy", "open"
CALLS = {
    **dict.fromkeys((0, 17, 19, 295, 327), (READ, 0)),               # read, pread64, readv, preadv, preadv2
    **dict.fromkeys((1, 18, 20, 278, 296, 328), (WRITE, 0)),         # write, pwrite64, writev, vmsplice, pwritev, pwritev2
    **dict.fromkeys((275, 326), (COPY, 0, 2)),                       # splice, copy_file_range
    276: (COPY, 0, 1),                                               # tee
    40: (COPY, 1, 0),                                                # sendfile
    **dict.fromkeys((2, 85, 257, 304, 437), (OPEN,)),                # open, creat, openat, open_by_handle_at, openat2
    **dict.fromkeys((3, 5, 74, 75, 77, 78, 81, 91, 93, 138, 187, 190, 193, 196, 199, 217, 221, 277, 285, 306), "disk"),
    **dict.fromkeys((4, 6, 21, 76, 80, 82, 83, 84, 86, 87, 88, 89, 90, 92, 94, 132, 133, 137, 235), "disk"),
    **dict.fromkeys((188, 189, 191, 192, 194, 195, 197, 198), "disk"),                      # extended attributes
    **dict.fromkeys((258, 259, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269, 280, 316, 332, 439), "disk"),  # …at
    **dict.fromkeys((26, 59, 162, 165, 166, 208, 209, 322, 333, 426), "disk"),              # msync, execve, sync, mount, aio, io_uring
    **dict.fromkeys((42, 43, 44, 45, 46, 47, 48, 288, 299, 307), "network"),                # connect, accept, send, receive, shutdown
    **dict.fromkeys((202, 449, 454, 455, 456), "lock"),                                     # futex, futex_waitv, futex_wake/wait/requeue
    **dict.fromkeys((65, 72, 73, 220), "lock"),                                             # semop, fcntl, flock, semtimedop
    **dict.fromkeys((9, 10, 11, 12, 25, 28, 149, 151, 325), "lock"),                        # the lock of the address space: mmap, brk, …
    **dict.fromkeys((56, 57, 58, 61, 247, 435), "child"),                                   # clone, fork, vfork, wait4, waitid, clone3
    **dict.fromkeys((35, 219, 230), "sleep"),                                               # nanosleep, restart, clock_nanosleep
    **dict.fromkeys((7, 23, 69, 70, 232, 242, 243, 270, 271, 281, 441), "poll"),            # poll, select, epoll, message queues
}


def class_of_file(mode, writes):
    if mode == NO_FILE:
        return "other"
    kind = stat.S_IFMT(mode)
    if kind == stat.S_IFIFO:
        return "pipe_write" if writes else "pipe_read"
    if kind == stat.S_IFSOCK:
        return "network"
    if kind in (stat.S_IFREG, stat.S_IFBLK, stat.S_IFDIR):
        return "disk"
    return "poll" if kind == 0 else "other"  # eventfd and similar have no type


def class_of_copy(source, target):
    """It waits for the pipe before it waits for the other side."""
    if target != NO_FILE and stat.S_ISSOCK(target):
        return "network"
    if source != NO_FILE and stat.S_ISFIFO(source) or target == NO_FILE or not stat.S_ISFIFO(target):
        return class_of_file(source, False)
    return class_of_file(target, True)


def class_of_call(call, state, modes, walked, iowait):
    row = CALLS.get(call, "other")
    if row == "lock" and iowait:
        return "paging"  # pages read from disk under the lock of the address space
    if row == "other" and iowait:
        return "disk"
    if isinstance(row, str):
        return row
    if row[0] == OPEN:
        return "pipe_read" if walked != NO_FILE and stat.S_ISFIFO(walked) and state & INTERRUPTIBLE else "disk"
    if row[0] == COPY:
        return class_of_copy(modes[row[1]], modes[row[2]])
    return class_of_file(modes[row[1]], row[0] == WRITE)


def class_of_wait(state, call, modes, walked, iowait, memstall):
    if memstall:
        return "paging"
    if not state & (INTERRUPTIBLE | UNINTERRUPTIBLE):
        return "other"  # stopped, traced, frozen
    if call < 0:
        return "paging"  # no system call: a page fault
    return class_of_call(call, state, modes, walked, iowait)


def signed(number):
    """The int in the lower half of a register."""
    number &= 0xffffffff
    return number - (1 << 32) if number >> 31 else number


def has_timeout(call, arguments):
    first, second, third, fourth, fifth = arguments[:5]
    if call in (35, 219, 230):                       # nanosleep, restart, clock_nanosleep
        return True
    if call == 202:                                  # futex
        return second & FUTEX_COMMAND in FUTEX_WITH_TIMEOUT and fourth != 0
    if call == 7:                                    # poll
        return signed(third) >= 0
    if call in (232, 281):                           # epoll_wait, epoll_pwait
        return signed(fourth) >= 0
    if call in (23, 270, 242, 243):                  # select, pselect6, mq_timedsend, mq_timedreceive
        return fifth != 0
    if call == 271:                                  # ppoll
        return third != 0
    if call in (441, 220, 449):                      # epoll_pwait2, semtimedop, futex_waitv
        return fourth != 0
    if call == 455:                                  # futex_wait
        return fifth != 0
    return call == 128 and third != 0                # rt_sigtimedwait


def read_event(packed):
    time_ns, arrival_ns, kind, tid, tgid, other_tid, other_tgid, state, call, *rest = packed
    arguments, modes, walked = rest[:6], rest[6:9], rest[9]
    preempt, iowait, memstall, comm = rest[10:]
    event = Event(time_ns, kind, tid, tgid, other_tid, other_tgid, comm=comm.split(b"\0")[0].decode(errors="replace"),
                  arrival_ns=arrival_ns)
    if kind == LEAVE and not preempt and state:
        event.wait = class_of_wait(state, call, modes, walked, iowait, memstall)
        event.timed = has_timeout(call, arguments)
    return event


def unseen(events):
    """Arrivals on a CPU that were not recorded: a kernel may run no program at the switch from certain threads (docs/signal.md, What a
    kernel may not report). The scheduler notes when a thread came, by a clock of its own: the distance of the clocks is known from
    the arrivals that were recorded."""
    came, left, distance = {}, {}, None
    for event in events:
        tid = event.other_tid if event.kind == EXEC and event.other_tid else event.tid
        if event.kind == COME:
            came[tid] = event.time_ns
        elif event.kind == FORK:
            left[tid] = event.time_ns
        elif event.kind in (LEAVE, EXIT, EXEC):
            if tid in came:
                distance = came.pop(tid) - event.arrival_ns
            elif tid in left:
                at = event.time_ns if distance is None else event.arrival_ns + distance
                yield Event(max(left[tid] + 1, min(at, event.time_ns)), COME, tid, event.tgid, comm=event.comm)
            left.pop(tid, None)
            if event.kind == LEAVE:
                left[tid] = event.time_ns


def read(path):
    """The events in the order of time; of one time, as recorded."""
    with open(path, "rb") as file:
        events = [read_event(packed) for packed in FORMAT.iter_unpack(file.read())]
    events.sort(key=lambda event: event.time_ns)
    return sorted([*unseen(events), *events], key=lambda event: event.time_ns)
