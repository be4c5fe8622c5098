"""The command line: every command and option does its documented work, and returns the right exit
code."""
import json
import os
import re
import sys
from datetime import datetime, timedelta

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import DONE, FAILED, MARK, NOTHING, REFUSED, USAGE, Mailbox  # noqa: E402
from harness import message  # noqa: E402
from manual import commands_in, options_in, read_page  # noqa: E402

# The contract: scripts rely on these commands, options and keys, so none of them is ever removed.
# test_manual.py and test_manual_json.py check that the program and its pages have the same ones.
GLOBAL_OPTIONS = "source as swarms json readonly plain debug help version"
OPTIONS = {
    "list": "archive all limit scope",
    "pending": "all",
    "decide": "feedback mode expect input suggestion session pattern every-use confirm dry-run verify "
              "no-verify",
    "agents": "",
    "messages": "box archive all newest limit bodies",
    "search": "rank limit lines bodies",
    "check": "all type min-priority format protocol",
    "show": "raw yes format",
    "thread": "",
    "count": "format",
    "watch": "from-start exec limit poll",
    "wait": "timeout new all poll",
    "mcp": "observer",
    "send": "to from subject body body-file type priority tag attach payload context expires thread "
            "reply-to swarm requires-response create dry-run verify no-verify",
    "reply": "from body body-file payload dry-run verify no-verify",
    "handoff": "to from giver about quote subject done state next blocker modified created state-file "
               "dependency escalation job notes additional-notes priority swarm create dry-run verify "
               "no-verify",
    "broadcast": "swarm all from subject body body-file type priority exclude dry-run verify no-verify",
    "shutdown": "reason wait dry-run verify no-verify",
    "mode": "confirm dry-run verify no-verify",
    "assign": "task subject description body-file dry-run verify no-verify",
    "rules": "tool rule behavior directory confirm dry-run verify no-verify",
    "escalate": "level title reason id to priority body body-file dry-run verify no-verify",
    "sent": "limit",
    "log": "long limit expect",
    "handoffs": "all limit",
    "flow": "since",
    "mark": "all match keep",
    "archive": "note",
    "restore": "",
    "cleanup": "older dry-run clear",
    "outbox": "",
    "demo": "format agents speed seed keep",
    "index": "",
    "doctor": "fix yes",
    "sources": "",
    "config": "",
    "protocol": "to from team request-id timestamp approve reject allow deny feedback error reason "
                "mode task subject description by tool rule behavior directory host plan plan-file "
                "path tool-use-id input suggestions updates agent worker worker-id color created pane "
                "backend idle-reason summary completed-task completed-status failure",
    "formats": "",
    "help": "",
    "version": "",
    "completion": "",
}
# By the titles of swarmutt-json(5).
KEYS = {
    "Message":
        "id source format box from to subject body type priority status created_at read_at completed_at "
        "expires_at thread reply_to requires_response context attachments tags payload protocol path "
        "damaged team flags",
    "Conversation":
        "thread subject kind priority unread count participants last_at waiting_on waiting_s messages",
    "Event": "event",
    "Fate": "id source format to team subject sent_at state since answer group problem",
    "Request": "kind agent asked waiting_s flags refusal sha256 alarm answered_elsewhere answer",
    "Decision": "id decision request agent sha256 native state",
    "Event of the ledger": "state",
    "Ledger": "entries decisions whole head findings",
    "Sent message": "id to queued taken delivered_to",
    "Shutdown": "request_id to id queued taken",
    "Shutdown answer": "request_id answer reason id",
    "Escalation": "escalation_id to id",
    "Preview": "dry_run format source from to id path queued creates entry warning bytes",
    "Broadcast preview":
        "dry_run format source from how recipients delivered_to left_out entry warning bytes",
    "Outbox entry":
        "number state id format source team box from to subject created_at attempts problem",
    "Outbox change": "number done",
    "Protocol text": "kind text to",
    "Change": "id status local",
    "Restoration": "id restored local",
    "Cleaning": "source format count failed done",
    "Agent":
        "agent team source format state why heard_at unread oldest_unread_at waiting_on waiting_s "
        "on_roster spoke boxes circle evidence",
    "Count": "waiting unread stuck unreadable",
    "Count of an agent": "urgent high normal low total unreadable",
    "Handoff":
        "id source format team from giver taker subject offered_at state stalled since heard_at "
        "evidence message lineage",
    "Flow": "source team from to count unread idle open oldest_wait_s last_at",
    "Source":
        "format path identity messages unread archived damaged flagged boxes teams members tasks "
        "keeps_seconds timezone problem",
    "Index":
        "format source path messages files indexed complete segments bytes damaged building made_at "
        "problem",
    "Index that was built": "format source messages files ms",
    "Finding": "check severity source path text advice fixable fixed",
    "Mistake": "file line mistake",
    "Setting": "section key value from line",
    "Ability": "format verb ability how",
    "THE LEDGER":
        "n prev at event decision verb kind by uid pid format source team agent request answer terms "
        "note seen_in torn sum",
}


class Contract(harness.MailboxCase):

    def test_no_command_and_no_option_is_lost(self):
        text = self.run_program("--help").out
        self.assertEqual(set(OPTIONS) - set(commands_in(text)), set())
        self.assertEqual(set(GLOBAL_OPTIONS.split()) - options_in(text), set())
        self.assertRegex(text, r"(?m)^  -S, --source\b")
        for command, names in OPTIONS.items():
            text = self.run_program(command, "--help").out
            self.assertTrue(text.startswith(f"usage: swarmutt {command}"), text)
            self.assertEqual({*names.split(), *GLOBAL_OPTIONS.split()} - options_in(text), set(),
                             command)

    def test_no_key_of_an_object_is_lost(self):
        parts = re.split(r"^\.S[sh] (.*)$", read_page("swarmutt-json.5"), flags=re.M)
        page = dict(zip(parts[1::2], parts[2::2]))
        for title, keys in KEYS.items():
            told = re.findall(r"^\.It Em (\w+)", page.get(title, ""), re.M)
            self.assertEqual(set(keys.split()) - set(told), set(), title)


class GlobalOptions(harness.MailboxCase):

    def test_the_version_is_printed_for_the_option_and_for_the_command(self):
        wanted = self.run_program("--version").out
        self.assertRegex(wanted, r"\Aswarmutt \S+\n\Z")
        for args in (["version"], ["-V"], ["version", "--readonly"], ["--source", "/nowhere", "version"]):
            self.assertEqual(self.run_program(*args).out, wanted, args)
        self.run_program("version", "x", rc=USAGE)

    def test_help_and_version_need_no_mailbox(self):
        for args in (["--help"], ["--version"], ["send", "--help"], ["formats"], ["help"]):
            result = self.run_program(*args, cwd="/")
            self.assertEqual(result.err, "")
        self.assertRegex(self.run_program("--version", cwd="/").out, r"\Aswarmutt \d+\.\d+\S*\n\Z")

    def test_global_options_stand_before_or_after_the_command(self):
        self.send()
        source = "adr:" + self.box.mail
        wanted = self.run_json("messages")
        for args in (["-S", source, "--json", "messages"], ["messages", "-S", source, "--json"],
                     ["--json", "messages", "--source", source], ["-S" + source, "messages", "--json"],
                     ["messages", "--json", "--source=" + source, "--all"]):
            result = self.run_program(*args, cwd="/")
            self.assertEqual(harness.parse_lines(result.stdout), wanted, args)
        self.send("--as", "early")
        self.run_program("--as", "late", "send", "--to", "alice", "--subject", "s")
        self.assertEqual({one["from"] for one in self.run_json("messages")},
                         {"user", "early", "late"})

    def test_as_is_the_sender_unless_from_says_otherwise(self):
        for args, sender in (([], "user"), (["--as", "boss"], "boss"),
                             (["--as", "boss", "--from", "x/y"], "x/y"), (["--from", "z"], "z")):
            id = self.send(*args)
            self.assertEqual(self.listed()[id]["from"], sender)

    def test_swarms_names_the_directory_of_the_rosters(self):
        elsewhere = os.path.join(self.box.root, "elsewhere")
        os.makedirs(os.path.join(elsewhere, "qa", "agents"))
        open(os.path.join(elsewhere, "qa", "agents", "tess.md"), "w").close()
        self.run_program("broadcast", "--swarm", "qa", "--subject", "s", "--body", "b", rc=REFUSED)
        self.run_program("broadcast", "--swarm", "qa", "--subject", "s", "--body", "b", "--swarms",
                         elsewhere)
        self.assertEqual(len(self.box.files("tess")), 1)
        self.send("--swarms", elsewhere, to="qa/tess")

    def test_debug_keeps_a_log_in_the_state_directory(self):
        path = os.path.join(self.box.state, "swarmutt", "debug.log")
        self.send()
        self.assertFalse(os.path.exists(path))
        self.send("--debug")
        self.run_program("--debug", "messages")
        self.run_program("--debug", "show", "nothing", rc=NOTHING)
        with open(path, "rb") as file:
            log = file.read()
        self.assertIn(b"messages", log)
        self.assertGreaterEqual(log.count(b"\n"), 6)
        self.assertEqual(os.stat(path).st_mode & 0o077, 0)
        self.run_program("--debug", "messages", env={"XDG_STATE_HOME": ""})
        self.assertTrue(os.path.exists(os.path.join(self.box.home, ".local", "state", "swarmutt",
                                                    "debug.log")))

    def test_text_in_the_log_is_cleaned(self):
        self.send("--debug", "--from", "a\x1b[31mb", "--create", to="c\x1b]0;x\ad")
        self.box.put("alice", b"{", name="MSG-\x1b[2J.json")
        self.run_program("--debug", "messages")
        with open(os.path.join(self.box.state, "swarmutt", "debug.log"), "rb") as file:
            log = file.read()
        self.assertIn(b"MSG-", log)
        self.assertFalse(set(log) & (set(range(32)) - {10} | {127}), log)


class Finding(harness.MailboxCase):

    def test_mailboxes_are_found_upward_from_the_working_directory(self):
        id = self.send()
        deep = os.path.join(self.box.root, "a", "b", "c")
        os.makedirs(deep)
        for where in (self.box.root, deep, os.path.join(self.box.root, "workspace"), self.box.mail,
                      self.box.dir("alice")):
            self.assertEqual(list(self.listed(cwd=where)), [id], where)

    def test_the_nearest_mailboxes_are_taken(self):
        self.send()
        inner = os.path.join(self.box.root, "inner")
        os.makedirs(os.path.join(inner, "workspace", "mailboxes", "zoe", "inbox"))
        self.run_program("messages", cwd=inner, rc=NOTHING)

    def test_without_mailboxes_the_error_says_where_was_looked_and_what_to_do(self):
        result = self.run_program("messages", cwd="/", rc=FAILED)
        self.assert_says(result, "workspace/mailboxes", "--source")
        self.assertEqual(result.out, "")

    def test_a_source_is_recognised_or_named(self):
        id = self.send()
        for spec in (self.box.mail, "adr:" + self.box.mail, self.box.root, self.box.mail + "/",
                     os.path.join(self.box.root, "workspace")):
            found = self.run_json("messages", "-S", spec, cwd="/")
            self.assertEqual([(one["id"], one["source"], one["format"]) for one in found],
                             [(id, self.box.mail, "adr")], spec)
        for spec in ("workspace/mailboxes", "adr:workspace/mailboxes", "."):
            self.assertEqual(list(self.listed("-S", spec)), [id])

    def test_a_source_that_is_none_is_an_error(self):
        for spec, rc in (("/nonexistent/x", FAILED), ("adr:/nonexistent/x", FAILED),
                         ("pigeon:" + self.box.mail, USAGE), (self.box.home, FAILED)):
            result = self.run_program("messages", "-S", spec, rc=rc)
            self.assert_says(result)

    def test_a_path_with_a_colon_is_a_path(self):
        odd = os.path.join(self.box.root, "adr:x", "mailboxes", "carol", "inbox")
        os.makedirs(odd)
        for spec in (os.path.dirname(os.path.dirname(odd)), "adr:x/mailboxes"):
            self.run_program("messages", "-S", spec, rc=NOTHING)

    def test_several_sources_are_one_mailbox(self):
        other = Mailbox()
        self.addCleanup(other.close)
        other.add_box("carol", "bob")
        sources = ("-S", self.box.mail, "-S", "adr:" + other.mail)
        here, there = self.send(*sources, to="alice"), self.send(*sources, to="carol")
        self.assertEqual((self.box.files("alice"), other.files("carol")),
                         ([here + ".json"], [there + ".json"]))
        found = self.listed(*sources)
        self.assertEqual({id: one["source"] for id, one in found.items()},
                         {here: self.box.mail, there: other.mail})
        self.assertEqual(self.run_one("check", "carol", *sources)["id"], there)
        self.run_program(*MARK, here, "read", *sources)
        self.run_program("mark", "--as", "carol", there, "read", *sources)
        self.assertEqual({one["status"] for one in self.listed(*sources).values()}, {"read"})
        answer = self.run_program("reply", there, "--from", "carol", "--body", "x", *sources)
        self.assertEqual(other.files("user"), [answer.out.strip() + ".json"])
        self.run_program("archive", here, there, *sources)
        self.assertEqual(len(self.run_json("messages", "--archive", *sources)), 2)
        self.assertEqual(len(self.run_json("messages", "--all", "--box", "carol", *sources)), 1)

    def test_a_name_in_several_sources_must_be_made_clear(self):
        other = Mailbox()
        self.addCleanup(other.close)
        other.add_box("bob")
        sources = ("-S", self.box.mail, "-S", other.mail)
        result = self.send(*sources, to="bob", rc=REFUSED)
        self.assert_says(result, "bob", "--source")
        result = self.send(*sources, "--create", to="nobody", rc=REFUSED)
        self.assert_says(result, "--source")
        self.assertEqual(self.box.files("bob") + other.files("bob"), [])

    def test_one_id_in_two_sources_must_be_made_clear(self):
        other = Mailbox()
        self.addCleanup(other.close)
        for box in (self.box, other):
            box.put("alice", message())
        sources = ("-S", self.box.mail, "-S", other.mail)
        self.assertEqual(len(self.run_json("messages", *sources)), 2)
        self.run_program("show", "MSG-000000000001", *sources, rc=REFUSED)
        path = os.path.join(other.dir("alice"), "MSG-000000000001.json")
        self.assertEqual(self.run_one("show", path, *sources)["source"], other.mail)
        self.run_program("archive", path, *sources)
        self.assertEqual((len(self.box.files("alice")), len(other.files("alice"))), (1, 0))


class Sending(harness.MailboxCase):

    def stored(self, id, agent="alice"):
        return json.loads(self.box.read(agent, id))

    def test_sending_prints_the_id_and_nothing_else(self):
        result = self.run_program("send", "--to", "alice", "--subject", "s")
        self.assertEqual((result.out, result.err), (self.box.files("alice")[0][:-5] + "\n", ""))
        one = self.run_one("send", "--to", "alice", "--subject", "s")
        self.assertIn(one["id"] + ".json", self.box.files("alice"))

    def test_the_body_comes_from_an_option_a_file_or_standard_input(self):
        path = os.path.join(self.box.root, "text")
        with open(path, "w") as file:
            file.write("from a file\n")
        for args, given, body in ((["--body", "given"], None, "given"), (["--body", ""], None, ""),
                                  (["--body-file", path], None, "from a file\n"),
                                  (["-"], "piped\r\n\x00end", "piped\r\n\x00end"),
                                  (["-"], "", ""), ([], None, ""), (["--body", "-"], "piped", "piped"),
                                  (["--body=--json"], None, "--json")):
            id = self.send(*args, input=given)
            self.assertEqual(self.stored(id)["body"], body, args)
        id = self.run_program("reply", id, "-", "--from", "alice", input="p\u00efped").out.strip()
        self.assertEqual(self.stored(id, "user")["body"], "p\u00efped")
        self.box.add_swarm("dev", "alice")
        id = self.run_program("broadcast", "--swarm", "dev", "--subject", "s", "-",
                              input="to all").out.strip()
        self.assertEqual(self.stored(id)["body"], "to all")

    def test_a_large_body_arrives_whole(self):
        body = "0123456789\u00e9" * 200000
        id = self.send("-", input=body)
        self.assertEqual(self.stored(id)["body"], body)
        self.assertEqual(self.run_one("show", id)["body"], body)

    def test_every_field_that_can_be_given_is_stored(self):
        id = self.send("--from", "dev/bob", "--body", "b", "--type", "escalation", "--priority",
                       "urgent", "--tag", "t1", "--tag", "t2", "--attach", "f1", "--attach", "f2",
                       "--payload", '{"p":1}', "--context", '{"c":2}', "--expires", "1d",
                       "--thread", "T", "--reply-to", "R", "--swarm", "dev", "--requires-response")
        fields = self.stored(id)
        created = datetime.fromisoformat(fields.pop("created_at"))
        expires = datetime.fromisoformat(fields.pop("expires_at"))
        self.assertLess(abs(expires - created - timedelta(days=1)), timedelta(minutes=1))
        self.assertEqual(fields, dict(
            id=id, from_agent="dev/bob", to_agent="alice", swarm_name="dev", type="escalation",
            subject="a subject", body="b", payload={"p": 1}, priority=4, status="unread",
            read_at=None, completed_at=None, reply_to="R", thread_id="T", context={"c": 2},
            attachments=["f1", "f2"], tags=["t1", "t2"]))

    def test_a_duration_may_have_any_unit(self):
        for text, seconds in (("90s", 90), ("30m", 1800), ("2h", 7200), ("7d", 604800),
                              ("2w", 1209600)):
            fields = self.stored(self.send("--expires", text))
            lasts = (datetime.fromisoformat(fields["expires_at"])
                     - datetime.fromisoformat(fields["created_at"]))
            self.assertLess(abs(lasts - timedelta(seconds=seconds)), timedelta(seconds=30), text)

    def test_an_answer_may_be_named_by_a_prefix(self):
        self.box.put("alice", message("MSG-abcdef000000", to_agent="alice"))
        id = self.send("--reply-to", "MSG-abc", to="bob")
        self.assertEqual(self.stored(id, "bob")["reply_to"], "MSG-abcdef000000")
        self.assertEqual(self.stored(id, "bob")["thread_id"], "MSG-abcdef000000")

    def test_verifying_sends_as_well(self):
        for option in ("--verify", "--no-verify"):
            self.assertIn(self.send(option) + ".json", self.box.files("alice"))

    def test_an_unknown_recipient_is_refused_with_the_nearest_names(self):
        self.box.add_swarm("dev", "alicia")
        before = self.box.snapshot()
        result = self.send(to="alcie", rc=REFUSED)
        self.assert_says(result, "alcie", "alice", "alicia", "--create")
        for to in ("Alice", "alice2", "dev/alice", "ali", "zzz"):
            self.assert_says(self.send(to=to, rc=REFUSED), "--create")
        self.run_program("handoff", "--to", "alcie", "--subject", "s", "--done", "d", "--state",
                         "s", rc=REFUSED)
        self.assert_unchanged(before)

    def test_who_has_a_box_is_on_a_roster_or_wrote_is_known(self):
        self.box.add_swarm("dev", "carol", "_template")
        self.box.put("alice", message(from_agent="dave/x"))
        for to in ("bob", "carol", "dev/carol", "dave/x", "user"):
            self.send(to=to)
        self.send("--as", "me", to="me")
        for to in ("_template", "dev/bob", "dave_x2", "dev"):
            self.send(to=to, rc=REFUSED)

    def test_who_has_only_an_archive_left_is_known(self):
        self.box.put("erin", message(to_agent="erin", status="archived"), part="archive")
        self.send(to="erin")

    def test_a_mailbox_is_made_on_request(self):
        id = self.send("--create", to="dev/carol")
        self.assertEqual(self.box.files("dev_carol"), [id + ".json"])
        self.assertEqual(self.stored(id, "dev_carol")["to_agent"], "dev/carol")
        id = self.run_program("handoff", "--create", "--to", "a\\b", "--subject", "s", "--done",
                              "d", "--state", "s").out.strip()
        self.assertEqual(self.box.files("a_b"), [id + ".json"])

    def test_names_that_cannot_be_are_refused(self):
        self.box.put("alice", message("MSG-00000000000a", from_agent=""))
        self.box.put("alice", message("MSG-00000000000b", from_agent=".."))
        self.box.put("alice", message("MSG-00000000000c", from_agent="x\0y"))
        before = self.box.snapshot()
        for name in ("", ".", "..", "x" * 256, "\u00e9" * 128):
            self.assert_says(self.send("--create", to=name, rc=REFUSED))
            self.assert_says(self.send("--from", name, rc=REFUSED))
            self.run_program("handoff", "--create", "--to", name, "--subject", "s", "--done", "d",
                             "--state", "s", rc=REFUSED)
        for id in ("MSG-00000000000a", "MSG-00000000000b", "MSG-00000000000c"):
            self.run_program("reply", id, "--body", "b", rc=REFUSED)
        self.assert_unchanged(before)
        self.send("--create", to="x" * 255)
        self.send("--create", to="../../up")
        self.assertIn(".._.._up", os.listdir(self.box.mail))

    def test_replying_answers_and_prints_the_id(self):
        id = self.send("--from", "bob", "--swarm", "dev", "--priority", "high", subject="topic")
        answer = self.run_program("reply", id[:10], "--from", "alice", "--body", "b", "--payload",
                                  '{"x":1}').out.strip()
        fields = self.stored(answer, "bob")
        self.assertEqual((fields["from_agent"], fields["to_agent"], fields["subject"],
                          fields["type"], fields["priority"], fields["swarm_name"],
                          fields["reply_to"], fields["thread_id"], fields["payload"]),
                         ("alice", "bob", "Re: topic", "response", 3, "dev", id, id, {"x": 1}))
        self.run_program("archive", id)
        self.run_program("reply", id, "--body", "again")

    def test_replying_to_a_sender_without_a_mailbox_makes_one(self):
        self.box.put("alice", message(from_agent="dev/far"))
        id = self.run_program("reply", "MSG-000000000001", "--body", "b").out.strip()
        self.assertEqual(self.box.files("dev/far"), [id + ".json"])

    def test_notes_of_a_handoff_are_in_the_context_and_additional_notes_in_the_body(self):
        for words, context, body in (
                ((), "", ""), (("--notes", "mind the gap"), "mind the gap", ""),
                (("--additional-notes", "and more"), "", "\n\n**Notes:**\nand more"),
                (("--notes", "mind the gap", "--additional-notes", "and more"), "mind the gap",
                 "\n\n**Notes:**\nand more")):
            id = self.run_program("handoff", "--to", "alice", "--subject", "s", "--done", "d",
                                  "--state", "st", *words).out.strip()
            fields = self.stored(id)
            self.assertEqual(fields["context"]["notes"], context)
            self.assertEqual(fields["body"],
                             "Work handoff from user to alice.\n\n**Work Completed:** d\n\n"
                             "**Current State:** st" + body)

    def test_what_the_layout_cannot_hold_is_refused(self):
        before = self.box.snapshot()
        for args in (["--requires-response", "--type", "notification"],
                     ["--requires-response", "--type", "response"], ["--type", "memo"]):
            self.assert_says(self.send(*args, rc=REFUSED))
        self.assert_unchanged(before)
        for kind in ("request", "handoff", "escalation"):
            self.send("--requires-response", "--type", kind)
        self.assertTrue(self.run_json("messages")[0]["requires_response"])


class Looking(harness.MailboxCase):

    def test_looking_at_ones_own_mail_reads_it_here_and_not_in_the_mailbox(self):
        self.box.put("alice", message())
        before = self.box.snapshot()
        self.run_one("show", "MSG-000000000001")  # with another identity: it stays unread
        self.assertEqual(self.run_one("check", "alice")["status"], "unread")
        self.box.run("--as", "alice", "show", "MSG-000000000001")
        self.assertEqual(self.box.run("check", "alice").rc, NOTHING)
        self.assertEqual(self.run_one("messages", "--as", "alice")["status"], "read")
        self.assertEqual(self.run_one("messages")["status"], "unread")
        self.assert_unchanged(before)
        self.assertEqual(self.box.run("--as", "alice", "mark", "MSG-000000000001", "read").rc, DONE)
        self.assertEqual(self.run_one("messages")["status"], "read")

    def test_json_values_are_words_and_instants_in_utc(self):
        path = self.box.put("dev/alice", message(
            to_agent="dev/alice", priority=4, status="read", created_at="2026-07-01T12:00:00",
            read_at="2026-07-01T12:00:00.500000", expires_at="2126-01-01T00:00:00", type="handoff",
            thread_id="T", reply_to="R", payload={"a": 1}, context={"b": [2]}, tags=["t"],
            attachments=["f"]))
        one = self.run_one("messages", "--bodies", env={"TZ": "EET-2"})
        self.assertEqual(one, dict(
            v=1, id="MSG-000000000001", source=self.box.mail, format="adr", box="dev_alice",
            to="dev/alice", subject="a subject", body="a body", type="handoff", priority="urgent",
            status="read", created_at="2026-07-01T10:00:00Z", read_at="2026-07-01T10:00:00.500Z",
            completed_at=None, expires_at="2125-12-31T22:00:00Z", thread="T", reply_to="R",
            requires_response=True, context={"b": [2]}, attachments=["f"], tags=["t"],
            payload={"a": 1}, protocol=None, path=path, damaged=None, **{"from": "bob"}))

    def test_a_list_has_no_bodies_unless_they_are_asked_for(self):
        self.send("--body", "text")
        self.assertIsNone(self.run_one("messages")["body"])
        self.assertEqual(self.run_one("messages", "--bodies")["body"], "text")
        for args in (["check", "alice"], ["show", "MSG-"], ["thread", "MSG-"]):
            self.assertEqual(self.run_one(*args)["body"], "text", args)

    def put_three(self):
        """Writes two messages to alice's inbox, one to bob's, and one to an archive, ordered by
        their numbers."""
        for number, (agent, part) in enumerate((("alice", "inbox"), ("bob", "inbox"),
                                                ("alice", "archive"), ("alice", "inbox"))):
            self.box.put(agent, message(f"MSG-{number:012x}", to_agent=agent,
                                        status="archived" if part == "archive" else "unread",
                                        created_at=f"2026-01-0{number + 1}T00:00:00"), part=part)

    def test_messages_are_chosen_and_ordered_by_options(self):
        self.put_three()
        for args, numbers in (([], [0, 1, 3]), (["--all"], [0, 1, 2, 3]), (["--archive"], [2]),
                              (["--box", "alice"], [0, 3]), (["--box", "alice", "--all"], [0, 2, 3]),
                              (["--newest"], [3, 1, 0]), (["--limit", "2"], [0, 1]),
                              (["--newest", "--limit", "1", "--all"], [3]),
                              (["--limit", "99"], [0, 1, 3])):
            wanted = [f"MSG-{number:012x}" for number in numbers]
            self.assertEqual([one["id"] for one in self.run_json("messages", *args)], wanted, args)
            lines = self.run_program("messages", *args).lines
            self.assertEqual([line.split()[0] for line in lines], wanted, args)

    def test_a_box_is_named_as_its_agent_or_as_its_directory(self):
        self.box.put("dev/carol", message(to_agent="dev/carol"))
        for name in ("dev/carol", "dev_carol", "dev\\carol"):
            self.assertEqual(len(self.run_json("messages", "--box", name)), 1)
        self.run_program("messages", "--box", "dev", rc=NOTHING)

    def test_nothing_found_is_told_by_the_exit_code(self):
        for args in (["messages"], ["messages", "--all"], ["messages", "--box", "nobody"],
                     ["check", "alice"], ["check", "nobody"], ["show", "MSG-"], ["show", ""],
                     ["thread", "nothing"], ["reply", "nothing", "--body", "b"],
                     ["mark", "nothing", "read"], ["mark", "--all", "alice", "read"],
                     ["archive", "nothing"]):
            result = self.run_program(*args, rc=NOTHING)
            self.assertEqual(result.out, "", args)
            self.assertEqual(self.run_json(*args, rc=NOTHING), [], args)

    def test_a_message_is_named_by_its_id_a_unique_prefix_or_its_path(self):
        self.box.put("alice", message("MSG-aaaa11112222"))
        path = self.box.put("alice", message("MSG-aaaa11113333", subject="the other"))
        self.box.put("bob", message("MSG-aaaa"))
        for name in ("MSG-aaaa11113333", "MSG-aaaa11113", path, "alice/inbox/MSG-aaaa11113333.json"):
            self.assertEqual(self.run_one("show", name)["subject"], "the other", name)
        self.assertEqual(self.run_one("show", "MSG-aaaa")["box"], "bob", "a whole id is no prefix")
        before = self.box.snapshot()
        for args in (["show", "MSG-aaaa1111"], ["archive", "MSG-"], ["mark", "MSG-aaaa1", "read"],
                     ["reply", "MSG-a", "--body", "b"], ["thread", "MSG-a"],
                     ["send", "--to", "bob", "--subject", "s", "--reply-to", "MSG-a"]):
            self.assert_says(self.run_program(*args, rc=REFUSED), "MSG-aaaa11113333")
        self.assert_unchanged(before)

    def test_one_id_twice_can_still_be_told_apart_by_the_path(self):
        paths = [self.box.put(agent, message(subject=agent)) for agent in ("alice", "bob")]
        self.run_program("mark", "MSG-000000000001", "read", rc=REFUSED)
        self.run_program(*MARK, paths[1], "read")
        self.assertEqual(json.loads(self.box.read("bob", "MSG-000000000001"))["status"], "read")
        self.assertEqual(json.loads(self.box.read("alice", "MSG-000000000001"))["status"], "unread")

    def test_expired_messages_wait_for_nobody_but_are_listed(self):
        self.box.put("alice", message("MSG-00000000000a", expires_at="2026-01-04T00:00:00",
                                      priority=4))
        self.run_program("check", "alice", rc=NOTHING)
        self.run_program("check", "alice", "--all", rc=NOTHING)
        self.run_program("check", "alice", "--format", "prompt", rc=NOTHING)
        self.assertEqual(self.run_one("count", "alice")["total"], 0)
        self.assertEqual(self.run_one("messages")["id"], "MSG-00000000000a")
        self.assertEqual(self.run_one("show", "MSG-00000000000a")["status"], "unread")
        self.box.put("alice", message("MSG-00000000000b", expires_at="2126-01-01T00:00:00"))
        self.assertEqual(self.run_one("check", "alice")["id"], "MSG-00000000000b")

    def test_checking_takes_filters(self):
        for number, (kind, priority, status) in enumerate((
                ("request", 1, "unread"), ("handoff", 4, "unread"), ("notification", 3, "read"),
                ("handoff", 2, "completed"), ("request", 3, "unread"))):
            self.box.put("alice", message(f"MSG-{number:012x}", type=kind, priority=priority,
                                          status=status))
        self.box.put("alice", message("MSG-00000000000f", to_agent="ALICE", priority=4))
        for args, numbers in (([], [1, 4, 0]), (["--all"], [1, 2, 4, 3, 0]),
                              (["--type", "handoff"], [1]), (["--type", "handoff", "--all"], [1, 3]),
                              (["--type", "handoff", "--type", "request"], [1, 4, 0]),
                              (["--min-priority", "high"], [1, 4]),
                              (["--min-priority", "low"], [1, 4, 0])):
            wanted = [f"MSG-{number:012x}" for number in numbers]
            self.assertEqual([one["id"] for one in self.run_json("check", "alice", *args)], wanted)
            lines = self.run_program("check", "alice", *args).lines
            self.assertEqual([line.split()[0] for line in lines], wanted)
        self.run_program("check", "alice", "--type", "escalation", rc=NOTHING)
        prompt = self.run_program("check", "alice", "--format", "prompt", "--min-priority", "low")
        self.assertEqual(prompt.out.count("### "), 3)
        self.assertEqual(self.run_program("check", "alice", "--format", "prompt").out.count("### "),
                         2)

    def test_counts_are_by_priority(self):
        for number, priority in enumerate((4, 4, 3, 2, 2, 2, 1)):
            self.box.put("alice", message(f"MSG-{number:012x}", priority=priority))
        self.box.put("alice", message("MSG-00000000000f", status="read"))
        self.assertEqual(self.run_one("count", "alice"),
                         {"v": 1, "urgent": 2, "high": 1, "normal": 3, "low": 1, "total": 7,
                          "unreadable": 0})
        text = self.run_program("count", "alice").out
        for word, number in (("urgent", 2), ("high", 1), ("normal", 3), ("low", 1), ("total", 7)):
            self.assertRegex(text, rf"\b{word}\s+{number}\b")
        self.assertEqual(self.run_program("count", "alice", "--format", "tmux").out,
                         "#[bold,reverse]2!#[default] 5 new\n")
        self.run_program("count", "alice", "--json", "--format", "text", rc=USAGE)
        self.assertIn("alicia", self.run_program("count", "alicia").err)

    def test_counts_of_whoever_leads_are_what_the_screens_say(self):
        leads = ("--as", "alice")
        self.assertEqual(self.run_program("count", "--format", "tmux", *leads).out, "")
        self.box.put("alice", message("MSG-000000000001", type="request"))
        self.box.put("alice", message("MSG-000000000002", type="response", status="unread"))
        self.box.put("alice", message("MSG-000000000003", type="response", status="read"))
        self.assertEqual(self.run_one("count", *leads),
                         {"v": 1, "waiting": 1, "unread": 2, "stuck": 0, "unreadable": 0})
        self.assertEqual(self.run_program("count", *leads).out, "waiting 1  unread 2  stuck 0\n")
        self.assertEqual(self.run_program("count", "--format", "json", *leads).out,
                         self.run_program("count", "--json", *leads).out)
        self.assertEqual(self.run_program("count", "--format", "tmux", *leads).out,
                         "#[bold,reverse]1!#[default] 2 new\n")

    def test_every_format_of_output_can_be_asked_for(self):
        self.send("--body", "the text", "--priority", "high", subject="the subject")
        for command in (["check", "alice"], ["show", "MSG-"]):
            for kind in ("text", "markdown", "prompt", "json"):
                self.assertIn("the subject", self.run_program(*command, "--format", kind).out)
            self.assertEqual(harness.parse_lines(self.run_program(*command, "--format", "json")
                                                 .stdout), self.run_json(*command))
        self.assertIn("the text", self.run_program("show", "MSG-").out)
        self.assertIn("the text", self.run_program("thread", "MSG-").out)

    def test_the_table_of_formats_tells_what_each_can_do(self):
        rows = self.run_json("formats")
        adr = {row["verb"]: row["ability"] for row in rows if row["format"] == "adr"}
        for verb in ("send", "reply", "handoff", "broadcast", "archive"):
            self.assertEqual(adr[verb], "native")
        self.assertLessEqual({row["ability"] for row in rows},
                             {"native", "convention", "impossible"})
        text = self.run_program("formats").out
        self.assertIn("adr", text)
        self.assertIn("native", text)


class ReadOnly(harness.MailboxCase):

    def test_every_command_that_writes_is_refused_and_nothing_is_written(self):
        self.box.add_swarm("dev", "alice", "carol")
        self.box.put("alice", message())
        self.box.put("alice", message("MSG-00000000000a", status="archived"), part="archive")
        id = "MSG-000000000001"
        before = self.box.snapshot(self.box.root)
        for args in (["send", "--to", "alice", "--subject", "s"],
                     ["send", "--to", "new", "--create", "--subject", "s"],
                     ["send", "--to", "broadcast:dev", "--subject", "s"],
                     ["reply", id, "--body", "b"],
                     ["handoff", "--to", "alice", "--subject", "s", "--done", "d", "--state", "s"],
                     ["broadcast", "--swarm", "dev", "--subject", "s", "--body", "b"],
                     ["broadcast", "--all", "--subject", "s", "--body", "b"],
                     [*MARK, id, "read"], [*MARK, id, "processing"], [*MARK, id, "failed"],
                     [*MARK, id, "completed"], [*MARK, id, "completed", "--keep"],
                     [*MARK, "--all", "alice", "read"], [*MARK, "--match", "subject", "read"],
                     ["archive", id], ["restore", id], ["cleanup"], ["outbox", "retry", "1"],
                     ["outbox", "drop", "1"]):
            for line in ([*args, "--readonly"], ["--readonly", *args]):
                result = self.run_program(*line, rc=REFUSED)
                self.assert_says(result, "readonly")
                self.assertEqual(result.out, "")
        self.assert_unchanged(before, self.box.root)

    def test_looking_is_allowed(self):
        self.box.put("alice", message())
        before = self.box.snapshot(self.box.root)
        for args in (["messages", "--all"], ["check", "alice"], ["show", "MSG-"], ["count", "alice"],
                     ["thread", "MSG-"], ["show", "MSG-", "--raw"], ["formats"], ["sources"]):
            self.run_program("--readonly", *args)
        self.run_program("--readonly", "outbox", rc=NOTHING)
        self.assert_unchanged(before, self.box.root)


if __name__ == "__main__":
    harness.main()
