"""Inboxes that are one JSON array, together with a Node program that uses the same files."""
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import node_modules  # noqa: E402
from claude_case import COLORS, PLAIN, UUID4, ClaudeCase  # noqa: E402
from claude_case import as_node, derived_id, entry  # noqa: E402
from harness import DONE, FAILED, NOTHING, REFUSED, poll_until  # noqa: E402

ODD_TEXT = ("plain, \"quoted\", back\\slash, /slash, tab\t, bell\a, escape\x1b[31m, delete\x7f, "
            "e\u0301 \u00fc \u20ac \u2028 \u202e \ufeff \U0001f600 \U0010ffff \u0085 end\r\n")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")

# All of this is legal, and a program that parses and prints it again loses or changes it.
ODD_ENTRIES = rb'''[
  {"from":"bob" , "text":"caf\u00e9 \/ \ud83d\ude00 \u001b", "timestamp":"2026-02-07T15:35:01.000Z",
   "read":false, "big": 12345678901234567890, "one": 1.0, "small": 1E-7, "read_at": null},
  {
      "from": "bob", "from": "carol",	"text": "{\"read\":false}", "x": {"read": false, "b": [ ]},
      "timestamp": "2026-02-07T15:35:02.000Z", "2": 0, "1": -0, "read": false, "lone": "\udc00"
  },
  { "from": "bob", "text": "last", "timestamp": "2026-02-07T15:35:03.000Z", "read" : false }
]'''


class ThePeer(ClaudeCase):
    """Checks the habits of the peer alone, which the rest of this file depends on."""

    def test_an_inbox_is_made_and_written_as_stringify_does(self):
        said = self.node("append", "3", options=["--from", "bob", "--color", "green"])
        self.assertEqual([one["text"] for one in said],
                         ["bob says 1", "bob says 2", "bob says 3"])
        self.assertEqual(self.box.read("alice"), as_node(self.box.entries("alice")))
        self.assertEqual(list(self.box.entries("alice")[0]),
                         ["from", "text", "summary", "timestamp", "color", "read"])
        self.assert_tidy("alice")

    def test_clearing_leaves_the_tail_and_the_inbox_empty(self):
        self.node("append", "2")
        before = self.box.read("alice")
        self.node("clear")
        self.assertEqual(self.box.read("alice"), b"[]" + before[2:])
        self.assertEqual(self.node("read"), [])

    def test_what_it_cannot_parse_it_replaces(self):
        self.box.put("alice", as_node([entry(1), entry(2)])[:-20])
        self.node("append", "1")
        self.assertEqual(len(self.box.entries("alice")), 1)

    def test_losing_its_lock_is_its_death(self):
        peer = self.start_node("hold")
        self.assertEqual(peer.next(), {"held": True})
        os.rmdir(self.box.path("alice") + ".lock")
        self.assertEqual(peer.next()["died"], "ECOMPROMISED")
        peer.finish(rc=70)


class WhatWeSend(ClaudeCase):

    def test_has_the_classic_keys_in_their_order_and_the_values_given(self):
        began = time.time()
        id = self.send(subject="a f\u00fcw words", body=ODD_TEXT)
        sent = self.node("unread")
        self.assertEqual(len(sent), 1)
        self.assertEqual(list(sent[0]), PLAIN)
        self.assertEqual((sent[0]["from"], sent[0]["text"], sent[0]["summary"], sent[0]["read"]),
                         ("team-lead", ODD_TEXT, "a f\u00fcw words", False))
        self.assertTrue(TIME.fullmatch(sent[0]["timestamp"]), sent[0]["timestamp"])
        written = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(began))
        self.assertGreaterEqual(sent[0]["timestamp"][:19], written)
        self.assertEqual(id, derived_id(sent[0]))
        self.assert_tidy("alice")

    def test_is_written_byte_for_byte_as_node_would(self):
        for number in range(3):
            self.send(body=ODD_TEXT + str(number), subject=f"s\u00fc {number}")
            self.assertEqual(self.node("canonical"), {"canonical": True})
        data = self.box.read("alice")
        self.assertTrue(data.startswith(b'[\n  {\n    "from": "team-lead",\n    "text": "'), data)
        self.assertTrue(data.endswith(b'    "read": false\n  }\n]'), data)

    def test_goes_behind_what_node_wrote_and_leaves_that_alone(self):
        self.node("append", "2", options=["--color", "blue"])
        before = self.box.read("alice")
        self.send(body="ours")
        after = self.box.read("alice")
        self.assertTrue(after.startswith(before[:-2] + b",\n  {\n"))
        self.node("append", "1")
        self.assertEqual([one["text"] for one in self.node("read")],
                         ["node says 1", "node says 2", "ours", "node says 1"])
        self.assertEqual(self.node("canonical"), {"canonical": True})

    def test_carries_the_color_of_a_member_and_none_of_the_lead(self):
        self.send("--as", "alice", to="bob")
        self.send(to="bob")
        first, second = self.node("read", agent="bob")
        self.assertEqual(list(first), ["from", "text", "summary", "timestamp", "color", "read"])
        self.assertEqual((first["from"], first["color"]), ("alice", "blue"))
        self.assertEqual(list(second), PLAIN)

    def test_carries_the_newer_envelope_only_beside_others_that_do(self):
        self.node("append", "1", options=["--newer"])
        id = self.send()
        theirs, ours = self.node("read")
        self.assertEqual(list(ours), PLAIN[:-1] + ["msgV", "msg_id", "type", "read"])
        self.assertIs(type(ours["msgV"]), int)
        self.assertEqual((ours["msgV"], ours["type"], ours["read"]), (1, "message", False))
        self.assertTrue(UUID4.fullmatch(ours["msg_id"]), ours)
        self.assertNotEqual(ours["msg_id"], theirs["msg_id"])
        self.assertEqual(id, ours["msg_id"])
        self.assertEqual(self.node("canonical"), {"canonical": True})

    def test_stays_on_the_one_line_of_an_inbox_that_is_one(self):
        old = json.dumps([entry(1, text="caf\u00e9"), entry(2)]).encode()
        self.box.put("alice", old)
        self.send(body="na\u00efve \U0001f600")
        new = self.box.read("alice")
        self.assertTrue(new.startswith(old[:-1] + b", {\"from\": \"team-lead\", \"text\": "), new)
        self.assertEqual(new, json.dumps(json.loads(new)).encode())
        self.assertEqual(self.node("unread")[2]["text"], "na\u00efve \U0001f600")

    def test_keeps_every_byte_of_entries_that_no_printer_would_give_back(self):
        self.box.put("alice", ODD_ENTRIES)
        self.send(body="ours")
        new = self.box.read("alice")
        self.assertTrue(new.startswith(ODD_ENTRIES[:-2]), new)
        self.assertEqual([one["text"] for one in self.node("read")][2:], ["last", "ours"])

    def test_keeps_the_mode_of_an_inbox_and_gives_a_new_one_the_usual(self):
        self.box.put("alice", [entry()])
        os.chmod(self.box.path("alice"), 0o640)
        before = os.umask(0o027)
        try:
            self.send()
            self.send(to="bob")
        finally:
            os.umask(before)
        self.assertEqual(os.stat(self.box.path("alice")).st_mode & 0o777, 0o640)
        self.assertEqual(os.stat(self.box.path("bob")).st_mode & 0o777, 0o640)

    def test_says_its_priority_in_the_summary(self):
        for priority, mark in (("urgent", "[URGENT] "), ("high", "[HIGH] "), ("normal", "")):
            self.send("--priority", priority, subject="now")
            self.assertEqual(self.node("read")[-1]["summary"], mark + "now")

    def test_has_nothing_in_its_summary_that_would_end_an_attribute(self):
        result = self.box.run("send", "--to", "alice", "--subject", "a \"b\" <c>\nd", "--body", "x",
                              "--no-verify")
        self.assertIn(result.rc, (DONE, REFUSED), str(result))
        if result.rc == DONE:
            self.assertNotRegex(self.node("read")[0]["summary"], "[\"<>\n]")
        else:
            self.assertFalse(os.path.exists(self.box.path("alice")))

    def test_can_be_appended_to_an_inbox_of_twenty_megabytes(self):
        many = [entry(number, text="x" * 4000) for number in range(5000)]
        old = self.box.put("alice", many)
        self.assertGreater(len(old), 20_000_000)
        self.send(body="ours")
        new = self.box.read("alice")
        self.assertEqual(new[:len(old) - 2], old[:-2])
        self.assertEqual([one["text"] for one in json.loads(new)[5000:]], ["ours"])
        self.assertEqual(self.node("canonical"), {"canonical": True})

    def test_is_there_when_it_is_verified(self):
        id = self.send(verify=True)
        self.assertEqual([derived_id(one) for one in self.node("read")], [id])


class Answers(ClaudeCase):

    def test_a_person_with_an_inbox_of_his_own_is_answered_there(self):
        self.send("--as", "user", to="bob")
        self.assertEqual([one["from"] for one in self.node("unread", agent="bob")], ["user"])
        self.node("append", "1", agent="user", options=["--from", "bob"])
        waits = self.run_json("check", "user", "--as", "user")
        self.assertEqual([one["from"] for one in waits], ["bob"])
        self.run_program("reply", waits[0]["id"], "--as", "user", "--body", "thanks")
        self.assertEqual([one["text"] for one in self.node("unread", agent="bob")][1:], ["thanks"])

    def test_a_reply_goes_to_the_inbox_of_the_sender(self):
        self.node("append", "1", agent="team-lead", options=["--from", "bob"])
        original, = self.box.entries("team-lead")
        before = self.box.read("team-lead")
        self.run_program("reply", derived_id(original), "--body", "yes")
        answer, = self.node("unread", agent="bob")
        self.assertEqual((answer["from"], answer["text"], answer["summary"]),
                         ("team-lead", "yes", "Re: " + original["summary"]))
        self.assertEqual(self.box.read("team-lead"), before)
        self.assertEqual(list(answer), PLAIN)

    def test_a_handoff_is_a_text_that_says_all(self):
        self.run_program("handoff", "--to", "alice", "--subject", "the parser", "--done", "half",
                         "--state", "it builds", "--next", "test it", "--blocker", "no samples")
        sent, = self.node("unread")
        self.assertEqual(sent["summary"], "Handoff: the parser")
        self.assertEqual(sent["text"].rstrip("\n"), (
            "Work handoff from team-lead to alice.\n\n**Work Completed:** half\n\n"
            "**Current State:** it builds\n\n**Next Steps:**\n- test it\n\n"
            "**Blockers:**\n- no samples"))

    def test_a_broadcast_is_one_entry_for_every_member_but_the_sender(self):
        ids = self.run_program("broadcast", "--swarm", "demo", "--subject", "all", "--body",
                               "stop").lines
        self.assert_tidy("alice", "bob")
        for agent in ("alice", "bob"):
            sent, = self.node("unread", agent=agent)
            self.assertEqual((sent["from"], sent["text"], sent["summary"]),
                             ("team-lead", "stop", "all"))
            self.assertIn(derived_id(sent), ids)
        self.assertEqual(len(ids), 2)

    def test_a_broadcast_leaves_out_who_is_excluded(self):
        self.run_program("broadcast", "--swarm", "demo", "--subject", "s", "--body", "b",
                         "--exclude", "bob", "--as", "user")
        self.assert_tidy("alice", "team-lead")


class Recipients(ClaudeCase):

    def test_somebody_who_is_no_member_is_refused_and_gets_no_inbox(self):
        before = self.box.snapshot(self.box.base)
        result = self.send(to="alicia", rc=REFUSED)
        self.assert_says(result, "alicia", "alice")
        self.assert_unchanged(before, self.box.base)

    def test_an_inbox_is_made_for_somebody_new_on_request(self):
        self.send("--create", to="carol")
        self.assertEqual([one["text"] for one in self.node("unread", agent="carol")], ["a body"])
        self.assert_tidy("carol")

    def test_a_name_leads_to_the_file_that_node_makes_of_it(self):
        self.box.write_config({"team-lead": None, "My Agent.v2": "red",
                               "J\u00f6rg\U0001f600": "blue"})
        for name, file in (("My Agent.v2", "My-Agent-v2"), ("J\u00f6rg\U0001f600", "J-rg--")):
            self.send(to=name, body="for " + file)
            self.assertEqual([one["text"] for one in self.node("unread", agent=name)],
                             ["for " + file])
            self.assertTrue(os.path.exists(self.box.path(file)))

    def test_the_team_can_be_named_with_the_agent(self):
        other = os.path.join(self.box.base, "teams", "other", "inboxes")
        os.makedirs(other)
        self.box.write_config(COLORS, "other")
        self.assert_says(self.send(rc=REFUSED), "alice@demo", "alice@other")
        self.send(to="alice@demo", body="for demo")
        self.assertEqual([one["text"] for one in self.node("unread")], ["for demo"])
        self.assertEqual(os.listdir(other), [])

    def test_the_directory_of_a_team_counts_more_than_what_another_one_calls_itself(self):
        other = os.path.join(self.box.base, "teams", "other", "inboxes")
        os.makedirs(other)
        shutil.copy(os.path.join(self.box.team, "config.json"), os.path.dirname(other))
        self.send(to="alice@demo", body="for demo")
        self.assertEqual([one["text"] for one in self.node("unread")], ["for demo"])
        self.assertEqual(os.listdir(other), [])

    def test_a_team_that_is_removed_meanwhile_is_not_made_again(self):
        self.box.put("alice", [entry()])
        peer = self.start_node("hold")
        peer.next()
        ours = self.start("send", "--to", "alice", "--subject", "s", "--body", "b", "--no-verify")
        poll_until(lambda: ours.poll() is not None or any(
            name.endswith(".tmp") for name in os.listdir(self.box.inboxes)), 5)

        def removed():  # a file staged between listing and removing makes it fail
            shutil.rmtree(self.box.team, ignore_errors=True)
            return not os.path.exists(self.box.team)
        self.assertTrue(poll_until(removed))
        result = self.finish(ours, REFUSED, FAILED)
        self.assert_says(result)
        self.assertFalse(os.path.exists(self.box.team))


class Marking(ClaudeCase):

    def put_own(self, *entries):
        return self.box.put("team-lead", list(entries))

    def test_flips_the_one_word_and_nothing_else(self):
        entries = [entry(number) for number in range(1, 4)]
        old = self.put_own(*entries)
        self.run_program("mark", derived_id(entries[1]), "read")
        entries[1]["read"] = True
        self.assertEqual(self.box.read("team-lead"), as_node(entries))
        self.assertEqual(len(self.box.read("team-lead")), len(old) - 1)
        self.assertEqual([one["text"] for one in self.node("unread", agent="team-lead")],
                         ["text 1", "text 3"])
        self.assert_tidy("team-lead")

    def test_keeps_every_byte_of_entries_that_no_printer_would_give_back(self):
        self.box.put("team-lead", ODD_ENTRIES)
        self.run_program("mark", "--all", "team-lead", "read")
        expected = ODD_ENTRIES.replace(b'"read":false, "big"', b'"read":true, "big"')
        expected = expected.replace(b'"read": false, "lone"', b'"read": true, "lone"')
        expected = expected.replace(b'"read" : false', b'"read" : true')
        self.assertEqual(self.box.read("team-lead"), expected)
        self.assertEqual(self.node("unread", agent="team-lead"), [])

    def test_marks_all_that_are_unread_and_leaves_those_that_were_read(self):
        self.put_own(entry(1, read=True), entry(2), entry(3))
        self.run_program("mark", "--all", "team-lead", "read")
        self.assertEqual(self.box.read("team-lead"),
                         as_node([entry(number, read=True) for number in (1, 2, 3)]))

    def test_what_belongs_to_another_is_refused_and_unchanged(self):
        one = entry(1)
        self.box.put("alice", [one])
        before = self.box.snapshot(self.box.base)
        self.run_program("mark", derived_id(one), "read", rc=REFUSED)
        self.assert_unchanged(before, self.box.base)
        self.run_program("mark", derived_id(one), "read", "--as", "alice")
        self.assertEqual(self.node("unread"), [])

    def test_what_node_marked_is_read_for_us(self):
        self.node("append", "3", agent="team-lead", options=["--from", "bob"])
        self.node("mark-index", "1", agent="team-lead")
        self.assertEqual([one["status"] for one in self.listed()], ["unread", "read", "unread"])
        self.node("mark", agent="team-lead")
        self.assertEqual({one["status"] for one in self.listed()}, {"read"})
        self.run_program("check", "team-lead", rc=NOTHING)

    def test_an_index_that_node_found_before_we_wrote_still_means_the_same_entry(self):
        self.node("append", "3", agent="team-lead", options=["--from", "bob"])
        first = self.box.entries("team-lead")[0]
        self.send("--as", "bob", to="team-lead", body="ours")
        self.run_program("mark", derived_id(first), "read")
        self.node("mark-index", "2", agent="team-lead")
        self.assertEqual([(one["text"], one["read"]) for one in self.box.entries("team-lead")],
                         [("bob says 1", True), ("bob says 2", False), ("bob says 3", True),
                          ("ours", False)])


class Damage(ClaudeCase):

    def kept_aside(self, agent="alice"):
        names = [name for name in os.listdir(self.box.inboxes)
                 if re.fullmatch(re.escape(agent) + r"\.json\.damaged-\d{10}(-\d+)?", name)]
        kept = []
        for name in sorted(names):
            with open(os.path.join(self.box.inboxes, name), "rb") as file:
                kept.append(file.read())
        return kept

    def test_a_cleared_inbox_is_empty_and_of_use_to_both_again(self):
        self.node("append", "3")
        self.node("clear")
        self.run_program("messages", rc=NOTHING)
        self.send(body="ours")
        self.assertEqual([one["text"] for one in self.node("read")], ["ours"])
        self.assertEqual(self.node("canonical"), {"canonical": True})
        self.node("append", "1")
        self.assertEqual([one["body"] for one in self.listed()], ["ours", "node says 1"])
        self.assertEqual(self.kept_aside(), [])
        self.assert_tidy("alice")

    def test_an_inbox_cut_short_is_kept_aside_and_its_whole_entries_are_saved(self):
        entries = [entry(1), entry(2, x={"y": [1, {"z": "}"}]}), entry(3)]
        old = self.box.put("alice", as_node(entries)[:-40])
        self.send(body="ours")
        self.assertEqual(self.kept_aside(), [old])
        self.assertEqual([one["text"] for one in self.node("read")], ["text 1", "text 2", "ours"])
        self.assertEqual(self.box.entries("alice")[:2], entries[:2])
        self.node("append", "1")
        self.assertEqual(len(self.node("read")), 4)

    def test_an_inbox_that_is_no_array_is_kept_aside(self):
        for number, old in enumerate((b'{"from": "bob"', b"not JSON at all", b'"text"', b"\0\0\0")):
            agent = f"agent{number}"
            self.box.put(agent, old)
            self.send("--create", to=agent, body="ours")
            self.assertEqual(self.kept_aside(agent), [old])
            self.assertEqual([one["text"] for one in self.node("read", agent=agent)], ["ours"])

    def test_a_damaged_inbox_is_listed_as_such_and_hides_no_other(self):
        self.box.put("alice", as_node([entry(1)])[:-30])
        self.box.put("bob", [entry(2)])
        found = self.listed()
        self.assertEqual([one["body"] for one in found if not one["damaged"]], ["text 2"])
        self.assertEqual([one["box"] for one in found if one["damaged"]], ["alice"])

    def test_an_empty_file_is_an_empty_inbox(self):
        self.box.put("alice", b"")
        self.send(body="ours")
        self.assertEqual([one["text"] for one in self.node("read")], ["ours"])

    def test_marking_damaged_content_changes_nothing(self):
        self.box.put("team-lead", as_node([entry(1), entry(2)])[:-30])
        before = self.box.snapshot(self.box.base)
        result = self.box.run("mark", "--all", "team-lead", "read")
        self.assertIn(result.rc, (NOTHING, REFUSED, FAILED), str(result))
        self.assert_unchanged(before, self.box.base)


class Locks(ClaudeCase):

    def lock(self, age):
        path = self.box.path("alice") + ".lock"
        then = time.time() - age
        return path, then

    def assert_works_for_both(self):
        self.assertEqual(self.node("append", "1")[-1].get("acknowledged"), True)
        self.send(body="ours again")
        self.assertEqual(self.node("read")[-1]["text"], "ours again")
        self.assert_tidy("alice")

    def test_a_lock_that_node_holds_is_waited_for(self):
        self.box.put("alice", [entry()])
        peer = self.start_node("hold")
        peer.next()
        ours = self.start("send", "--to", "alice", "--subject", "s", "--body", "b", "--no-verify")
        with self.assertRaises(subprocess.TimeoutExpired):
            ours.wait(timeout=1)
        self.assertEqual(len(self.box.entries("alice")), 1)
        self.assertEqual(peer.finish(), [{"held": False}])
        self.finish(ours, DONE)
        self.assertEqual(len(self.box.entries("alice")), 2)
        self.assert_works_for_both()

    def test_the_lock_of_a_node_that_was_killed_is_taken_over_when_it_is_old(self):
        self.box.put("alice", [entry()])
        peer = self.start_node("hold")
        peer.next()
        peer.process.kill()
        peer.process.wait()
        path, then = self.lock(age=11)
        os.utime(path, (then, then))
        self.send()
        self.assertEqual(len(self.box.entries("alice")), 2)
        self.assert_works_for_both()

    def test_a_lock_is_not_taken_over_before_ten_seconds(self):
        self.box.put("alice", [entry()])
        path, then = self.lock(age=8)
        os.mkdir(path)
        os.utime(path, (then, then))
        self.send()
        self.assertGreaterEqual(time.time() - then, 10)
        self.assert_works_for_both()

    def test_a_claim_left_in_an_old_lock_does_not_shut_node_out(self):
        self.box.put("alice", [entry()])
        path, then = self.lock(age=60)
        os.makedirs(os.path.join(path, "claim"))
        for one in (os.path.join(path, "claim"), path):
            os.utime(one, (then, then))
        self.send()
        self.assert_works_for_both()

    def test_a_lock_file_of_a_process_that_is_gone_is_removed(self):
        self.box.put("alice", [entry()])
        gone = subprocess.Popen(["true"])
        gone.wait()
        path, _ = self.lock(age=0)
        with open(path, "w") as file:
            file.write(f"{gone.pid}\n")
        self.send()
        self.assert_works_for_both()

    def test_a_lock_file_of_a_living_process_is_waited_for(self):
        self.box.put("alice", [entry()])
        path, _ = self.lock(age=0)
        with open(path, "w") as file:
            file.write(f"{os.getpid()}\n")
        ours = self.start("send", "--to", "alice", "--subject", "s", "--body", "b", "--no-verify")
        with self.assertRaises(subprocess.TimeoutExpired):
            ours.wait(timeout=1)
        os.unlink(path)
        self.finish(ours, DONE)
        self.assert_works_for_both()

    def test_files_that_bridges_lock_are_honoured_and_never_made(self):
        self.box.put("alice", [entry()])
        for name in (".lock", "alice.lock"):
            path = os.path.join(self.box.inboxes, name)
            with open(path, "w") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                ours = self.start("send", "--to", "alice", "--subject", "s", "--body", "b",
                                  "--no-verify")
                with self.assertRaises(subprocess.TimeoutExpired):
                    ours.wait(timeout=1)
            self.finish(ours, DONE)
            os.unlink(path)
        self.assert_works_for_both()

    def test_a_lock_that_stays_held_is_an_error_and_nothing_is_changed(self):
        self.box.put("alice", [entry()])
        before = self.box.read("alice")
        peer = self.start_node("hold")
        peer.next()
        result = self.send(rc=FAILED)
        self.assertEqual([line.startswith("swarmutt: ") and "alice.json" in line
                          for line in result.err.splitlines()], [True, True], str(result))
        self.assertEqual(self.box.read("alice"), before)
        self.assertEqual(peer.finish(), [{"held": False}])
        self.assert_tidy("alice")


if __name__ == "__main__":
    node_modules.require()
    harness.main()
