"""Reports and files after a disk, a peer or the program itself fails in the middle.

Failing system calls need strace; without it those tests are skipped.
"""
import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import DONE, FAILED, NOTHING, UNCONFIRMED, message  # noqa: E402
from processes import LIMIT_S, can_trace, wait_for_staging  # noqa: E402
from layouts import LayoutCase  # noqa: E402

ID = "MSG-000000000001"
KILLED = -9


class FaultCase(LayoutCase):

    def setUp(self):
        super().setUp()
        if not can_trace():
            sys.stderr.write("no call can be made to fail: strace is missing or not allowed\n")
            self.skipTest("strace is missing or not allowed")

    def run_traced(self, fault, *args, path=None):
        """Runs the program with a failing system call, or one that fails only on a path."""
        trace = ["strace", "-f", "-qq", "-o", os.devnull, "-e", "inject=" + fault]
        trace += ["-P", path] if path else []
        # the leak check does not work under strace
        env = dict(self.box.env, ASAN_OPTIONS=self.box.env["ASAN_OPTIONS"] + ":detect_leaks=0")
        done = subprocess.run(trace + [harness.PROGRAM, *args], env=env, cwd=self.project,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=LIMIT_S)
        result = harness.Result(args, done.returncode, done.stdout, done.stderr)
        return result if result.rc == KILLED else harness.checked(result)

    def run_faulty(self, fault, *args, path=None, rc):
        result = self.run_traced(fault, *args, path=path)
        self.assertEqual(result.rc, rc, str(result))
        return result

    def send_words(self, to="alice"):
        return ("send", "--to", to, "--subject", "s", "--body", "b")

    def waiting(self, rc=DONE):
        return self.run_json("outbox", cwd=self.project, rc=rc)


class Sending(FaultCase):
    """A message in a file of its own, whose directory cannot be synced."""

    def setUp(self):
        super().setUp()
        self.inbox_dir = os.path.join(self.adr(), "alice", "inbox")

    def new_files(self):
        return sorted(set(os.listdir(self.inbox_dir)) - {ID + ".json"})

    def kill_while_sending(self):
        """Kills the sender after the rename; returns the name of the message."""
        self.run_faulty("fsync:signal=KILL", *self.send_words(), path=self.inbox_dir, rc=KILLED)
        with contextlib.closing(sqlite3.connect(os.path.join(self.box.state, "swarmutt",
                                                             "state.db"))) as db, db:
            db.execute("UPDATE outbox SET lease_us = 1")
        sent, = [name for name in self.new_files() if not name.startswith(".")]
        return sent

    def test_what_may_not_be_on_disk_is_unconfirmed_and_stays_in_the_outbox(self):
        self.run_faulty("fsync:error=EIO", *self.send_words(), path=self.inbox_dir,
                        rc=UNCONFIRMED)
        one, = self.waiting()
        self.assertEqual((one["state"], one["to"]), ("failed", "alice"))
        self.assertEqual(self.new_files(), [one["id"] + ".json"])

    def retry_faulty(self, remove):
        """Retries while the fault lasts, and then without it."""
        self.run_faulty("fsync:error=EIO", *self.send_words(), path=self.inbox_dir,
                        rc=UNCONFIRMED)
        one, = self.waiting()
        name, number = one["id"] + ".json", str(one["number"])
        if remove:
            os.unlink(os.path.join(self.inbox_dir, name))
        self.run_faulty("fsync:error=EIO", "outbox", "retry", number, path=self.inbox_dir,
                        rc=UNCONFIRMED)
        self.assertEqual((self.new_files(), len(self.waiting())), ([name], 1))
        self.run_program("outbox", "retry", number, cwd=self.project)
        self.waiting(rc=NOTHING)
        self.assertEqual(self.new_files(), [name])

    def test_trying_again_while_the_fault_lasts_is_unconfirmed(self):
        self.retry_faulty(remove=True)

    def test_trying_again_what_is_there_while_the_fault_lasts_is_unconfirmed(self):
        self.retry_faulty(remove=False)

    def test_an_interrupted_message_that_its_owner_archived_meanwhile_is_done(self):
        sent = self.kill_while_sending()
        archive = os.path.join(os.path.dirname(self.inbox_dir), "archive")
        os.makedirs(archive, exist_ok=True)
        os.rename(os.path.join(self.inbox_dir, sent), os.path.join(archive, sent))
        self.assert_resolved(sent, [])

    def test_an_interrupted_message_that_its_owner_marked_meanwhile_is_done(self):
        sent = self.kill_while_sending()
        path = os.path.join(self.inbox_dir, sent)
        self.write(path, dict(json.loads(self.read(path)), status="read"))
        self.assert_resolved(sent, [sent])

    def assert_resolved(self, sent, left):
        self.waiting(rc=NOTHING)
        self.run_program("outbox", "retry", "1", cwd=self.project, rc=NOTHING)
        self.assertEqual([name for name in self.new_files() if not name.startswith(".")], left)
        self.assertEqual(self.ids("--all").count(sent[:-len(".json")]), 1)


class Failing(FaultCase):

    def test_a_failure_that_was_told_but_not_archived_is_unconfirmed(self):
        where = self.inbox(box="pm")
        self.inbox(messages=[0])
        self.run_faulty("/^rename:error=EIO", "mark", "--as", "coordinator", "new-0", "failed",
                        rc=UNCONFIRMED)
        self.assertEqual(len(os.listdir(os.path.join(where, "pm"))), 2)
        self.assertIn("1700000000-pm-x.json", os.listdir(os.path.join(where, "coordinator")))


class Restoring(FaultCase):
    """Kills at each call that changes something, one after the other: the message always exists,
    and the next try restores it."""

    CALLS = "link linkat rename renameat renameat2 unlinkat fsync fdatasync pwrite64".split()

    def kill_everywhere(self, id, who, text, inbox):
        kills = 0
        for call in self.CALLS:
            for number in range(1, 40):
                self.run_program("archive", "--as", who, id, cwd=self.project)
                result = self.run_traced(f"{call}:signal=KILL:when={number}", "restore", "--as",
                                         who, id)
                there = self.run_program("show", "--as", who, id, cwd=self.project).out
                self.assertIn(text, there)
                again = self.box.run("restore", "--as", who, id, cwd=self.project)
                self.assertIn(again.rc, (DONE, harness.REFUSED), str(again))
                self.assertEqual(self.ids("--as", who, "--all"), [id], (call, number))
                self.assertEqual(self.ids("--as", who), [id], (call, number))
                self.assertEqual(self.ids("--as", who, "--archive"), [], (call, number))
                self.assertEqual([name for name in os.listdir(inbox)
                                  if not name.startswith(".") and name != "archive"], self.names)
                if result.rc != KILLED:
                    break
                kills += 1
        self.assertGreater(kills, 3)

    def test_a_copy_in_the_archive_is_lost_at_no_moment(self):
        mail = self.adr(id=ID, body="to be read again")
        self.names = [ID + ".json"]
        self.kill_everywhere(ID, "alice", "to be read again", os.path.join(mail, "alice", "inbox"))

    def test_a_moved_file_is_lost_at_no_moment(self):
        where = self.inbox(messages=[0])
        self.names = ["1700000000-pm-x.json"]
        self.kill_everywhere("new-0", "coordinator", "a text", os.path.join(where, "coordinator"))

    def test_a_copy_that_is_kept_here_is_lost_at_no_moment(self):
        where = self.roo(code="to be read again")
        self.names = ["to-code.md"]
        self.kill_everywhere("msg-code", "code", "to be read again",
                             os.path.join(where, ".roo", "mailbox"))

    def test_what_is_back_but_perhaps_not_on_disk_is_unconfirmed_and_still_archived(self):
        mail = self.adr(id=ID)
        self.run_program("archive", "--as", "alice", ID, cwd=self.project)
        self.run_faulty("fsync:error=EIO", "restore", "--as", "alice", ID,
                        path=os.path.join(mail, "alice", "inbox"), rc=UNCONFIRMED)
        self.assertEqual(os.listdir(os.path.join(mail, "alice", "archive")), [ID + ".json"])


class Copies(LayoutCase):

    def test_a_copy_that_cannot_be_parsed_is_shown(self):
        self.roo()
        self.write(os.path.join(self.project, ".roo/mailbox/to-code.md"),
                   "---\nfrom: [code\nid: \"msg-cut\n\nstill to be read")
        self.box.source = ("--as", "code")
        self.run_program("archive", "to-code", cwd=self.project)
        self.assertEqual(self.ids("--archive"), ["to-code"])
        self.assertIn("still to be read", self.box.run("show", "to-code", cwd=self.project).out)

    def test_of_a_damaged_inbox_each_entry_is_kept_once(self):
        entries = [self.entry("x" * 400, msg_id=f"id-{number}") for number in range(200)]
        data = json.dumps(entries, indent=2)[:-1] + '  {"from": "bob", "te'
        base = self.claude(members=())
        self.write(os.path.join(base, "teams/dev/inboxes/bob.json"), data)
        self.run_program("cleanup", "--clear", "bob@dev", cwd=self.project)
        kept = self.run_json("messages", "--archive", "--bodies", cwd=self.project)
        whole = [one for one in kept if not one["damaged"]]
        self.assertEqual(sorted(one["id"] for one in whole),
                         sorted(one["msg_id"] for one in entries))
        self.assertEqual({one["body"] for one in whole}, {"x" * 400})
        size = os.path.getsize(os.path.join(self.box.state, "swarmutt", "state.db"))
        self.assertLess(size, 3 * len(data) + 200_000)

    def test_nothing_is_put_away_while_no_copy_can_be_kept(self):
        self.roo(code="a text")
        log = self.write(os.path.join(self.project, ".roo/memory-bank/progress.md"),
                         "# Progress\n\n## Completed Tasks\n\n## Blockers\n")
        self.run_program("show", "msg-code", "--as", "code", cwd=self.project)
        before = self.box.snapshot()
        state = os.path.join(self.box.state, "swarmutt", "state.db")
        with contextlib.closing(sqlite3.connect(state, isolation_level=None)) as db:
            db.execute("BEGIN EXCLUSIVE")
            self.run_program("archive", "--as", "code", "msg-code", cwd=self.project, rc=FAILED)
        self.assert_unchanged(before)
        self.run_program("archive", "--as", "code", "msg-code", cwd=self.project)
        self.assertIn(b"msg-code", self.read(log))


class Arrays(LayoutCase):

    def test_an_inbox_that_stays_half_written_is_not_waited_for_without_end(self):
        path = os.path.join(self.claude(boxes=[("bob", [])]), "teams/dev/inboxes/bob.json")
        self.write(path, '[{"from": "x", "te', age=0)
        over = threading.Event()

        def touch():
            while not over.wait(0.1):
                with contextlib.suppress(FileNotFoundError):
                    os.utime(path)

        toucher = threading.Thread(target=touch)
        toucher.start()
        try:
            result = self.run_program("send", "--to", "bob", "--subject", "s", "--body", "b",
                                      cwd=self.project, rc=FAILED)
        finally:
            over.set()
            toucher.join()
        self.assert_says(result, "bob.json")
        self.assertEqual(self.read(path), b'[{"from": "x", "te')

    def test_an_entry_that_vanished_while_the_lock_was_waited_for_was_not_marked(self):
        one, two = (self.entry(name, msg_id=name) for name in ("one", "two"))
        path = os.path.join(self.claude(boxes=[("team-lead", [one, two])]),
                            "teams/dev/inboxes/team-lead.json")
        self.box.source = ("-S", os.path.join(self.box.home, ".claude"))
        os.mkdir(path + ".lock")
        process = self.start("mark", "--as", "team-lead", "one", "two", "read")
        wait_for_staging(os.path.dirname(path), process)
        self.write(path + ".new", [two], age=0)
        os.rename(path + ".new", path)
        os.rmdir(path + ".lock")
        result = self.finish(process, FAILED)
        self.assertEqual(result.out, "two read\n")
        self.assert_says(result, "one")
        self.assertEqual(json.loads(self.read(path)), [dict(two, read=True)])


if __name__ == "__main__":
    harness.main()
