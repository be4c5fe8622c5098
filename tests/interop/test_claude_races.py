"""Many processes, ours and Node's, on one team inbox at the same time."""
import os
import random
import sys
import threading
import time
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import node_modules  # noqa: E402
from claude_case import entry  # noqa: E402
from claude_race import Race  # noqa: E402
from harness import DONE, FAILED, UNCONFIRMED, poll_until  # noqa: E402
from processes import run_together  # noqa: E402


class Writers(Race):

    def test_two_thousand_messages_of_eight_writers_all_arrive_once_and_in_order(self):
        self.run_writers(4, 350, 4, 160, "--debug")
        self.assertGreaterEqual(self.count, 2000)
        self.assert_sound()
        hold = self.longest_hold()
        print(f"{self.count} acknowledged, {len(self.refused)} refused, longest hold of the lock: "
              + ("not told" if hold is None else f"{hold} ms"), file=sys.stderr)

    def test_an_inbox_that_many_make_at_once_gets_all_messages(self):
        for _ in range(5):
            self.run_writers(2, 1, 4, 1)
            self.assert_sound()
            os.unlink(self.box.path("alice"))
            self.acknowledged.clear()

    def test_an_old_lock_has_one_heir_at_a_time(self):
        for number in range(10):
            self.box.put("alice", [], age=0)
            lock = self.box.path("alice") + ".lock"
            os.mkdir(lock)
            then = time.time() - 11
            os.utime(lock, (then, then))
            self.acknowledged.clear()
            self.run_writers(1, 1, 4, 1)
            self.assert_sound()

    def test_a_kill_at_any_moment_loses_nothing_acknowledged_and_damages_nothing(self):
        random.seed(3)
        begin = time.monotonic()
        self.write_ourselves("we", 3)
        usual = (time.monotonic() - begin) / 3
        for number in range(60):
            text = f"killed says {number}"
            process = self.start("send", "--to", "alice", "--subject", "s", "--body", text,
                                 "--no-verify")
            time.sleep(random.uniform(0, usual * 1.2))
            process.kill()
            if process.communicate()[0].endswith(b"\n"):
                self.record("killed", text, True)
            lock = self.box.path("alice") + ".lock"
            if os.path.exists(lock):  # as for everybody ten seconds later
                os.utime(lock, (time.time() - 11,) * 2)
            texts = Counter(one["text"] for one in self.box.entries("alice"))
            self.assertEqual(set(texts.values()), {1})
            for sent in self.acknowledged.values():
                self.assertLessEqual(set(sent), set(texts))
        self.write_ourselves("after", 1)
        self.write_with_node("node", 1)
        self.assertEqual([one["text"] for one in self.node("read")][-2:],
                         ["after says 1", "node says 1"])


class Readers(Race):

    def test_a_reader_never_sees_less_than_before_while_node_writes_in_place(self):
        old = [entry(number, text="x" * 3000) for number in range(100)]
        self.box.put("alice", old)
        writers = [self.start_node("append", "0", options=["--from", f"node{number}", "--newer"])
                   for number in range(2)]
        for writer in writers:
            writer.next()
        seen = len(old)
        for _ in range(25):
            found = self.run_json("messages")
            self.assertEqual({one["damaged"] for one in found}, {None})
            self.assertGreaterEqual(len(found), seen)
            seen = len(found)
        for writer in writers:
            writer.finish()
        self.assertGreater(seen, len(old))


class HalfWritten(Race):
    """Inboxes that are rewritten in place, slowly: empty or cut short for a while."""

    def rewrite(self, first, wait_s, begun, lock=None):
        """Truncates, writes the first bytes, waits, and writes the rest of the old content."""
        data = self.box.read("alice")
        if lock:
            os.mkdir(lock)
        with open(self.box.path("alice"), "wb", buffering=0) as file:
            file.write(data[:first])
            begun.set()
            time.sleep(wait_s)
            file.write(data[first:])
        if lock:
            os.rmdir(lock)

    def send_while_rewritten(self, first, wait_s, lock=None):
        self.box.put("alice", [entry(number) for number in range(1, 4)])
        begun = threading.Event()

        def send():
            begun.wait()
            self.write_ourselves("we", 1)

        run_together(lambda: self.rewrite(first, wait_s, begun, lock), send)
        self.assertEqual([one["text"] for one in self.node("read")],
                         ["text 1", "text 2", "text 3", "we says 1"])
        self.assert_tidy("alice")

    def test_one_that_is_empty_just_now_is_waited_for(self):
        self.send_while_rewritten(0, 0.4)

    def test_one_that_is_cut_short_just_now_is_waited_for(self):
        self.send_while_rewritten(250, 0.4)

    def test_one_whose_writer_holds_the_lock_and_is_slow_is_not_taken_for_damaged(self):
        self.send_while_rewritten(250, 1.5, lock=self.box.path("alice") + ".lock")


class Poller(Race):

    def test_nothing_is_lost_while_a_poller_marks_everything_as_read(self):
        poller = self.start_node("poll", "10")
        said = []
        reader = threading.Thread(target=lambda: said.extend(iter_until_end(poller)))
        reader.start()
        self.run_writers(2, 90, 3, 40)
        poller.process.stdin.close()
        reader.join()
        self.assertEqual(poller.process.wait(), 0)
        self.assertEqual(self.count, 300)
        self.assert_sound()
        entries = self.box.entries("alice")
        delivered = {text for one in said for text in one["delivered"]}
        self.assertLessEqual(delivered, {one["text"] for one in entries})
        self.assertEqual({one["text"] for one in entries if not one["read"]} & delivered, set())
        self.assertGreater(len(delivered), 0)

    def test_our_marks_and_nodes_appends_do_not_undo_each_other(self):
        self.box.put("alice", [entry(number) for number in range(20)])
        marked = threading.Event()

        def mark():
            try:
                for _ in range(12):
                    result = self.box.run("mark", "--all", "alice", "read", "--as", "alice")
                    self.assertIn(result.rc, (harness.DONE, harness.NOTHING), str(result))
            finally:
                marked.set()

        run_together(mark, lambda: self.write_with_node("node0", 60),
                     lambda: self.write_ourselves("we0", 30))
        entries = self.box.entries("alice")
        self.assertEqual(len(entries), 20 + self.count)
        self.assertEqual({one["read"] for one in entries[:20]}, {True})
        for writer, sent in self.acknowledged.items():
            self.assertEqual([one["text"] for one in entries if
                              one["text"].startswith(writer + " says ")], sent)
        self.assert_tidy("alice")


def iter_until_end(peer):
    while True:
        try:
            yield peer.next()
        except AssertionError:  # it has ended
            return


class Rude(Race):
    """A writer that ignores the lock: its messages may be lost, those that we acknowledge may not."""

    def send_beside_it(self, *options):
        """Sends twelve messages, one after the other; returns the exit status of each by its text."""
        self.box.put("alice", [entry(number, text="x" * 2000) for number in range(100)])
        rude = self.start_node("append", "0", options=["--no-lock", "--from", "rude",
                                                       "--pause", "40"])
        rude.next()
        codes = {}

        def send(number):
            text = f"we say {number}"
            codes[text] = self.box.run("send", "--to", "alice", "--subject", text, "--body", text,
                                       *options).rc

        for number in range(12):
            send(number)
        rude.finish()
        self.assertLessEqual(set(codes.values()), {DONE, FAILED, UNCONFIRMED})
        return codes

    def outbox(self):
        return harness.parse_lines(self.box.run("outbox", "--json").stdout)

    def is_settled(self):
        """True if the outbox checks nothing any more: each message is there, or given up with a
        report."""
        return not [one for one in self.outbox() if one["state"] not in ("lost", "failed")]

    def check(self, codes):
        texts = Counter(one["text"] for one in self.node("read"))
        told = [one["subject"] for one in self.outbox()]
        # a writer that pauses for long overwrites two of ours at once: that looks like taking
        taken = [one["subject"] for one in self.run_json("sent") if one["state"] == "taken"]
        done = [text for text, code in codes.items()
                if code == DONE and text not in told and text not in taken]
        self.assertGreaterEqual(len(done), 6)
        self.assertEqual({text: texts[text] for text in done}, dict.fromkeys(done, 1))
        self.assertEqual([text for text, code in codes.items() if code == FAILED and texts[text]],
                         [])
        self.assertEqual(len([text for text in texts if text.startswith("x")]), 1)

    def send_and_undo(self, wait_s, *options):
        """Sends one message; when it has arrived and `wait_s` have passed, a writer that has read
        the old inbox adds an entry to that, and writes it over ours."""
        old = [entry(1), entry(2)]
        self.box.put("alice", old)
        ours = self.start("send", "--to", "alice", "--subject", "s", "--body", "ours", *options)
        self.assertTrue(poll_until(lambda: b'"ours"' in self.box.read("alice")))
        time.sleep(wait_s)
        self.box.put("alice", [*old, entry(3)], age=0)
        self.finish(ours, DONE)

    def assert_ours_is_there(self):
        self.assertEqual([one["text"] for one in self.node("read")],
                         ["text 1", "text 2", "text 3", "ours"])
        self.assert_tidy("alice")

    def test_what_is_overwritten_at_the_first_look_is_written_again(self):
        self.send_and_undo(0)
        self.assert_ours_is_there()

    def test_what_is_overwritten_at_the_second_look_is_written_again(self):
        self.send_and_undo(0.8, "--verify")
        self.assert_ours_is_there()

    def test_what_is_overwritten_after_the_first_look_is_written_again_by_a_later_command(self):
        self.send_and_undo(0.8)
        self.assertTrue(poll_until(self.is_settled))
        self.assert_ours_is_there()

    def test_what_is_not_verified_is_not_looked_for(self):
        self.send_and_undo(0, "--no-verify")
        self.assertEqual([one["text"] for one in self.node("read")],
                         ["text 1", "text 2", "text 3"])

    def test_what_we_verified_is_there_and_once(self):
        self.check(self.send_beside_it("--verify"))

    def test_what_we_sent_is_there_and_once_when_the_outbox_is_settled(self):
        codes = self.send_beside_it()
        self.assertTrue(poll_until(self.is_settled))
        self.check(codes)


if __name__ == "__main__":
    node_modules.require()
    harness.main()
