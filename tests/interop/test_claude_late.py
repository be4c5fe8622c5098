"""Programs that act late: an agent's program that judged a lock to be abandoned removes its
successor, and processes of ours are stopped or killed at any call while they hold a lock."""
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "faults"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import node_modules  # noqa: E402
from claude_case import entry  # noqa: E402
from claude_race import Race  # noqa: E402
from harness import DONE, UNCONFIRMED  # noqa: E402
from preload import KILL, STOP, Fault, Preload, library  # noqa: E402
from processes import run_together  # noqa: E402

CALLS = "rename mkdir unlink open lock look attr close list read"
STALE_S = 11


class LateCase(Race):

    def setUp(self):
        super().setUp()
        if not os.path.exists(library()):
            self.skipTest(f"{library()} is not built: make check builds it")
        self.preload = Preload(self.box, [self.box.inboxes])
        self.lock_path = self.box.path("alice") + ".lock"

    def begin(self, fault, text):
        """Starts to send a message, with a fault."""
        process = self.box.popen("send", "--to", "alice", "--subject", "s", "--body", text,
                                 "--no-verify", "--debug", env=self.preload.env_for(fault), stdin=-3, stdout=-1,
                                 stderr=-1)
        self.addCleanup(harness.end_process, process)
        return process

    def begin_and_stop(self, kinds, at, text):
        """Returns the process, stopped before its at-th call of these kinds; or None if it ended
        before."""
        process = self.begin(Fault(kinds, at, STOP), text)
        state = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        if state.si_code == os.CLD_STOPPED:
            return process
        self.finish(process, DONE)
        return None

    def leave_stale_lock(self):
        os.mkdir(self.lock_path)
        self.age(self.lock_path)

    @staticmethod
    def age(*paths):
        for path in paths:
            with contextlib.suppress(FileNotFoundError):  # a program that watches was faster
                os.utime(path, (time.time() - STALE_S,) * 2)

    def remove_staged(self):
        """Removes all files but the inbox: the outbox handles the staged files of a killed process."""
        for name in os.listdir(self.box.inboxes):
            path = os.path.join(self.box.inboxes, name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            elif name.endswith(".tmp"):
                os.unlink(path)

    def texts(self):
        return [one["text"] for one in self.box.entries("alice")]


class Late(LateCase):

    def setUp(self):
        super().setUp()
        self.rounds = self.stolen = 0
        self.lost = []

    def expect(self, name, value=...):
        said = self.peer.next()
        self.assertIn(name, said)
        if value is not ...:
            self.assertEqual(said[name], value)
        return said[name]

    def run_round(self, at):
        """An abandoned lock that Node has judged, then one message of ours that takes it over, then
        another whose process is stopped before its at-th call. Node continues at this moment."""
        self.box.put("alice", [entry(1)], age=0)
        self.leave_stale_lock()
        self.peer.tell(b"append late\n")
        self.expect("judged", "stale")
        self.send(body="first")
        stopped = self.begin_and_stop(CALLS, at, "second")
        if not stopped:
            self.peer.tell(b"go\n")
            self.end_node()
            return False
        is_held = os.path.exists(self.lock_path)
        self.peer.tell(b"go\n")
        if is_held and self.expect("removed") is None:
            self.stolen += 1
            self.expect("loaded")  # it will write without our message
            self.resume(stopped)
            with contextlib.suppress(subprocess.TimeoutExpired):  # it has noticed, and waits
                stopped.wait(2)
            self.peer.tell(b"go\n")
            self.expect("acknowledged", "late")
            self.finish(stopped, DONE)
        elif is_held:
            self.resume(stopped)
            self.finish(stopped, DONE)
            self.expect("loaded")
            self.peer.tell(b"go\n")
            self.expect("acknowledged", "late")
        else:
            self.end_node()
            self.resume(stopped)
            self.finish(stopped, DONE)
        self.rounds += 1
        missing = {"first", "second", "late"} - set(self.texts())
        if missing:
            self.lost.append((at, missing))
        return True

    def end_node(self):
        self.expect("removed")  # or nothing was there any more
        self.expect("loaded")
        self.peer.tell(b"go\n")
        self.expect("acknowledged", "late")

    @staticmethod
    def resume(process):
        os.kill(process.pid, signal.SIGCONT)

    def test_a_message_is_not_lost_when_node_removes_a_lock_that_it_judged_long_ago(self):
        self.peer = self.start_peer(
            node_modules.command("claude_late.js", self.box.base, "demo", "alice"),
            node_modules.environment())
        at = 1
        while self.run_round(at):
            self.assert_tidy("alice")
            at += 1
        print(f"{self.rounds} rounds, {self.stolen} locks stolen, {len(self.lost)} with a loss, longest hold "
              f"of the lock: {self.longest_hold()} ms", file=sys.stderr)
        self.assertEqual(self.lost, [])
        self.assertEqual(self.stolen, 0)
        self.assertGreater(self.rounds, 10)


class Stolen(LateCase):
    """A lock of ours is removed with all its files, right before we write."""

    def steal(self, old, left, rc):
        """Our process has checked its lock for the last time: the next call is the rename of the
        inbox, which comes after that of the lock."""
        self.box.put("alice", old)
        process = self.begin_and_stop("rename", 2, "ours")
        self.assertTrue(os.path.isdir(self.lock_path), "it holds no lock")
        self.assertNotIn("ours", self.texts())
        shutil.rmtree(self.lock_path)
        os.kill(process.pid, signal.SIGCONT)
        self.assertTrue(harness.poll_until(lambda: "ours" in self.texts()))
        if left:
            self.box.put("alice", left, age=0)
        return self.finish(process, rc)

    def test_a_message_that_was_overwritten_with_the_stolen_lock_is_written_again_once(self):
        self.steal([entry(1)], [entry(1), entry(2)], DONE)
        self.assertEqual(self.texts(), ["text 1", "text 2", "ours"])
        self.assert_tidy("alice")

    def test_a_message_that_is_not_there_without_a_trace_is_unconfirmed(self):
        result = self.steal([], [entry(2)], UNCONFIRMED)
        self.assertIn("took the lock", result.err)
        self.assertEqual(self.texts(), ["text 2"])
        self.assertIn("unconfirmed", self.run_program("outbox").out)
        self.assertEqual(self.texts(), ["text 2"], "it was written twice")

    def test_a_message_that_stayed_is_acknowledged(self):
        self.steal([entry(1)], None, DONE)
        self.assertEqual(self.texts(), ["text 1", "ours"])


class Killed(LateCase):

    def leftovers(self):
        """Returns the locks of killed processes, old enough to be cleared."""
        found = [os.path.join(where, name) for where, names, _ in
                 os.walk(self.box.inboxes, topdown=False) for name in names]
        self.age(*found)
        return found

    def kill_at_each_call(self, prepare, start):
        """Returns the files that were left by each kill that left something."""
        left, at = [], 1
        while True:
            self.box.put("alice", [entry(1)], age=0)
            prepare()
            process = self.begin(Fault(CALLS, at, KILL), "killed")
            process.communicate(timeout=harness.LIMIT_S)
            if process.returncode == DONE:
                return left
            self.assertEqual(process.returncode, -signal.SIGKILL)
            found = self.leftovers()
            if found:
                left.append([os.path.basename(path) for path in found])
            self.box.run(*start)
            shut = [path for path in self.leftovers() if path != self.lock_path]  # this one can be taken over
            self.assertEqual(shut, [], f"call {at}, {start}")
            said, = self.start_node("append", "1").finish()
            self.assertIn("acknowledged", said, f"call {at}: {said}")
            self.assertIn(self.texts(), (["text 1", "node says 1"], ["text 1", "killed", "node says 1"]))
            self.assertEqual(self.leftovers(), [])
            shutil.rmtree(self.box.state)
            self.remove_staged()
            at += 1

    def check(self, prepare, *start):
        left = self.kill_at_each_call(prepare, start)
        held = [names for names in left if "alice.json.lock" in names]
        self.assertTrue(held, "no kill met a lock that was held")
        print(f"{len(left)} kills left something", file=sys.stderr)

    def test_a_kill_with_a_new_lock_leaves_nothing_that_the_next_start_does_not_clear(self):
        self.check(lambda: None, "messages", "--all")

    def test_a_kill_with_a_new_lock_leaves_nothing_that_doctor_does_not_clear(self):
        self.check(lambda: None, "doctor", "--fix", "--yes")

    def test_a_kill_with_a_lock_that_was_taken_over_leaves_nothing_that_the_next_start_does_not_clear(self):
        self.check(self.leave_stale_lock, "messages", "--all")

    def test_what_a_kill_leaves_is_cleared_by_a_program_that_watches(self):
        self.box.put("alice", [entry(1)])
        watch = self.start("watch")
        self.assertTrue(harness.poll_until(lambda: self.is_watched(watch)))
        for path in (self.lock_path, os.path.join(self.box.inboxes, ".lock.1.0a1b2c3d.tmp")):
            os.mkdir(path)
            os.mkdir(os.path.join(path, "claim"))
        self.leftovers()
        self.assertTrue(harness.poll_until(lambda: not self.leftovers(), 60))
        watch.terminate()
        watch.communicate()

    def is_watched(self, process):
        """True if the process watches the directory of inboxes for names."""
        inode = f"ino:{os.stat(self.box.inboxes).st_ino:x} "
        for number in os.listdir(f"/proc/{process.pid}/fdinfo"):
            with contextlib.suppress(FileNotFoundError), \
                    open(f"/proc/{process.pid}/fdinfo/{number}") as file:
                if inode in file.read():
                    return True
        return False


class Storm(LateCase):

    def test_no_acknowledged_message_is_lost_beside_node_while_locks_are_abandoned(self):
        """Four processes of ours and one of Node's, and one that dies with the lock again and
        again. Several of Node's could take an abandoned lock from each other."""
        self.box.put("alice", [])
        ended = threading.Event()
        planted = [0]

        def abandon():
            while not ended.is_set():
                with contextlib.suppress(FileExistsError, FileNotFoundError):
                    self.leave_stale_lock()
                    planted[0] += 1
                ended.wait(0.01)

        def write():
            try:
                self.run_writers(1, 60, 4, 30)
            finally:
                ended.set()

        run_together(write, abandon)
        with contextlib.suppress(FileNotFoundError):
            os.rmdir(self.lock_path)
        self.assert_sound()
        print(f"{self.count} acknowledged, {len(self.refused)} refused, {planted[0]} locks abandoned",
              file=sys.stderr)


if __name__ == "__main__":
    node_modules.require()
    harness.main()
