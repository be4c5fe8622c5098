"""Many processes, ours and Python's, on one ADR-003 tree at the same time."""
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from adr_peer import Letter, Peer  # noqa: E402
from harness import DONE, FAILED, MARK, NOTHING, REFUSED, message, without  # noqa: E402
from processes import end_process, run_together  # noqa: E402

RANK = ["unread", "read", "processing", "failed", "completed", "archived"]
STATES = ("status", "read_at", "completed_at")


class RaceCase(harness.MailboxCase):

    def start_peer(self, *args):
        """Starts a Python process; one that marks has loaded everything when this returns."""
        process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "adr_peer.py"), self.box.root, *args],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.box.env, cwd=self.box.root)
        self.addCleanup(end_process, process)
        if args[0] == "steps":
            self.assertEqual(process.stdout.readline(), b"ready\n")
        return process

    def assert_whole(self, path):
        """Asserts that the file holds a complete message that the layout's loader accepts."""
        with open(path, "rb") as file:
            data = file.read()
        fields = json.loads(data)
        self.assertEqual(list(fields), harness.FIELDS)
        Letter.from_file(fields)
        return fields

    def paths(self, agent, part="inbox"):
        return [os.path.join(self.box.dir(agent, part), name)
                for name in self.box.files(agent, part) if name.startswith("MSG-")]

    def put_many(self, count, agent="alice"):
        """Writes messages to an inbox; returns their ids in the order of time."""
        ids = [f"MSG-{number:012x}" for number in range(count)]
        for number, id in enumerate(ids):
            self.box.put(agent, message(id, to_agent=agent,
                                        created_at=f"2026-01-03T14:{number // 60:02}:{number % 60:02}"))
        return ids


class Sending(RaceCase):

    def test_an_agent_that_is_quicker_than_the_second_look_has_got_it(self):
        """The agent marks new mail as read, or archives it, before the sender has read it again."""
        self.box.add_box("alice")
        os.makedirs(self.box.dir("alice", "archive"), exist_ok=True)
        over = threading.Event()

        def be_quick():
            known, archive = set(), False
            while not over.is_set():
                for path in self.paths("alice"):
                    if path in known:
                        continue
                    known.add(path)
                    archive = not archive
                    with open(path) as file:
                        fields = json.load(file)
                    fields.update(status="archived" if archive else "read", read_at="2026-01-03T14:30:00")
                    name = os.path.basename(path)
                    if archive:
                        os.unlink(path)
                        path = os.path.join(self.box.dir("alice", "archive"), name)
                    with open(path + ".tmp", "w") as file:
                        json.dump(fields, file, indent=2)
                    os.rename(path + ".tmp", path)

        agent = threading.Thread(target=be_quick)
        agent.start()
        try:
            for number in range(30):
                self.send("--to", "alice", "--body", f"number {number}", "--verify")
        finally:
            over.set()
            agent.join()

    def test_nothing_is_lost_and_nothing_doubled_when_both_sides_send(self):
        ours = []

        def sender(name):
            for number in range(12):
                ours.append(self.send("--from", name, "--body", f"body {number} of {name}"))

        peers = [self.start_peer("send", f"peer{number}", "alice", "40") for number in range(3)]
        run_together(*(lambda name=f"we{number}": sender(name) for number in range(4)))
        theirs = [line.decode() for peer in peers for line in peer.communicate()[0].splitlines()]
        self.assertEqual((len(ours), len(theirs)), (48, 120))
        sent = ours + theirs
        self.assertEqual(len(set(sent)), len(sent))
        self.assertEqual(sorted(os.path.basename(path)[:-5] for path in self.paths("alice")),
                         sorted(sent))
        bodies = {(fields["from_agent"], fields["body"])
                  for fields in map(self.assert_whole, self.paths("alice"))}
        self.assertEqual(len(bodies), len(sent))
        self.assertEqual(set(self.listed()), set(sent))
        peer = Peer(self.box.root)
        self.assertEqual((set(peer.letters), peer.skipped), (set(sent), {}))

    def test_a_new_mailbox_made_by_many_at_once_gets_all_messages(self):
        running = [self.start("send", "--create", "--to", "dev/new", "--subject", str(number))
                   for number in range(12)]
        ids = [self.finish(process, DONE).out.strip() for process in running]
        self.assertEqual(sorted(self.box.files("dev/new")), sorted(id + ".json" for id in ids))

    def test_a_kill_at_any_moment_leaves_no_half_message_and_loses_no_acknowledged_one(self):
        random.seed(1)
        begin = time.monotonic()
        acknowledged = [self.send("--body", "x" * 20000)]
        usual = time.monotonic() - begin
        for _ in range(60):
            process = self.start("send", "--to", "alice", "--subject", "s", "--body", "x" * 20000)
            time.sleep(random.uniform(0, usual * 1.2))
            process.kill()
            out = process.communicate()[0].decode()
            if out.endswith("\n"):
                acknowledged.append(out.strip())
        present = {self.assert_whole(path)["id"] for path in self.paths("alice")}
        self.assertLessEqual(set(acknowledged), present)
        found = self.listed()
        self.assertEqual(set(found), present)
        self.assertEqual({one["damaged"] for one in found.values()}, {None})
        self.assertEqual(Peer(self.box.root).skipped, {})


class Marking(RaceCase):

    def watch(self, id, stop, seen):
        """Reads the file over and over like a peer: it must always be there and whole."""
        path = os.path.join(self.box.dir("alice"), id + ".json")
        while not stop.is_set():
            seen.add(self.assert_whole(path)["status"])

    def test_exactly_one_of_many_wins_each_step(self):
        id = self.send("--body", "x")
        before = json.loads(self.box.read("alice", id))
        stop, seen = threading.Event(), set()

        def steps():
            try:
                for step in (["read"], ["processing"], ["failed"], ["completed", "--keep"]):
                    running = [self.start(*MARK, id, *step) for _ in range(10)]
                    codes = [self.finish(process, DONE, REFUSED).rc for process in running]
                    self.assertEqual(codes.count(DONE), 1, step)
                    self.assertEqual(json.loads(self.box.read("alice", id))["status"], step[0])
            finally:
                stop.set()

        run_together(steps, lambda: self.watch(id, stop, seen))
        self.assertLessEqual(seen, set(RANK))
        after = json.loads(self.box.read("alice", id))
        self.assertEqual(without(after, *STATES), without(before, *STATES))

    def test_the_furthest_acknowledged_step_is_the_one_that_stays(self):
        for _ in range(16):
            id = self.send("--body", "x")
            running = [(step, self.start(*MARK, id, *step.split()))
                       for step in ["read", "processing", "completed --keep"] * 4]
            done = [step.split()[0] for step, process in running
                    if self.finish(process, DONE, REFUSED).rc == DONE]
            self.assertEqual(len(done), len(set(done)), "a step was acknowledged twice")
            fields = self.assert_whole(os.path.join(self.box.dir("alice"), id + ".json"))
            self.assertEqual(fields["status"], max(done, key=RANK.index))

    def test_a_peer_that_marks_at_the_same_time_leaves_one_of_the_legal_outcomes(self):
        for number in range(6):
            id = self.send("--body", "x")
            before = json.loads(self.box.read("alice", id))
            peer = self.start_peer("steps", id, "read", "processing")
            peer.stdin.write(b"go\n")
            peer.stdin.flush()
            ours = [self.start(*MARK, id, *step) for step in (["read"], ["completed", "--keep"])]
            codes = [self.finish(process, DONE, REFUSED, FAILED).rc for process in ours]
            peer.wait()
            fields = self.assert_whole(os.path.join(self.box.dir("alice"), id + ".json"))
            self.assertIn(fields["status"], ("processing", "completed"))
            if fields["status"] == "completed":
                self.assertEqual(codes[1], DONE)
            self.assertEqual(without(fields, *STATES), without(before, *STATES))
            self.assertEqual(fields["completed_at"] is None, fields["status"] == "processing")

    def test_a_peer_that_completes_at_the_same_time_loses_no_message(self):
        for _ in range(6):
            id = self.send("--body", "x")
            peer = self.start_peer("steps", id, "completed")
            peer.stdin.write(b"go\n")
            peer.stdin.flush()
            ours = self.start(*MARK, id, "processing")
            self.finish(ours, DONE, NOTHING, REFUSED, FAILED)
            peer.wait()
            one = self.listed()[id]
            self.assertIsNone(one["damaged"])
            self.assertEqual(self.box.files("alice", "archive").count(id + ".json"), 1)
            self.assertEqual(one["status"], "archived")


class Archiving(RaceCase):

    def test_a_message_archived_by_many_is_once_in_the_archive_and_not_in_the_inbox(self):
        for _ in range(5):
            id = self.send("--body", "x")
            before = json.loads(self.box.read("alice", id))
            running = [self.start("archive", id) for _ in range(8)]
            codes = [self.finish(process).rc for process in running]
            self.assertIn(DONE, codes)
            self.assertLessEqual(set(codes), {DONE, NOTHING, REFUSED, FAILED})
            self.assertEqual(self.box.files("alice"), [])
            copies = [name for name in self.box.files("alice", "archive") if id in name]
            self.assertEqual(copies, [id + ".json"])
            fields = self.assert_whole(self.paths("alice", "archive")[-1])
            after = json.loads(self.box.read("alice", id, "archive"))
            self.assertEqual(after["status"], "archived")
            self.assertEqual(fields["completed_at"], before["completed_at"])
            self.assertEqual(without(after, *STATES), without(before, *STATES))

    def test_marking_never_brings_an_archived_message_back(self):
        for _ in range(6):
            id = self.send("--body", "x")
            marks = [self.start(*MARK, id, step) for step in ("read", "processing", "failed")]
            archive = self.start("archive", id)
            more = [self.start(*MARK, id, step) for step in ("read", "processing", "failed")]
            for process in marks + more:
                self.finish(process, DONE, NOTHING, REFUSED, FAILED)
            if self.finish(archive, DONE, FAILED).rc == DONE:
                self.assertEqual(self.box.files("alice"), [])
                self.assertEqual(json.loads(self.box.read("alice", id, "archive"))["status"],
                                 "archived")
            else:
                self.assertIn(id + ".json", self.box.files("alice"))
                self.finish(self.start("archive", id), DONE)

    def test_a_message_that_many_archive_and_mark_is_never_lost(self):
        steps = [[*MARK, "read"], ["archive"], [*MARK, "processing"], ["archive"],
                 [*MARK, "failed"], ["archive"]] * 2
        for _ in range(20):
            id = self.send("--body", "x")
            running = [(step[0], self.start(step[0], id, *step[1:])) for step in steps]
            codes = [(name, self.finish(process, DONE, NOTHING, REFUSED, FAILED).rc)
                     for name, process in running]
            copies = [(part, name) for part in ("inbox", "archive")
                      for name in self.box.files("alice", part) if id in name]
            part = "archive" if ("archive", DONE) in codes else "inbox"
            self.assertEqual(copies, [(part, id + ".json")], codes)

    def test_a_peer_that_completes_what_we_archive_leaves_it_somewhere(self):
        for _ in range(8):
            id = self.send("--body", "x")
            peer = self.start_peer("steps", id, "processing", "completed")
            ours = self.start("archive", id)
            peer.stdin.write(b"go\n")
            peer.stdin.flush()
            self.finish(ours, DONE, NOTHING, REFUSED, FAILED)
            peer.wait()
            copies = [path for part in ("inbox", "archive") for path in self.paths("alice", part)
                      if id in path]
            self.assertTrue(copies)
            for path in copies:
                self.assert_whole(path)
            found = self.run_json("messages", "--all")
            self.assertEqual({one["status"] for one in found if one["id"] == id}, {"archived"})

    def check_reader(self, count):
        ids = self.put_many(count)
        for number in range(2000):  # not messages, but listing them takes time
            self.box.put("alice", b"", name=f".{number}", age=0)
        stop = threading.Event()
        reads = []

        def read():
            while True:
                last = stop.is_set()
                found = self.run_json("messages", "--all")
                self.assertEqual(sorted(one["id"] for one in found), ids)
                self.assertEqual({one["damaged"] for one in found}, {None})
                reads.append(len(found))
                if last:
                    return

        def archive():
            try:
                for id in ids:
                    self.run_program("archive", id)
            finally:
                stop.set()

        run_together(read, read, archive)
        self.assertGreater(len(reads), 2)
        self.assertEqual(self.box.files("alice"), [])

    def test_a_reader_misses_no_message_while_others_are_archived(self):
        self.check_reader(40)

    def test_a_reader_misses_no_message_when_the_archive_is_listed_first(self):
        for base in (None, "/dev/shm"):  # the order of names in a directory depends on the file system
            for order in (("inbox", "archive"), ("archive", "inbox")):
                if base and not os.access(base, os.W_OK):
                    continue
                self.box.close()
                self.box = harness.Mailbox(base)
                self.addCleanup(self.box.close)
                for part in order:
                    os.makedirs(self.box.dir("alice", part))
                if os.listdir(os.path.dirname(self.box.dir("alice")))[0] == "archive":
                    self.check_reader(40)
                    return
        self.skipTest("no file system here lists it first")

    def test_a_reader_misses_no_message_when_the_archive_is_made_meanwhile(self):
        for _ in range(4):
            shutil.rmtree(self.box.dir("alice", "archive"))
            self.check_reader(3)

    def test_a_kill_while_archiving_or_marking_loses_no_message(self):
        random.seed(2)
        ids = self.put_many(50)
        begin = time.monotonic()
        self.run_program("archive", ids[0])
        usual = time.monotonic() - begin
        for number, id in enumerate(ids[1:]):
            process = self.start(*(("archive", id) if number % 2 else (*MARK, id, "read")))
            time.sleep(random.uniform(0, usual * 1.2))
            process.kill()
            acknowledged = process.communicate()[0].endswith(b"\n")
            inbox = os.path.join(self.box.dir("alice"), id + ".json")
            archive = os.path.join(self.box.dir("alice", "archive"), id + ".json")
            self.assertTrue(os.path.exists(inbox) or os.path.exists(archive))
            if acknowledged and number % 2:
                self.assertFalse(os.path.exists(inbox))
            elif acknowledged:
                self.assertEqual(self.assert_whole(inbox)["status"], "read")
        for path in self.paths("alice") + self.paths("alice", "archive"):
            self.assert_whole(path)
        self.assertEqual(sorted(self.listed()), ids)


class HalfWritten(RaceCase):
    """Agents that write in place: a file is empty or cut short for a while."""

    def write_in_place(self, path, data, begun):
        with open(path, "wb", buffering=0) as file:
            begun.set()  # now it is empty
            for piece in range(4):
                time.sleep(0.1)
                file.write(data[piece * len(data) // 4:(piece + 1) * len(data) // 4])

    def look_while_written(self, *args):
        data = json.dumps(message("MSG-00000000000a", body="b" * 3000), indent=2).encode()
        path = os.path.join(self.box.dir("alice"), "MSG-00000000000a.json")
        begun, results = threading.Event(), []

        def look():
            begun.wait()
            results.append(self.run_one(*args))

        run_together(lambda: self.write_in_place(path, data, begun), look)
        return results[0]

    def test_a_new_file_that_is_being_written_is_waited_for(self):
        self.assertIsNone(self.look_while_written("messages")["damaged"])

    def test_a_file_that_is_being_rewritten_is_waited_for(self):
        self.box.put("alice", message("MSG-00000000000a", body="shorter"))
        one = self.look_while_written("messages", "--bodies")
        self.assertIsNone(one["damaged"])
        self.assertIn(one["body"], ("shorter", "b" * 3000))

    def test_showing_and_marking_wait_too(self):
        self.assertIsNone(self.look_while_written("show", "MSG-00000000000a")["damaged"])
        one = self.look_while_written(*MARK, "MSG-00000000000a", "read")
        self.assertEqual(one["status"], "read")
        fields = self.assert_whole(os.path.join(self.box.dir("alice"), "MSG-00000000000a.json"))
        self.assertEqual(fields["status"], "read")

    def test_files_that_stay_half_are_damaged_in_the_end_and_hide_no_other(self):
        data = json.dumps(message(), indent=2).encode()
        for number in range(30):
            self.box.put("alice", data[:number * 7], name=f"MSG-{number:012x}.json", age=0)
        id = self.send(to="bob")
        found = self.listed()
        self.assertEqual(len(found), 31)
        self.assertEqual([one["id"] for one in found.values() if not one["damaged"]], [id])
        for number in range(30):
            self.assertEqual(self.box.read("alice", f"MSG-{number:012x}"), data[:number * 7])


if __name__ == "__main__":
    harness.main()
