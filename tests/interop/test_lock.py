"""The lock of an inbox between our program and others: Node's proper-lockfile, and flock().

Node's part needs the directory named by SWARMUTT_NODE_MODULES to hold the package.
"""
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
sys.dont_write_bytecode = True

import harness  # noqa: E402

HOLDER = os.path.join(os.path.dirname(harness.PROGRAM), "tests", "lock_holder")
MODULES = os.environ.get("SWARMUTT_NODE_MODULES", "")
INBOX = "worker.json"
ROUNDS = 120


def has_node():
    return os.path.isdir(os.path.join(MODULES, "proper-lockfile")) and shutil.which("node")


class Player:
    """A process that answers each line with one."""

    def __init__(self, case, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        case.addCleanup(self.kill)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"it died: {self.process.communicate()[1]}")
        return line.strip()

    def do(self, *words):
        self.ask(*words)
        return self.answer()

    def end(self):
        """Lets it end normally; returns its last output."""
        _, err = self.process.communicate(timeout=harness.LIMIT_S)
        if self.process.returncode:
            raise AssertionError(f"it ended with {self.process.returncode}: {err}")
        return err.strip()

    def kill(self):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()


class LockCase(unittest.TestCase):

    def setUp(self):
        self.top = tempfile.mkdtemp(prefix="swarmutt-test-")
        self.addCleanup(shutil.rmtree, self.top, ignore_errors=True)
        self.dir = os.path.join(self.top, "inboxes")
        self.lock = os.path.join(self.dir, INBOX + ".lock")
        self.marker = os.path.join(self.top, "marker")
        os.mkdir(self.dir)
        with open(os.path.join(self.dir, INBOX), "w") as file:
            file.write("[]")

    def holder(self):
        return Player(self, [HOLDER, self.dir, INBOX, self.marker])

    def peer(self):
        return Player(self, ["node", os.path.join(HERE, "lock_peer.js"), MODULES, self.dir, INBOX,
                             self.marker])

    def age(self, seconds, *names):
        then = time.time() - seconds
        for name in names:
            os.utime(os.path.join(self.lock, name), (then, then))
        os.utime(self.lock, (then, then))


class Flock(LockCase):

    def test_files_that_another_process_has_flocked_are_waited_for(self):
        for name in (".lock", "worker.lock"):
            with self.subTest(name), open(os.path.join(self.dir, name), "w") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                ours = self.holder()
                self.assertIn(f"{name}: another program keeps this file locked",
                              ours.do("take", 50, 0))
                ours.ask("take", 15000, 0)
                fcntl.flock(file, fcntl.LOCK_UN)
                self.assertEqual(ours.answer(), "ok")
                self.assertFalse(os.path.exists(self.lock))


@unittest.skipUnless(has_node(), "SWARMUTT_NODE_MODULES does not lead to proper-lockfile")
class Node(LockCase):

    def race(self, rounds, players, prepare):
        for number in range(rounds):
            prepare()
            for player, words in players:
                player.ask("take", *words)
            answers = [player.answer() for player, _ in players]
            self.assertEqual(set(answers), {"ok"}, f"round {number}: {answers}")
            self.assertFalse(os.path.exists(self.lock))
        for player, _ in players:
            print(player.end() or "Node ended well", file=sys.stderr)

    def make_stale(self):
        os.mkdir(self.lock)
        self.age(11)

    def test_a_stale_lock_never_has_two_holders(self):
        players = [(self.peer(), (60, 2))] + [(self.holder(), (15000, 2)) for _ in range(3)]
        self.race(ROUNDS, players, self.make_stale)

    def test_a_free_lock_never_has_two_holders(self):
        players = [(self.peer(), (60, 2)) for _ in range(2)] + \
            [(self.holder(), (15000, 2)) for _ in range(2)]
        self.race(ROUNDS // 2, players, lambda: None)

    def test_a_lock_that_node_holds_and_watches_is_not_broken(self):
        node, ours = self.peer(), self.holder()
        for player in (node, ours):
            self.assertEqual(player.do("take", 1000, 0), "ok")
        for _ in range(2):
            node.ask("take", 0, 2500)
            harness.poll_until(lambda: os.path.exists(self.marker))
            self.assertIn("a lock directory of another program", ours.do("take", 50, 0))
            ours.ask("take", 15000, 1)
            self.assertEqual([node.answer(), ours.answer()], ["ok", "ok"])
        node.end()

    def test_node_waits_for_ours(self):
        node, ours = self.peer(), self.holder()
        for prepare in (lambda: None, self.make_stale):
            prepare()
            self.assertEqual(ours.do("take", 1000, -1), "held")
            self.assertEqual(node.do("take", 0, 0), "ELOCKED")
            node.ask("take", 1000, 0)
            self.assertEqual(ours.do("release"), "released")
            self.assertEqual(node.answer(), "ok")

    def test_a_lock_left_by_a_killed_node_is_taken_over(self):
        node, ours = self.peer(), self.holder()
        self.assertEqual(node.do("take", 0, -1), "held")
        node.kill()
        self.assertTrue(os.path.isdir(self.lock))
        self.age(11)
        self.assertEqual(ours.do("take", 50, 1), "ok")
        self.assertFalse(os.path.exists(self.lock))

    def test_a_claim_left_by_a_killed_process_of_ours_keeps_node_out_until_it_is_cleared(self):
        node, ours, other = self.peer(), self.holder(), self.holder()
        self.make_stale()
        self.assertEqual(ours.do("take", 50, -1), "held")
        ours.kill()
        self.assertEqual(other.do("clear"), "nothing")
        self.age(11, "claim")
        self.assertEqual(node.do("take", 2, 0), "ENOTEMPTY")
        self.assertEqual(other.do("clear"), "cleared")
        self.assertEqual(node.do("take", 0, 0), "ok")


if __name__ == "__main__":
    harness.main()
