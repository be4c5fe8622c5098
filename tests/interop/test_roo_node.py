"""One Markdown file per recipient, together with a Node program that uses the same files."""
import json
import os
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import node_modules  # noqa: E402
from harness import DONE, FAILED, NOTHING, REFUSED  # noqa: E402
from processes import wait_for_staging  # noqa: E402

SLUGS = ("orchestrator", "tester", "architect", "nestjs-developer")
ODD_BODY = ("**Request:** caf\u00e9 \U0001f600\n\n---\nfrom: not-a-header\n---\n\n---js\n  "
            "indented: yes  \n{{ x }} `code` \"q\" 'q' # no heading\n\ttab\n...\n")
PROGRESS = ("# Progress Log\n\n## Completed Tasks\n- \n\n## Next Steps\n- \n\n## Blockers\n- ")


class RooCase(harness.ProgramCase):

    def setUp(self):
        self.box = harness.Home()
        self.addCleanup(self.box.close)
        self.project = os.path.join(self.box.root, "project")
        self.mailbox = os.path.join(self.project, ".roo", "mailbox")
        self.progress = os.path.join(self.project, ".roo", "memory-bank", "progress.md")
        self.box.source = ("-S", "roo:" + self.project)
        os.makedirs(self.mailbox)
        os.makedirs(os.path.dirname(self.progress))
        with open(os.path.join(self.project, ".roomodes"), "w") as file:
            file.write("customModes:\n" + "".join(f"  - slug: {slug}\n    name: {slug}\n"
                                                  for slug in SLUGS))
        self.write(self.progress, PROGRESS)

    def node(self, *words):
        said, = self.start_peer(node_modules.command("roo_peer.js", self.project, *words),
                                node_modules.environment()).finish()
        return said

    def write(self, path, text):
        with open(path, "wb") as file:
            file.write(text.encode())

    def path(self, slug):
        return os.path.join(self.mailbox, f"to-{slug}.md")

    def read(self, slug):
        with open(self.path(slug), "rb") as file:
            return file.read()

    def read_progress(self):
        with open(self.progress, "rb") as file:
            return file.read().decode()

    def send(self, *args, to="tester", subject="a subject", body="a body", rc=DONE):
        return self.run_program("send", "--to", to, "--subject", subject, "--body", body, *args,
                                rc=rc)

    def queued(self):
        result = self.box.run("outbox", "--json")
        self.assertIn(result.rc, (DONE, NOTHING), str(result))
        return harness.parse_lines(result.stdout)


class ThePeer(RooCase):
    """Checks the habits of the peer alone, which the rest of this file depends on."""

    def test_a_second_message_replaces_the_first(self):
        for number in (1, 2):
            self.node("write", "tester", "architect", f"msg-0000000{number}", f"text {number}")
        said = self.node("read", "tester")
        self.assertEqual((said["data"]["id"], said["content"]), ("msg-00000002", "\ntext 2\n"))

    def test_an_id_without_quotes_may_become_a_number(self):
        self.write(self.path("tester"), "---\nfrom: a\nid: 0123\nother: 1e3\n---\n\ntext\n")
        self.assertEqual(self.node("read", "tester")["types"],
                         {"from": "string", "id": "number", "other": "number"})


class WhatWeSend(RooCase):

    def test_is_read_by_gray_matter_with_the_values_and_types_given(self):
        began = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        id = self.send("--priority", "high", body=ODD_BODY).out.strip()
        said = self.node("read", "tester")
        self.assertEqual(list(said["data"]), ["from", "timestamp", "id", "priority"])
        self.assertEqual(set(said["types"].values()), {"string"})
        self.assertEqual((said["data"]["from"], said["data"]["id"], said["data"]["priority"]),
                         ("orchestrator", id, "high"))
        self.assertRegex(said["data"]["timestamp"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")
        self.assertGreaterEqual(said["data"]["timestamp"], began)
        self.assertRegex(id, r"\Amsg-[0-9a-f]{8}\Z")
        self.assertIn("a subject", said["content"].split("\n\n")[0])
        self.assertTrue(said["content"].rstrip("\n").endswith(ODD_BODY.rstrip("\n")), said)
        self.assertEqual(os.listdir(self.mailbox), ["to-tester.md"])

    def test_looks_as_the_protocol_shows_it(self):
        id = self.send().out.strip()
        self.assertRegex(self.read("tester").decode(), (
            r'\A---\nfrom: orchestrator\ntimestamp: "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"\n'
            rf'id: "{id}"\n---\n\n[^\n]*a subject[^\n]*\n\na body\n\Z'))

    def test_has_a_sender_that_stays_text_whatever_it_is_called(self):
        for name in ("12345", "1e3", "0x1F", "true", "null", "no", "12:30:45", "2025-07-07",
                     "a: b", "@x", "#x", "- x", "it's \"x\"", "J\u00f6rg"):
            result = self.box.run("send", "--to", "tester", "--subject", "s", "--body", "b",
                                  "--as", name)
            self.assertIn(result.rc, (DONE, REFUSED), str(result))
            if result.rc == REFUSED:
                self.assertFalse(os.path.exists(self.path("tester")))
                continue
            said = self.node("read", "tester")
            self.assertEqual((said["data"]["from"], said["types"]["from"]), (name, "string"))
            self.node("delete", "tester")

    def test_goes_only_to_a_known_mode(self):
        result = self.send(to="testre", rc=REFUSED)
        self.assert_says(result, "testre", "tester")
        self.assertEqual(os.listdir(self.mailbox), [])

    def test_as_a_reply_names_what_it_answers(self):
        self.node("write", "orchestrator", "tester", "msg-00000001", "**Request: more**\n\nplease")
        self.run_program("reply", "msg-00000001", "--body", "yes")
        said = self.node("read", "tester")
        self.assertEqual((said["data"]["in_reply_to"], said["types"]["in_reply_to"]),
                         ("msg-00000001", "string"))
        self.assertTrue(said["content"].rstrip("\n").endswith("yes"))

    def test_as_a_broadcast_is_one_file_a_mode(self):
        self.run_program("broadcast", "--all", "--subject", "s", "--body", "stop")
        self.assertLessEqual(set(SLUGS[1:]), set(self.node("list")))
        self.assertNotIn("orchestrator", self.node("list"))


class OneSlot(RooCase):

    def test_a_message_that_finds_the_place_taken_waits_and_goes_with_the_next_command(self):
        self.node("write", "tester", "architect", "msg-00000001", "first")
        before = self.read("tester")
        result = self.send(body="second")
        self.assertIn("queued", (result.out + result.err).lower())
        self.assertEqual(self.read("tester"), before)
        self.assertEqual(os.listdir(self.mailbox), ["to-tester.md"])
        self.assertEqual(len(self.queued()), 1)
        self.assertEqual(self.read("tester"), before)
        self.node("delete", "tester")
        self.box.run("messages")
        said = self.node("read", "tester")
        self.assertTrue(said["content"].rstrip("\n").endswith("second"), said)
        self.assertEqual(said["data"]["from"], "orchestrator")
        self.node("delete", "tester")
        self.box.run("messages")
        self.assertEqual(self.node("list"), [])

    def test_what_waits_goes_one_at_a_time_in_its_order(self):
        self.node("write", "tester", "architect", "msg-00000001", "first")
        for word in ("second", "third", "fourth"):
            self.send(body=word)
        arrived = []
        for _ in range(3):
            self.node("delete", "tester")
            self.box.run("messages")
            arrived.append(self.node("read", "tester")["content"].split()[-1])
        self.assertEqual(arrived, ["second", "third", "fourth"])

    def test_of_many_who_send_at_once_one_is_there_and_the_others_wait(self):
        words = [f"word{number}" for number in range(6)]
        running = [self.start("send", "--to", "tester", "--subject", "s", "--body", word)
                   for word in words]
        said = [self.finish(process, DONE) for process in running]
        self.assertEqual(os.listdir(self.mailbox), ["to-tester.md"])
        self.assertEqual(sum("queued" in (one.out + one.err).lower() for one in said), 5)
        arrived = []
        for _ in words:
            arrived.append(self.node("read", "tester")["content"].split()[-1])
            self.node("delete", "tester")
            self.box.run("messages")
        self.assertEqual(sorted(arrived), words)
        self.assertEqual(self.node("list"), [])

    def test_a_second_command_does_not_send_what_waits_twice(self):
        self.node("write", "tester", "architect", "msg-00000001", "first")
        self.send(body="second")
        self.node("delete", "tester")
        for process in [self.start("messages") for _ in range(6)]:
            self.finish(process)
        self.node("delete", "tester")
        for process in [self.start("messages") for _ in range(3)]:
            self.finish(process)
        self.assertEqual(self.node("list"), [])


class Archiving(RooCase):

    def put_own(self, id="msg-0000000a", body="**Request: a test**\n\nplease run it"):
        self.node("write", "orchestrator", "tester", id, body)
        return self.read("orchestrator")

    def test_logs_then_removes_and_keeps_a_copy_here(self):
        self.put_own()
        self.run_program("archive", "msg-0000000a")
        self.assertEqual(self.node("list"), [])
        self.assertRegex(self.read_progress(), (
            r"\A# Progress Log\n\n## Completed Tasks\n- \[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\] "
            r"Processed mailbox message id:msg-0000000a from tester: [^\n]*a test[^\n]*\n\n"
            r"## Next Steps\n- \n\n## Blockers\n- \Z"))
        kept, = self.run_json("messages", "--archive", "--bodies")
        self.assertEqual((kept["id"], kept["from"], kept["status"]),
                         ("msg-0000000a", "tester", "archived"))
        self.assertIn("please run it", kept["body"])

    def test_keeps_every_other_byte_of_the_log(self):
        log = ("# Progress\r\n\r\n*   odd\r\n## Completed Tasks\n* [2025-01-01 00:00:00] one\n"
               "  more of it\n\n\n## Current Tasks\n* two \t\n\ncaf\u00e9 no newline")
        self.write(self.progress, log)
        self.put_own()
        self.run_program("archive", "msg-0000000a")
        after = self.read_progress()
        line, = re.findall(r"\* \[[^\n]* id:msg-0000000a [^\n]*\n", after)
        self.assertEqual(after.replace(line, ""), log)
        self.assertLess(after.index(line), after.index("## Current Tasks"))
        self.assertGreater(after.index(line), after.index("more of it"))

    def test_adds_the_section_that_is_missing(self):
        self.write(self.progress, "# Progress\n\nnothing yet")
        self.put_own()
        self.run_program("archive", "msg-0000000a")
        self.assertRegex(self.read_progress(), (
            r"\A# Progress\n\nnothing yet\n\n## Completed Tasks\n"
            r"- [^\n]* id:msg-0000000a [^\n]*\n\Z"))

    def test_leaves_a_message_that_has_taken_the_place_of_the_other(self):
        new = ('---\nfrom: tester\ntimestamp: "2026-01-01T00:00:00Z"\nid: "msg-0000000b"\n---\n\n'
               "the new one\n")
        for _ in range(30):
            self.put_own()
            ours = self.start("archive", "msg-0000000a")
            wait_for_staging(os.path.dirname(self.progress), ours)  # it has read the message
            self.write(self.path("orchestrator") + "~", new)
            os.rename(self.path("orchestrator") + "~", self.path("orchestrator"))
            self.finish(ours, DONE, NOTHING, REFUSED, FAILED)
            self.assertEqual(self.read("orchestrator"), new.encode())
            self.assertEqual(os.listdir(self.mailbox), ["to-orchestrator.md"])
            os.unlink(self.path("orchestrator"))

    def test_leaves_a_message_that_was_changed_after_it_was_named(self):
        self.put_own()
        self.put_own("msg-0000000b", "a new one")
        result = self.run_program("archive", "msg-0000000a", rc=NOTHING)
        self.assert_says(result, "msg-0000000a")
        self.assertEqual(self.node("list"), ["orchestrator"])
        self.assertEqual(self.read_progress(), PROGRESS)

    def test_what_node_finished_is_gone_for_us(self):
        self.put_own()
        self.assertEqual([one["id"] for one in self.run_json("messages")], ["msg-0000000a"])
        self.node("finish", "orchestrator")
        self.run_program("messages", rc=NOTHING)

    def test_a_failure_is_logged_as_a_blocker_and_the_message_stays(self):
        before = self.put_own()
        self.run_program("mark", "msg-0000000a", "failed")
        self.assertEqual(self.read("orchestrator"), before)
        head, blockers = self.read_progress().split("## Blockers\n")
        self.assertIn("id:msg-0000000a", blockers)
        self.assertEqual(head, PROGRESS.split("## Blockers\n")[0])


class Reading(RooCase):

    def test_what_node_writes_is_listed_with_its_values(self):
        self.node("write", "tester", "architect", "msg-00000001", "**Request: more**\n\nplease",
                  "high")
        one, = self.run_json("messages", "--bodies")
        self.assertEqual((one["id"], one["from"], one["to"], one["priority"], one["status"]),
                         ("msg-00000001", "architect", "tester", "high", "unread"))
        self.assertIn("more", one["subject"])
        self.assertIn("please", one["body"])

    def test_reading_and_marking_leave_the_file_alone(self):
        self.node("write", "orchestrator", "architect", "msg-00000001", "text")
        before = self.box.snapshot(self.project)
        self.run_program("check", "orchestrator")
        self.run_program("show", "msg-00000001")
        result = self.box.run("mark", "msg-00000001", "read")
        self.assertIn(result.rc, (DONE, REFUSED), str(result))
        self.assert_unchanged(before, self.project)

    def test_a_block_that_gray_matter_would_execute_is_shown_as_such(self):
        self.write(self.path("tester"), "---js\n{from: process.exit(9)}\n---\n\ntext\n")
        os.utime(self.path("tester"), (time.time() - 60,) * 2)
        one, = self.run_json("messages")
        self.assertTrue(one["damaged"] or one.get("flags"), json.dumps(one))


if __name__ == "__main__":
    node_modules.require()
    harness.main()
