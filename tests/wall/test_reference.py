#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reference (wall_time.py, recording.py) on small recordings, written by hand."""
import stat
import struct
import tempfile
import unittest

import recording
import wall_time
from recording import COME, EXEC, EXIT, FORK, LEAVE, WAKING, Event

PID, OTHER_PID = 10, 99
FIFO, SOCKET, FILE, NONE = stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFREG, recording.NO_FILE


class Story:
    """What the threads of a process do; times in ns. It begins at 0 with an exec, on a CPU."""

    def __init__(self, *threads):
        self.events = []
        self.add(0, EXEC, PID)
        for tid in threads:
            self.add(0, FORK, tid, other_tid=PID, other_tgid=PID)
            self.runs(0, tid).waits(0, tid, "lock")

    def add(self, now, kind, tid, **fields):
        self.events.append(Event(now, kind, tid, PID, **fields))
        return self

    def runs(self, now, tid=PID):
        return self.add(now, COME, tid)

    def waits(self, now, tid, wait, timed=False):
        return self.add(now, LEAVE, tid, wait=wait, timed=timed)

    def preempted(self, now, tid=PID):
        return self.add(now, LEAVE, tid)

    def woken(self, now, tid=PID, by=OTHER_PID):
        return self.add(now, WAKING, tid, other_tid=by, other_tgid=by)

    def wakes(self, now, tid=PID, by=OTHER_PID):
        return self.woken(now, tid, by).runs(now, tid)

    def ticks(self, since, count, tid, every=100, burst=1):
        """A thread sleeps again and again; it last began to when the story says so."""
        for i in range(1, count + 1):
            at = since + i * every
            self.wakes(at, tid).waits(at + burst, tid, "sleep", timed=True)
        return self

    def exits(self, now, *tids):
        for tid in tids or (PID,):
            self.add(now, EXIT, tid)
        return self

    def figures(self, **options):
        """Of the last image: the classes that are not 0."""
        image = wall_time.figures(self.events, **options)[-1]
        return {name: image[f"wall_{name}_ns"] for name in wall_time.STATES if image[f"wall_{name}_ns"]}


class OneThread(unittest.TestCase):
    def test_gap_is_of_the_wait(self):
        story = Story().waits(10, PID, "disk").wakes(40).exits(50)
        self.assertEqual(story.figures(), {"computing": 20, "serial": 20, "disk": 30})

    def test_ready_after_the_wake_up_is_runnable(self):
        story = Story().waits(10, PID, "pipe_read").woken(30).runs(37).exits(40)
        self.assertEqual(story.figures(), {"computing": 13, "serial": 13, "pipe_read": 20, "runnable": 7})

    def test_preempted_is_runnable(self):
        story = Story().preempted(10).runs(25).exits(30)
        self.assertEqual(story.figures(), {"computing": 15, "serial": 15, "runnable": 15})

    def test_fork_to_first_run_is_runnable(self):
        story = Story()
        story.events = []
        story.add(0, FORK, PID, other_tgid=OTHER_PID).runs(6).exits(10)
        self.assertEqual(story.figures(), {"computing": 4, "serial": 4, "runnable": 6})

    def test_timed_wait_is_settled_at_once(self):
        story = Story().waits(0, PID, "sleep", timed=True).wakes(100).waits(101, PID, "poll", timed=True).wakes(201).exits(202)
        self.assertEqual(story.figures(), {"computing": 2, "serial": 2, "sleep": 100, "poll": 100})

    def test_exec_cuts(self):
        story = Story().waits(10, PID, "child").wakes(20).add(30, EXEC, PID).exits(35)
        first, second = wall_time.figures(story.events)
        self.assertEqual((first["image"], first["life_ns"], first["wall_child_ns"]), (0, 30, 10))
        self.assertEqual((second["image"], second["life_ns"], second["wall_child_ns"]), (1, 5, 0))

    def test_thread_of_an_unseen_arrival_forks(self):
        story = Story().waits(10, PID, "child").add(40, FORK, 11).runs(45, 11).exits(50, 11, PID)
        self.assertEqual(story.figures(), {"computing": 15, "serial": 15, "other": 30, "runnable": 5})

    def test_unseen_wake_up_is_all_wait(self):
        story = Story().waits(10, PID, "child").runs(40).exits(50)
        self.assertEqual(story.figures(), {"computing": 20, "serial": 20, "child": 30})


class Computing(unittest.TestCase):
    def test_serial_is_exactly_one(self):
        story = Story(11).waits(10, PID, "child").wakes(10, 11, PID).wakes(15).waits(35, 11, "lock").exits(40, 11, PID)
        self.assertEqual(story.figures(), {"computing": 40, "serial": 20})

    def test_ready_thread_beside_a_waiting_one_is_runnable(self):
        """A thread that wakes and waits while another is preempted opens no gap."""
        story = Story(11).preempted(10).woken(20, 11).runs(20, 11).waits(22, 11, "lock", timed=True).runs(30).exits(40, 11, PID)
        self.assertEqual(story.figures(), {"computing": 22, "serial": 22, "runnable": 18})

    def test_last_exit_ends_the_life(self):
        story = Story(11).exits(10).wakes(30, 11).exits(40, 11)
        self.assertEqual(story.figures(), {"computing": 20, "serial": 20, "lock": 20})


class Housekeeping(unittest.TestCase):
    TICKER, WORKER = 11, 12

    def test_ticks_beside_a_wait(self):
        story = Story(self.TICKER).waits(0, PID, "pipe_read").wakes(0, 11).waits(0, 11, "sleep", timed=True)
        story.ticks(0, 9, 11).wakes(1000).exits(1010, 11, PID)
        self.assertEqual(story.figures(), {"computing": 19, "serial": 19, "pipe_read": 991})

    def test_waiter_claims_during_a_burst(self):
        story = Story(self.TICKER).waits(0, PID, "pipe_read").wakes(0, 11).waits(0, 11, "sleep", timed=True)
        story.ticks(0, 8, 11).wakes(900, 11).wakes(905).exits(910, 11, PID)
        self.assertEqual(story.figures(), {"computing": 18, "serial": 13, "pipe_read": 892})

    def test_sleep_beside_idle_threads(self):
        story = Story(11, 12).waits(0, PID, "sleep", timed=True).wakes(500).waits(900, PID, "sleep", timed=True).wakes(1400)
        story.exits(1800, 11, 12, PID)
        self.assertEqual(story.figures(), {"computing": 800, "serial": 800, "sleep": 1000})

    def test_sleep_with_little_work_beside_idle_threads(self):
        story = Story(11, 12).waits(0, PID, "sleep", timed=True).wakes(500).waits(501, PID, "sleep", timed=True).wakes(1001)
        story.exits(1002, 11, 12, PID)
        self.assertEqual(story.figures(), {"computing": 2, "serial": 2, "sleep": 1000})

    def test_work_after_a_timed_wait_settles_only_that_wait(self):
        """A burst that is too long leaves the earlier gaps to the thread that waits through all of them."""
        story = Story(self.TICKER).waits(0, PID, "child").wakes(0, 11).waits(0, 11, "lock", timed=True)
        story.wakes(100, 11).waits(101, 11, "lock", timed=True).wakes(201, 11).waits(251, 11, "lock", timed=True)
        story.wakes(351, 11).waits(352, 11, "lock", timed=True).wakes(452).exits(460, 11, PID)
        self.assertEqual(story.figures(), {"computing": 60, "serial": 60, "child": 300, "lock": 100})

    def test_bound_is_of_all_that_is_held(self):
        """A burst of 50 after 900 held is housekeeping with a bound of 10, and work with one of 50."""
        story = Story(self.TICKER).waits(0, PID, "child").wakes(0, 11).waits(0, 11, "lock", timed=True)
        story.ticks(0, 9, 11).wakes(1000, 11).waits(1050, 11, "lock", timed=True).wakes(1100).exits(1100, 11, PID)
        self.assertEqual(story.figures(), {"computing": 59, "serial": 59, "child": 1041})
        self.assertEqual(story.figures(bound=50), {"computing": 59, "serial": 59, "child": 942, "sleep": 99})

    def test_bursts_add_up_to_the_bound(self):
        story = Story(self.TICKER).waits(0, PID, "child").wakes(0, 11).waits(0, 11, "lock", timed=True)
        story.wakes(100, 11).waits(110, 11, "lock", timed=True)   # 10 of 100
        story.wakes(210, 11).waits(221, 11, "lock", timed=True)   # 21 of 200: too much, this gap is lock
        story.wakes(321).exits(321, 11, PID)
        self.assertEqual(story.figures(), {"computing": 21, "serial": 21, "child": 200, "lock": 100})

    def test_sleeper_claims_from_ticks_of_another_class(self):
        story = Story(self.TICKER).waits(0, PID, "sleep", timed=True).wakes(0, 11).waits(0, 11, "lock", timed=True)
        story.wakes(100, 11).waits(101, 11, "lock", timed=True).wakes(201, 11).waits(202, 11, "lock", timed=True)
        story.wakes(250).exits(550, 11, PID)
        self.assertEqual(story.figures(), {"computing": 302, "serial": 302, "sleep": 248})

    def test_thread_woken_by_a_tick_is_of_its_burst(self):
        story = Story(self.TICKER, self.WORKER).waits(0, PID, "pipe_read").wakes(0, 11).waits(0, 11, "sleep", timed=True)
        story.wakes(200, 11).woken(201, 12, PID).waits(202, 11, "sleep", timed=True).runs(203, 12).waits(204, 12, "lock")
        story.wakes(404).exits(404, 11, 12, PID)
        self.assertEqual(story.figures(), {"computing": 3, "serial": 3, "runnable": 1, "pipe_read": 400})

    def test_claim_is_what_was_held_since_the_thread_left(self):
        """What was held before remains for a thread that waits longer, or for the end."""
        story = Story(self.TICKER, self.WORKER).waits(0, PID, "pipe_read").wakes(0, 11).waits(0, 11, "sleep", timed=True)
        story.wakes(300, 11).woken(300, 12, PID).runs(300, 12).waits(301, 12, "disk").waits(302, 11, "sleep", timed=True)
        story.wakes(402, 11).waits(403, 11, "sleep", timed=True).wakes(503, 12).waits(504, 12, "lock").wakes(604)
        story.exits(604, 11, 12, PID)
        self.assertEqual(story.figures(), {"computing": 4, "serial": 3, "pipe_read": 400, "disk": 200})

    def test_bursts_begin_again_after_a_claim(self):
        story = Story(self.TICKER, self.WORKER).waits(0, PID, "child").wakes(0, 11).waits(0, 11, "sleep", timed=True)
        story.ticks(0, 1, 11, burst=8).wakes(200, 11).wakes(200, 12, PID).waits(208, 12, "pipe_read").waits(208, 11, "sleep", timed=True)
        story.ticks(208, 2, 11, burst=8).wakes(420, 12).waits(420, 12, "lock")  # 32 after 384, of which 188 are claimed
        story.wakes(520, 11).waits(528, 11, "sleep", timed=True).wakes(600).exits(600, 11, 12, PID)
        self.assertEqual(story.figures(), {"computing": 40, "serial": 32, "child": 364, "pipe_read": 196})

    def test_short_wait_does_not_name_what_is_held(self):
        story = Story(self.TICKER).waits(0, PID, "sleep", timed=True).wakes(500).waits(501, PID, "pipe_read")
        story.wakes(501, 11, PID).waits(501, 11, "lock", timed=True).wakes(521, 11).exits(522, 11, PID)
        self.assertEqual(story.figures(), {"computing": 2, "serial": 2, "sleep": 520})

    def test_thread_that_waited_within_a_burst_claims_nothing(self):
        """The rest of the burst still counts: it is real work after a sleep, which 12 does not claim."""
        story = Story(self.TICKER, self.WORKER).waits(0, PID, "sleep", timed=True).wakes(500).wakes(500, 11, PID).waits(510, 11, "disk")
        story.wakes(520, 11).waits(521, 11, "lock").waits(800, PID, "pipe_read").wakes(1300, 12).exits(1300, 11, 12, PID)
        self.assertEqual(story.figures(), {"computing": 300, "serial": 289, "sleep": 500, "lock": 500})

    def test_tick_within_a_burst_does_not_end_it(self):
        story = Story(self.TICKER, self.WORKER).waits(0, PID, "sleep", timed=True).wakes(500).wakes(500, 11, PID)
        story.waits(500, 11, "poll", timed=True).wakes(520, 11).waits(521, 11, "lock").waits(800, PID, "pipe_read")
        story.wakes(1300, 12).exits(1300, 11, 12, PID)
        self.assertEqual(story.figures(), {"computing": 300, "serial": 299, "sleep": 500, "lock": 500})

    def test_thread_woken_by_an_exit_is_of_its_burst(self):
        story = Story(self.TICKER, self.WORKER).waits(0, PID, "sleep", timed=True).wakes(500).exits(501).wakes(502, 11, PID)
        story.waits(602, 11, "lock").wakes(702, 12).exits(702, 11, 12)
        self.assertEqual(story.figures(), {"computing": 101, "serial": 101, "sleep": 500, "lock": 101})

    def test_held_at_the_end_is_of_the_last_timed_wait(self):
        story = Story(self.TICKER).waits(0, PID, "pipe_read").wakes(0, 11).waits(0, 11, "poll", timed=True)
        story.wakes(200, 11).exits(201, 11, PID)
        self.assertEqual(story.figures(), {"computing": 1, "serial": 1, "poll": 200})

    def test_trace_names_who_ended_a_gap(self):
        lines = []
        story = Story(self.TICKER).waits(0, PID, "child").wakes(100).exits(101, 11, PID)
        self.assertTrue(story.figures(trace_pid=PID, trace=lines.append))
        self.assertIn(f"child: ended by  ({PID})", lines[0])


class Waits(unittest.TestCase):
    """Why a thread left its CPU."""

    def wait_of(self, call, modes=(NONE,) * 3, state=recording.INTERRUPTIBLE, walked=NONE, iowait=0, memstall=0):
        return recording.class_of_wait(state, call, modes, walked, iowait, memstall)

    def test_by_kind_of_file(self):
        for call, mode, expected in ((0, FIFO, "pipe_read"), (1, FIFO, "pipe_write"), (0, SOCKET, "network"), (0, FILE, "disk"),
                                     (0, 0, "poll"), (0, stat.S_IFCHR, "other"), (0, NONE, "other"), (20, FIFO, "pipe_write")):
            self.assertEqual(self.wait_of(call, (mode, NONE, NONE)), expected)

    def test_copies_wait_for_the_pipe(self):
        self.assertEqual(self.wait_of(275, (FILE, NONE, FIFO)), "pipe_write")
        self.assertEqual(self.wait_of(275, (FIFO, NONE, FILE)), "pipe_read")
        self.assertEqual(self.wait_of(40, (SOCKET, FILE, NONE)), "network")

    def test_by_call(self):
        for call, expected in ((202, "lock"), (61, "child"), (230, "sleep"), (232, "poll"), (47, "network"), (74, "disk"), (500, "other")):
            self.assertEqual(self.wait_of(call), expected)

    def test_by_the_marks_of_the_scheduler(self):
        self.assertEqual(self.wait_of(-1), "paging")
        self.assertEqual(self.wait_of(202, memstall=1), "paging")
        self.assertEqual(self.wait_of(202, state=8), "other")
        self.assertEqual(self.wait_of(9, iowait=1), "paging")
        self.assertEqual(self.wait_of(500, iowait=1), "disk")

    def test_open_of_a_fifo(self):
        self.assertEqual(self.wait_of(257, walked=FIFO), "pipe_read")
        self.assertEqual(self.wait_of(257, walked=FILE), "disk")

    def test_timeouts(self):
        for call, arguments, expected in (
                (230, (0,) * 6, True), (202, (0, 137, 0, 1, 0, 0), True), (202, (0, 128, 0, 0, 0, 0), False),
                (202, (0, 1, 0, 5, 0, 0), False), (7, (0, 1, 0xffffffff, 0, 0, 0), False), (7, (0, 1, 20, 0, 0, 0), True),
                (232, (0, 0, 1, 0xffffffff, 0, 0), False), (281, (0, 0, 1, 0, 0, 0), True), (270, (0,) * 6, False),
                (271, (0, 0, 1, 0, 0, 0), True), (0, (1,) * 6, False)):
            self.assertEqual(recording.has_timeout(call, arguments), expected, (call, arguments))

    def test_recorded_file(self):
        with tempfile.NamedTemporaryFile() as file:
            for time_ns, kind in ((7, COME), (5, LEAVE)):
                file.write(struct.pack("<2Q6Iq6Q4H3B5x16s", time_ns, 0, kind, PID, PID, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, FIFO, NONE, NONE, NONE,
                                       0, 0, 0, b"cat"))
            file.flush()
            events = recording.read(file.name)
        self.assertEqual(events, [Event(5, LEAVE, PID, PID, wait="pipe_read", comm="cat"), Event(7, COME, PID, PID, comm="cat")])

    def test_arrival_that_was_not_recorded(self):
        """By the scheduler's clock, which is 100 behind."""
        story = Story(11).waits(500, PID, "child").woken(600).waits(650, PID, "child").wakes(700).exits(800, 11, PID)
        ends = [event for event in story.events if event.kind in (LEAVE, EXIT)]
        for event, arrival in zip(ends, (-100, 0, 520, 700, 600), strict=True):
            event.arrival_ns = arrival
        story.events = sorted([*recording.unseen(story.events), *story.events], key=lambda event: event.time_ns)
        self.assertEqual(story.figures(), {"computing": 630, "serial": 630, "runnable": 20, "child": 150})


if __name__ == "__main__":
    unittest.main()
