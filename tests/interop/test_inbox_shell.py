"""Inbox directories with an archive below, together with a shell that uses the same files."""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import DONE, FAILED, NOTHING, REFUSED  # noqa: E402
from processes import run_together  # noqa: E402

KEYS = ["id", "timestamp", "from", "to", "subject", "content", "conversationId"]
INBOXES = ("coordinator", "person-manager", "task-managers", "workers")
DAY_S = 24 * 3600


class InboxCase(harness.ProgramCase):

    def setUp(self):
        self.box = harness.Home()
        self.addCleanup(self.box.close)
        self.inboxes = os.path.join(self.box.root, "scheduler", "inboxes")
        self.box.source = ("-S", "inbox:" + self.inboxes)
        for inbox in INBOXES:
            os.makedirs(os.path.join(self.inboxes, inbox, "archive"))

    def shell(self, *words, rc=0):
        """Runs the peer; returns its lines."""
        result = subprocess.run(["sh", os.path.join(HERE, "inbox_peer.sh"), self.inboxes, *words],
                                env=self.box.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                timeout=harness.LIMIT_S)
        if rc is not None:
            self.assertEqual(result.returncode, rc, result.stderr)
        return result.stdout.decode().splitlines()

    def send(self, *args, to="workers", subject="a subject", body="a body", rc=DONE):
        result = self.run_program("send", "--to", to, "--subject", subject, "--body", body, *args,
                                  rc=rc)
        return result.out.strip() if rc == DONE else result

    def path(self, inbox, *names):
        return os.path.join(self.inboxes, inbox, *names)

    def put(self, inbox, name, data, age=60, archived=False):
        if isinstance(data, dict):
            data = json.dumps(data, indent=2).encode() + b"\n"
        path = self.path(inbox, *(["archive"] if archived else []), name)
        with open(path, "wb") as file:
            file.write(data)
        os.utime(path, (time.time() - age,) * 2)
        return path

    def put_letter(self, inbox="coordinator", number=1, **changes):
        letter = {"id": f"worker-{number}", "timestamp": "2026-02-12T08:02:18Z", "from": "workers",
                  "to": inbox, "subject": f"subject {number}", "content": f"text {number}"}
        letter.update(changes)
        return self.put(inbox, f"17708{number:05}-worker-question.json", letter)

    def names(self, inbox, *part):
        return sorted(name for name in os.listdir(self.path(inbox, *part)) if name != "archive")

    def load(self, inbox, *names):
        with open(self.path(inbox, *names), "rb") as file:
            return json.load(file)

    def only(self, inbox):
        """Returns the only waiting message, as the shell finds it."""
        path, = self.shell("check", inbox)
        return json.loads("\n".join(self.shell("read", inbox, os.path.basename(path))))


class ThePeer(InboxCase):
    """Checks the habits of the peer alone, which the rest of this file depends on."""

    def test_a_name_that_is_taken_in_the_archive_is_overwritten(self):
        name, = self.shell("send", "workers", "pm", "s", "c", "conv-5")
        self.put("workers", name, b"{}", archived=True)
        self.shell("archive", "workers", name)
        self.assertEqual(self.load("workers", "archive", name)["conversationId"], "conv-5")
        self.assertEqual(self.shell("recent", "workers"), [name])
        self.assertEqual(self.shell("history", "conv-5"), [self.path("workers", "archive", name)])

    def test_without_an_archive_the_message_stays(self):
        name, = self.shell("send", "workers", "pm", "s", "c", "conv-5")
        os.rmdir(self.path("workers", "archive"))
        self.shell("archive", "workers", name, rc=1)
        self.assertEqual(self.shell("check", "workers"), [self.path("workers", name)])


class WhatWeSend(InboxCase):

    def test_has_the_documented_keys_in_their_order_and_a_name_as_documented(self):
        before = int(time.time())
        id = self.send(subject="Build: it's br\u00f6ken!", body="line one\n\"two\" \u20ac")
        name, = self.names("workers")
        match = re.fullmatch(r"(\d{10})-coordinator-build-it-s-br-ken\.json", name)
        self.assertTrue(match, name)
        self.assertLessEqual(before, int(match[1]))
        letter = self.only("workers")
        self.assertEqual(list(letter), KEYS)
        self.assertEqual((letter["from"], letter["to"], letter["subject"], letter["content"]),
                         ("coordinator", "workers", "Build: it's br\u00f6ken!",
                          "line one\n\"two\" \u20ac"))
        self.assertRegex(letter["timestamp"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")
        self.assertRegex(letter["id"], r"\Acoordinator-\d{13}-[0-9a-f]{4}\Z")
        self.assertEqual(letter["id"], id)
        self.assertRegex(letter["conversationId"], r"\Aconv-\d{13}\Z")
        with open(self.path("workers", name), "rb") as file:
            data = file.read()
        self.assertEqual(data, json.dumps(letter, indent=2, ensure_ascii=False).encode() + b"\n")

    def test_has_the_optional_keys_only_when_they_say_something(self):
        self.send("--priority", "urgent", "--requires-response")
        letter = self.only("workers")
        self.assertEqual(list(letter), KEYS + ["priority", "requiresResponse"])
        self.assertEqual((letter["priority"], letter["requiresResponse"]), ("urgent", True))

    def test_replaces_no_other_of_the_same_second(self):
        running = [self.start("send", "--to", "workers", "--subject", "same", "--body", str(number))
                   for number in range(12)]
        ids = {self.finish(process, DONE).out.strip() for process in running}
        self.assertEqual(len(ids), 12)
        names = self.names("workers")
        letters = [self.load("workers", name) for name in names]
        self.assertEqual({letter["id"] for letter in letters}, ids)
        self.assertEqual({letter["content"] for letter in letters}, set(map(str, range(12))))
        for name in names:
            self.assertRegex(name, r"\A\d{10}-coordinator-same(-([2-9]|1\d))?\.json\Z")
        self.assertTrue([name for name in names if name.endswith("-same-2.json")], names)

    def test_is_never_seen_half_by_a_shell_that_lists_all_the_time(self):
        stop, seen = threading.Event(), set()

        def look():
            while not stop.is_set():
                for path in self.shell("check", "workers"):
                    with open(path, "rb") as file:
                        seen.add(json.load(file)["content"][:9])

        def send():
            try:
                for number in range(30):
                    body = os.path.join(self.box.root, "body")
                    with open(body, "w") as file:
                        file.write(f"number {number:02}" + "x" * 500_000)
                    self.run_program("send", "--to", "workers", "--subject", "s", "--body-file",
                                     body)
            finally:
                stop.set()

        run_together(look, send)
        self.assertTrue(seen)
        self.assertEqual(len(self.shell("check", "workers")), 30)
        self.assertEqual(len(os.listdir(self.path("workers"))), 31)

    def test_goes_only_to_an_inbox_that_is_there(self):
        before = self.box.snapshot(self.inboxes)
        self.assert_says(self.send(to="worker-7", rc=REFUSED), "worker-7", "workers")
        self.assert_unchanged(before, self.inboxes)
        self.send("--create", to="worker-7")
        self.assertEqual(self.only("worker-7")["to"], "worker-7")

    def test_as_a_broadcast_is_one_file_an_inbox_in_one_conversation(self):
        self.run_program("broadcast", "--all", "--subject", "s", "--body", "stop")
        letters = [self.only(inbox) for inbox in INBOXES if inbox != "coordinator"]
        self.assertEqual(self.names("coordinator"), [])
        self.assertEqual(len({letter["conversationId"] for letter in letters}), 1)
        self.assertEqual([letter["to"] for letter in letters], list(INBOXES[1:]))


class Conversations(InboxCase):

    def test_a_reply_stays_in_the_conversation_and_the_question_is_put_away(self):
        name, = self.shell("send", "coordinator", "workers", "a question", "why", "conv-77")
        question = self.only("coordinator")
        self.run_program("reply", question["id"], "--body", "because")
        answer = self.only("workers")
        self.assertEqual((answer["from"], answer["to"], answer["subject"], answer["content"],
                          answer["conversationId"], answer["replyTo"]),
                         ("coordinator", "workers", "Re: a question", "because", "conv-77",
                          question["id"]))
        self.assertEqual(self.shell("waiting", "conv-77"), self.shell("check", "workers"))
        self.assertEqual(self.shell("history", "conv-77"),
                         [self.path("coordinator", "archive", name)])

    def test_grep_finds_a_whole_conversation_of_ours(self):
        first = self.send()
        conversation = self.only("workers")["conversationId"]
        self.run_program("archive", first, "--as", "workers")
        answer, = self.shell("reply", "coordinator", "workers", "done", conversation, first)
        self.shell("archive", "coordinator", answer)
        self.assertEqual(len(self.shell("history", conversation)), 2)
        said = self.run_json("thread", first)
        self.assertEqual([one["id"] for one in said][0], first)
        self.assertEqual(len(said), 2)

    def test_a_reply_finds_the_inbox_of_a_sender_who_writes_his_name_otherwise(self):
        for number, (sender, inbox) in enumerate((("task-manager", "task-managers"),
                                                  ("pm", "person-manager"))):
            self.put_letter(number=number, **{"from": sender})
            self.run_program("reply", f"worker-{number}", "--body", "yes")
            self.assertEqual(self.only(inbox)["replyTo"], f"worker-{number}")


class Archiving(InboxCase):

    def test_keeps_name_bytes_and_time(self):
        data = (b'{"id": "x-1", "from":"workers",  "subject": "caf\\u00e9", "n": 1.0, "n": 2,\n'
                b'"content": {"a": [ ]}, "timestamp": "2026-02-12 09:45 EST" }')
        path = self.put("coordinator", "$(date +%s)-x (1) 100%+.json", data, age=1000)
        before = os.stat(path)
        self.run_program("archive", "x-1")
        self.assertEqual(self.names("coordinator"), [])
        moved = self.path("coordinator", "archive", os.path.basename(path))
        with open(moved, "rb") as file:
            self.assertEqual(file.read(), data)
        after = os.stat(moved)
        self.assertEqual((after.st_mtime_ns, after.st_ino, after.st_mode),
                         (before.st_mtime_ns, before.st_ino, before.st_mode))

    def test_replaces_nothing_in_the_archive_and_makes_one_that_is_missing(self):
        path = self.put_letter(number=1)
        name = os.path.basename(path)
        old = self.put("coordinator", name, b"{}", archived=True)
        self.run_program("archive", "worker-1")
        with open(old, "rb") as file:
            self.assertEqual(file.read(), b"{}")
        self.assertEqual(self.names("coordinator", "archive"),
                         sorted([name, name.replace(".json", "-2.json")]))
        second = self.load("coordinator", "archive", name.replace(".json", "-2.json"))
        self.assertEqual(second["id"], "worker-1")
        self.put_letter("workers", number=2)
        os.rmdir(self.path("workers", "archive"))
        self.run_program("archive", "worker-2")
        self.assertEqual(len(self.names("workers", "archive")), 1)

    def test_is_a_claim_that_exactly_one_of_ours_wins(self):
        for number in range(12):
            path = self.put_letter(number=number)
            running = [self.start("archive", f"worker-{number}") for _ in range(6)]
            codes = [self.finish(process, DONE, NOTHING, REFUSED, FAILED).rc for process in running]
            self.assertEqual(codes.count(DONE), 1, codes)
            self.assertEqual(self.names("coordinator"), [])
            self.assertIn(os.path.basename(path), self.names("coordinator", "archive"))
        self.assertEqual(len(self.names("coordinator", "archive")), 12)

    def test_is_a_claim_that_either_the_shell_or_we_win(self):
        random.seed(5)
        winners = set()
        for number in range(24):
            path = self.put_letter(number=number)
            ours = self.start("archive", f"worker-{number}")
            time.sleep(random.uniform(0, 0.006))
            moved = subprocess.run(["mv", path, self.path("coordinator", "archive")],
                                   stderr=subprocess.DEVNULL).returncode == 0
            won = self.finish(ours, DONE, NOTHING, REFUSED, FAILED).rc == DONE
            self.assertNotEqual(moved, won)
            winners.add(won)
            self.assertEqual(self.names("coordinator"), [])
        self.assertEqual(len(self.names("coordinator", "archive")), 24)
        print(f"won by us: {winners}", file=sys.stderr)

    def test_what_the_shell_archived_is_archived_for_us(self):
        name, = self.shell("send", "coordinator", "workers", "s", "c", "conv-1")
        self.assertEqual([one["status"] for one in self.run_json("messages")], ["unread"])
        self.shell("archive", "coordinator", name)
        self.run_program("messages", rc=NOTHING)
        self.assertEqual([one["status"] for one in self.run_json("messages", "--archive")],
                         ["archived"])


class Marking(InboxCase):

    def test_never_touches_a_message_that_waits(self):
        self.put_letter(number=1)
        before = self.box.snapshot(self.inboxes)
        result = self.box.run("mark", "worker-1", "read")
        self.assertIn(result.rc, (DONE, REFUSED), str(result))
        self.assert_unchanged(before, self.inboxes)

    def test_a_file_that_is_no_json_can_be_put_away_as_it_is(self):
        data = b'{"id": "x", "content": "un"escaped"}'
        path = self.put("coordinator", "1770800000-x-y.json", data)
        one, = self.run_json("messages")
        self.assertTrue(one["damaged"])
        self.run_program("archive", path)
        with open(self.path("coordinator", "archive", "1770800000-x-y.json"), "rb") as file:
            self.assertEqual(file.read(), data)


class Cleaning(InboxCase):

    def put_ages(self):
        for number, days in enumerate((0, 6.9, 7.1, 7.9, 7.99, 8.0001, 8.1, 9, 100)):
            for inbox in ("coordinator", "workers"):
                self.put(inbox, f"{number}-old.json", b"{}", age=days * DAY_S, archived=True)
                self.put(inbox, f"{number}-waits.json", b"{}", age=days * DAY_S)
                self.put(inbox, f"{number}-notes.md", b"notes", age=days * DAY_S, archived=True)

    def tree(self):
        return sorted(os.path.join(where, name) for where, _, names in os.walk(self.inboxes)
                      for name in names)

    def test_removes_exactly_what_find_would(self):
        self.put_ages()
        before = self.tree()
        aside = os.path.join(self.box.root, "aside")
        subprocess.run(["cp", "-a", self.inboxes, aside], check=True)
        self.run_program("cleanup", "--dry-run")
        self.assertEqual(self.tree(), before)
        self.run_program("cleanup")
        ours = self.tree()
        shutil.rmtree(self.inboxes)
        os.rename(aside, self.inboxes)
        self.shell("cleanup")
        self.assertEqual(ours, self.tree())
        self.assertEqual(len(before) - len(ours), 8)
        self.box.run("cleanup")
        self.assertEqual(self.tree(), ours)


if __name__ == "__main__":
    harness.main()
