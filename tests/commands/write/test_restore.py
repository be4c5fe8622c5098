"""Restoring archived messages, in the way of each layout."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import NOTHING, REFUSED, message  # noqa: E402
from layouts import UUID, LayoutCase  # noqa: E402

ID = "MSG-000000000001"


class There(LayoutCase):
    """Archived by the command, restored by the command: the mailbox is as it was."""

    def files(self, top):
        """Returns names and bytes of all files below a directory."""
        return {os.path.join(where, name): self.read(os.path.join(where, name))
                for where, _, names in os.walk(top) for name in names}

    def there_and_back(self, id, who, top):
        before = self.files(top)
        self.run_program("archive", "--as", who, id, cwd=self.project)
        self.assertEqual(self.ids(), [])
        result = self.run_program("restore", "--as", who, id, cwd=self.project)
        self.assertEqual(result.out, f"{id} restored\n")
        self.assertEqual(self.ids("--as", who), [id])
        self.assertEqual(self.ids("--as", who, "--archive"), [])
        return before, result

    def test_adr(self):
        top = self.adr(id=ID)
        before, _ = self.there_and_back(ID, "alice", top)
        self.assertEqual(self.files(top), before)

    def test_what_was_hidden_in_inboxes_of_one_name_is_looked_for_in_the_team_of_each(self):
        base = self.claude(team="dev", boxes=[("team-lead", [self.entry("a", msg_id="one")])])
        self.claude(team="ops", boxes=[("team-lead", [self.entry("b", msg_id="two")])])
        for words in ("one", "two"), ("two", "one"):
            with self.subTest(words=words):
                self.run_program("archive", *words, cwd=self.project)
                self.assertEqual(self.ids(), [])
                path = os.path.join(base, "teams/ops/inboxes/team-lead.json")
                there = self.read(path)
                self.write(path, "[]")
                result = self.box.run("restore", *words, cwd=self.project)
                self.assertEqual(result.out, "one restored\n", str(result))
                self.assertIn("two is not in its mailbox any more", result.err)
                self.assertEqual((self.ids(), self.ids("--archive")), (["one"], ["two"]))
                self.write(path, there)
                self.run_program("restore", "two", cwd=self.project)
                self.assertEqual(sorted(self.ids()), ["one", "two"])

    def test_what_was_read_before_is_read_again(self):
        top = self.adr(id=ID, status="read", read_at="2026-01-03T15:00:00")
        before, _ = self.there_and_back(ID, "alice", top)
        self.assertEqual(self.files(top), before)

    def test_what_was_being_worked_on_is_as_its_times_tell(self):
        mail = self.adr(id=ID, status="processing", read_at="2026-01-03T15:00:00")
        self.there_and_back(ID, "alice", mail)
        stored = json.loads(self.read(os.path.join(mail, "alice", "inbox", ID + ".json")))
        self.assertEqual((stored["status"], stored["completed_at"]), ("read", None))

    def test_a_number_that_it_got_in_the_archive_goes_again(self):
        mail = self.adr(id=ID)
        other = os.path.join(mail, "alice", "archive", ID + ".json")
        self.write(other, message(id=ID, status="archived", body="another one"))
        self.run_program("archive", "--as", "alice", f"alice/inbox/{ID}.json", cwd=self.project)
        self.run_program("restore", "--as", "alice", f"alice/archive/{ID}-2.json",
                         cwd=self.project)
        self.assertEqual(os.listdir(os.path.join(mail, "alice", "inbox")), [ID + ".json"])
        self.assertEqual(os.listdir(os.path.join(mail, "alice", "archive")), [ID + ".json"])

    def test_inbox(self):
        top = self.inbox(messages=[1])
        path, = self.files(top)
        times = os.stat(path).st_mtime_ns
        before, _ = self.there_and_back("new-0", "coordinator", top)
        self.assertEqual(self.files(top), before)
        self.assertEqual(os.stat(path).st_mtime_ns, times)

    def test_roo_and_its_log_stays(self):
        top = os.path.join(self.roo(code="a text"), ".roo", "mailbox")
        before, result = self.there_and_back("msg-code", "code", top)
        self.assertEqual(self.files(top), before)
        self.assert_says(result, "msg-code", "log")
        log = os.path.join(self.project, ".roo", "memory-bank", "progress.md")
        self.assertIn(b"id:msg-code", self.read(log))

    def test_claude_where_the_mailbox_is_never_touched(self):
        top = self.claude(boxes=[("team-lead", [self.entry(msg_id="one")])])
        before, _ = self.there_and_back("one", "team-lead", top)
        self.assertEqual(self.files(top), before)

    def test_openclaw_where_the_mailbox_is_never_touched(self):
        top = self.openclaw(messages=[self.claw(1)])
        before, _ = self.there_and_back(UUID + "1", "lead", top)
        self.assertEqual(self.files(top), before)

    def test_json(self):
        self.claude(boxes=[("team-lead", [self.entry(msg_id="one")])])
        self.run_program("archive", "one", cwd=self.project)
        self.assertEqual(self.run_one("restore", "one", cwd=self.project),
                         {"v": 1, "id": "one", "restored": True, "local": True})


class Damaged(LayoutCase):
    """An unreadable message is restored with the same bytes."""

    def there_and_back(self, path, name, who):
        before = self.read(path)
        self.run_program("archive", "--as", who, name, cwd=self.project)
        self.assertFalse(os.path.exists(path))
        self.run_program("restore", "--as", who, name, cwd=self.project)
        self.assertEqual(self.read(path), before)
        self.assertEqual(len(self.ids("--as", who, "--all")), 1)

    def test_roo(self):
        self.roo()
        path = self.write(os.path.join(self.project, ".roo/mailbox/to-code.md"),
                          "---\nfrom: [code\nid: \"msg-cut\n\nstill to be read")
        self.there_and_back(path, "to-code", "code")

    def test_several_messages_in_one_file_of_roo_come_back_one_by_one(self):
        self.roo()
        one, two = (f'---\nfrom: ask\ntimestamp: "2025-07-07T11:15:00Z"\nid: "msg-{n}"\n---\n\nt{n}\n'
                    for n in (1, 2))
        path = self.write(os.path.join(self.project, ".roo/mailbox/to-code.md"), one + "\n" + two)
        self.run_program("archive", "--as", "code", "msg-1", cwd=self.project)
        self.assertEqual(sorted(self.ids("--as", "code", "--archive")), ["msg-1", "msg-2"])
        self.run_program("restore", "--as", "code", "msg-2", cwd=self.project)
        self.assertEqual(self.read(path).strip(), two.encode().strip())
        self.run_program("restore", "--as", "code", "msg-1", cwd=self.project, rc=REFUSED)
        self.assertEqual(self.ids("--as", "code", "--archive"), ["msg-1"])

    def test_inbox(self):
        where = self.inbox()
        path = self.write(os.path.join(where, "coordinator", "1-x.json"), '{"id": "cut')
        self.there_and_back(path, "1-x", "coordinator")


class Refused(LayoutCase):

    def refuse(self, id, *words, who="alice"):
        before = self.box.snapshot()
        result = self.run_program("restore", "--as", who, id, cwd=self.project, rc=REFUSED)
        self.assert_says(result, *words)
        self.assert_unchanged(before)

    def test_what_is_not_in_the_archive(self):
        self.adr(id=ID)
        self.refuse(ID, "not in the archive")

    def test_mail_of_somebody_else(self):
        self.adr(id=ID)
        self.run_program("archive", ID, cwd=self.project)
        self.refuse(ID, "alice", "--as", who="bob")

    def test_what_another_message_lies_in_the_place_of(self):
        self.roo(code="a text")
        self.run_program("archive", "--as", "code", "msg-code", cwd=self.project)
        slot = os.path.join(self.project, ".roo", "mailbox", "to-code.md")
        self.write(slot, '---\nfrom: ask\ntimestamp: "2025-07-07T11:15:00Z"\nid: "msg-2"\n---\n\nb\n')
        self.refuse("msg-code", "another message lies in its place", who="code")
        os.unlink(slot)
        self.run_program("restore", "--as", "code", "msg-code", cwd=self.project)

    def test_what_was_written_to_the_inbox_again_by_its_agent(self):
        mail = self.adr(id=ID)
        self.run_program("archive", ID, cwd=self.project)
        self.write(os.path.join(mail, "alice", "inbox", ID + ".json"),
                   message(id=ID, status="processing"))
        self.refuse(f"alice/archive/{ID}.json", "written it there again")

    def test_what_has_left_the_mailbox_that_it_was_hidden_in(self):
        base = self.claude(boxes=[("team-lead", [self.entry(msg_id="one")])])
        self.run_program("archive", "one", cwd=self.project)
        self.write(os.path.join(base, "teams/dev/inboxes/team-lead.json"), [])
        self.refuse("one", "not in its mailbox any more", who="team-lead")
        self.assertEqual(self.ids("--archive"), ["one"])

    def test_what_is_nowhere(self):
        self.adr(id=ID)
        self.run_program("restore", "nothing", cwd=self.project, rc=NOTHING)

    def test_everything_when_only_reading_is_allowed(self):
        self.adr(id=ID)
        self.run_program("archive", ID, cwd=self.project)
        self.run_program("restore", "--readonly", "--as", "alice", ID, cwd=self.project, rc=REFUSED)


if __name__ == "__main__":
    harness.main()
