#!/usr/bin/env python3
"""The work of `watch` while nothing happens, and where the kernel reports no events.

strace counts system calls and makes them fail; without it these tests are skipped.
"""
import contextlib
import os
import re
import signal
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from following import Follower  # noqa: E402
from harness import message, poll_until  # noqa: E402
from processes import can_trace  # noqa: E402

STILL_S = 2.5  # longer than any period of one or two seconds
FAR_MS = 20_000
YOUNG_S = 3.5  # a file that changed so recently is still read again, as its times may not show a change


class Traced(Follower):
    """`watch` under strace."""

    def __init__(self, box, *options, calls):
        self.trace = os.path.join(box.root, "trace")
        super().__init__(box, *options, program=[
            "strace", "-f", "-qq", "-o", self.trace, *calls, harness.PROGRAM, *box.source])

    def close(self):
        """Ends the traced process first: it would outlive strace."""
        if self.process.poll() is None:
            with contextlib.suppress(OSError, IndexError):
                with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
                    os.kill(int(file.read().split()[0]), signal.SIGKILL)
                self.process.wait(timeout=20)
        super().close()

    def calls(self):
        """Returns the lines of the trace; an interrupted call is there twice."""
        with contextlib.suppress(FileNotFoundError):
            with open(self.trace) as file:
                return file.read().splitlines()
        return []

    def wait_for_rest(self):
        """Waits until each thread that has not ended waits only for the kernel, or for a time far
        ahead; returns true then. The work for the last event is over then."""
        def rests():
            last = {}
            for line in self.calls():
                last[line.split()[0]] = line
            waits = [re.search(r"poll\(.*\], \d+, (-?\d+)( <unfinished \.\.\.>)?$", line)
                     for line in last.values() if not re.match(r"\d+ +(<\.\.\. )?exit\b", line)]
            return waits and all(wait and not 0 <= int(wait[1]) < FAR_MS for wait in waits)
        return poll_until(rests)


class IdleCase(harness.MailboxCase):

    def setUp(self):
        super().setUp()
        if not can_trace():
            sys.stderr.write("no call can be traced: strace is missing or not allowed\n")
            self.skipTest("strace is missing or not allowed")
        self.box.source = ("--source", "adr:" + self.box.mail)
        self.number = 0

    def add_message(self):
        """Writes a message like an agent: complete before the rename."""
        self.number += 1
        name = f"MSG-{self.number:012x}"
        path = self.box.put("alice", message(id=name), name=name + ".tmp", age=0)
        os.rename(path, path[:-len(".tmp")] + ".json")
        return name

    def follow(self, *options, calls=(), count=50):
        for _ in range(count):
            self.add_message()
        follower = Traced(self.box, *options, calls=calls)
        self.addCleanup(follower.close)
        self.assertTrue(follower.wait_for(lambda: len(follower.present) == count),
                        follower.errors())
        self.assert_announced(follower)
        return follower

    def assert_announced(self, follower):
        name = self.add_message()
        self.assertTrue(follower.wait_for(lambda: any(key[-1] == name for key in follower.present)),
                        f"{name} was not announced: {follower.errors()}")

    def assert_polls(self, follower, *words):
        """Asserts that it reported why it polls, and that it does."""
        for word in (self.box.mail, "every second", *words):
            self.assertIn(word, follower.errors())
        self.assert_announced(follower)

    def test_it_makes_no_system_call_while_nothing_happens(self):
        follower = self.follow(count=2000)
        self.assertTrue(follower.wait_for_rest(), follower.calls()[-10:])
        before = len(follower.calls())
        time.sleep(STILL_S)
        self.assertEqual(follower.calls()[before:], [])
        self.assert_announced(follower)

    def test_it_wakes_up_once_a_second_where_it_looks_for_itself(self):
        follower = self.follow("--poll", count=500,
                               calls=("-e", "trace=poll,ppoll,select,epoll_wait,futex"))
        time.sleep(YOUNG_S)
        before, start = len(follower.calls()), time.monotonic()
        time.sleep(STILL_S)
        calls, passed = follower.calls()[before:], time.monotonic() - start
        waits = [line for line in calls if "resumed>" not in line]
        self.assertLessEqual(len(waits), 2 * (passed + 1), calls)
        self.assert_announced(follower)

    def test_it_looks_for_itself_where_there_are_no_more_watches(self):
        follower = self.follow(calls=("-e", "inject=inotify_add_watch:error=ENOSPC"))
        self.assert_polls(follower, "fs.inotify.max_user_watches")

    def test_it_looks_for_itself_where_the_watches_end_in_the_middle_of_the_tree(self):
        follower = self.follow(calls=("-e", "inject=inotify_add_watch:error=ENOSPC:when=5+"))
        self.assert_polls(follower, "fs.inotify.max_user_watches")

    def test_it_looks_for_itself_where_the_kernel_has_no_more_room_for_watchers(self):
        follower = self.follow(calls=("-e", "inject=inotify_init1:error=EMFILE"))
        self.assert_polls(follower, "fs.inotify.max_user_instances")


if __name__ == "__main__":
    harness.main()
