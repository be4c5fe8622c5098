"""Rare states of a mailbox, each seen once in practice: what is listed and what is kept."""
import json
import os
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import FAILED, MARK, NOTHING, REFUSED, message  # noqa: E402
from layouts import LayoutCase  # noqa: E402

ID = "MSG-000000000001"


class BothPlaces(harness.MailboxCase):
    """An id that is both in the inbox and in the archive."""

    def stored(self, part, name=ID):
        return json.loads(self.box.read("alice", name, part))

    def test_a_copy_that_differs_in_more_than_its_state_is_kept_beside_the_other(self):
        self.box.put("alice", message(status="archived"), part="archive")
        self.box.put("alice", message(attachments=["only-here.txt"]))
        self.run_program("archive", f"alice/inbox/{ID}.json")
        self.assertEqual(self.box.files("alice"), [])
        self.assertEqual(self.stored("archive")["attachments"], [])
        self.assertEqual(self.stored("archive", ID + "-2")["attachments"], ["only-here.txt"])

    def test_a_copy_in_the_archive_that_does_not_say_so_says_so_afterwards(self):
        self.box.put("alice", message(), part="archive")
        self.box.put("alice", message())
        self.run_program("archive", f"alice/inbox/{ID}.json")
        self.assertEqual(self.box.files("alice"), [])
        self.assertEqual(self.box.files("alice", "archive"), [ID + ".json"])
        self.assertEqual(self.stored("archive")["status"], "archived")

    def test_under_two_file_names_it_is_one_message_and_archived_again(self):
        self.box.put("alice", message(status="archived"), part="archive", name="MSG-other.json")
        self.box.put("alice", message())
        found = self.run_json("messages", "--all")
        self.assertEqual([(one["id"], one["status"]) for one in found], [(ID, "archived")])
        self.run_program("archive", ID)
        self.assertEqual(self.box.files("alice"), [])

    def test_marking_all_as_completed_cleans_it_up(self):
        self.box.put("alice", message(status="archived"), part="archive")
        self.box.put("alice", message(status="processing"))
        self.run_program(*MARK, "--all", "alice", "completed")
        self.assertEqual(self.box.files("alice"), [])
        self.assertEqual(self.box.files("alice", "archive"), [ID + ".json"])

    def test_it_is_archived_and_cannot_be_read_again(self):
        self.box.put("alice", message(status="archived"), part="archive")
        self.box.put("alice", message())
        before = self.box.snapshot()
        self.run_program(*MARK, ID, "read", rc=REFUSED)
        self.assertEqual(self.box.snapshot(), before)


class Damage(harness.MailboxCase):
    def test_nothing_is_invented_for_a_file_that_cannot_be_parsed(self):
        self.box.put("alice", b"{", name="MSG-cut.json")
        one = self.run_one("messages")
        for key in ("from", "to", "subject", "type", "priority", "status", "requires_response"):
            self.assertIsNone(one[key], key)
        self.assertTrue(one["damaged"])

    def test_a_damaged_file_that_claims_an_id_does_not_stand_in_its_way(self):
        self.box.put("alice", message())
        self.box.put("bob", json.dumps({"id": ID}).encode(), name="MSG-claims.json")
        self.run_program(*MARK, ID, "read")
        self.assertEqual(json.loads(self.box.read("alice", ID))["status"], "read")

    def test_a_damaged_file_from_the_future_is_not_waited_for(self):
        path = self.box.put("alice", b"{", name="MSG-future.json")
        tomorrow = time.time() + 86400
        os.utime(path, (tomorrow, tomorrow))
        state = os.path.join(self.box.root, "state")
        self.run_program("messages", "--debug", env={"XDG_STATE_HOME": state})
        with open(os.path.join(state, "swarmutt", "debug.log")) as log:
            self.assertNotIn("looking again", log.read())

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_a_folder_that_cannot_be_read_is_no_empty_mailbox(self):
        self.box.put("alice", message())
        inbox = os.path.join(self.box.mail, "alice", "inbox")
        os.chmod(inbox, 0)
        try:
            for command in ("check", "count"):
                result = self.run_program(command, "alice", rc=FAILED)
                self.assert_says(result, "alice/inbox")
        finally:
            os.chmod(inbox, 0o700)


class Slips(harness.MailboxCase):
    def test_a_mistyped_exclusion_is_refused_and_nothing_is_sent(self):
        self.box.add_swarm("dev", "alice", "bob")
        result = self.run_program("broadcast", "--swarm", "dev", "--subject", "s", "--body", "b",
                                  "--exclude", "alcie", rc=REFUSED)
        self.assert_says(result, '"alice"')
        self.assertEqual(self.box.run("messages").rc, NOTHING)

    def test_a_message_beyond_the_size_limit_is_refused(self):
        self.box.put("alice", message())
        path = os.path.join(self.box.root, "large")
        with open(path, "wb") as file:
            file.truncate(65 << 20)
        before = self.box.snapshot()
        result = self.run_program("send", "--to", "alice", "--subject", "s", "--body-file", path,
                                  rc=REFUSED)
        self.assert_says(result, "large")
        self.assertEqual(self.box.snapshot(), before)

    def test_a_message_that_expires_at_once_is_not_sent(self):
        self.box.put("alice", message())
        self.run_program("send", "--to", "alice", "--subject", "s", "--expires", "0", rc=2)

    def test_json_and_another_format_exclude_each_other(self):
        self.box.put("alice", message())
        self.run_program("check", "alice", "--json", "--format", "prompt", rc=2)
        self.run_program("show", ID, "--json", "--raw", rc=2)

    def test_one_source_named_twice_is_opened_once(self):
        self.box.put("alice", message())
        again = os.path.join(self.box.mail, "..", "mailboxes")
        self.assertEqual(len(self.run_json("-S", again, "-S", self.box.mail, "messages")), 1)

    def test_a_mistyped_agent_is_told_the_near_ones(self):
        self.box.put("alice", message())
        self.assert_says(self.run_program("check", "alcie", rc=NOTHING), '"alice"')


class Taken(LayoutCase):
    """All possible names are taken: the command is refused with a reason."""

    def fill(self, directory, name, most):
        stem, dot, end = name.rpartition(".")
        for number in range(1, most + 1):
            self.write(os.path.join(directory, stem + (f"-{number}" if number > 1 else "") + dot + end),
                       self.memo(f"taken-{number}"))

    def test_an_archive_that_is_full_of_messages_of_that_name_leaves_it_in_the_inbox(self):
        box = os.path.join(self.inbox(messages=[1]), "coordinator")
        self.fill(os.path.join(box, "archive"), "1700000000-pm-x.json", 998)
        result = self.run_program("archive", "new-0", cwd=self.project, rc=FAILED)
        self.assert_says(result, "the archive is full of messages with this name")
        self.assertTrue(os.path.exists(os.path.join(box, "1700000000-pm-x.json")))

    def test_nobody_is_told_of_a_failure_where_nobody_says_who_sent_it(self):
        box = os.path.join(self.inbox(), "coordinator")
        memo = self.memo("one")
        del memo["from"]
        path = self.write(os.path.join(box, "1700000000-pm-x.json"), memo)
        before = self.box.snapshot(self.project)
        result = self.run_program("mark", "one", "failed", cwd=self.project, rc=REFUSED)
        self.assert_says(result, os.path.basename(path), "does not say who sent it", "archive it instead")
        self.assert_unchanged(before, self.project)

    def test_a_damaged_inbox_whose_bytes_cannot_be_kept_stays_as_it_is(self):
        inboxes = os.path.join(self.claude(boxes=[("bob", [])]), "teams", "dev", "inboxes")
        path = self.write(os.path.join(inboxes, "bob.json"), '[{"from":"x","text":"half')
        now = int(time.time())
        for second in range(now - 1, now + 30):
            for number in range(1, 99):
                name = f"bob.json.damaged-{second}" + (f"-{number}" if number > 1 else "")
                with open(os.path.join(inboxes, name), "w"):
                    pass
        result = self.run_program("send", "--to", "bob", "--subject", "s", "--body", "b",
                                  "--no-verify", cwd=self.project, rc=FAILED)
        self.assert_says(result, "bob.json", "its bytes cannot be kept beside it", "are taken")
        self.assertEqual(self.read(path), b'[{"from":"x","text":"half')


if __name__ == "__main__":
    harness.main()
