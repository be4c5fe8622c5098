"""Kills a decision at every call that it makes: afterwards it was sent once, or it still waits.

Needs strace; without it the tests are skipped. With SWARMUTT_SOAK in the environment (make soak) it
kills at all calls, not only at those that change something.
"""
import collections
import contextlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import ledger  # noqa: E402
from harness import DONE, NOTHING  # noqa: E402
from layouts import LayoutCase  # noqa: E402
from processes import LIMIT_S, can_trace, children, end_process, opened_by  # noqa: E402

KILLED = -9
SOAK = "SWARMUTT_SOAK" in os.environ
REQUEST = {"type": "permission_request", "request_id": "perm-1", "agent_id": "bob",
           "tool_name": "Bash", "tool_use_id": "toolu_1", "description": "List files",
           "input": {"command": "ls"}, "permission_suggestions": []}


class KilledCase(LayoutCase):

    def setUp(self):
        super().setUp()
        if not can_trace():
            sys.stderr.write("nothing can be killed in the middle: strace is missing or not "
                             "allowed\n")
            self.skipTest("strace is missing or not allowed")

    def run_json_any(self, *args):
        result = self.box.run(*args, "--json", cwd=self.project)
        self.assertIn(result.rc, (DONE, NOTHING), str(result))
        return harness.parse_lines(result.stdout)

    def trace(self, options, *args):
        env = dict(self.box.env, ASAN_OPTIONS=self.box.env["ASAN_OPTIONS"] + ":detect_leaks=0")
        return subprocess.run(["strace", "-f", "-qq", *options, harness.PROGRAM, *args], env=env,
                              cwd=self.project, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=LIMIT_S)

    def ledger_lines(self):
        path = os.path.join(self.box.state, "swarmutt", "ledger")
        if not os.path.exists(path):
            return []
        self.run_program("log", "verify", cwd=self.project)
        return ledger.check(path)

    def counted(self, calls, *args):
        """Returns how often a run makes each of these calls."""
        trace = os.path.join(self.box.root, "trace")
        done = self.trace(["-o", trace, "-e", "trace=" + ",".join("?" + call for call in calls)],
                          *args)
        self.assertEqual(done.returncode, DONE, done.stderr)
        with open(trace) as file:
            made = re.findall(r"^(?:\d+ +)?(\w+)\(", file.read(), re.MULTILINE)
        os.unlink(trace)
        return collections.Counter(made)

    def pass_time(self):
        """Releases the claims of dead processes."""
        path = os.path.join(self.box.state, "swarmutt", "state.db")
        if os.path.exists(path):
            with contextlib.closing(sqlite3.connect(path)) as db, db, \
                    contextlib.suppress(sqlite3.OperationalError):
                db.execute("UPDATE outbox SET lease_us = 1")

    def check(self, where):
        """Checks the state after a kill, with other commands."""
        self.pass_time()
        waiting = self.run_json_any("pending")
        lines = self.ledger_lines()
        answers = self.answers()
        self.assertLessEqual(len(answers), 1, where)
        self.assertEqual(len(waiting), 1 - len(answers), where)
        ends = [line["event"] for line in lines]
        if answers:
            self.assertIn("intent", ends, where)
            self.assertIn("delivered", ends, where)
            self.assertNotIn("failed", ends, where)
        elif ends:
            self.assertEqual(ends[-1], "failed", where)
            self.assertNotIn("delivered", ends, where)
        self.run_program("outbox", cwd=self.project, rc=NOTHING)
        told = self.box.run("log", cwd=self.project).out
        if lines:
            self.assertIn("sent, unconfirmed" if answers else "not sent: ", told, where)
        return len(answers)

    def finish_it(self, where):
        """Decides a request that still waits."""
        one, = self.run_json_any("pending")
        self.run_program("decide", one["id"], self.VERB, "--expect", one["sha256"], "--no-verify",
                         cwd=self.project)
        self.assertEqual(len(self.answers()), 1, where)

    def kill_everywhere(self, calls, least, most=40):
        seen = {0: 0, 1: 0}
        self.renew()
        one, = self.run_json_any("pending")
        words = ("decide", one["id"], self.VERB, "--expect", one["sha256"], "--no-verify")
        self.renew()  # pending has made the local state: the killed runs must make it themselves
        counts = self.counted(calls, *words)
        for call in sorted(counts):
            numbers = range(1, counts[call] + 1)
            if len(numbers) > most and not SOAK:  # most of those precede the decision
                numbers = numbers[-most:]
            if len(numbers) > 12 and not SOAK:  # tests/faults kills at others
                numbers = numbers[::-3]
            for number in numbers:
                where = f"{call} {number}"
                self.renew()
                done = self.trace(["-o", os.devnull, "-e",
                                   f"inject={call}:signal=KILL:when={number}"], *words)
                if done.returncode != KILLED:
                    self.assertEqual(done.returncode, DONE, (where, done.stderr))
                sent = self.check(where)
                seen[sent] += 1
                if sent:
                    self.run_program("send", "--to", "bob", "--subject", "s", "--body", "b",
                                     "--no-verify", cwd=self.project)
                else:
                    self.finish_it(where)
                self.tidy(where)
        self.assertGreater(min(seen.values()), least, seen)


class ArrayCase(KilledCase):
    VERB = "grant"

    def path(self, name):
        return os.path.join(self.box.home, ".claude", "teams", "dev", "inboxes", name + ".json")

    def renew(self):
        """Removes all decisions."""
        for name in ("ledger", "ledger.head", "state.db", "state.db-wal", "state.db-shm"):
            try:
                os.unlink(os.path.join(self.box.state, "swarmutt", name))
            except FileNotFoundError:
                pass
        where = os.path.dirname(self.path("bob"))
        if os.path.isdir(where):
            for name in os.listdir(where):
                path = os.path.join(where, name)
                (shutil.rmtree if os.path.isdir(path) else os.unlink)(path)
        self.claude(boxes=[("team-lead", [self.entry(json.dumps(REQUEST, separators=(",", ":")))]),
                           ("bob", [])])

    def answers(self):
        return json.loads(self.read(self.path("bob")))

    def tidy(self, where):
        """Checks that the next writer is not blocked by a lock of the dead process, and leaves none."""
        names = sorted(os.listdir(os.path.dirname(self.path("bob"))))
        self.assertEqual([name for name in names if not name.startswith(".")],
                         ["bob.json", "team-lead.json"], where)


class Arrays(ArrayCase):

    def test_killed_at_every_write(self):
        self.kill_everywhere(("write", "pwrite64"), 1)

    def test_killed_at_every_sync(self):
        self.kill_everywhere(("fsync", "fdatasync"), 1)

    def test_killed_at_every_name(self):
        self.kill_everywhere(("mkdir", "mkdirat", "rename", "renameat", "renameat2", "link",
                              "linkat", "rmdir", "unlink", "unlinkat"), 1)

    def test_killed_at_every_opened_file(self):
        self.kill_everywhere(("openat",), 0, most=56)


    @unittest.skipUnless(SOAK, "takes a quarter of an hour: make soak")
    def test_killed_at_every_call(self):
        self.kill_everywhere(("all",), 1)


class Files(KilledCase):
    VERB = "accept"

    def renew(self):
        for name in ("ledger", "ledger.head", "state.db", "state.db-wal", "state.db-shm"):
            try:
                os.unlink(os.path.join(self.box.state, "swarmutt", name))
            except FileNotFoundError:
                pass
        mail = self.adr(id="MSG-00000000000a", to_agent="user", from_agent="bob", type="handoff")
        self.inbox_dir = os.path.join(mail, "bob", "inbox")
        os.makedirs(self.inbox_dir, exist_ok=True)
        for name in os.listdir(self.inbox_dir):
            os.unlink(os.path.join(self.inbox_dir, name))

    def answers(self):
        return [name for name in os.listdir(self.inbox_dir) if not name.startswith(".")]

    def tidy(self, where):
        pass

    def test_killed_at_every_change(self):
        self.kill_everywhere(("fsync", "fdatasync", "rename", "renameat", "renameat2", "link",
                              "linkat", "unlink", "unlinkat"), 1)


class LockLost(ArrayCase):
    def setUp(self):
        super().setUp()
        self.lock = self.path("bob") + ".lock"

    def start_slowly(self, path, delay):
        """Starts deciding, with a sleep at calls on that path."""
        self.renew()
        os.utime(self.path("team-lead"), (1e9, 1e9))  # old: it is read without a lock
        one, = self.run_json_any("pending")
        env = dict(self.box.env, ASAN_OPTIONS=self.box.env["ASAN_OPTIONS"] + ":detect_leaks=0")
        process = subprocess.Popen(
            ["strace", "-f", "-qq", "-o", os.devnull, "-P", path, "-e", "inject=" + delay,
             harness.PROGRAM, "decide", one["id"], self.VERB, "--expect", one["sha256"],
             "--no-verify"], env=env, cwd=self.project, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(harness.end_process, process)
        return process

    def replace_lock(self):
        os.rename(self.lock, self.lock + ".lost")
        os.mkdir(self.lock)
        shutil.rmtree(self.lock + ".lost")

    def take_over(self, process):
        """Returns false if that came too late: the answer was written under its own lock."""
        def knows_its_lock():
            os.utime(self.path("team-lead"))  # a recently changed file is read under the lock
            opened = {path for pid in children(process.pid) for path in opened_by(pid)}
            return self.lock in opened or self.answers()

        self.assertTrue(harness.poll_until(knows_its_lock))
        try:
            self.replace_lock()
        except FileNotFoundError:
            return False
        return not self.answers()

    def assert_waits(self, process, seconds):
        """Asserts that nothing is written while another process has the lock."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and process.poll() is None:
            self.assertEqual(self.answers(), [])
            time.sleep(0.05)
        os.rmdir(self.lock)
        _, err = process.communicate(timeout=LIMIT_S)
        self.assertEqual((process.returncode, len(self.answers())), (DONE, 1), err)

    def test_a_lock_that_somebody_else_has_taken_over_is_not_written_under(self):
        """This happens to a process that sleeps too long between taking the lock and writing."""
        for _ in range(10):
            process = self.start_slowly(self.path("team-lead"),
                                        "read,pread64:delay_enter=300000")
            if self.take_over(process):
                break
            if os.path.isdir(self.lock):
                os.rmdir(self.lock)
            process.communicate(timeout=LIMIT_S)
        else:
            self.fail("the lock was never taken over in time")
        self.assert_waits(process, 4)  # longer than it sleeps

    def test_a_lock_that_was_taken_over_before_it_was_looked_at_is_not_taken_for_its_own(self):
        """This happens to a process that is stopped right after making the lock."""
        process = self.start_slowly(os.path.dirname(self.lock),
                                    "renameat2:delay_exit=3500000:when=1")
        self.assertTrue(harness.poll_until(lambda: os.path.isdir(self.lock)))
        self.replace_lock()
        self.assert_waits(process, 5)  # longer than it sleeps


class Later(ArrayCase):
    """The recorded outcome of a decision does not change without the person."""

    def decide(self, *words):
        self.renew()
        one, = self.run_json_any("pending")
        return ("decide", one["id"], self.VERB, "--expect", one["sha256"], *words)

    def state(self, change):
        path = os.path.join(self.box.state, "swarmutt", "state.db")
        with contextlib.closing(sqlite3.connect(path)) as db, db:
            return db.execute(change).rowcount

    def test_killed_between_the_answer_and_the_ledger_it_is_known_to_be_sent_at_once(self):
        words = self.decide()
        path = os.path.join(self.box.state, "swarmutt", "ledger")
        done = self.trace(["-o", os.devnull, "-P", path, "-e",
                           "inject=write,pwrite64,writev:signal=KILL:when=2"], *words)
        self.assertEqual((done.returncode, len(self.answers())), (KILLED, 1), done.stderr)
        self.assertEqual([line["event"] for line in self.ledger_lines()], ["intent"])
        self.pass_time()
        self.assertEqual(self.run_json_any("pending"), [])
        self.assertEqual([line["event"] for line in self.ledger_lines()], ["intent", "delivered"])

    def look_again(self):
        """Makes the next check due."""
        now_us = int(time.time() * 1000000)
        self.state(f"UPDATE outbox SET lease_us = 1, due_us = {now_us} WHERE state = 1")
        self.run_json_any("pending")

    def test_a_decision_that_was_overwritten_is_not_sent_again(self):
        decide = self.decide()
        older, newer = self.entry("older", sender="ann"), self.entry("newer", sender="ann")
        self.write(self.path("bob"), [older])
        self.run_program(*decide, cwd=self.project)
        self.assertEqual(len(self.answers()), 2)
        older = self.answers()[0]
        self.write(self.path("bob"), [older, newer])

        def lost():
            self.look_again()
            return [one for one in self.run_json_any("outbox") if one["state"] == "lost"]
        one, = harness.poll_until(lost)
        self.assertEqual(self.answers(), [older, newer])
        self.assertEqual(self.ledger_lines()[-1]["event"], "lost")
        result = self.box.run("outbox", "retry", str(one["number"]), cwd=self.project)
        self.assertEqual((result.rc, self.answers()), (harness.REFUSED, [older, newer]),
                         str(result))
        self.assertIn("it is a decision", result.err)
        self.assertEqual(len(self.run_json_any("pending")), 1)

    def test_a_decision_that_the_agent_took_is_verified_and_not_made_twice(self):
        decide = self.decide()
        ours = self.box.popen(*decide, cwd=self.project, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(end_process, ours)
        self.assertTrue(harness.poll_until(self.answers))
        self.write(self.path("bob"), [])
        self.finish(ours, DONE)
        last = self.ledger_lines()[-1]
        self.assertEqual(last["event"], "verified")
        self.assertIn("taken", last["note"])
        self.assertLessEqual({one["state"] for one in self.run_json_any("outbox")}, {"taken"})
        result = self.box.run(*decide, cwd=self.project)
        self.assertEqual((result.rc, self.answers()), (harness.REFUSED, []), str(result))
        self.assertIn("answered already, from here", result.err)

    def test_a_decision_that_the_agent_took_after_the_first_look_stays_verified(self):
        self.run_program(*self.decide(), cwd=self.project)
        self.write(self.path("bob"), [])
        self.assertTrue(harness.poll_until(lambda: [self.look_again()] and
                                           not self.run_json_any("outbox")))
        self.assertEqual(self.ledger_lines()[-1]["event"], "verified")
        self.assertEqual(self.answers(), [])


if __name__ == "__main__":
    harness.main()
