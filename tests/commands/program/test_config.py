"""The config: sources and identities, reported mistakes, and displayed settings."""
import datetime
import json
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import DONE, FAILED, REFUSED, USAGE  # noqa: E402
from layouts import LayoutCase  # noqa: E402


class ConfigCase(LayoutCase):
    def setUp(self):
        super().setUp()
        self.path = os.path.join(self.box.home, "config", "swarmutt", "config")
        self.elsewhere = os.path.join(self.box.root, "elsewhere")
        os.makedirs(self.elsewhere)

    def config(self, text):
        self.write(self.path, text)

    def who(self, *args):
        """Returns the person's name in every source."""
        return {one["path"]: one["identity"]
                for one in self.run_json("sources", *args, cwd=self.elsewhere)}


class Sources(ConfigCase):
    def test_named_sources_are_opened_from_anywhere(self):
        mail, inboxes = self.adr(), self.inbox(messages=[0])
        self.config(f"[source one]\npath = adr:{self.project}\n[source two]\npath = {inboxes}\n")
        self.assertEqual(self.found(cwd=self.elsewhere), [("adr", mail), ("inbox", inboxes)])
        self.assertEqual(len(self.ids(cwd=self.elsewhere)), 2)

    def test_a_project_that_is_named_opens_all_that_is_in_it(self):
        mail, inboxes = self.adr(), self.inbox(messages=[0])
        self.config(f"[source one]\npath = {self.project}\n")
        self.assertEqual(self.found(cwd=self.elsewhere), [("adr", mail), ("inbox", inboxes)])

    def test_what_is_at_hand_is_opened_too_and_nothing_twice(self):
        mail = self.adr()
        other = self.inbox(self.elsewhere, messages=[0])
        self.config(f"[source other]\npath = {other}\n[source here]\npath = {self.project}\n")
        self.assertEqual(self.found(), [("inbox", other), ("adr", mail)])
        self.config(f"[source other]\npath = {other}\n")
        self.assertEqual(self.found(), [("inbox", other), ("adr", mail)])

    def test_nothing_is_looked_for_when_the_config_says_so(self):
        self.adr()
        other = self.inbox(self.elsewhere, messages=[0])
        self.config(f"[general]\ndiscover = no\n[source other]\npath = {other}\n")
        self.assertEqual(self.found(), [("inbox", other)])
        self.config("[general]\ndiscover = no\n")
        result = self.box.run("sources", cwd=self.project)
        self.assertEqual(result.rc, FAILED)
        self.assert_says(result, "discover = no", "--source")

    def test_sources_on_the_command_line_are_the_only_ones(self):
        mail = self.adr()
        other = self.inbox(self.elsewhere, messages=[0])
        self.config(f"[source other]\npath = {other}\n")
        self.assertEqual(self.found("-S", mail), [("adr", mail)])

    def test_a_source_that_is_not_to_be_opened_still_has_its_settings(self):
        mail = self.adr()
        self.config(f"[source one]\npath = {self.project}\nopen = no\nidentity = ann\n")
        self.assertEqual(self.box.run("sources", cwd=self.elsewhere).rc, FAILED)
        self.assertEqual(self.who("-S", mail), {mail: "ann"})

    def test_one_directory_may_be_the_mailboxes_of_two_layouts(self):
        inboxes = self.inbox(messages=[0])
        found = self.found("-S", "inbox:" + inboxes, "-S", "adr:" + inboxes, "-S", "inbox:" + inboxes)
        self.assertEqual(found, [("inbox", inboxes), ("adr", inboxes)])

    def test_a_source_that_is_not_there_is_told_and_leaves_the_others(self):
        mail = self.adr()
        gone = os.path.join(self.box.root, "gone")
        self.config(f"[source gone]\npath = adr:{gone}\n[source one]\npath = {self.project}\n")
        result = self.box.run("sources", "--json", cwd=self.elsewhere)
        self.assertEqual(result.rc, DONE, str(result))
        self.assertEqual([one["path"] for one in harness.parse_lines(result.stdout)], [mail])
        self.assert_says(result, "[source gone] in line 1 of the config is left out: ", gone)


class Identity(ConfigCase):
    def test_the_nearest_word_on_who_i_am_counts(self):
        mail, inboxes = self.adr(), self.inbox(messages=[0])
        sections = f"[source one]\npath = {mail}\n[source two]\npath = {inboxes}\n"
        self.config(sections)
        self.assertEqual(self.who(), {mail: "user", inboxes: "coordinator"})
        self.config("[general]\nidentity = boss\n" + sections)
        self.assertEqual(self.who(), {mail: "boss", inboxes: "boss"})
        self.config("[general]\nidentity = boss\n" + sections + "identity = ann\n")
        self.assertEqual(self.who(), {mail: "boss", inboxes: "ann"})
        self.assertEqual(self.who("--as", "zoe"), {mail: "zoe", inboxes: "zoe"})

    def test_claudes_environment_goes_before_the_config_and_behind_the_command_line(self):
        base = self.claude(boxes=[("bob", [self.entry("to bob", sender="ann", msg_id="one")])],
                           members=("team-lead", "bob", "ann"))
        mail = self.adr()
        self.config(f"[general]\nidentity = boss\n[source one]\npath = {base}\nidentity = ann\n"
                    f"[source two]\npath = {mail}\n")
        self.assertEqual(self.who(), {base: "ann", mail: "boss"})
        self.box.env["CLAUDE_CODE_TEAM_NAME"] = "dev"  # alone it has no effect
        self.assertEqual(self.who(), {base: "ann", mail: "boss"})
        self.box.env["CLAUDE_CODE_AGENT_NAME"] = "bob"
        self.assertEqual(self.who(), {base: "bob", mail: "boss"})
        self.assertIn("as bob@dev", self.run_program("sources", cwd=self.elsewhere).out)
        self.assertEqual(self.who("--as", "zoe"), {base: "zoe", mail: "zoe"})
        self.assertEqual(self.run_one("check", "-S", base)["id"], "one")
        self.run_program("send", "-S", base, "--to", "ann", "--subject", "s", "--body", "b")
        self.assertEqual(len(self.run_json("messages", "-S", base, "from:bob")), 1)
        self.run_program("mark", "one", "read", "-S", base)
        self.box.env["CLAUDE_CODE_TEAM_NAME"] = "ops"
        self.assert_says(self.run_program("check", "-S", base, rc=REFUSED), '"ops"')
        self.box.env["CLAUDE_CODE_AGENT_NAME"] = ""
        self.assertEqual(self.who(), {base: "ann", mail: "boss"})

    def test_the_screens_are_those_of_who_the_environment_names(self):
        base = self.claude(boxes=[("bob", [self.entry("an idea for bob", sender="ann")])],
                           members=("team-lead", "bob", "ann"))
        for name, mine in (("bob", True), ("ann", False), ("", False)):
            shown = self.run_program("-S", base, "--plain", input="quit\n",
                                     env={"CLAUDE_CODE_AGENT_NAME": name}).out
            self.assertEqual("an idea for bob" in shown.split("swarmutt>")[0], mine, shown)

    def test_a_protocol_message_is_from_who_i_am(self):
        def sender(*args, **env):
            text = self.run_program("protocol", "compose", "mode_set_request", "--mode", "plan", *args,
                                    env=env).out
            return json.loads(text)["from"]
        self.assertEqual(sender(), "team-lead")
        self.config("[general]\nidentity = boss@dev\n")
        self.assertEqual(sender(), "boss")
        self.assertEqual(sender(CLAUDE_CODE_AGENT_NAME="bob", CLAUDE_CODE_TEAM_NAME="dev"), "bob")
        self.assertEqual(sender("--as", "zoe", CLAUDE_CODE_AGENT_NAME="bob"), "zoe")

    def test_teams_that_settings_keep_elsewhere_are_opened_once_and_as_the_same_person(self):
        base = self.openclaw(messages=[self.claw(1)])
        far = os.path.join(self.openclaw(base=os.path.join(self.box.root, "far"),
                                         messages=[self.claw(2)]), "teams")
        self.write(os.path.join(base, "openclaw.json"), {"gateway": {"teams": {"storage": {
            "basePath": far, "mailboxTTLHours": 2}}}})
        teams = os.path.join(base, "teams")
        self.assertEqual(self.who(), {teams: "lead", far: "lead"})
        self.config(f"[source claw]\npath = {teams}\nidentity = tm1\n")
        self.assertEqual(self.who(), {teams: "tm1", far: "tm1"})
        self.assertEqual(self.who("--as", "tm2"), {teams: "tm2", far: "tm2"})
        kept = self.run_json("sources", cwd=self.elsewhere)
        self.assertEqual([one["keeps_seconds"] for one in kept], [2 * 3600] * 2)
        self.config(f"[general]\nidentity = boss\n[source far]\npath = {far}\nidentity = tm2\n")
        self.assertEqual(self.who(), {teams: "boss", far: "tm2"})
        self.config(f"[source claw]\npath = {teams}\n[source far]\npath = openclaw:{far}\n")
        self.assertEqual(len(self.found(cwd=self.elsewhere)), 2)

    def test_it_may_name_a_team(self):
        self.claude(boxes=[("bob", [])])
        self.config("[source claude]\npath = ~/.claude\nidentity = bob@dev\n")
        result = self.box.run("sources", cwd=self.elsewhere)
        self.assertIn("as bob@dev", result.out)

    def test_what_is_sent_is_sent_by_it(self):
        mail = self.adr(to_agent="alice")
        self.config(f"[source one]\npath = {mail}\nidentity = ann\n")
        self.box.run("send", "--to", "alice", "--subject", "s", "--body", "b", cwd=self.elsewhere)
        sent = self.run_json("messages", "from:ann", cwd=self.elsewhere)
        self.assertEqual([one["subject"] for one in sent], ["s"])


class TimeZones(ConfigCase):
    """A source whose programs are in another time zone."""

    def setUp(self):
        super().setUp()
        zones = os.path.join(self.box.root, "zones", "Far")
        header = b"TZif2" + bytes(15) + struct.pack(">6L", 0, 0, 0, 0, 1, 4)
        block = header + bytes(6) + b"LMT\0"
        self.write(os.path.join(zones, "Away"), block * 2 + b"\n<+0530>-5:30\n")
        self.box.env["TZDIR"] = os.path.dirname(zones)
        self.mail = self.adr(to_agent="user", created_at="2026-01-03T14:30:00.123456",
                             expires_at="2999-01-01T00:00:00")
        self.config(f"[source far]\npath = {self.mail}\ntimezone = Far/Away\n")

    def stored(self, box, id):
        return json.loads(self.read(os.path.join(self.mail, box, "inbox", id + ".json")))

    def away(self):
        return datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=5, minutes=30)))

    def test_times_that_name_no_zone_are_read_in_that_of_the_source(self):
        one = self.run_one("messages", cwd=self.elsewhere)
        self.assertEqual((one["created_at"], one["expires_at"]),
                         ("2026-01-03T09:00:00.123456Z", "2998-12-31T18:30:00Z"))
        self.run_program("list", cwd=self.elsewhere)  # this writes a cache
        self.config(f"[source far]\npath = {self.mail}\n")
        one = self.run_one("messages", cwd=self.elsewhere)
        self.assertEqual(one["created_at"], "2026-01-03T14:30:00.123456Z")

    def test_times_are_written_in_that_of_the_source(self):
        before = self.away().replace(tzinfo=None, microsecond=0)
        sent = self.run_program("send", "--to", "user", "--as", "bob", "--subject", "s", "--expires",
                                "1h", cwd=self.elsewhere).out.strip()
        self.run_program("mark", "MSG-000000000001", "read", cwd=self.elsewhere)
        after = self.away().replace(tzinfo=None)
        fields = self.stored("user", sent)
        hour = datetime.timedelta(hours=1)
        for text, late in ((fields["created_at"], 0 * hour), (fields["expires_at"], hour),
                           (self.stored("user", "MSG-000000000001")["read_at"], 0 * hour)):
            self.assertTrue(before <= datetime.datetime.fromisoformat(text) - late <= after, text)

    def test_sources_say_it(self):
        one = self.run_one("sources", cwd=self.elsewhere)
        self.assertEqual((one["timezone"], one["problem"]), ("Far/Away", None))
        self.assertIn("times in Far/Away", self.run_program("sources", cwd=self.elsewhere).out)
        shown = self.run_program("config", "show", cwd=self.elsewhere).out
        self.assertIn("timezone = Far/Away", shown)

    def test_a_zone_that_is_none_is_a_mistake(self):
        for name in ("Far/Gone", "../zones/Far/Away", "/etc/passwd", "Far"):
            self.config(f"[source far]\npath = {self.mail}\ntimezone = {name}\n")
            result = self.run_program("config", "check", cwd=self.elsewhere, rc=USAGE)
            self.assertIn(":3:", result.out + result.err)
            self.assertIn(f'"{name}" is no time zone', result.out + result.err)


class Check(ConfigCase):
    def check(self, *args, rc):
        result = self.box.run("config", "check", *args)
        self.assertEqual(result.rc, rc, str(result))
        return result

    def test_without_a_config_everything_is_as_usual(self):
        self.assertEqual(self.check(rc=DONE).lines,
                         [f"{self.path}: there is no config, and everything is as usual"])
        self.assertEqual(self.check("--json", rc=DONE).out, "")

    def test_a_config_without_mistakes_makes_sense(self):
        self.config("[stuck]\nsilent = 20m\n[keys]\nquit = Q\n")
        self.assertEqual(self.check(rc=DONE).lines, [f"{self.path}: it makes sense"])

    def test_all_mistakes_are_told_one_a_line(self):
        self.config("[stuck]\nsilnt = 20m\n[notify]\nbell = is:(\n[keys]\nquitt = Q\nnothing\n")
        lines = self.check(rc=USAGE).lines
        self.assertEqual([line.split(": ")[0] for line in lines],
                         [f"{self.path}:{number}" for number in (2, 4, 6, 7)])
        self.assertIn('near: "silent"', lines[0])
        self.assertIn("character", lines[1])
        self.assertIn('no action is called "quitt"; near: "quit"', lines[2])
        mistakes = harness.parse_lines(self.check("--json", rc=USAGE).stdout)
        self.assertEqual([one["line"] for one in mistakes], [2, 4, 6, 7])
        self.assertEqual(list(mistakes[0]), ["v", "file", "line", "mistake"])

    def test_keys_that_clash_are_told_beside_other_mistakes(self):
        self.config("[stuck]\nsilnt = 20m\n[keys]\nreply = gg\nquitt = Q\nnext = Nonsense-x\n"
                    "forward = j\nhandoff = k\n")
        told = {one["line"]: one["mistake"] for one
                in harness.parse_lines(self.check("--json", rc=USAGE).stdout)}
        # the meaning of j is unknown while the line about next is wrong
        self.assertEqual(sorted(told), [2, 4, 5, 6, 8])
        self.assertIn("the key gg of reply is the key of first too", told[4])
        self.assertIn("the key k of handoff is the key of previous too", told[8])

    def test_a_config_that_cannot_be_read_is_a_failure_with_its_reason(self):
        self.adr()
        os.makedirs(self.path)
        for words in ("config check", "config show", "list"):
            result = self.run_program(*words.split(), cwd=self.project, rc=FAILED)
            self.assertIn(f"{self.path}: it cannot be read: Is a directory", result.err)
            self.assertEqual(result.out, "")

    def test_what_is_hostile_is_shown(self):
        self.config("[general]\nview = \x1b[31m\u202e\n")
        self.assertNotIn("\x1b", self.check(rc=USAGE).out)

    def test_every_command_that_opens_mailboxes_refuses_a_config_with_mistakes(self):
        self.adr()
        self.config("[stuck]\nsilnt = 20m\n[general]\nmouse = 1\n")
        for command in (("list",), ("messages",), ("sources",), ("outbox",), ("count", "alice"),
                        ("send", "--to", "alice", "--subject", "s", "--body", "b")):
            with self.subTest(command=command):
                result = self.box.run(*command, cwd=self.project)
                self.assertEqual(result.rc, USAGE, str(result))
                self.assert_says(result, f"{self.path}: line 2: ", "(1 more: swarmutt config check)")
        self.assertEqual(self.box.run("formats").rc, DONE)
        self.assertEqual(self.box.run("config", "show").rc, USAGE)

    def test_the_doctor_goes_on_and_tells_all_mistakes(self):
        self.adr()
        self.config("[stuck]\nsilnt = 20m\n[general]\nmouse = 1\n")
        found = harness.parse_lines(self.box.run("doctor", "--json", cwd=self.project).stdout)
        lines = [one["text"] for one in found if one["check"] == "config"]
        self.assertEqual(len(lines), 2, found)
        self.assertIn("line 4: general.mouse", lines[1])

    def test_the_doctor_tells_that_the_screens_are_not_confined_on_request(self):
        self.adr()
        self.config("[general]\nconfine = no\n")
        result = self.box.run("doctor", cwd=self.project)
        self.assertIn("the screens are not confined: the config says confine = no\n", result.out)

    def test_it_takes_one_of_two_words(self):
        for words in ((), ("chek",), ("check", "show")):
            self.assertEqual(self.box.run("config", *words).rc, USAGE)


class Show(ConfigCase):
    TEXT = ("general.mouse = yes\n[stuck]\nsilent = 20m ; a comment\n[theme]\nselected = reverse\n"
            "[keys]\ntagged =; Y\n[source one]\npath = adr:/srv/mail\nstuck.unread = 1h\n"
            "[template ask]\nfor = nudge\nbody = one\nbody = two\n")

    def show(self, **more):
        result = self.box.run("config", "show", **more)
        self.assertEqual(result.rc, DONE, str(result))
        return result

    def rows(self, **more):
        return {(one["section"], one["key"]): (one["value"], one["from"], one["line"])
                for one in self.run_json("config", "show", **more)}

    def test_every_value_is_shown_with_where_it_comes_from(self):
        self.config(self.TEXT)
        rows = self.rows(env={"EDITOR": "ed"})
        for key, row in {("general", "mouse"): ("yes", "config", 1),
                         ("general", "editor"): ("ed", "environment", None),
                         ("general", "identity"): (None, "usual", None),
                         ("stuck", "silent"): ("20m", "config", 3),
                         ("stuck", "unread"): ("10m", "usual", None),
                         ("theme", "selected"): ("reverse", "config", 5),
                         ("keys", "tagged"): ("; Y", "config", 7),
                         ("source one", "path"): ("adr:/srv/mail", "config", 9),
                         ("template ask", "body"): ("two", "config", 14)}.items():
            self.assertEqual(rows[key], row)

    def test_it_is_told_which_file_it_is(self):
        self.assertIn(f"# {self.path}: there is no config", self.show().lines[0])
        self.config(self.TEXT)
        self.assertEqual(self.show().lines[0], f"# {self.path}")

    def test_what_is_shown_is_a_config_that_means_the_same(self):
        self.config(self.TEXT)
        before = {key: row[0] for key, row in self.rows().items()}
        self.config(self.show().out)
        self.assertEqual({key: row[0] for key, row in self.rows().items()}, before)

    def test_the_config_is_never_touched(self):
        self.config(self.TEXT)
        before = self.box.snapshot(os.path.dirname(self.path))
        self.show()
        self.box.run("config", "check")
        self.assert_unchanged(before, os.path.dirname(self.path))


if __name__ == "__main__":
    harness.main()
