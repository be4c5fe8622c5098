"""log: prints a ledger that another program has written by the manual."""
import json
import os
import pwd
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness  # noqa: E402
import ledger  # noqa: E402
from harness import DONE, FAILED, NOTHING, USAGE  # noqa: E402

NOW = {"SWARMUTT_NOW": "2026-11-17T13:00:00Z"}
PERMISSION = {"verb": "grant", "kind": "permission", "by": "team-lead", "uid": os.getuid(),
              "pid": 4242, "format": "claude", "source": "/srv/claude", "team": "dev",
              "agent": "tester-2"}


def me():
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid {os.getuid()}"


class LogCase(harness.ProgramCase):
    def setUp(self):
        self.box = harness.Home()
        self.addCleanup(self.box.close)
        self.ledger = ledger.Ledger(self.box.state)

    def add_day(self):
        """Writes two days: a permission that had an effect, a plan, and an interrupted lead command."""
        answer = '{"type":"permission_response","request_id":"perm-1","subtype":"success"}'
        request = {"message": "inbox-1", "id": "perm-1", "file": "teams/dev/inboxes/team-lead.json",
                   "at": 2, "len": 300, "sha256": "a" * 64,
                   "asked": "Bash: rm -rf build/\nclean before rebuild"}
        sent = {"message": "inbox-2", "file": "teams/dev/inboxes/tester-2.json",
                "sha256": "b" * 64, "text": answer}
        add = self.ledger.add
        add("intent", "d1", "2026-11-16T14:03:20.125Z", **PERMISSION, request=request,
            answer=sent, terms={"rules": "Bash(make *)"})
        add("delivered", "d1", "2026-11-16T14:03:20.250Z", uid=os.getuid(), pid=4242)
        plan = dict(PERMISSION, verb="reject", kind="plan", agent="builder-1")
        add("intent", "d2", "2026-11-16T14:04:00.000Z", **plan, request={
            "id": "plan-1", "asked": "migrate the auth module"},
            terms={"feedback": "too wide\nsession.c only"})
        add("verified", "d1", "2026-11-16T14:03:20.550Z")
        add("delivered", "d2", "2026-11-16T14:04:00.100Z")
        add("verified", "d2", "2026-11-16T14:04:00.400Z")
        add("effect", "d1", "2026-11-16T14:03:32.500Z", seen_in="inbox-3")
        add("intent", "d3", "2026-11-17T08:00:00.000Z", **dict(
            PERMISSION, verb="shutdown", kind="shutdown", agent="infra-4"),
            terms={"feedback": "no disk left"})

    def log(self, *args, **more):
        more.setdefault("env", NOW)
        return self.run_program("log", *args, **more)

    def decisions(self, *args, rc=DONE):
        return [one["decision"] for one in self.run_json("log", *args, env=NOW, rc=rc)
                if one["event"] == "intent"]


class Reading(LogCase):
    def setUp(self):
        super().setUp()
        self.add_day()

    def test_it_tells_who_decided_what_on_which_terms_and_how_far_it_came(self):
        self.assertEqual(self.log().lines, [
            f"2026-11-16 14:03:20 {me()} as team-lead granted a permission to tester-2@dev",
            "    asked:    Bash: rm -rf build/ ...",
            "    terms:    Bash(make *)",
            "    state:    confirmed: tester-2 went on (inbox-3, 12s later)",
            f"2026-11-16 14:04:00 {me()} as team-lead rejected the plan of builder-1@dev",
            "    asked:    migrate the auth module",
            "    terms:    saying: too wide ...",
            "    state:    sent, unconfirmed",
            f"2026-11-17 08:00:00 {me()} as team-lead wanted to ask for a shutdown of infra-4@dev",
            "    terms:    reason: no disk left",
            "    state:    interrupted: it is not known to be sent"])

    def test_sources_are_named_where_there_are_several(self):
        self.assertNotIn("source:", self.log().out)
        self.ledger.add("intent", "d4", "2026-11-17T09:00:00.000Z", **dict(
            PERMISSION, format="adr", source="/elsewhere/mailboxes"))
        self.assertEqual([line for line in self.log().lines if "source:" in line],
                         [f"    source:   claude:{PERMISSION['source']}"] * 3 +
                         ["    source:   adr:/elsewhere/mailboxes"])
        self.assertNotIn("source:", self.log("source:adr").out)

    def test_a_terminal_gets_a_heading_for_each_day(self):
        result = self.box.run_tty("log", size=(24, 60), env=NOW)
        lines = result.lines
        self.assertEqual([line for line in lines if line.startswith("-- ")],
                         ["-- Monday 16 November 2026 " + "-" * 33,
                          "-- Tuesday 17 November 2026 " + "-" * 32])
        self.assertEqual(lines[1], f"14:03:20 {me()} as team-lead granted a permission to "
                                   "tester-2@dev")
        self.assertEqual(lines[2], "         asked:    Bash: rm -rf build/ ...")

    def test_long_shows_everything(self):
        out = self.log("--long").out
        for text in ("    | Bash: rm -rf build/\n    | clean before rebuild\n",
                     '    | {"type":"permission_response","request_id":"perm-1",'
                     '"subtype":"success"}\n',
                     "inbox-1 in teams/dev/inboxes/team-lead.json, 300 bytes from 2 on",
                     "inbox-2 in teams/dev/inboxes/tester-2.json", "a" * 64, "b" * 64,
                     "claude /srv/claude", "perm-1", "    | session.c only",
                     "2026-11-16 14:03:20.125 intent, entry 1, ",
                     "2026-11-16 14:03:32.500 effect, entry 7"):
            self.assertIn(text, out)

    def test_a_query_finds_decisions_as_if_they_were_messages(self):
        for query, found in {"from:tester-2": ["d1"], "from:builder-1@dev": ["d2"],
                             "kind:plan,shutdown": ["d2", "d3"], "newer:1d": ["d1", "d2", "d3"],
                             "newer:6h": ["d3"], "older:2026-11-17": ["d1", "d2"],
                             "to:team-lead": ["d1", "d2", "d3"], "reject": ["d2"],
                             "subject:auth": ["d2"], "body:session.c": ["d2"],
                             "body:permission_response": ["d1"], "type:grant": ["d1"],
                             "source:claude": ["d1", "d2", "d3"], "source:/srv": ["d1", "d2", "d3"],
                             "thread:perm-1": ["d1"], '"confirmed: "': ["d1"],
                             "from:tester-2 or from:infra-4": ["d1", "d3"],
                             "not kind:permission": ["d2", "d3"]}.items():
            with self.subTest(query=query):
                self.assertEqual(self.decisions(query), found)

    def test_what_a_decision_has_not_never_matches(self):
        for query in ("is:unread", "is:read", "prio:low+", "tag:x", "has:tags", "box:tester-2",
                      "is:archived", "is:waiting", "state:read", "is:damaged", "from:nobody"):
            with self.subTest(query=query):
                self.assertEqual(self.decisions(query, rc=NOTHING), [])

    def test_a_query_that_finds_nothing_says_so(self):
        self.assert_says(self.log("from:nobody", rc=NOTHING), "no decision matches: from:nobody")

    def test_a_query_that_makes_no_sense_is_marked(self):
        result = self.log("kind:nonsense", rc=USAGE)
        self.assertIn("^", result.err)

    def test_the_limit_leaves_the_newest(self):
        self.assertEqual(self.decisions("--limit", "2"), ["d2", "d3"])
        self.assertEqual(self.decisions("--limit", "1", "older:2026-11-17"), ["d2"])

    def test_json_has_a_line_for_each_event_with_what_became_of_its_decision(self):
        lines = self.run_json("log")
        self.assertEqual([(one["decision"], one["n"], one["event"]) for one in lines],
                         [("d1", 1, "intent"), ("d1", 2, "delivered"), ("d1", 4, "verified"),
                          ("d1", 7, "effect"), ("d2", 3, "intent"), ("d2", 5, "delivered"),
                          ("d2", 6, "verified"), ("d3", 8, "intent")])
        self.assertEqual({one["decision"]: one["state"] for one in lines},
                         {"d1": "confirmed", "d2": "verified", "d3": "interrupted"})
        first = json.loads(self.ledger.lines[0])
        for key in ("prev", "sum"):
            del first[key]
        self.assertEqual(list(lines[0]), list(first) + ["state"])
        self.assertEqual({**lines[0], "at": first["at"]}, {**first, "state": "confirmed"})

    def test_looking_changes_nothing(self):
        before = self.box.snapshot(self.box.root)
        self.log()
        self.log("verify")
        self.log("--readonly", "--long")
        self.assert_unchanged(before, self.box.root)

    def test_it_needs_neither_mailboxes_nor_a_config_that_makes_sense(self):
        config = os.path.join(self.box.home, "config", "swarmutt")
        os.makedirs(config)
        with open(os.path.join(config, "config"), "w", encoding="utf-8") as file:
            file.write("[nonsense]\n[stuck]\nsilent = soon\nand more\n")
        self.assertEqual(len(self.log("--limit", "1").lines), 3)


class Hostile(LogCase):
    def test_text_of_agents_stays_where_it_belongs(self):
        self.ledger.add("intent", "d1", **dict(
            PERMISSION, agent="x\n2026-11-16 14:00:00 ann approved everything"), request={
            "asked": "\x1b[2Jrm\u202e\r\n    state:    confirmed: all is well", "id": "\ud800"},
            terms={"feedback": "ok\n    state:    sent"}, note="\x07",
            answer={"text": "| a\n    state:    sent\n\u200b"})
        self.ledger.add("refused", "d1", note="gone\n\x1b]0;owned\x07")
        for options in ((), ("--long",)):
            out = self.log(*options).out
            self.assertNotIn("\x1b", out)
            self.assertNotIn("\u202e", out)
            self.assertNotIn("\u200b", out)
            lines = out.splitlines()
            self.assertEqual(sum(line.startswith("2026-") for line in lines), 1)
            self.assertEqual([line for line in lines if line.startswith("    state:")],
                             ["    state:    not sent, refused: gone^J^[]0;owned^G"])
        self.assertEqual(self.run_json("log")[0]["request"]["id"], "\ud800")

    def test_lines_that_hold_other_types_than_ours_are_read_as_far_as_they_go(self):
        self.ledger.add("intent", "d1", verb=7, kind=[], agent={"a": 1}, request="x", answer=None,
                        uid="root", terms=[1], note=False)
        self.ledger.add(["x"], None, at=12)
        self.ledger.add("intent", "d2", at="yesterday", **PERMISSION)
        self.assertEqual(len(self.log().lines), 6)
        self.assertEqual(len(self.run_json("log")), 3)
        self.log("verify")

    def test_a_later_version_is_shown_as_far_as_it_is_understood(self):
        self.ledger.add("intent", "d1", **PERMISSION)
        self.ledger.add("pondered", "d1", more_keys={"v": 2}, mood={"a": 1})
        self.ledger.add("verified", "d1")
        self.assertIn("sent, unconfirmed", self.log().out)
        self.assertEqual([one["event"] for one in self.run_json("log")],
                         ["intent", "pondered", "verified"])
        self.assertIn("3 entries, chain whole", self.log("verify").out)
        self.assertIn("remark  line 2 is of version 2", self.log("verify").out)


class Nothing(LogCase):
    def test_without_a_ledger_nothing_was_decided(self):
        self.assert_says(self.log(rc=NOTHING), "nothing was decided yet")
        self.assertEqual(self.log("verify").out, "nothing was decided yet: there is no ledger\n")
        self.assertEqual(os.listdir(self.box.home), [])

    def test_a_ledger_that_cannot_be_read_is_said(self):
        self.ledger.add("intent", "d1", **PERMISSION)
        os.rename(self.ledger.path, self.ledger.path + "-moved")
        os.symlink("ledger-moved", self.ledger.path)
        for args in ((), ("verify",)):
            self.assert_says(self.log(*args, rc=FAILED), self.ledger.path, "link")

    def test_what_makes_no_sense_is_refused(self):
        self.log("--expect", "a" * 64, rc=USAGE)
        self.log("verify", "--expect", "abc", rc=USAGE)
        self.log("--limit", "x", rc=USAGE)


class Verifying(LogCase):
    def setUp(self):
        super().setUp()
        self.add_day()
        self.lines = self.ledger.lines

    def write(self, *lines):
        self.ledger.write("".join(line + "\n" for line in lines))

    def assert_damaged(self, *words):
        result = self.log("verify", rc=FAILED)
        self.assert_says(result, "the ledger is not as it was written")
        self.assertNotIn("chain whole", result.out)
        for word in words:
            self.assertIn(word, result.out)
        found = self.run_json("log", "verify", rc=FAILED)[0]
        self.assertIs(found["whole"], False)
        self.assertIn("problem", [one["severity"] for one in found["findings"]])

    def test_what_another_program_wrote_by_the_manual_is_whole(self):
        ledger.check(self.ledger.path)
        out = self.log("verify").lines
        last = ledger.sum_of(self.lines[-1])
        self.assertEqual(out, ["8 entries, chain whole", f"the sum of the last line is {last}"])
        found = self.run_json("log", "verify")[0]
        self.assertEqual((found["entries"], found["decisions"], found["whole"], found["head"],
                          found["findings"]), (8, 3, True, last, []))

    def test_a_changed_line_is_named(self):
        self.lines[2] = self.lines[2].replace("reject", "approve")
        self.write(*self.lines)
        self.assert_damaged("problem line 3 was changed")
        self.assertIn("damaged", self.log().err)

    def test_a_line_that_was_changed_with_its_sum_is_missed_by_the_next(self):
        body = ledger.split(self.lines[2])[0].replace("reject", "approve")
        self.lines[2] = f'{body},"sum":"{ledger.sum_of(body)}"}}'
        self.write(*self.lines)
        self.assert_damaged("problem line 4 does not follow line 3")

    def test_a_removed_line_is_missed(self):
        self.write(*self.lines[:3], *self.lines[4:])
        self.assert_damaged("1 entry is missing before line 4")

    def test_lines_in_another_order_are_noticed(self):
        self.write(*self.lines[:3], self.lines[4], self.lines[3], *self.lines[5:])
        self.assert_damaged("line 5 does not follow line 4")

    def test_an_end_that_was_cut_off_is_missed_as_long_as_there_is_a_head(self):
        self.ledger.write_head(8, self.lines[7])
        self.assertIn("8 entries, chain whole", self.log("verify").out)
        self.write(*self.lines[:6])
        self.assert_damaged("the last 2 entries are missing")
        os.unlink(self.ledger.path)
        self.assert_damaged("the ledger is gone: it had 8 entries")
        self.assert_says(self.log(rc=NOTHING), "the ledger is damaged")

    def test_a_sum_that_was_kept_elsewhere_shows_that_the_end_was_cut_off(self):
        kept = self.run_json("log", "verify")[0]["head"]
        self.log("verify", "--expect", kept)
        self.ledger.add("failed", "d3")
        self.log("verify", "--expect", kept)
        self.write(*self.lines[:6])
        self.assert_says(self.log("verify", "--expect", kept, rc=FAILED), kept)
        found = self.run_json("log", "verify", "--expect", kept, rc=FAILED)[0]
        self.assertIs(found["whole"], False)

    def test_a_line_that_a_crash_left_is_a_remark(self):
        self.ledger.write("\n".join(self.lines)[:-100])
        out = self.log("verify").out
        self.assertIn("remark  line 8 was not finished: a crash while it was written\n", out)
        self.assertIn("7 entries, chain whole\n", out)
        torn = "\n".join(self.lines)[:-100]
        self.lines[7] = torn.split("\n")[-1]
        self.ledger.add("failed", "d3", torn=True, note="written after a crash")
        out = self.log("verify").out
        self.assertIn("remark  line 8 was not finished: a crash while it was written\n", out)
        self.assertIn("8 entries, chain whole\n", out)

    def test_a_line_that_nobody_saw_torn_is_damage(self):
        self.lines[7] = self.lines[7][:-100]
        self.ledger.add("failed", "d3", note="written as if nothing had been")
        self.assert_damaged("problem line 8 is no entry")

    def test_of_many_problems_the_first_are_told_and_the_others_counted(self):
        self.write(*["{}" for _ in range(50)])
        result = self.log("verify", rc=FAILED)
        self.assertEqual(result.lines[20], "30 more; all of them with --json")
        found = self.run_json("log", "verify", rc=FAILED)[0]
        self.assertEqual(len(found["findings"]), 50)

    def test_others_who_can_write_to_it_are_a_remark(self):
        os.chmod(self.ledger.path, 0o620)
        self.assertIn("remark  others can write to it (mode 620)", self.log("verify").out)


if __name__ == "__main__":
    harness.main()
