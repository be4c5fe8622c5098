"""Agents that remove mail from their inbox, and writers that overwrite it: a message that was taken
is delivered once, and only one that was overwritten is written again, once."""
import contextlib
import os
import sqlite3
import sys
import threading
import time
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import node_modules  # noqa: E402
from claude_case import as_node, entry  # noqa: E402
from claude_race import Race  # noqa: E402
from harness import DONE, UNCONFIRMED, poll_until  # noqa: E402
from processes import run_together  # noqa: E402

SENDERS, EACH = 4, 6


class TakersCase(Race):

    def outbox(self):
        return harness.parse_lines(self.box.run("outbox", "--json").stdout)

    def is_settled(self):
        """True if no process has checks left in the outbox."""
        return not [one for one in self.outbox()
                    if one["state"] in ("sending", "written", "queued", "taken")]

    def sent(self):
        return {one["subject"]: one for one in self.run_json("sent")}

    def state(self, sql):
        """Returns rows of the local state; none if there is no state."""
        path = os.path.join(self.box.state, "swarmutt", "state.db")
        try:
            with contextlib.closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True)) as db, db:
                return db.execute(sql).fetchall()
        except sqlite3.OperationalError:
            return []


class Peers(TakersCase):
    """Many messages while an agent reads its inbox in its own way. Another agent writes to it
    meanwhile, with the lock, so that newer mail is there when we check ours."""

    def run_reader(self, *words):
        """Returns the exit status of each message, and how often each was delivered."""
        self.box.put("alice", [])
        codes, delivered, lock = {}, Counter(), threading.Lock()
        reader = self.start_node(*words)

        def listen():
            while True:
                try:
                    said = reader.next()
                except AssertionError:  # it has ended
                    return
                delivered.update(said["delivered"])

        def send(sender):
            for number in range(EACH):
                text = f"we say {sender} {number}"
                how = ["--verify"] if number == EACH - 1 else []
                result = self.box.run("send", "--to", "alice", "--subject", text, "--body", text,
                                      *how)
                with lock:
                    codes[text] = result.rc

        writer = self.start_node("append", "0", options=["--from", "node", "--pause", "60"])
        listener = threading.Thread(target=listen)
        listener.start()
        run_together(*[lambda sender=sender: send(sender) for sender in range(SENDERS)])
        writer.finish()
        self.assertTrue(poll_until(self.is_settled))
        reader.process.stdin.close()
        listener.join()
        self.assertEqual(reader.process.wait(), 0)
        return codes, delivered

    def check_reader(self, states, *words):
        codes, delivered = self.run_reader(*words)
        self.assertEqual(codes, dict.fromkeys(codes, DONE))
        self.assertEqual({text: delivered[text] for text in codes}, dict.fromkeys(codes, 1))
        self.assertEqual(self.outbox(), [])
        sent = self.sent()
        self.assertEqual(len(sent), SENDERS * EACH)
        self.assertLessEqual({one["state"] for one in sent.values()}, states)

    def test_one_that_empties_the_file_gets_each_message_once(self):
        self.check_reader({"taken"}, "empty", "20")

    def test_one_that_empties_it_now_and_then_gets_each_message_once(self):
        self.check_reader({"taken"}, "empty", "450")

    def test_one_that_removes_what_it_read_gets_each_message_once(self):
        self.check_reader({"taken"}, "remove", "20")

    def test_one_that_removes_what_it_read_now_and_then_gets_each_message_once(self):
        self.check_reader({"taken"}, "remove", "450")

    def test_one_that_marks_and_keeps_has_each_message_once(self):
        codes, delivered = self.run_reader("poll", "20")
        self.assertEqual(codes, dict.fromkeys(codes, DONE))
        self.assertLessEqual({delivered[text] for text in codes}, {0, 1})
        texts = Counter(one["text"] for one in self.box.entries("alice"))
        self.assertEqual({text: texts[text] for text in codes}, dict.fromkeys(codes, 1))
        self.assertEqual({one["state"] for one in self.sent().values()}, {"read"})

    def test_one_that_writes_without_the_lock_may_lose_messages_and_doubles_none(self):
        self.box.put("alice", [entry(number) for number in range(20)])
        rude = self.start_node("append", "0", options=["--no-lock", "--from", "rude",
                                                       "--pause", "10"])
        rude.next()
        codes = {}
        for number in range(SENDERS * EACH):
            text = f"we say {number}"
            codes[text] = self.box.run("send", "--to", "alice", "--subject", text, "--body",
                                       text).rc
        rude.finish()
        self.assertTrue(poll_until(self.is_settled))
        texts = Counter(one["text"] for one in self.box.entries("alice"))
        self.assertLessEqual({texts[text] for text in codes}, {0, 1})
        self.assertLessEqual(set(codes.values()), {DONE, UNCONFIRMED})
        lost = {text for text in codes if not texts[text]}
        self.assertLess(len(lost), len(codes) / 2, "most are noticed and written again")
        told = {one["subject"] for one in self.outbox()}
        self.assertLessEqual(told, lost, "what is told to be lost is not there")
        sent = self.sent()
        self.assertEqual({sent[text]["state"] for text in told} - {"vanished"}, set())
        # A writer that pauses for long overwrites two at once, or after the checks.
        self.assertEqual({sent[text]["state"] for text in lost - told} - {"taken"}, set())


class Overwritten(TakersCase):
    """A writer without the lock that read the inbox before our message was there."""

    old = [entry(1, read=True), entry(2), entry(3, read=True)]

    def setUp(self):
        super().setUp()
        self.box.put("alice", self.old)
        self.writes = 0

    def wait_for_ours(self):
        self.assertTrue(poll_until(lambda: b'"ours"' in self.box.read("alice")))

    def leave(self, *entries):
        """Replaces the inbox atomically, so that no check sees half of it."""
        path = self.box.path("alice")
        with open(path + ".new", "wb") as file:
            file.write(as_node(list(entries)))
        os.rename(path + ".new", path)

    def send_and(self, *steps, rc=DONE, how=()):
        """Sends one message; does the next step to the inbox each time it has arrived."""
        ours = self.start("send", "--to", "alice", "--subject", "s", "--body", "ours", *how)
        for step in steps:
            self.wait_for_ours()
            self.writes += 1
            step()
        return self.finish(ours, rc)

    def count(self):
        return [one["text"] for one in self.box.entries("alice")].count("ours")

    def overwrite(self, number=9):
        self.leave(*self.old, entry(number))

    def assert_settled(self, state, *, count, problem=False):
        self.assertTrue(poll_until(self.is_settled))
        self.assertEqual(self.count(), count)
        self.assertEqual(self.sent()["s"]["state"], state)
        self.assertEqual([one["problem"] != "" for one in self.outbox()], [True] if problem else [])

    def test_a_lost_update_is_noticed_and_written_again_exactly_once(self):
        self.send_and(self.overwrite)
        self.assert_settled("delivered", count=1)
        self.assertEqual([one["text"] for one in self.box.entries("alice")],
                         ["text 1", "text 2", "text 3", "text 9", "ours"])

    def test_a_lost_update_between_the_two_looks_is_written_again_exactly_once(self):
        ours = self.start("send", "--to", "alice", "--subject", "s", "--body", "ours")
        self.finish(ours, DONE)
        self.wait_for_ours()
        self.overwrite()
        self.assert_settled("delivered", count=1)

    def test_a_message_that_is_overwritten_twice_is_told_and_not_written_a_third_time(self):
        result = self.send_and(self.overwrite, lambda: self.leave(*self.old, entry(9), entry(10)),
                               rc=UNCONFIRMED)
        self.assertIn("outbox", result.err)
        one, = self.outbox()
        self.assertEqual((one["state"], one["attempts"]), ("lost", 1))
        self.assert_settled("vanished", count=0, problem=True)

    def taken_by(self, *entries):
        self.send_and(lambda: self.leave(*entries))
        self.assertLessEqual({one["state"] for one in self.outbox()}, {"taken"})
        self.assert_settled("taken", count=0)

    def test_an_inbox_that_was_emptied_is_mail_that_was_taken(self):
        self.taken_by()

    def test_mail_that_went_together_with_older_mail_was_taken(self):
        self.taken_by(entry(9))

    def test_mail_is_taken_when_older_mail_was_marked_meanwhile(self):
        self.taken_by(entry(1, read=True), entry(2, read=True), entry(3, read=True), entry(9))

    def test_mail_is_taken_when_nothing_newer_is_there(self):
        self.taken_by(*self.old)

    def test_mail_is_taken_when_something_that_was_read_went_with_it(self):
        self.taken_by(entry(1, read=True), entry(2), entry(9), entry(10))

    def test_mail_is_taken_when_nothing_was_unread_before_it(self):
        self.old = [entry(1, read=True), entry(2, read=True)]
        self.box.put("alice", self.old)
        self.taken_by(*self.old, entry(9))

    def test_mail_that_is_taken_twice_as_quickly_as_it_is_looked_for_is_not_written_again(self):
        self.send_and(self.overwrite, how=["--no-verify"])
        self.assert_settled("taken", count=0)

    def test_newer_mail_that_comes_after_ours_was_taken_is_no_evidence(self):
        self.send_and(lambda: self.leave(*self.old))
        self.overwrite()
        self.assert_settled("taken", count=0)


class Gone(TakersCase):

    def send(self):
        self.box.put("alice", [entry(1)])
        self.run_program("send", "--to", "alice", "--subject", "s", "--body", "ours")

    def assert_unconfirmed(self):
        one, = poll_until(lambda: [one for one in self.outbox() if one["state"] == "unconfirmed"])
        self.assertNotEqual(one["problem"], "")
        self.assertIn("unconfirmed", self.run_program("outbox").out)
        self.assertEqual(self.sent()["s"]["state"], "unconfirmed")
        self.run_program("outbox", "drop", str(one["number"]))
        self.assertEqual(self.sent()["s"]["state"], "unconfirmed", "nobody knows more now")

    def test_a_message_whose_inbox_is_gone_is_unconfirmed_and_makes_no_inbox(self):
        self.send()
        os.unlink(self.box.path("alice"))
        self.assert_unconfirmed()
        self.assertFalse(os.path.exists(self.box.path("alice")))

    def test_a_message_whose_inbox_is_damaged_for_good_is_unconfirmed(self):
        self.send()
        damaged = self.box.put("alice", b'[{"from": "bob", "te')
        self.assert_unconfirmed()
        self.assertEqual(self.box.read("alice"), damaged)

    def test_a_later_loss_of_the_inbox_does_not_change_that_a_message_was_taken(self):
        self.send()
        self.box.put("alice", [], age=0)
        self.assertTrue(poll_until(lambda: self.is_settled() and not self.outbox()))
        os.unlink(self.box.path("alice"))
        self.assertEqual(self.sent()["s"]["state"], "taken")


class Killed(TakersCase):
    """The sender died between the write and the checks."""

    def send_and_die(self):
        self.box.put("alice", [entry(1)])
        ours = self.start("send", "--to", "alice", "--subject", "s", "--body", "ours", "--verify")
        self.assertTrue(poll_until(lambda: self.state("SELECT 1 FROM outbox WHERE state = 1")))
        ours.kill()
        ours.communicate()

    def assert_later(self, state, count):
        """Asserts the state after the lease of the dead process is over."""
        now_us = int(time.time() * 1000000)
        self.state(f"UPDATE outbox SET lease_us = 0, due_us = {now_us}")
        self.assertTrue(poll_until(self.is_settled))
        self.assertEqual(self.sent()["s"]["state"], state)
        texts = [one["text"] for one in self.box.entries("alice")]
        self.assertEqual(texts.count("ours"), count)

    def test_what_was_taken_meanwhile_is_not_written_again(self):
        self.send_and_die()
        self.box.put("alice", [entry(9)])
        self.assert_later("taken", 0)

    def test_what_was_overwritten_meanwhile_is_written_again_once(self):
        self.send_and_die()
        self.box.put("alice", [entry(1), entry(9)])
        self.assert_later("delivered", 1)


if __name__ == "__main__":
    node_modules.require()
    harness.main()
