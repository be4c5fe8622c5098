"""Messages that share an id and are not copies of each other: each is listed, named and handled."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness  # noqa: E402
from harness import REFUSED, message  # noqa: E402
from layouts import FrozenCase  # noqa: E402


class SameIdCase(FrozenCase):
    now = "2026-03-01T12:00:00Z"

    def subjects(self, *args):
        return sorted(row["subject"] for row in self.rows(*args))

    def assert_seen(self, old, new):
        """Asserts that every command finds the pending message, and the archived one, too."""
        self.assertEqual(self.subjects("messages"), [new])
        self.assertEqual(self.subjects("messages", "--all"), sorted([old, new]))
        self.assertEqual([row["subject"] for row in self.rows("list")], [new])
        self.assertEqual(self.subjects("list", "--all"), sorted([old, new]))
        count, = self.rows("count")
        self.assertEqual((count["waiting"], count["unread"]), (1, 1))
        self.assertEqual([row["subject"] for row in self.rows("pending")], [new])
        self.assertEqual(self.subjects("search", new.split()[-1]), [new])
        self.assertEqual(self.subjects("search", old.split()[-1]), [old])


class Inbox(SameIdCase):
    def put(self, name, folder="", box="coordinator", **fields):
        fields = {"id": "w-1", "timestamp": "2026-02-28T08:00:00Z", "from": "alpha", "to": box,
                  "subject": "Yesterday", "content": "x", **fields}
        return self.write(os.path.join(self.project, "scheduler", "inboxes", box, folder, name),
                          json.dumps(fields))

    def put_both(self):
        old = self.put("1-a.json", "archive")
        new = self.put("2-b.json", **{"from": "beta"}, timestamp="2026-03-01T11:00:00Z",
                       subject="PROD DOWN", priority="urgent", requiresResponse=True)
        return old, new

    def test_a_pending_message_whose_id_was_archived_before_is_seen(self):
        self.put_both()
        self.assert_seen("Yesterday", "PROD DOWN")

    def test_only_the_text_differs_and_both_are_seen(self):
        self.put("1-a.json", "archive", content="all is well")
        self.put("2-a.json", content="all is lost", requiresResponse=True)
        self.assertEqual(self.subjects("messages"), ["Yesterday"])
        self.assertEqual(len(self.rows("messages", "--all")), 2)

    def test_a_damaged_file_of_that_name_in_the_archive_is_listed_with_all_only(self):
        for what in '{"id": "w-1", "subject"', '{"id": "w-1", "subject": "Yesterday", "from": 7}', "[1]":
            with self.subTest(what):
                self.put("1-a.json", subject="PROD DOWN", requiresResponse=True)
                self.put("1-a.json", "archive")
                self.write(os.path.join(self.project, "scheduler/inboxes/coordinator/archive/1-a.json"), what)
                self.assertEqual(self.subjects("messages"), ["PROD DOWN"])
                self.assertEqual(self.subjects("messages", "--box", "coordinator"), ["PROD DOWN"])
                self.assertEqual(self.do("check").err, "")
                self.assertEqual(len(self.rows("messages", "--all")), 2)
                row, = self.rows("messages", "--archive")
                self.assertIn("archive/1-a.json", row["path"])

    def test_copies_are_shown_once(self):
        self.put("1-a.json", "archive", content="caf\u00e9 / two\nlines")
        self.write(os.path.join(self.project, "scheduler", "inboxes", "coordinator", "1-a.json"),
                   '{ "content":"caf\\u00e9 \\/ two\\nlines","subject":"Yesterday","to":"x",'
                   '"from":"alpha","timestamp":"2026-02-28T08:00:00.000Z","id":"w-1"}')
        row, = self.rows("messages", "--all")
        self.assertEqual(row["status"], "archived")
        self.assertIn("the same id lies in the inbox and in the archive", row["flags"][0])

    def test_an_id_of_two_messages_is_refused_with_what_tells_them_apart(self):
        old, new = self.put_both()
        before = self.box.snapshot()
        for words in (["show", "w-1"], ["reply", "w-1", "--body", "b"], ["thread", "w-1"]):
            self.assert_says(self.do(*words, rc=REFUSED), "w-1~", "2-b.json", "archive/1-a.json")
        self.assert_unchanged(before)
        shown = self.do("show", "w-1", rc=REFUSED).err
        names = [word.strip(",):") for word in shown.split() if word.startswith("w-1~")]
        self.assertEqual(len(names), 2)
        subjects = [self.rows("show", name)[0]["subject"] for name in names]
        self.assertEqual(sorted(subjects), ["PROD DOWN", "Yesterday"])
        for path, subject in ((old, "Yesterday"), (new, "PROD DOWN")):
            self.assertEqual(self.rows("show", path)[0]["subject"], subject)
        short = names[subjects.index("PROD DOWN")][:-4]
        self.assertEqual(self.rows("show", short)[0]["subject"], "PROD DOWN")

    def test_each_is_a_conversation_of_its_own(self):
        self.put_both()
        self.put("3-c.json", box="alpha", id="r-1", replyTo="w-1", subject="Re: Yesterday",
                 timestamp="2026-02-28T09:00:00Z", **{"from": "coordinator"})
        found = {row["subject"]: row["count"] for row in self.rows("list", "--all")}
        self.assertEqual(found, {"PROD DOWN": 1, "Yesterday": 2})
        self.assertEqual([row["subject"] for row in self.rows("pending")], ["PROD DOWN"])

    def test_an_answer_settles_the_one_that_it_answers(self):
        _, new = self.put_both()
        self.put("1-x.json", "archive", box="beta", id="x-1")
        self.do("reply", new, "--body", "on it")
        self.assertEqual(self.rows("pending", rc=harness.NOTHING), [])
        found = {row["subject"]: row["count"] for row in self.rows("list", "--all")}
        self.assertEqual(found["Yesterday"], 1)

    def test_one_that_answers_the_other_is_in_its_conversation(self):
        self.put_both()
        self.put("4-d.json", replyTo="w-1", subject="Re: PROD DOWN", content="y",
                 timestamp="2026-03-01T11:30:00Z", **{"from": "beta"})
        found = {row["subject"]: row["count"] for row in self.rows("list", "--all")}
        self.assertEqual(found, {"PROD DOWN": 2, "Yesterday": 1})

    def test_archiving_one_leaves_the_other_and_both_come_back(self):
        old = self.put("1-a.json", "archive")
        new = self.put("1-a.json", subject="PROD DOWN", content="z", requiresResponse=True)
        bytes_of = {path: self.read(path) for path in (old, new)}
        self.do("archive", new)
        where = os.path.dirname(old)
        self.assertEqual(sorted(os.listdir(where)), ["1-a-2.json", "1-a.json"])
        self.assertEqual(self.read(old), bytes_of[old])
        self.assertEqual(self.subjects("messages", "--archive"), ["PROD DOWN", "Yesterday"])
        self.do("restore", os.path.join(where, "1-a-2.json"))
        self.assertEqual(self.subjects("messages"), ["PROD DOWN"])
        self.assertEqual(self.read(old), bytes_of[old])

    def test_what_is_archived_marked_or_restored_is_the_one_that_can_be(self):
        self.put("1-a.json", "archive")
        self.put("2-a.json", subject="PROD DOWN", content="z")
        self.do("mark", "w-1", "processing")
        self.do("archive", "w-1")
        self.assertEqual(self.subjects("messages", "--archive"), ["PROD DOWN", "Yesterday"])
        self.assert_says(self.do("restore", "w-1", rc=REFUSED), "w-1~")
        self.put("3-a.json", subject="Again", content="y")
        self.put("4-a.json", subject="And again", content="y")
        self.assert_says(self.do("archive", "w-1", rc=REFUSED), "w-1~")

    def test_what_was_noted_on_one_is_not_noted_on_the_other(self):
        old = self.put("1-a.json")
        self.do("mark", "w-1", "processing")
        self.assertEqual(self.rows("messages")[0]["status"], "processing")
        os.makedirs(os.path.join(os.path.dirname(old), "archive"))
        os.rename(old, os.path.join(os.path.dirname(old), "archive", "1-a.json"))
        self.put("2-b.json", content="new", subject="PROD DOWN")
        row, = self.rows("messages")
        self.assertEqual((row["subject"], row["status"]), ("PROD DOWN", "unread"))


class Roo(SameIdCase):
    def put(self, text, minute, sender="code"):
        return self.write(os.path.join(self.project, ".roo", "mailbox", "to-user.md"),
                          f'---\nfrom: {sender}\ntimestamp: "2026-03-01T11:{minute:02d}:00Z"\n'
                          f'id: "msg-1"\n---\n\n# {text}\n\nA text.\n')

    def test_a_message_whose_id_was_archived_before_is_seen(self):
        self.put("Yesterday", 10)
        self.do("archive", "msg-1")
        path = self.put("PROD DOWN", 20)
        self.assertEqual([row["subject"] for row in self.rows("messages")], ["PROD DOWN"])
        self.assertEqual(self.subjects("list", "--all"), ["PROD DOWN", "Yesterday"])
        self.assertEqual(self.rows("messages")[0]["status"], "unread")
        shown = self.do("show", "msg-1", rc=REFUSED).err
        names = [word.strip(",):") for word in shown.split() if word.startswith("msg-1~")]
        self.assertEqual(sorted(self.rows("show", name)[0]["subject"] for name in names),
                         ["PROD DOWN", "Yesterday"])
        self.do("archive", path)
        self.assertEqual(self.subjects("messages", "--archive"), ["PROD DOWN", "Yesterday"])
        self.assertEqual(self.subjects("search", "text"), ["PROD DOWN", "Yesterday"])
        bodies = [self.rows("show", name)[0]["body"] for name in names]
        self.assertEqual(len(set(bodies)), 2)
        last = [name for name in names if "PROD" in self.rows("show", name)[0]["body"]]
        self.do("restore", last[0])
        self.assertEqual([row["subject"] for row in self.rows("messages")], ["PROD DOWN"])
        self.assertEqual(self.subjects("messages", "--archive"), ["Yesterday"])


class Adr(SameIdCase):
    def put(self, folder, **fields):
        one = message(to_agent="user", created_at="2026-03-01T10:00:00", **fields)
        return self.write(os.path.join(self.project, "workspace", "mailboxes", "user", folder,
                                       one["id"] + ".json"), one)

    def test_a_pending_message_whose_id_was_archived_before_is_seen(self):
        old = self.put("archive", status="archived", subject="Yesterday", body="old")
        new = self.put("inbox", subject="PROD DOWN", body="new", type="request")
        self.assert_seen("Yesterday", "PROD DOWN")
        kept = self.read(old)
        self.do("archive", new)
        self.assertEqual(self.read(old), kept)
        self.assertEqual(self.subjects("messages", "--archive"), ["PROD DOWN", "Yesterday"])

    def test_what_a_running_agent_wrote_back_is_shown_once(self):
        payload = {"n": 1, "deep": [1, {"a": "caf\u00e9"}]}
        self.put("archive", status="archived", payload=payload, completed_at="2026-03-01T11:00:00")
        back = self.put("inbox", status="read", payload=payload, read_at="2026-03-01T10:30:00")
        data = self.read(back)
        spellings = data, json.dumps(json.loads(data), ensure_ascii=False, separators=(",", ":"))
        for data in reversed(spellings):
            self.write(back, data)
            row, = self.rows("messages", "--all")
            self.assertEqual(row["status"], "archived")
        self.do("archive", row["id"])
        row, = self.rows("messages", "--all")
        self.assertNotIn("flags", row)


if __name__ == "__main__":
    harness.main()
