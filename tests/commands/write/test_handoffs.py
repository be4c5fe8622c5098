"""Content of handoffs: all fields of the form, below the notes if a layout has no other room."""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import USAGE  # noqa: E402
from layouts import LayoutCase  # noqa: E402

BEYOND = {"--modified": "a.c", "--created": "b.c", "--state-file": "state.md",
          "--dependency": "the build", "--escalation": "ESC-1", "--job": "JOB-1"}


class Parts(LayoutCase):

    def hand_off(self, to, *args, **more):
        return self.run_program("handoff", "--to", to, "--subject", "s", "--done", "this",
                                "--state", "so", "--notes", "a note", *args,
                                cwd=self.project, **more)

    def assert_all_kept(self, to):
        sent = self.hand_off(to, *[word for pair in BEYOND.items() for word in pair]).out.strip()
        raw = self.run_program("show", sent, "--raw", cwd=self.project).out
        for value in BEYOND.values():
            self.assertIn(value, raw)

    def test_a_claude_inbox_holds_all_of_it_in_its_text(self):
        self.claude(boxes=[("bob", [])])
        self.assert_all_kept("bob")

    def test_an_openclaw_mailbox_holds_all_of_it_in_its_text(self):
        self.openclaw()
        self.assert_all_kept("tm1")

    def test_a_roo_slot_holds_all_of_it_in_its_text(self):
        self.roo(architect="a text")
        self.assert_all_kept("code")

    def test_additional_notes_stand_below_the_notes_where_there_is_one_place_for_both(self):
        self.claude(boxes=[("bob", [])])
        self.openclaw()
        self.roo(architect="a text")
        self.inbox(messages=[0])
        for to in ("bob", "tm1", "code", "coordinator"):
            sent = self.hand_off(to, "--additional-notes", "and more").out.strip()
            raw = self.run_program("show", sent, "--json", cwd=self.project)
            one = harness.parse_lines(raw.stdout)[0]
            self.assertIn("a note\n\nand more", (one["context"] or {}).get("notes", one["body"]))

    def assert_subject_kept(self, to):
        """Asserts the subject in the file, and in all commands that show it."""
        result = self.run_program("handoff", "--to", to, "--subject", "Index: part two", "--done",
                                  "this", "--state", "so", "--next", "go on", cwd=self.project)
        self.assertNotIn("subject", result.err)
        sent = result.out.strip()
        one = self.run_one("show", sent, cwd=self.project)
        self.assertEqual(one["subject"], "Handoff: Index: part two")
        text = one["body"].strip()
        self.assertEqual(text.splitlines()[0].strip("*"), "Handoff: Index: part two")
        self.assertIn("\n\nWork handoff from ", text)
        for command in (("list",), ("handoffs",), ("messages",), ("thread", sent)):
            shown = self.run_program(*command, cwd=self.project).out
            self.assertIn("Index: part two", shown, command)
            self.assertNotIn("Work handoff from", shown.splitlines()[0], command)

    def test_an_openclaw_handoff_keeps_its_subject(self):
        self.openclaw()
        self.assert_subject_kept("tm1")

    def test_a_roo_handoff_keeps_its_subject(self):
        self.roo()
        self.assert_subject_kept("code")

    def test_the_nineteen_fields_hold_all_of_it(self):
        self.adr()
        self.assert_all_kept("alice")

    def test_an_agent_inbox_holds_all_of_it(self):
        self.inbox(messages=[0])
        self.assert_all_kept("coordinator")

    def test_a_subject_is_needed_where_messages_have_one(self):
        words = ("handoff", "--done", "this", "--state", "so")
        self.claude(boxes=[("ann", [])])
        self.adr()
        for to in "tm1", "ann":
            self.openclaw()
            self.run_program(*words, "--to", to, cwd=self.project)
        before = self.box.snapshot()
        self.assert_says(self.run_program(*words, "--to", "alice", cwd=self.project, rc=USAGE), "subject")
        self.assert_unchanged(before)


class Form(LayoutCase):
    """The command accepts the same fields as the form of the screens."""

    OPTIONS = {"From": "giver", "To": "to", "Source": "source", "SUBJECT": "subject", "Done": "done",
               "State": "state", "Next": "next", "Blockers": "blocker", "Modified": "modified",
               "Created": "created", "State file": "state-file", "Depends on": "dependency",
               "Escalated": "escalation", "Job": "job", "Priority": "priority", "Notes": "notes",
               "Quote": "quote", "Quoted": "about"}

    def setUp(self):
        super().setUp()
        for name, text, day in (("a", "the oldest", 1), ("b", "the plan", 2), ("c", "tests fail", 3),
                                ("d", "no disk left", 4)):
            self.adr(id=f"MSG-00000000000{name}", thread_id="t-1", from_agent="bob", to_agent="user",
                     subject="Re: the migration", body=text, priority=3,
                     created_at=f"2026-01-0{day}T10:00:00.000001")
        os.makedirs(os.path.join(self.project, "workspace/mailboxes/alice/inbox"))

    def hand_off(self, *args, to="alice", **more):
        words = ("handoff", "--to", to, "--done", "this", "--state", "so", *args)
        return self.run_program(*words, cwd=self.project, **more)

    def sent(self, *args):
        id = self.hand_off(*args).out.strip()
        return next(one for one in self.run_json("messages", "--bodies", cwd=self.project) if one["id"] == id)

    def test_each_field_of_the_form_has_an_option(self):
        with open(os.path.join(harness.SRC, "ui", "compose", "handoff_form.c")) as file:
            table = re.search(r"entries\[\] = \{\n(.*?)\n    \{0\}", file.read(), re.S).group(1)
        labels = re.findall(r'^    \{"([^"]+)"|^    ([A-Z]+),$', table, re.M)
        help = self.run_program("handoff", "--help").out
        for label in (one or other for one, other in labels):
            self.assertRegex(help, rf"--{self.OPTIONS[label]}\b", label)

    def test_the_work_may_be_somebody_elses(self):
        one = self.sent("--subject", "s", "--giver", "bob")
        self.assertEqual(one["from"], "user")
        self.assertIn("bob", one["body"].split("alice")[0])
        self.assertNotIn("bob", self.sent("--subject", "s")["body"])

    def test_it_goes_on_with_a_conversation(self):
        one = self.sent("--about", "MSG-00000000000b", "--notes", "look at the log", "--quote")
        self.assertEqual((one["thread"], one["subject"], one["priority"]),
                         ("t-1", "the migration", "high"))
        self.assertEqual(one["context"]["notes"], "look at the log")
        self.assertNotIn("the oldest", one["body"])
        self.assertRegex(json.dumps(one["body"]), r"bob wrote .*the plan.*tests fail.*no disk left")
        plain = self.sent("--about", "t-1", "--subject", "mine", "--priority", "low")
        self.assertEqual((plain["thread"], plain["subject"], plain["priority"]), ("t-1", "mine", "low"))
        self.assertNotIn("no disk left", json.dumps(plain))

    def test_a_thread_is_named_only_where_it_is(self):
        self.inbox(messages=[0])
        self.claude(boxes=[("bob2", [])])
        for to in "coordinator", "bob2":
            id = self.hand_off("--about", "t-1", to=to).out.strip()
            raw = self.run_program("show", id, "--raw", cwd=self.project).out
            self.assertNotIn("t-1", raw)
            self.assertIn("the migration", raw)

    def test_what_it_goes_on_with_has_to_be_there(self):
        before = self.box.snapshot()
        self.hand_off("--subject", "s", "--about", "no-such", rc=harness.NOTHING)
        self.assert_says(self.hand_off("--subject", "s", "--quote", rc=USAGE), "--about")
        self.assert_unchanged(before)


if __name__ == "__main__":
    harness.main()
