"""Queries on the command line: one query for messages of several layouts, mistakes with a mark
below them, and the exit codes."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import NOTHING, USAGE  # noqa: E402
from layouts import LayoutCase  # noqa: E402

NOW = "2026-02-08T12:00:00Z"


class QueryCase(LayoutCase):
    """Mail in two layouts; a letter at the end of its subject identifies each message."""

    def setUp(self):
        super().setUp()
        self.box.env["SWARMUTT_NOW"] = NOW
        self.adr(id="MSG-00000000000a", from_agent="dev/bob", subject="Build broken a", priority=4,
                 body="The STRASSE is blocked", tags=["Build", "déjà vu"], payload={"n": 1},
                 created_at="2026-02-08T11:00:00", type="escalation")
        self.adr(id="MSG-00000000000b", from_agent="carol", subject="Plain b", priority=1,
                 created_at="2026-02-01T00:00:00", status="read", thread_id="THR-1",
                 context={"x": 1}, attachments=["f.c"])
        self.adr(id="MSG-00000000000c", to_agent="user", subject="Work handoff c",
                 created_at="2026-01-31T23:59:59", type="handoff", expires_at="2026-02-02T00:00:00")
        self.claude(boxes=[
            ("team-lead", [self.entry("a straße in the text", summary="Claude d"),
                           self.entry("the rest", sender="eve", read=True, summary="Claude e")]),
            ("bob", [self.entry("for bob", sender="team-lead", summary="Claude f")])])

    def found(self, *words, rc=harness.DONE):
        lines = self.run_json("messages", *words, rc=rc, cwd=self.project)
        return "".join(sorted(one["subject"][-1] for one in lines))

    def assert_finds(self, cases):
        for query, letters in cases.items():
            with self.subTest(query=query):
                self.assertEqual(self.found(query, rc=harness.DONE if letters else NOTHING), letters)


class Terms(QueryCase):

    def test_nothing_asked_lists_everything(self):
        self.assert_finds({"": "abcdef", " ": "abcdef"})
        self.assertEqual(self.found(), "abcdef")

    def test_names_are_the_same_in_all_layouts(self):
        self.assert_finds({
            "from:BOB": "acd", "from:dev/bob": "a", "from:bob@dev": "d", "from:bo*": "acd",
            "from:\"bo*\"": "", "from:eve,carol": "be", "to:team-lead": "de", "to:user": "c",
            "box:team-lead@dev": "de", "box:alice": "ab", "to:team": ""})

    def test_sources_are_layouts_or_paths(self):
        self.assert_finds({"source:adr": "abc", "source:claude": "def", "source:PROJECT/work": "abc",
                           "source:home": "def", "source:roo": ""})

    def test_text_is_found_in_subjects_bodies_and_names(self):
        self.assert_finds({
            "strasse": "ad", "body:STRASSE": "ad", "subject:strasse": "", "subject:claude": "def",
            "\"in the text\"": "d", "\"the in text\"": "", "carol": "b", "broken blocked": "a",
            "body:\"is blocked\",rest": "ae", "subject:b*broken": "a"})

    def test_kinds_states_types_and_priorities_are_words(self):
        self.assert_finds({
            "kind:handoff": "c", "kind:handoff,escalation": "ac", "type:request": "b",
            "state:read": "be", "is:unread": "acdf", "prio:urgent": "a", "prio:normal+": "acdef",
            "prio:low,urgent": "ab"})

    def test_what_lists_do_without_is_loaded_for_the_query(self):
        self.assert_finds({"tag:build": "a", "tag:\"DÉJÀ VU\"": "a", "tag:buil": "", "has:payload": "a",
                           "has:context": "b", "has:attachments": "b", "has:tags": "a",
                           "has:thread": "b", "thread:thr": "b"})
        text = self.run_program("messages", "tag:build", cwd=self.project)
        self.assertEqual(len(text.lines), 1)

    def test_times_are_ages_or_dates(self):
        self.assert_finds({
            "newer:2h": "a", "newer:1h": "a", "newer:59m": "", "older:1h": "bcdef", "newer:2026-02-01": "abdef",
            "older:2026-02-01": "c", "newer:2026-02-07T15:35:15.573Z": "adef", "older:7d": "bc",
            "newer:\"2026-02-01 00:00\" older:2026-02-02": "b"})

    def test_a_date_begins_where_the_person_is(self):
        found = self.run_json("messages", "source:claude", "newer:2026-02-08", cwd=self.project,
                              env={"TZ": "Pacific/Kiritimati"})
        self.assertEqual(len(found), 3)

    def test_facts_are_words(self):
        self.assert_finds({"is:mine": "cde", "is:sent": "f", "is:handoff": "c", "is:expired": "c",
                           "is:damaged": "", "is:archived": "", "not is:mine,sent": "ab"})

    def test_operators_are_words(self):
        self.assert_finds({
            "is:unread from:bob": "acd", "carol or eve": "be", "not is:unread": "be",
            "(carol or eve) source:adr": "b", "NOT (is:unread OR carol)": "e",
            "carol or eve source:adr": "b", "bob and -source:claude": "ac"})

    def test_damaged_messages_are_found_as_such(self):
        self.write(os.path.join(self.project, "workspace", "mailboxes", "alice", "inbox",
                                "MSG-broken.json"), "{")
        found = self.run_json("messages", "is:damaged", cwd=self.project)
        self.assertEqual([one["id"] for one in found], ["MSG-broken"])
        self.assertEqual(self.found("not is:damaged"), "abcdef")


class CommandLine(QueryCase):

    def test_operands_are_joined_by_blanks(self):
        self.assertEqual(self.found("from:bob", "is:unread", "source:adr"), "ac")
        self.assertEqual(self.found("(carol", "or", "eve)", "source:adr"), "b")
        self.assertEqual(self.found("\"in the", "text\""), "d")

    def test_a_query_may_start_with_a_dash_behind_two(self):
        result = self.run_program("messages", "--json", "--", "-is:unread", cwd=self.project)
        self.assertEqual(len(result.lines), 2)
        self.assertEqual(self.found("source:claude -is:unread"), "e")

    def test_options_still_choose_what_is_looked_through(self):
        self.assertEqual(self.found("--box", "team-lead", "from:bob,eve"), "de")
        one = self.run_json("messages", "source:claude", "--newest", "--limit", "1", cwd=self.project)
        self.assertEqual(len(one), 1)
        self.run_program("archive", "MSG-00000000000b", cwd=self.project)
        self.assertEqual(self.found("carol", rc=NOTHING), "")
        self.assertEqual(self.found("carol", "--all"), "b")
        self.assertEqual(self.found("is:archived", "--archive"), "b")

    def test_bodies_are_printed_only_when_they_are_asked_for(self):
        for option, body in ((), None), (("--bodies",), "The STRASSE is blocked"):
            one, = self.run_json("messages", "body:blocked", *option, cwd=self.project)
            self.assertEqual(one["body"], body)
            self.assertEqual(one["tags"], ["Build", "déjà vu"])

    def test_nothing_found_is_said_and_has_an_exit_code(self):
        result = self.run_program("messages", "from:nobody", rc=NOTHING, cwd=self.project)
        self.assertEqual(result.out, "")
        self.assert_says(result, "no message matches: from:nobody")

    def assert_marked(self, *words, line, mark, says):
        result = self.run_program("messages", *words, rc=USAGE, cwd=self.project)
        self.assertEqual(result.out, "")
        self.assertEqual(result.err.splitlines()[1:], ["  " + line, "  " + mark], str(result))
        self.assertTrue(result.err.startswith("swarmutt: query: character " + says), str(result))
        self.assertIn("; see swarmutt help query\n", result.err)

    def test_a_mistake_is_marked_where_it_stands(self):
        self.assert_marked("from:bob", "is:unred", line="from:bob is:unred", mark=" " * 12 + "^",
                           says='13: "is:" takes unread, read, waiting,')
        self.assert_marked("a (b", line="a (b", mark="  ^", says='3: "(" is never closed')
        self.assert_marked("older:soon", "--json", line="older:soon", mark=" " * 6 + "^", says="7: ")

    def test_the_mark_stands_below_the_character_however_wide_the_others_are(self):
        self.assert_marked("日本 é \x1b[31m )", line="日本 é ^[[31m )", mark=" " * 14 + "^", says="12: ")

    def test_bytes_that_are_not_text_are_marked_too(self):
        self.assert_marked(b"a \xff b", line="a \ufffd b", mark="  ^", says="3: this is not UTF-8")


class Waiting(LayoutCase):
    """Waiting messages are known only when all mail is read."""

    def setUp(self):
        super().setUp()
        self.box.env["SWARMUTT_NOW"] = NOW

    def ask(self, number):
        return self.entry('{"type":"shutdown_request","requestId":"shutdown-%d@bob",'
                          '"from":"team-lead","reason":"done","timestamp":'
                          '"2026-02-07T15:35:15.573Z"}' % number, sender="team-lead")

    def answer(self, number):
        return self.entry('{"type":"shutdown_rejected","requestId":"shutdown-%d@bob","from":"bob",'
                          '"reason":"busy","timestamp":"2026-02-07T15:36:15.573Z"}' % number)

    def threads(self, *words, rc=harness.DONE):
        return [one["thread"] for one in self.run_json("messages", *words, rc=rc, cwd=self.project)]

    def test_a_request_waits_until_its_answer_lies_in_the_other_box(self):
        self.claude(boxes=[("bob", [self.ask(1), self.ask(2)]), ("team-lead", [self.answer(1)])])
        for words in (), ("--box", "bob"), ("--all",):
            with self.subTest(words=words):
                self.assertEqual(self.threads("is:waiting", *words), ["shutdown-2@bob"])
                self.assertEqual(self.threads("kind:shutdown", "not", "is:waiting", "to:bob", *words),
                                 ["shutdown-1@bob"])

    def test_an_answer_in_the_archive_counts(self):
        mail = self.adr(id="MSG-00000000000a", to_agent="alice", from_agent="user", type="request",
                        thread_id="t")
        self.assertEqual(self.threads("is:waiting"), ["t"])
        self.write(os.path.join(mail, "user", "archive", "MSG-00000000000b.json"),
                   harness.message("MSG-00000000000b", to_agent="user", from_agent="alice",
                                   type="response", reply_to="MSG-00000000000a", thread_id="t",
                                   status="archived"))
        self.assertEqual(self.threads("is:waiting", rc=NOTHING), [])
        self.assertEqual(self.threads("is:waiting", "--box", "alice", rc=NOTHING), [])


class LeftOut(LayoutCase):
    """Messages that a list leaves out are found on request."""

    def setUp(self):
        super().setUp()
        mail = self.adr(id="MSG-000000000001", expires_at="2026-01-03T15:00:00")
        self.adr(id="MSG-000000000002")
        self.write(os.path.join(mail, "alice", "archive", "MSG-000000000003.json"),
                   harness.message(id="MSG-000000000003", status="archived"))

    def test_list_shows_the_expired_and_the_archived_when_they_are_asked_for(self):
        for words, threads in ((), "2"), (("is:expired",), "1"), (("is:archived",), "3"), \
                (("state:archived",), "3"), (("is:expired,archived",), "13"), (("--all",), "123"):
            listed = self.run_json("list", *words, cwd=self.project)
            self.assertEqual("".join(sorted(one["thread"][-1] for one in listed)), threads, words)

    def test_messages_looks_through_archives_when_they_are_asked_for(self):
        for words, ids in ((), "12"), (("is:archived",), "3"), (("state:archived",), "3"), \
                (("is:expired",), "1"):
            self.assertEqual("".join(id[-1] for id in sorted(self.ids(*words))), ids, words)


class Conversations(LayoutCase):

    def test_thread_finds_what_list_puts_together(self):
        idle = '{"type":"idle_notification","from":"bob","idleReason":"available"}'
        self.claude(boxes=[
            ("team-lead", [self.entry("which one?", summary="db schema"),
                           self.entry(idle, timestamp="2026-02-07T15:40:00.000Z"),
                           self.entry(idle, timestamp="2026-02-07T15:50:00.000Z")]),
            ("bob", [self.entry("this", sender="team-lead", summary="Re: db schema",
                                timestamp="2026-02-07T15:45:00.000Z")])])
        self.adr(id="MSG-000000000001")
        self.adr(id="MSG-000000000002", to_agent="bob", from_agent="alice", type="response",
                 reply_to="MSG-000000000001")
        self.adr(id="MSG-000000000003", type="response", reply_to="MSG-000000000002")
        listed = self.run_json("list", "--all", cwd=self.project)
        self.assertEqual(sorted(one["count"] for one in listed), [2, 2, 3])
        for one in listed:
            self.assertEqual(sorted(self.ids(f'thread:"{one["thread"]}"')), sorted(one["messages"]))
            same = self.run_json("list", "--all", f'thread:"{one["thread"]}"', cwd=self.project)
            self.assertEqual(same, [one])


if __name__ == "__main__":
    harness.main()
