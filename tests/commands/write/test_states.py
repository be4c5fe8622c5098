"""The life of a message: marking, completing, failing, archiving."""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import DONE, MARK, NOTHING, REFUSED, message, without  # noqa: E402

ORDER = ["unread", "read", "processing", "failed", "completed"]
NAIVE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?")
ID = "MSG-000000000001"


class StateCase(harness.MailboxCase):

    def stored(self, id=ID, agent="alice", part="inbox"):
        return json.loads(self.box.read(agent, id, part))

    def statuses(self):
        return {one["id"]: one["status"] for one in self.run_json("messages", "--all")}


class Steps(StateCase):

    def test_any_step_forward_is_legal_and_no_step_back_but_from_failed(self):
        for here, start in enumerate(ORDER):
            for there, end in enumerate(ORDER[1:], 1):
                legal = there > here or (start == "failed" and end in ("read", "processing"))
                self.box.put("alice", message(status=start))
                before = self.box.snapshot()
                result = self.box.run(*MARK, ID, end, *(["--keep"] if end == "completed" else []))
                with self.subTest(start=start, end=end):
                    self.assertEqual(result.rc, DONE if legal else REFUSED, str(result))
                    self.assertEqual(self.stored()["status"], end if legal else start)
                    if legal:
                        self.assertEqual((result.out, result.err), (f"{ID} {end}\n", ""))
                    else:
                        self.assertEqual(result.out, "")
                        self.assert_says(result, ID, start)
                        self.assert_unchanged(before)

    def test_any_state_may_be_archived(self):
        for start in ORDER:
            for command in (["archive", ID], [*MARK, ID, "completed"]):
                self.box.put("alice", message(status=start))
                if start == "completed" and command[0] == "mark":
                    self.box.run(*command)  # either exit code is right: it is completed already
                    self.box.run("archive", ID)
                else:
                    result = self.run_program(*command)
                    self.assertEqual(result.out, f"{ID} archived\n")
                self.assertEqual(self.box.files("alice"), [])
                self.assertEqual(self.stored(part="archive")["status"], "archived")
                os.unlink(os.path.join(self.box.dir("alice", "archive"), ID + ".json"))

    def test_times_are_set_by_the_steps_that_have_one(self):
        for start in ("unread", "failed"):
            for end, name in (("read", "read_at"), ("processing", None), ("failed", None),
                              ("completed", "completed_at")):
                if start == end:
                    continue
                self.box.put("alice", message(status=start))
                self.run_program(*MARK, ID, end, *(["--keep"] if end == "completed" else []))
                fields = self.stored()
                for key in ("read_at", "completed_at"):
                    if key == name:
                        self.assertTrue(NAIVE.fullmatch(fields[key]), fields[key])
                    else:
                        self.assertIsNone(fields[key])

    def test_times_that_are_there_stay_when_a_message_is_tried_again(self):
        self.box.put("alice", message(status="failed", read_at="2026-01-03T15:00:00"))
        self.run_program(*MARK, ID, "read")
        self.assertEqual(self.stored()["read_at"], "2026-01-03T15:00:00")
        self.run_program("archive", ID)
        self.assertEqual(self.stored(part="archive")["read_at"], "2026-01-03T15:00:00")

    def test_a_message_without_a_status_is_unread(self):
        self.box.put("alice", without(message(), "status"))
        self.assertEqual(self.statuses(), {ID: "unread"})
        self.assertEqual(self.run_one("check", "alice")["id"], ID)
        self.run_program(*MARK, ID, "read")
        self.assertEqual(self.statuses(), {ID: "read"})

    def test_a_failed_message_stays_in_the_inbox_and_can_be_tried_again(self):
        self.box.put("alice", message(status="processing"))
        for state in ("failed", "processing", "failed", "read", "processing", "completed"):
            self.run_program(*MARK, ID, state)
            self.assertEqual(self.box.files("alice"), [] if state == "completed" else [ID + ".json"])
        self.assertEqual(self.stored(part="archive")["status"], "archived")

    def test_json_tells_what_became_of_it(self):
        self.box.put("alice", message())
        self.assertEqual(self.run_one(*MARK, ID, "read"), {"v": 1, "id": ID, "status": "read"})
        self.assertEqual(self.run_one("archive", ID), {"v": 1, "id": ID, "status": "archived"})

    def test_only_unread_messages_wait(self):
        self.box.put("alice", message())
        self.assertEqual(self.run_one("count", "alice")["total"], 1)
        self.run_program(*MARK, ID, "read")
        self.assertEqual(self.run_one("count", "alice")["total"], 0)
        self.run_program("check", "alice", rc=NOTHING)
        self.assertEqual(self.run_one("check", "alice", "--all")["status"], "read")
        self.run_program("archive", ID)
        self.run_program("check", "alice", "--all", rc=NOTHING)

    def test_the_mode_of_the_file_stays(self):
        for mode in (0o600, 0o640, 0o666):
            path = self.box.put("alice", message())
            os.chmod(path, mode)
            self.run_program(*MARK, ID, "read")
            self.assertEqual(os.stat(path).st_mode & 0o777, mode)

    def test_no_file_of_ours_is_left_behind(self):
        self.box.put("alice", message())
        self.run_program(*MARK, ID, "read")
        self.run_program(*MARK, ID, "read", rc=REFUSED)
        self.assertEqual(os.listdir(self.box.dir("alice")), [ID + ".json"])
        self.run_program("archive", ID)
        self.assertEqual(os.listdir(self.box.dir("alice")), [])
        self.assertEqual(os.listdir(self.box.dir("alice", "archive")), [ID + ".json"])


class Several(StateCase):

    def put_all(self, *statuses, agent="alice"):
        for number, status in enumerate(statuses):
            self.box.put(agent, message(f"MSG-{number:012x}", to_agent=agent, status=status))

    def test_several_messages_are_marked_at_once(self):
        self.put_all("unread", "read", "unread")
        result = self.run_program(*MARK, "MSG-000000000000", "MSG-000000000002", "read")
        self.assertEqual(result.out, "MSG-000000000000 read\nMSG-000000000002 read\n")
        self.run_program("archive", "MSG-000000000000", "MSG-000000000001", "MSG-000000000002")
        self.assertEqual(set(self.statuses().values()), {"archived"})

    def test_one_that_cannot_be_marked_does_not_stop_the_others(self):
        self.put_all("unread", "processing", "unread")
        result = self.run_program(*MARK, "MSG-000000000000", "MSG-000000000001",
                                  "MSG-000000000002", "read", rc=REFUSED)
        self.assertEqual(result.out, "MSG-000000000000 read\nMSG-000000000002 read\n")
        self.assertEqual(len(result.err.splitlines()), 1)
        self.assertEqual(self.statuses(), {"MSG-000000000000": "read", "MSG-000000000001": "processing",
                                           "MSG-000000000002": "read"})

    def test_nothing_is_changed_when_one_of_the_ids_is_unknown(self):
        self.put_all("unread", "unread")
        before = self.box.snapshot()
        for args in ([*MARK, "MSG-000000000000", "none", "read"], ["archive", "MSG-000000000000", "none"],
                     [*MARK, "MSG-000000000000", "completed", "failed"]):
            self.assertEqual(self.run_program(*args, rc=NOTHING).out, "")
        self.assertEqual(self.box.snapshot(), before)

    def test_one_message_named_twice_is_changed_once(self):
        self.put_all("unread")
        result = self.run_program(*MARK, "MSG-000000000000", "MSG-0", "read")
        self.assertEqual(result.out, "MSG-000000000000 read\n")

    def test_all_marks_what_can_be_marked_and_leaves_the_rest(self):
        self.put_all("unread", "read", "processing", "failed", "completed")
        self.box.put("bob", message("MSG-00000000000b", to_agent="bob"))
        self.box.put("alice", message("MSG-00000000000c", to_agent="ALICE"))
        self.box.put("alice", b"{", name="MSG-00000000000d.json")
        self.box.put("alice", message("MSG-00000000000e", status="archived"), part="archive")
        before = self.box.snapshot()
        result = self.run_program(*MARK, "--all", "alice", "read")
        self.assertEqual(result.out, "MSG-000000000000 read\n")
        changed = {path for path, entry in self.box.snapshot().items() if entry != before[path]}
        self.assertEqual({os.path.basename(path) for path in changed}, {b"MSG-000000000000.json"})
        self.run_program(*MARK, "--all", "alice", "read", rc=NOTHING)
        self.run_program(*MARK, "--all", "alice", "completed", "--keep")
        wanted = {f"MSG-{number:012x}": "completed" for number in range(5)}
        self.assertEqual({id: status for id, status in self.statuses().items() if id in wanted}, wanted)
        self.assertEqual(self.statuses()["MSG-00000000000b"], "unread")
        self.assertEqual(self.statuses()["MSG-00000000000c"], "unread")

    def test_all_completed_archives_the_box(self):
        self.put_all("unread", "read", "failed")
        result = self.run_program(*MARK, "--all", "alice", "completed")
        self.assertEqual(len(result.lines), 3)
        self.assertEqual(self.box.files("alice"), [])
        self.assertEqual(len(self.box.files("alice", "archive")), 3)

    def test_all_means_the_agent_exactly_as_it_is_addressed(self):
        for number, name in enumerate(("dev/x", "dev_x")):
            self.box.put("dev_x", message(f"MSG-{number:012x}", to_agent=name))
        self.run_program("mark", "--as", "dev/x", "--all", "dev/x", "read")
        self.assertEqual(self.statuses(), {"MSG-000000000000": "read", "MSG-000000000001": "unread"})


class OnlyOnesOwn(StateCase):
    """Marking another agent's mail requires that agent's identity."""

    def setUp(self):
        super().setUp()
        self.box.put("alice", message())

    def assert_left(self, *args, rc=REFUSED):
        before = self.box.snapshot()
        result = self.run_program(*args, rc=rc)
        self.assert_unchanged(before)
        self.assertEqual(self.stored()["status"], "unread")
        return result

    def test_another_agents_mail_is_not_marked(self):
        for who in ([], ["--as", "bob"], ["--as", "alic"], ["--as", "ALICE"], ["--as", "dev/bob"]):
            for state in (["read"], ["processing"], ["failed"], ["completed"], ["completed", "--keep"]):
                result = self.assert_left("mark", ID, *state, *who)
                if "alic" in who or "ALICE" in who:  # similar enough for a hint
                    result.stderr = result.stderr.split(b"\n", 1)[1]
                self.assert_says(result, ID, "alice", "--as alice")
                self.assertEqual(result.out, "")

    def test_a_whole_box_of_another_agent_is_not_marked(self):
        for state in (["read"], ["completed"], ["completed", "--keep"]):
            self.assert_says(self.assert_left("mark", "--all", "alice", *state), "--as alice")

    def test_words_find_only_ones_own(self):
        self.assert_left("mark", "--match", "subject", "read", rc=NOTHING)
        self.assert_left("mark", "--as", "bob", "--match", "subject", "completed", rc=NOTHING)
        self.run_program(*MARK, "--match", "SUBJECT a", "read")
        self.assertEqual(self.stored()["status"], "read")

    def test_every_word_must_be_there(self):
        self.assert_left(*MARK, "--match", "subject nowhere", "read", rc=NOTHING)
        for number, text in enumerate(("first BODY", "second body", "third")):
            self.box.put("alice", message(f"MSG-00000000002{number}", body=text))
        result = self.run_program(*MARK, "--match", "body second", "processing")
        self.assertEqual(result.out, "MSG-000000000021 processing\n")

    def test_of_several_only_ones_own_are_marked(self):
        self.box.put("bob", message("MSG-000000000002", to_agent="bob"))
        result = self.run_program(*MARK, ID, "MSG-000000000002", "read", rc=REFUSED)
        self.assertEqual(result.out, ID + " read\n")
        self.assertEqual(self.statuses(), {ID: "read", "MSG-000000000002": "unread"})

    def test_archiving_needs_nobody(self):
        self.run_program("archive", ID)
        self.assertEqual(self.stored(part="archive")["status"], "archived")

    def test_the_bare_and_the_qualified_name_are_one_person(self):
        for number, (to, who) in enumerate((("dev/x", "x"), ("x", "dev/x"), ("dev/x", "dev/x"))):
            id = f"MSG-00000000001{number}"
            self.box.put(to, message(id, to_agent=to))
            self.assertEqual(self.run_program("mark", "--as", who, id, "read").out, id + " read\n")
        self.box.put("dev/x", message("MSG-00000000001f", to_agent="dev/x"))
        for who in ("ops/x", "y", "dev", "dev/y", "dev_x"):
            self.run_program("mark", "--as", who, "MSG-00000000001f", "read", rc=REFUSED)
        self.assertEqual(self.statuses()["MSG-00000000001f"], "unread")


class Archive(StateCase):

    def test_what_is_archived_is_not_changed_any_more(self):
        self.box.put("alice", message(status="archived"), part="archive")
        before = self.box.snapshot()
        for args in ([*MARK, ID, "read"], [*MARK, ID, "processing"], [*MARK, ID, "failed"],
                     [*MARK, ID, "completed"], [*MARK, ID, "completed", "--keep"], ["archive", ID]):
            self.assert_says(self.run_program(*args, rc=REFUSED), ID)
        self.run_program(*MARK, "--all", "alice", "completed", rc=NOTHING)
        self.assert_unchanged(before)

    def test_a_note_is_refused_because_there_is_no_place_for_it(self):
        self.box.put("alice", message())
        before = self.box.snapshot()
        self.assert_says(self.run_program("archive", ID, "--note", "done", rc=REFUSED), "note")
        self.assert_unchanged(before)

    def test_the_archive_is_made_where_there_is_none(self):
        os.rmdir(self.box.dir("alice", "archive"))
        self.box.put("alice", message())
        self.run_program("archive", ID)
        self.assertEqual(self.box.files("alice", "archive"), [ID + ".json"])

    def test_an_archived_message_can_still_be_shown_and_answered(self):
        self.box.put("alice", message())
        self.run_program("archive", ID)
        self.assertEqual(self.run_one("show", ID)["status"], "archived")
        self.assertEqual(self.run_one("messages", "--archive")["id"], ID)
        self.run_program("messages", rc=NOTHING)
        answer = self.run_program("reply", ID, "--from", "alice", "--body", "b").out.strip()
        self.assertEqual([one["id"] for one in self.run_json("thread", answer)], [ID, answer])

    def test_a_different_message_of_that_name_in_the_archive_is_kept(self):
        self.box.put("alice", message(body="old", status="archived"), part="archive")
        old = self.box.read("alice", ID, "archive")
        self.box.put("alice", message(body="new"))
        self.run_program("archive", ID)
        self.assertEqual(self.box.read("alice", ID, "archive"), old)
        bodies = [self.stored(name, part="archive")["body"] for name in self.box.files("alice", "archive")]
        self.assertEqual(sorted(bodies), ["new", "old"])

    def test_a_damaged_file_of_that_name_in_the_archive_is_kept(self):
        self.box.put("alice", b"{", name=ID + ".json", part="archive")
        self.box.put("alice", message())
        self.run_program("archive", os.path.join(self.box.dir("alice"), ID + ".json"))
        self.assertEqual(self.box.read("alice", ID, "archive"), b"{")
        self.assertEqual(self.box.files("alice"), [])
        self.assertEqual(len(self.box.files("alice", "archive")), 2)

    def test_a_message_that_says_archived_but_lies_in_the_inbox_can_be_put_away(self):
        for copies in (("inbox",), ("inbox", "archive")):
            for part in copies:
                self.box.put("alice", message(status="archived"), part=part)
            self.run_program("archive", ID)
            self.assertEqual(self.box.files("alice"), [])
            self.assertEqual(self.box.files("alice", "archive"), [ID + ".json"])
            os.unlink(os.path.join(self.box.dir("alice", "archive"), ID + ".json"))

    def test_a_message_in_both_places_is_shown_once_with_the_further_state(self):
        self.box.put("alice", message(status="archived"), part="archive")
        for status in ORDER:
            self.box.put("alice", message(status=status))
            for args in (["messages"], ["messages", "--all"], ["show", ID]):
                one = self.run_one(*args)
                self.assertEqual((one["status"], len(one["flags"])), ("archived", 1), (status, args))
        self.box.put("alice", message(status="read"), part="archive")
        self.box.put("alice", message(status="completed"))
        self.assertEqual(self.run_one("messages", "--all")["status"], "completed")
        self.run_program("archive", ID)
        self.assertEqual(self.box.files("alice"), [])
        self.assertEqual([one["id"] for one in self.run_json("messages", "--all")], [ID])


if __name__ == "__main__":
    harness.main()
