"""Answers and their threads, and the reports about omitted parts."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import FAILED, NOTHING, REFUSED  # noqa: E402
from layouts import LayoutCase  # noqa: E402


class Slots(LayoutCase):

    def test_a_message_may_name_the_one_it_answers(self):
        self.roo(architect="a question")
        self.run_program("send", "--to", "code", "--subject", "s", "--body", "b", "--reply-to",
                         "msg-architect", cwd=self.project)
        text = self.read(os.path.join(self.project, ".roo/mailbox/to-code.md")).decode()
        self.assertRegex(text, r'(?m)^in_reply_to: "?msg-architect"?$')


class Requests(LayoutCase):
    """Requests of an agent's program to the lead of a Claude Code team."""

    def setUp(self):
        super().setUp()
        asked = {"type": "permission_request", "request_id": "perm-1", "agent_id": "bob@dev",
                 "tool_name": "Bash", "tool_use_id": "t", "description": "d",
                 "input": {"command": "ls"}, "permission_suggestions": []}
        self.claude(members=("team-lead", "bob"), boxes=[
            ("team-lead", [self.entry(json.dumps(asked), sender="bob"),
                           self.entry("hello", sender="bob", summary="Hello")])])
        self.ids = {one["type"]: one["id"] for one in self.run_json("messages", cwd=self.project)}

    def reply(self, type, body):
        return self.run_program("reply", self.ids[type], "--body", body, "--no-verify",
                                cwd=self.project)

    def test_words_leave_a_request_waiting_and_that_is_said(self):
        self.assert_says(self.reply("permission_request", "yes, do"), "still waits",
                         "protocol compose permission_response")
        self.assertEqual(len(self.run_json("pending", cwd=self.project)), 1)

    def test_what_answers_it_needs_no_word_of_ours(self):
        for type, body in (("permission_request", json.dumps(
                {"type": "permission_response", "request_id": "perm-1", "subtype": "error",
                 "error": "no"})), ("message", "hello you")):
            self.assertNotIn("still waits", self.reply(type, body).err)
        self.run_json("pending", cwd=self.project, rc=NOTHING)


class Inboxes(LayoutCase):

    def put(self, box, name, **fields):
        where = self.inbox(box=box)
        self.write(os.path.join(where, box, name + ".json"), {**self.memo(name), **fields})
        return where

    def test_a_sender_without_an_inbox_is_answered_with_send(self):
        self.put("validator", "one", **{"from": "stranger"})
        before = self.box.snapshot()
        result = self.run_program("reply", "one", "--body", "b", cwd=self.project, rc=REFUSED)
        self.assert_says(result, "stranger", "send --to")
        self.assert_unchanged(before)

    def test_a_damaged_message_is_shown_as_it_lies_there(self):
        where = self.inbox()
        self.write(os.path.join(where, "coordinator", "1700000000-pm-x.json"),
                   '{"id": "cut", "content": "still to be read')
        one = self.run_one("messages", cwd=self.project)
        result = self.run_program("show", one["id"], cwd=self.project, rc=FAILED)
        self.assertIn("still to be read", result.out)
        self.assert_says(result, "damaged")

    def test_a_chain_without_a_name_is_called_after_its_first_message(self):
        self.put("pm", "elsewhere")
        self.put("coordinator", "first")
        self.put("coordinator", "second", replyTo="first")
        where = self.put("coordinator", "third", replyTo="second")
        threads = {one["id"]: one["thread"] for one in self.run_json("messages", cwd=self.project)}
        self.assertEqual([threads[name] for name in ("first", "second", "third")], ["first"] * 3)
        self.run_program("reply", "third", "--body", "b", cwd=self.project)
        answer, = [name for name in os.listdir(os.path.join(where, "pm"))
                   if name not in ("archive", "elsewhere.json")]
        fields = json.loads(self.read(os.path.join(where, "pm", answer)))
        self.assertEqual((fields["replyTo"], fields["conversationId"]), ("third", "first"))


class Prompt(LayoutCase):

    def test_it_is_said_that_lesser_messages_were_left_out(self):
        self.adr(priority=2)
        result = self.run_program("check", "alice", "--format", "prompt", cwd=self.project,
                                  rc=NOTHING)
        self.assertIn("1 unread message of lower priority was left out; --min-priority low shows all",
                      result.err)
        self.assertNotIn("nothing waits", result.err)


if __name__ == "__main__":
    harness.main()
