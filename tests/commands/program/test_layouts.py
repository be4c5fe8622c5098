"""The layouts from the command line: abilities, discovery, local marks, cleaning up, the outbox,
and addresses with a team."""
import contextlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from xml.etree import ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import unprivileged  # noqa: E402
from layouts import HOUR, UUID, LayoutCase  # noqa: E402
from harness import FAILED, NOTHING, REFUSED, USAGE, message  # noqa: E402

# N native, V by convention, X impossible: columns claude, openclaw, inbox, adr, roo.
LAYOUTS = "claude openclaw inbox adr roo".split()
ABILITY = {"N": "native", "V": "convention", "X": "impossible"}
TABLE = {
    "send": "NNNNN", "reply": "VVNNV", "handoff": "VVVNV", "broadcast": "NNVNV",
    "mark read": "NNXNX", "processing": "XXXNN", "completed": "XXVNN", "failed": "XXVVV",
    "archive": "XXNNN", "expire": "XVXNX", "cleanup": "XNNVX", "plan": "NVVVV",
    "permission": "NXVVV", "shutdown": "NVVVV", "mode": "NXXXX", "assign": "NXXXX",
    "rules": "NXXXX", "escalate": "XXVNX"}


class Formats(LayoutCase):

    def test_the_table_says_what_each_layout_can_do(self):
        rows = {(one["format"], one["verb"]): one for one in self.run_json("formats")}
        self.assertEqual(set(rows), {(name, verb) for name in LAYOUTS for verb in TABLE})
        for verb, abilities in TABLE.items():
            for name, letter in zip(LAYOUTS, abilities):
                self.assertEqual(rows[name, verb]["ability"], ABILITY[letter], (name, verb))
                self.assertTrue(rows[name, verb]["how"], (name, verb))

    def test_the_text_has_the_same_words(self):
        text = self.run_program("formats").out
        blocks = {block.split()[0]: block for block in text.split("\n\n")}
        self.assertEqual(set(blocks), set(LAYOUTS))
        for verb, abilities in TABLE.items():
            for name, letter in zip(LAYOUTS, abilities):
                self.assertRegex(blocks[name], rf"(?m)^\s+{verb}\s+{ABILITY[letter]}\s+\S")


    def test_no_layout_was_forgotten_where_tests_go_through_all(self):
        """Each list of layouts must contain the name of every layout."""
        lists = {"tests/commands/program/test_library.py": r"LAYOUTS = .*\b%s\b", "tests/faults/commands.py": '"%s": make_',
                 "tests/fuzz/fuzz.c": '{"%s", fuzz_', "tests/hostile/odd_trees.py": '"%s": Place',
                 "tests/stress/places.py": '= "%s",'}
        for path, pattern in lists.items():
            with open(os.path.join(harness.SRC, path), encoding="utf-8") as file:
                text = file.read()
            for name in {one["format"] for one in self.run_json("formats")}:
                self.assertTrue(re.search(pattern % name, text), f"{path}: nothing for {name}")


class Discovery(LayoutCase):

    def test_each_layout_is_found_where_it_lives(self):
        home = self.box.home
        places = [
            (lambda: self.claude(), "claude", os.path.join(home, ".claude")),
            (lambda: self.openclaw(), "openclaw", os.path.join(home, ".openclaw", "teams")),
            (lambda: self.inbox(), "inbox", os.path.join(self.project, "scheduler", "inboxes")),
            (lambda: self.adr(), "adr", os.path.join(self.project, "workspace", "mailboxes")),
            (lambda: self.roo(), "roo", self.project)]
        deep = os.path.join(self.project, "a", "b")
        for make, layout, path in places:
            with self.subTest(layout):
                make()
                os.makedirs(deep, exist_ok=True)
                self.assertEqual(self.found(cwd=deep), [(layout, path)])
                shutil.rmtree(self.project)
                os.makedirs(self.project)
                for name in (".claude", ".openclaw"):
                    shutil.rmtree(os.path.join(home, name), ignore_errors=True)

    def test_all_of_them_at_once(self):
        self.claude()
        self.openclaw()
        self.inbox()
        self.adr()
        self.roo()
        self.assertEqual(sorted(layout for layout, _ in self.found()), sorted(LAYOUTS))

    def test_variables_decide(self):
        self.claude()
        elsewhere = self.claude(base=os.path.join(self.box.root, "elsewhere"))
        self.assertEqual(self.found(env={"CLAUDE_CONFIG_DIR": elsewhere}), [("claude", elsewhere)])
        self.run_program("sources", cwd=self.project, rc=FAILED,
                         env={"CLAUDE_CONFIG_DIR": os.path.join(self.box.root, "nowhere")})
        shutil.rmtree(os.path.join(self.box.home, ".claude"))
        self.openclaw()
        state = self.openclaw(base=os.path.join(self.box.root, "state"))
        for name in ("OPENCLAW_STATE_DIR", "CLAWDBOT_STATE_DIR"):
            self.assertEqual(self.found(env={name: state}),
                             [("openclaw", os.path.join(state, "teams"))])

    def test_older_names_of_a_home_are_known(self):
        for name in (".moldbot", ".moltbot", ".clawdbot", ".openclaw"):  # each is preferred to those before
            base = self.openclaw(base=os.path.join(self.box.home, name))
            self.assertEqual(self.found(), [("openclaw", os.path.join(base, "teams"))])

    def test_the_scheduler_in_the_home_is_found(self):
        where = self.inbox(base=os.path.join(self.box.home, "clawd"), messages=[1])
        self.assertEqual(self.found(), [("inbox", where)])
        self.assertEqual(self.ids(), ["new-0"])

    def test_two_of_one_layout_are_both_found(self):
        near = self.inbox()
        far = self.inbox(base=os.path.join(self.box.home, "clawd"))
        self.assertEqual(sorted(self.found()), sorted([("inbox", near), ("inbox", far)]))

    def test_one_place_that_is_reached_two_ways_is_one_source(self):
        where = self.inbox(base=os.path.join(self.box.home, "clawd"), messages=[1])
        self.assertEqual(self.found(cwd=os.path.join(self.box.home, "clawd")), [("inbox", where)])

    def test_without_any_it_says_where_it_looked(self):
        for command in ("sources", "messages"):
            result = self.run_program(command, cwd=self.project, rc=FAILED)
            self.assert_says(result, "workspace/mailboxes", "scheduler/inboxes", ".roo",
                             "~/.claude", "CLAUDE_CONFIG_DIR", "~/.openclaw", "--source")

    def test_a_directory_of_teams_is_told_by_what_is_in_it(self):
        a = self.claude(base=os.path.join(self.box.root, "a"), boxes=[("bob", [])])
        b = self.openclaw(base=os.path.join(self.box.root, "b"))
        self.assertEqual(self.found("-S", a), [("claude", a)])
        self.assertEqual(self.found("-S", b), [("openclaw", os.path.join(b, "teams"))])


class Sources(LayoutCase):

    def test_it_says_what_is_there(self):
        base = self.claude(boxes=[("team-lead", [self.entry("one"), self.entry("two", read=True)]),
                                  ("bob", [self.entry("three", sender="team-lead")])])
        said = self.run_one("sources", cwd=self.project)
        for key, value in {"format": "claude", "path": base, "identity": "team-lead", "messages": 3,
                           "unread": 2, "archived": 0, "damaged": 0, "boxes": 2, "teams": 1,
                           "members": 2, "keeps_seconds": None, "problem": None}.items():
            self.assertEqual(said[key], value, key)
        text = self.run_program("sources", cwd=self.project).out
        self.assertTrue(text.startswith("claude "), text)
        for words in (base, "as team-lead", "1 team", "2 mailboxes", "2 on the roster",
                      "3 messages, 2 unread, 0 archived"):
            self.assertIn(words, text)
        self.assertEqual(self.run_one("sources", "--as", "bob", cwd=self.project)["identity"], "bob")

    def test_damage_is_told(self):
        self.inbox(messages=[1])
        self.write(os.path.join(self.project, "scheduler/inboxes/coordinator/x.json"), "{")
        self.assertEqual(self.run_one("sources", cwd=self.project)["damaged"], 1)
        self.assertIn("1 damaged", self.run_program("sources", cwd=self.project).out)

    def test_settings_say_how_long_messages_are_kept(self):
        base = self.openclaw(messages=[self.claw(1)])
        self.assertEqual(self.run_one("sources", cwd=self.project)["keeps_seconds"], 24 * HOUR)
        self.write(os.path.join(base, "openclaw.json"),
                   "{ // hours\n gateway: {teams: {storage: {mailboxTTLHours: 2,}}} }")
        said = self.run_one("sources", cwd=self.project)
        self.assertEqual((said["keeps_seconds"], said["problem"]), (2 * HOUR, None))

    def test_unread_mail_of_openclaw_stays_whatever_its_age(self):
        self.openclaw(messages=[self.claw(1, hours=30), self.claw(2, hours=30, read=True),
                                {key: value for key, value in
                                 self.claw(3, hours=900, messageId="6" + UUID[1:] + "3").items()
                                 if key != "read"}])
        ids = ["6" + UUID[1:] + "3", UUID + "1"]
        self.assertEqual([one["id"] for one in self.run_json("check", cwd=self.project)], ids)
        listed = [one["subject"] for one in self.run_json("list", cwd=self.project)]
        self.assertEqual(sorted(listed), ["message 1", "message 3"])
        self.assertEqual(self.run_one("count", cwd=self.project)["unread"], 2)
        said = {one["id"]: one["expires_at"] for one in self.run_json("messages", cwd=self.project)}
        self.assertEqual([id for id, at in said.items() if at], [UUID + "2"])
        self.assertIn("message 3", self.run_program("--plain", input="q\n", cwd=self.project).out)

    def test_settings_that_cannot_be_read_are_a_problem_and_a_day_counts(self):
        base = self.openclaw(messages=[self.claw(1)])
        for text in ("{ half", '{"gateway":{"teams":{"storage":{"mailboxTTLHours":"x"}}}}'):
            self.write(os.path.join(base, "openclaw.json"), text)
            said = self.run_one("sources", cwd=self.project)
            self.assertEqual(said["keeps_seconds"], 24 * HOUR)
            self.assertTrue(said["problem"])
            self.assertEqual(said["messages"], 1)
            self.assertIn("! ", self.run_program("sources", cwd=self.project).out)


class LocalMarks(LayoutCase):
    """States that a mailbox cannot hold are kept locally, and the command reports that."""

    def assert_local(self, *args, says, **more):
        before = self.box.snapshot()
        result = self.run_program(*args, cwd=self.project, **more)
        self.assert_unchanged(before)
        self.assertEqual(len(result.err.splitlines()), 1, str(result))
        self.assertIn(says, result.err)
        return result

    def test_a_mark_that_the_mailbox_cannot_hold_is_kept_here(self):
        self.inbox(messages=[1])
        result = self.assert_local("mark", "new-0", "read", says="kept here only")
        self.assertEqual(result.out, "new-0 read\n")
        one = self.run_one("messages", cwd=self.project)
        self.assertEqual(one["status"], "read")
        other = self.run_one("messages", "--as", "pm", cwd=self.project)
        self.assertEqual(other["status"], "unread")

    def test_json_says_so_too(self):
        self.inbox(messages=[1])
        self.assertEqual(self.run_one("mark", "new-0", "processing", cwd=self.project),
                         {"v": 1, "id": "new-0", "status": "processing", "local": True})

    def test_what_cannot_be_archived_is_hidden_with_a_copy(self):
        self.claude(boxes=[("team-lead", [self.entry("keep me", msg_id="one"),
                                          self.entry("stay", msg_id="two")])])
        self.assert_local("archive", "one", says="hidden here only")
        self.assertEqual(self.ids(), ["two"])
        self.assertEqual(self.ids("--archive"), ["one"])
        shown = self.run_one("show", "one", cwd=self.project)
        self.assertEqual((shown["body"], shown["status"]), ("keep me", "archived"))
        raw = self.run_program("show", "one", "--raw", cwd=self.project).stdout
        self.assertEqual(json.loads(raw), self.entry("keep me", msg_id="one"))
        self.assertEqual(self.ids("--as", "bob"), ["one", "two"], "others still see it")

    def test_a_native_mark_touches_one_word(self):
        base = self.claude(boxes=[("team-lead", [self.entry("one", msg_id="one"),
                                                 self.entry("two", msg_id="two")])])
        path = os.path.join(base, "teams/dev/inboxes/team-lead.json")
        before = self.read(path)
        result = self.run_program("mark", "one", "read", cwd=self.project)
        self.assertEqual(result.err, "")
        self.assertEqual(self.read(path), before.replace(b"false", b"true", 1))
        self.run_program("mark", "--all", "team-lead", "read", cwd=self.project)
        self.assertEqual(self.read(path), before.replace(b"false", b"true"))

    def test_what_is_for_all_is_marked_here_only(self):
        self.openclaw(messages=[self.claw(1, to="all"), self.claw(2)])
        self.assert_local("mark", UUID + "1", "read", says="kept here only")
        self.run_program("mark", UUID + "2", "read", cwd=self.project)
        path = os.path.join(self.box.home, ".openclaw/teams/web/mailbox", UUID + "{}.json")
        self.assertFalse(json.loads(self.read(path.format(1)))["read"])
        self.assertTrue(json.loads(self.read(path.format(2)))["read"])

    def test_completing_a_slot_logs_and_empties_it(self):
        self.roo(orchestrator="do it", code="leave it")
        result = self.run_program("mark", "msg-orchestrator", "completed", cwd=self.project)
        self.assertEqual(result.out, "msg-orchestrator archived\n")
        self.assertEqual(os.listdir(os.path.join(self.project, ".roo/mailbox")), ["to-code.md"])
        log = self.read(os.path.join(self.project, ".roo/memory-bank/progress.md")).decode()
        self.assertIn("Processed mailbox message id:msg-orchestrator from code", log)
        self.assertEqual(self.ids("--archive"), ["msg-orchestrator"])

    def assert_in_list(self):
        self.assertIn("do it", self.run_program("list", cwd=self.project).out)

    def assert_kept_in_slot(self, blocked, mend, env=None):
        """Asserts that archiving fails while progress.md cannot be written, and works afterwards."""
        bank = os.path.join(self.project, ".roo/memory-bank")
        before = self.box.snapshot()
        for args in (("archive", "msg-orchestrator"), ("mark", "msg-orchestrator", "completed")):
            result = self.run_program(*args, cwd=self.project, rc=harness.FAILED)
            self.assertIn("progress.md", result.err)
            self.assertIn(blocked, result.err)
            self.assertIn("archive it again", result.err)
        self.assert_unchanged(before)
        self.assert_in_list()
        self.assertEqual(self.ids("--archive"), [])
        mend(os.path.join(bank, "progress.md"))
        self.run_program("archive", "msg-orchestrator", cwd=self.project)
        self.assertEqual(os.listdir(os.path.join(self.project, ".roo/mailbox")), [])
        self.assertEqual(self.ids("--archive"), ["msg-orchestrator"])
        log = self.read(os.path.join(bank, "progress.md"))
        self.assertEqual(log.count(b"id:msg-orchestrator"), 1, log)

    def test_a_slot_stays_while_its_log_is_a_symbolic_link(self):
        self.roo(orchestrator="do it")
        bank = os.path.join(self.project, ".roo/memory-bank")
        self.write(os.path.join(self.project, "elsewhere.md"), "# Progress Log\n")
        os.makedirs(bank)
        os.symlink("../../elsewhere.md", os.path.join(bank, "progress.md"))
        self.assert_kept_in_slot("symbolic link", os.unlink)

    def test_a_slot_stays_while_its_log_cannot_be_written(self):
        self.roo(orchestrator="do it")
        bank = os.path.join(self.project, ".roo/memory-bank")
        self.write(os.path.join(bank, "progress.md"), "# Progress Log\n")
        os.chmod(bank, 0o555)
        self.addCleanup(os.chmod, bank, 0o755)
        unprivileged.drop_privileges(self.box)
        self.assert_kept_in_slot("written", lambda path: os.chmod(bank, 0o755))

    def test_a_slot_that_could_not_be_emptied_is_not_logged_twice(self):
        self.roo(orchestrator="do it")
        mailbox = os.path.join(self.project, ".roo/mailbox")
        bank = os.path.join(self.project, ".roo/memory-bank")
        self.write(os.path.join(bank, "progress.md"), "# Progress Log\n")
        os.chmod(mailbox, 0o555)
        self.addCleanup(os.chmod, mailbox, 0o755)
        unprivileged.drop_privileges(self.box)
        for _ in range(2):
            self.run_program("archive", "msg-orchestrator", cwd=self.project,
                             rc=harness.UNCONFIRMED)
            self.assert_in_list()  # its file is still there
        os.chmod(mailbox, 0o755)
        self.run_program("archive", "msg-orchestrator", cwd=self.project)
        self.assertEqual((os.listdir(mailbox), self.ids()), ([], []))
        log = self.read(os.path.join(bank, "progress.md"))
        self.assertEqual(log.count(b"id:msg-orchestrator"), 1, log)

    def test_a_message_that_comes_again_after_it_was_archived_is_shown(self):
        self.roo(orchestrator="do it")
        self.run_program("archive", "msg-orchestrator", cwd=self.project)
        self.roo(orchestrator="do it")
        self.assert_in_list()

    def test_an_urgent_message_of_roo_is_high_and_flagged(self):
        self.roo(orchestrator="do it")
        path = os.path.join(self.project, ".roo/mailbox/to-orchestrator.md")
        for word, priority, flags in (("urgent", "high", 1), ("high", "high", 0),
                                      ("normal", "normal", 0), ("P0", "normal", 1)):
            self.write(path, f"---\nfrom: code\ntimestamp: \"2025-07-07T11:15:00Z\"\nid: \"m\"\n"
                             f"priority: {word}\n---\n\nhurry\n")
            one = self.run_one("messages", cwd=self.project)
            self.assertEqual((one["priority"], len(one.get("flags", []))), (priority, flags), word)
            one = self.run_one("show", "m", cwd=self.project)
            self.assertEqual((one["payload"] or {}).get("priority"), word if flags else None)

    def test_failing_is_answered_where_that_is_the_custom(self):
        root = self.inbox(messages=[1])
        self.inbox(box="pm")
        self.run_program("mark", "new-0", "failed", cwd=self.project)
        self.assertEqual(len(os.listdir(os.path.join(root, "coordinator", "archive"))), 1)
        names = [name for name in os.listdir(os.path.join(root, "pm")) if name.endswith(".json")]
        self.assertEqual(len(names), 1)
        answer = json.loads(self.read(os.path.join(root, "pm", names[0])))
        self.assertEqual((answer["type"], answer["replyTo"]), ("failure", "new-0"))

    def test_words_find_messages_in_every_layout(self):
        self.claude(boxes=[("team-lead", [self.entry("Deploy the API", msg_id="c"),
                                          self.entry("other", msg_id="d")]),
                           ("bob", [self.entry("deploy too", sender="x", msg_id="e")])])
        self.inbox(messages=[1])
        self.assert_local("mark", "--match", "A Text", "read", says="kept here only")
        result = self.run_program("mark", "--match", "api DEPLOY", "read", cwd=self.project)
        self.assertEqual(result.out, "c read\n")
        self.run_program("mark", "--match", "deploy too", "read", cwd=self.project, rc=NOTHING)
        self.claude(boxes=[("team-lead", [self.entry("\u00c4RGER im Bau", msg_id="f")])])
        result = self.run_program("mark", "--match", "bau \u00e4rger", "read", cwd=self.project)
        self.assertEqual(result.out, "f read\n")
        for args in (["--match", "x"], ["--match", "x", "ID", "read"],
                     ["--match", "x", "--all", "bob", "read"]):
            self.run_program("mark", *args, cwd=self.project, rc=USAGE)


class Cleanup(LayoutCase):

    def clean(self, *args, rc=harness.DONE):
        return self.run_program("cleanup", *args, cwd=self.project, rc=rc)

    def assert_dry(self, count, *args):
        before = self.box.snapshot()
        self.assertRegex(self.clean("--dry-run", *args).out, rf"\A{count} messages? would be ")
        self.assert_unchanged(before)

    def test_read_messages_past_their_time_are_removed(self):
        base = self.openclaw(messages=[
            self.claw(1, hours=25, read=True), self.claw(2, hours=25), self.claw(3, read=True),
            self.claw(4, hours=3, read=True), self.claw(5, hours=25, read=True, to="tm1")])
        self.write(os.path.join(base, "teams/web/mailbox/notes.json"),
                   self.claw(6, hours=99, read=True))
        box = os.path.join(base, "teams/web/mailbox")
        self.assert_dry(2)
        self.assertIn("2 messages removed", self.clean().out)
        self.assertEqual(sorted(os.listdir(box)),
                         [UUID + "2.json", UUID + "3.json", UUID + "4.json", "notes.json"])
        self.assertIn("1 message removed", self.clean("--older", "2h").out)
        self.assertFalse(os.path.exists(os.path.join(box, UUID + "4.json")))
        self.assertTrue(os.path.exists(os.path.join(box, "notes.json")))

    def test_old_archived_files_are_removed_by_their_age(self):
        root = self.inbox(messages=[30], archived=[9, 7.5, 8.5, 1])
        archive = os.path.join(root, "coordinator", "archive")
        self.assert_dry(2)
        self.assertEqual(self.run_one("cleanup", cwd=self.project),
                         {"v": 1, "source": root, "format": "inbox", "count": 2, "failed": 0,
                          "done": "removed"})
        self.assertEqual(sorted(os.listdir(archive)),
                         ["1600000001-pm-x.json", "1600000003-pm-x.json"])
        self.assertIn("1 message removed", self.clean("--older", "2d").out)
        self.assertEqual(os.listdir(archive), ["1600000003-pm-x.json"])
        self.assertEqual(self.ids(), ["new-0"], "what is pending stays, however old")

    def test_a_damaged_file_is_removed_by_its_age_from_an_archive_and_nowhere_else(self):
        root = os.path.join(self.inbox(archived=[1]), "coordinator")
        mail = os.path.join(self.adr(), "alice")
        for place, days in (("archive/1.json", 9), ("archive/2.json", 1), ("3.json", 99)):
            self.write(os.path.join(root, place), "{", age=days * 24 * HOUR)
        for place in ("inbox/MSG-00000000000a.json", "archive/MSG-00000000000b.json"):
            self.write(os.path.join(mail, place), "{", age=99 * 24 * HOUR)
        claw = os.path.join(self.openclaw(), "teams/web/mailbox", UUID + "9.json")
        self.write(claw, '{"read": true, "createdAt": 1', age=99 * 24 * HOUR)
        before = self.box.snapshot()
        self.clean()
        after = self.box.snapshot()
        self.assertEqual(before.keys() - after.keys(), {os.fsencode(os.path.join(root, "archive/1.json"))})

    def test_what_is_done_or_expired_is_archived(self):
        for number, fields in enumerate(({"status": "completed"}, {"status": "read"}, {},
                                         {"expires_at": "2026-01-04T00:00:00"})):
            mail = self.adr(id=f"MSG-00000000000{number}", **fields)
        self.assert_dry(2)
        self.assertIn("2 messages archived", self.clean().out)
        self.assertEqual(sorted(os.listdir(os.path.join(mail, "alice/inbox"))),
                         ["MSG-000000000001.json", "MSG-000000000002.json"])
        self.assertEqual(sorted(os.listdir(os.path.join(mail, "alice/archive"))),
                         ["MSG-000000000000.json", "MSG-000000000003.json"])

    def test_a_cleanup_that_was_killed_half_way_is_finished_by_the_next(self):
        """The killed run had copied the message to the archive and not removed it from the inbox."""
        mail = self.adr(id="MSG-000000000000", status="completed")
        self.clean()
        self.adr(id="MSG-000000000000", status="completed")
        self.assert_dry(1)
        self.assertIn("1 message archived", self.clean().out)
        self.assertEqual([os.listdir(os.path.join(mail, "alice", part))
                          for part in ("inbox", "archive")], [[], ["MSG-000000000000.json"]])

    def test_where_there_is_nothing_to_clean_it_says_so(self):
        self.roo(code="x")
        before = self.box.snapshot()
        result = self.clean()
        self.assertIn("nothing to clean", result.err)
        self.assert_unchanged(before)

    def test_a_duration_must_be_one(self):
        self.inbox()
        self.clean("--older", "soon", rc=USAGE)
        self.clean("--older", "1d", "--clear", "a@b", rc=USAGE)

    def test_an_inbox_of_a_team_with_a_config_is_not_cleared(self):
        base = self.claude(boxes=[("bob", [self.entry("x")])])
        config = os.path.join(base, "teams/dev/config.json")
        for text in (None, '{"name": "dev", "mem', ""):  # unchanged, half written, just truncated
            if text is not None:
                self.write(config, text, age=0)
            before = self.box.snapshot()
            result = self.clean("--clear", "bob@dev", rc=REFUSED)
            self.assert_says(result, "dev")
            self.assert_unchanged(before)

    def test_an_orphaned_inbox_is_cleared_after_a_copy(self):
        base = self.claude(members=(), boxes=[("bob", [self.entry("one", msg_id="one", odd=1.0),
                                                       self.entry("two", msg_id="two")])])
        path = os.path.join(base, "teams/dev/inboxes/bob.json")
        self.assert_dry(2, "--clear", "bob@dev")
        self.assertIn("2 messages cleared", self.clean("--clear", "bob@dev").out)
        self.assertEqual(self.read(path), b"[]")
        self.assertEqual(os.listdir(os.path.dirname(path)), ["bob.json"])
        self.assertEqual(sorted(self.ids("--archive")), ["one", "two"])
        raw = self.run_program("show", "one", "--raw", cwd=self.project).stdout
        self.assertEqual(json.loads(raw), self.entry("one", msg_id="one", odd=1.0))
        self.clean("--clear", "nobody@dev", rc=NOTHING)

    def test_what_arrives_while_an_inbox_is_cleared_is_not_lost(self):
        base = self.claude(members=(), boxes=[
            ("bob", [self.entry(str(number), msg_id=str(number)) for number in range(200)])])
        path = os.path.join(base, "teams/dev/inboxes/bob.json")
        late, lock = [], path + ".lock"
        with self.box.popen("cleanup", "--clear", "bob@dev", cwd=self.project,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            # an agent that is still running, and takes the lock
            while process.poll() is None and len(late) < 200:
                try:
                    os.mkdir(lock)
                except FileExistsError:
                    continue
                entries = json.loads(self.read(path)) + [self.entry(msg_id=f"late-{len(late)}")]
                self.write(path + ".new", entries)
                os.rename(path + ".new", path)
                late.append(entries[-1]["msg_id"])
                os.rmdir(lock)
        self.assertEqual(set(late) - set(self.ids("--all")), set())


class Timeless(LayoutCase):
    """A message without a time has a place in the order, and shows no time."""

    def test_a_time_that_stands_for_a_missing_one_is_no_time(self):
        memo = {**self.memo("untimed"), "timestamp": "$(date)", "requiresResponse": True}
        inboxes = self.inbox()
        self.write(os.path.join(inboxes, "coordinator", "x.json"), memo, age=3 * 24 * HOUR)
        self.write(os.path.join(inboxes, "coordinator", "y.json"), self.memo("timed"))
        for command in (("messages",), ("check",), ("list",), ("pending",)):
            out = self.run_program(*command, cwd=self.project).out
            self.assertEqual((out.count("~3d "), out.count("~")), (1, 1), out)
        shown = self.run_program("show", "untimed", cwd=self.project).out
        self.assertRegex(shown, r"(?m)^Sent +unknown, sorted as of \d{4}-\d\d-\d\d .*\(3d ago\)$")
        self.assertIn("**Sent:** unknown\n", self.run_program(
            "show", "untimed", "--format", "markdown", cwd=self.project).out)
        shown = self.run_program("show", "timed", cwd=self.project).out
        self.assertRegex(shown, r"(?m)^Sent +2026-02-12 08:02:18 \(")


class Outbox(LayoutCase):

    def test_a_message_for_a_taken_slot_waits_and_goes_out(self):
        self.roo(code="first", architect="x")
        slot = os.path.join(self.project, ".roo/mailbox/to-code.md")
        before = self.read(slot)
        self.run_program("outbox", cwd=self.project, rc=NOTHING)
        result = self.run_program("send", "--to", "code", "--subject", "second", "--body", "later",
                                  cwd=self.project)
        self.assertRegex(result.out, r"\Amsg-[0-9a-f]{8}\n\Z")
        self.assertTrue(result.err)
        self.assertEqual(self.read(slot), before)
        waiting = self.run_one("outbox", cwd=self.project)
        self.assertEqual((waiting["state"], waiting["id"], waiting["to"], waiting["format"]),
                         ("queued", result.out.strip(), "code", "roo"))
        text = self.run_program("outbox", cwd=self.project).out
        for word in ("queued", "code", "second", result.out.strip()):
            self.assertIn(word, text)
        os.unlink(slot)
        self.box.run("outbox", "retry", str(waiting["number"]), cwd=self.project)
        self.assertIn(b"later", self.read(slot))
        self.assertIn(result.out.strip(), self.ids())

    def look_again_now(self):
        """Makes the second check of sent messages due."""
        path = os.path.join(self.box.state, "swarmutt", "state.db")
        with contextlib.closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE outbox SET due_us = ?", (int(time.time() * 1e6),))

    def test_a_message_that_was_taken_is_not_sent_again_because_our_next_one_is_there(self):
        self.roo(architect="x")
        slot = os.path.join(self.project, ".roo/mailbox/to-architect.md")
        os.unlink(slot)
        self.run_program("send", "--to", "architect", "--subject", "first", "--body", "b",
                         cwd=self.project)
        os.unlink(slot)  # read by the agent
        self.run_program("send", "--to", "architect", "--subject", "second", "--body", "b",
                         "--no-verify", cwd=self.project)
        self.look_again_now()
        self.run_program("outbox", cwd=self.project, rc=NOTHING)
        self.assertIn(b"second", self.read(slot))

    def test_a_message_that_somebody_has_overwritten_waits_to_be_sent_again(self):
        self.roo(architect="x")
        slot = os.path.join(self.project, ".roo/mailbox/to-architect.md")
        os.unlink(slot)
        id = self.run_program("send", "--to", "architect", "--subject", "first", "--body", "b",
                              cwd=self.project).out.strip()
        self.roo(architect="an agent wrote over it")
        self.look_again_now()
        self.run_program("outbox", cwd=self.project)
        waiting = self.run_one("outbox", cwd=self.project)
        self.assertEqual((waiting["id"], waiting["state"]), (id, "queued"))

    def test_sources_are_named_where_there_are_several(self):
        other = self.roo(os.path.join(self.box.root, "other"), ask="first")
        self.roo(code="first")

        def send(to, source):
            self.run_program("-S", source, "send", "--to", to, "--subject", "s", "--body", "b")
        send("code", f"roo:{self.project}")
        alone = self.run_program("outbox", cwd=self.project).out
        self.assertNotIn("roo", alone)
        send("ask", f"roo:{other}")
        both = self.run_program("outbox", cwd=self.project).lines
        self.assertIn(" code (roo) ", both[0])
        self.assertIn(f" ask (roo:{other}) ", both[1])
        self.claude(boxes=[("bob", [])])
        self.run_program("outbox", "drop", "2", cwd=self.project)
        self.assertIn(" code (roo) ", self.run_program("outbox", cwd=self.project).out)

    def test_a_source_that_is_named_shows_what_goes_there_and_nothing_else(self):
        sources = [self.roo(os.path.join(self.box.root, name), ask="first") for name in ("one", "two", "three")]
        for source in sources[:2]:
            self.run_program("-S", source, "send", "--to", "ask", "--subject", "s", "--body", "b")
        self.assertEqual(len(self.run_json("--source", ".", "outbox", cwd=sources[0])), 1)
        for source in sources[:2]:
            one = self.run_one("outbox", "--source", source)
            self.assertEqual(one["source"], source)
            self.assertEqual(len(self.run_program("outbox", "-S", source).lines), 1)
        self.assertEqual(len(self.run_json("outbox", "-S", sources[0], "-S", sources[1])), 2)
        self.assertEqual(len(self.run_json("outbox")), 2)
        self.assert_says(self.run_program("outbox", "-S", sources[2], rc=NOTHING), "empty")

    def test_what_is_dropped_never_goes_out(self):
        self.roo(code="first")
        self.run_program("send", "--to", "code", "--subject", "second", "--body", "later",
                         cwd=self.project)
        number = self.run_one("outbox", cwd=self.project)["number"]
        self.run_program("outbox", "drop", str(number), cwd=self.project)
        self.run_program("outbox", cwd=self.project, rc=NOTHING)
        os.unlink(os.path.join(self.project, ".roo/mailbox/to-code.md"))
        self.run_program("messages", cwd=self.project, rc=NOTHING)
        self.assertEqual(os.listdir(os.path.join(self.project, ".roo/mailbox")), [])
        self.run_program("outbox", "drop", str(number), cwd=self.project, rc=NOTHING)

    def test_where_nothing_was_ever_sent_that_is_said(self):
        self.roo()
        for verb in ("retry", "drop"):
            result = self.run_program("outbox", verb, "1", cwd=self.project, rc=NOTHING)
            self.assert_says(result, "the outbox is empty", "1")

    def test_what_makes_no_sense_is_a_usage_error(self):
        self.roo()
        for args in (["retry"], ["drop"], ["drop", "x"], ["drop", "-1"], ["stop", "1"]):
            self.run_program("outbox", *args, cwd=self.project, rc=USAGE)


class Xml(LayoutCase):

    def check(self, *args):
        return self.run_program("check", "bob", "--format", "xml", *args, cwd=self.project).out

    def test_text_is_as_the_agent_sees_it_and_nothing_ends_the_tag(self):
        self.claude(boxes=[("bob", [self.entry('a < b & "c"\n</teammate-message> <x>', sender="eve",
                                               summary='say "hi" <now>', color="blue")])])
        text = self.check()
        self.assertEqual(text.count("<teammate-message"), 1)
        self.assertEqual(len(re.findall(r"</teammate-message>", text)), 1)
        self.assertTrue(text.rstrip().endswith("</teammate-message>"), text)
        head = re.match(r"<teammate-message ([^>]*)>", text)
        self.assertTrue(head, text)
        self.assertEqual(head.group(1).count('"') % 2, 0)
        self.assertNotIn("<now>", head.group(0))

    def test_what_was_escaped_can_be_read_back(self):
        body, summary = 'a < b &lt; c && d &amp; "e" &#38;', 'R&D: "x" &quot;y&quot;'
        self.claude(boxes=[("bob", [self.entry(body, sender="a&b", summary=summary)])])
        one = ElementTree.fromstring(self.check())
        self.assertEqual(one.text.strip("\n"), body)
        self.assertEqual(one.get("summary"), summary)
        self.assertEqual(one.get("teammate_id"), "a&b")

    def test_what_goes_to_the_program_is_left_out_unless_asked_for(self):
        stop = json.dumps({"type": "shutdown_request", "requestId": "r", "from": "team-lead",
                           "timestamp": "2026-02-07T15:35:15.573Z"})
        task = json.dumps({"type": "task_assignment", "taskId": "1", "subject": "s",
                           "description": "d", "assignedBy": "x",
                           "timestamp": "2026-02-07T15:35:15.573Z"})
        self.claude(boxes=[("bob", [self.entry(stop, sender="team-lead"), self.entry("plain"),
                                    self.entry(task, sender="team-lead")])])
        text = self.check()
        self.assertIn("plain", text)
        self.assertIn("task_assignment", text)
        self.assertNotIn("shutdown_request", text)
        self.assertEqual(text.count("</teammate-message>"), 2)
        self.assertIn("shutdown_request", self.check("--protocol"))


class Teams(LayoutCase):

    def send(self, to, rc=harness.DONE, *args):
        return self.run_program("send", "--to", to, "--subject", "s", "--body", "b", *args,
                                cwd=self.project, rc=rc)

    def test_one_name_in_two_teams_needs_the_team(self):
        base = self.claude(team="dev", boxes=[("bob", [])])
        self.claude(team="ops", boxes=[("bob", [])])
        before = self.box.snapshot()
        result = self.send("bob", REFUSED)
        self.assert_says(result, "dev", "ops")
        self.send("bob@nowhere", REFUSED)
        self.assert_unchanged(before)
        self.send("bob@ops")
        self.assertEqual(self.read(os.path.join(base, "teams/dev/inboxes/bob.json")), b"[]")
        self.assertEqual(len(json.loads(self.read(os.path.join(base, "teams/ops/inboxes/bob.json")))), 1)
        self.assertEqual(len(self.ids("--box", "bob@ops")), 1)
        self.assertEqual(len(self.ids("--box", "bob@dev")), 0)

    def test_a_team_of_files_is_addressed_alike(self):
        base = self.openclaw(team="web", members=("tm1",))
        self.openclaw(team="api", members=("tm1",))
        self.assert_says(self.send("tm1", REFUSED), "web", "api")
        self.send("tm1@api")
        self.assertEqual(len(os.listdir(os.path.join(base, "teams/api/mailbox"))), 1)
        self.assertEqual(os.listdir(os.path.join(base, "teams/web/mailbox")), [])

    def test_only_in_ones_own_team_is_mail_marked(self):
        self.claude(team="dev", boxes=[("bob", [self.entry("x", msg_id="d")])])
        self.claude(team="ops", boxes=[("bob", [self.entry("y", msg_id="o")])])
        before = self.box.snapshot()
        self.run_program("mark", "--as", "bob@ops", "d", "read", cwd=self.project, rc=REFUSED)
        self.assert_unchanged(before)
        self.run_program("mark", "--as", "bob@ops", "o", "read", cwd=self.project)

    def test_check_takes_the_team(self):
        self.claude(team="dev", boxes=[("bob", [self.entry("for dev")])])
        self.claude(team="ops", boxes=[("bob", [self.entry("for ops")])])
        one = self.run_one("check", "bob@ops", cwd=self.project)
        self.assertEqual(one["body"], "for ops")


if __name__ == "__main__":
    harness.main()
