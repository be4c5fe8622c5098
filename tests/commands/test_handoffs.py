"""What a handoff may hold: everything where the layout has room, otherwise its text alone."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import REFUSED  # noqa: E402
from layouts import LayoutCase  # noqa: E402

BEYOND = {"--modified": "a.c", "--created": "b.c", "--state-file": "state.md",
          "--dependency": "the build", "--escalation": "ESC-1", "--job": "JOB-1"}


class Parts(LayoutCase):

    def hand_off(self, to, *args, **more):
        return self.run_program("handoff", "--to", to, "--subject", "s", "--done", "this",
                                "--state", "so", "--notes", "a note", *args,
                                cwd=self.project, **more)

    def assert_text_alone(self, to):
        before = self.box.snapshot()
        for option, value in BEYOND.items():
            self.assert_says(self.hand_off(to, option, value, rc=REFUSED), "--notes")
        self.assert_unchanged(before)
        self.run_program("outbox", cwd=self.project, rc=harness.NOTHING)
        self.hand_off(to)

    def assert_all_kept(self, to):
        sent = self.hand_off(to, *[word for pair in BEYOND.items() for word in pair]).out.strip()
        raw = self.run_program("show", sent, "--raw", cwd=self.project).out
        for value in BEYOND.values():
            self.assertIn(value, raw)

    def test_a_claude_inbox_holds_its_text_alone(self):
        self.claude(boxes=[("bob", [])])
        self.assert_text_alone("bob")

    def test_an_openclaw_mailbox_holds_its_text_alone(self):
        self.openclaw()
        self.assert_text_alone("tm1")

    def test_a_roo_slot_holds_its_text_alone(self):
        self.roo(architect="a text")
        self.assert_text_alone("code")

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
        """In what is written, and in all that shows it again."""
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


if __name__ == "__main__":
    harness.main()
