"""Owners of mail: spellings of names, members and strangers, names of teams."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import FAILED, NOTHING, REFUSED  # noqa: E402
from layouts import LayoutCase  # noqa: E402
from unprivileged import drop_privileges  # noqa: E402


class NameCase(LayoutCase):

    def send(self, to, *args, **more):
        return self.run_program("send", "--to", to, "--subject", "s", "--body", "b", *args,
                                cwd=self.project, **more)


class Spellings(NameCase):

    def test_who_is_spelled_otherwise_and_has_a_box_does_not_mark_anothers_mail(self):
        self.claude(boxes=[("team-lead", [self.entry(msg_id="one")]), ("TEAM-LEAD", [])])
        before = self.box.snapshot()
        self.run_program("mark", "--as", "TEAM-LEAD", "one", "read", cwd=self.project, rc=REFUSED)
        self.assert_unchanged(before)
        self.run_program("mark", "--as", "team-lead", "one", "read", cwd=self.project)

    def test_a_name_that_only_shares_a_box_is_told_whose_it_is(self):
        base = self.claude(boxes=[("my-bot", [])])
        before = self.box.snapshot()
        self.assert_says(self.send("my.bot", rc=REFUSED), '"my-bot"')
        self.assert_unchanged(before)
        self.send("my-bot")
        with open(os.path.join(base, "teams/dev/inboxes/my-bot.json")) as file:
            self.assertEqual(len(json.load(file)), 1)


class Alike(NameCase):
    """Claude: names that differ in case, or in dashes and underscores, are different agents."""

    def entries(self, name, team="dev"):
        path = os.path.join(self.box.home, ".claude/teams", team, "inboxes", name + ".json")
        with open(path) as file:
            return len(json.load(file))

    def boxes(self, team="dev"):
        return sorted(os.listdir(os.path.join(self.box.home, ".claude/teams", team, "inboxes")))

    def assert_refused(self, to, *near):
        before = self.box.snapshot()
        self.assert_says(self.send(to, rc=REFUSED), f'"{to.split("@")[0]}"',
                         *(f'"{name}"' for name in near))
        self.assert_unchanged(before)

    def test_a_name_that_is_nobodys_does_not_lead_into_the_inbox_of_one_that_is_alike(self):
        for members in ((), ("team-lead", "bob", "BOB", "data-eng", "a-b")):
            with self.subTest(members=members):
                self.claude(boxes=[(name, []) for name in ("bob", "BOB", "data-eng", "a-b")],
                            members=members)
                self.assert_refused("Bob", "bob", "BOB")
                self.assert_refused("data_eng", "data-eng")
                self.assert_refused("Data-Eng", "data-eng")
                self.assert_refused("a..b", "a-b")
                self.assert_refused("Bob@dev", "bob", "BOB")
                self.run_program("handoff", "--to", "Bob", "--subject", "s", "--done", "d", "--state",
                                 "s", cwd=self.project, rc=REFUSED)

    def test_one_that_is_alike_is_refused_also_where_it_is_the_only_one(self):
        self.claude(boxes=[("bob", [])], members=())
        self.assert_refused("Bob", "bob")
        self.assert_refused("BOB", "bob")
        self.send("bob")
        self.assertEqual(self.entries("bob"), 1)

    def test_an_exact_name_goes_to_its_own_inbox_also_when_that_has_to_be_made(self):
        self.claude(boxes=[("data-eng", []), ("bob", [])],
                    members=("team-lead", "data-eng", "data_eng", "bob", "Bob"))
        for name in ("data_eng", "Bob", "data-eng", "bob", "bob"):
            self.send(name)
        self.assertEqual(self.boxes(), [name + ".json" for name in ("Bob", "bob", "data-eng", "data_eng")])
        self.assertEqual([self.entries(name) for name in ("Bob", "bob", "data-eng", "data_eng")], [1, 2, 1, 1])

    def test_of_two_inboxes_that_are_like_a_members_name_none_is_taken(self):
        self.claude(boxes=[("bob", []), ("BOB", [])], members=("team-lead", "Bob"))
        self.send("Bob")
        self.assertEqual([self.entries(name) for name in ("Bob", "bob", "BOB")], [1, 0, 0])

    def test_mail_of_one_that_is_alike_is_not_ones_own(self):
        self.claude(boxes=[("bob", [self.entry("for bob", sender="ann", msg_id="one")])],
                    members=("team-lead", "bob", "ann"))
        before = self.box.snapshot()
        self.run_program("mark", "--as", "Bob", "one", "read", cwd=self.project, rc=REFUSED)
        self.assert_unchanged(before)
        self.run_program("check", "--as", "Bob", cwd=self.project, rc=NOTHING)
        self.assert_says(self.run_program("check", "Bob", cwd=self.project, rc=NOTHING), '"bob"')


class SeveralSources(NameCase):
    """The meaning of a name when several mailbox trees are open."""

    def setUp(self):
        super().setUp()
        self.claude(boxes=[("bob", [])])
        self.adr(to_agent="alice", from_agent="carol")

    def test_one_that_cannot_be_read_does_not_keep_mail_from_another(self):
        inboxes = os.path.join(self.box.home, ".claude/teams/dev/inboxes")
        roster = os.path.join(self.box.home, ".claude/teams/dev/config.json")
        os.chmod(inboxes, 0)
        self.addCleanup(os.chmod, inboxes, 0o700)
        drop_privileges(self.box)
        self.assert_says(self.send("alice"), '"alice"', "dev/inboxes", "cannot be read")
        self.assertIn("cannot be read", self.send("nobody", rc=FAILED).err)
        os.chmod(inboxes, 0o700)
        self.write(roster, "{")
        self.assert_says(self.send("alice"), "dev/config.json", "cannot be read")
        self.assertEqual(len(self.ids("--box", "alice", "-S", os.path.join(self.project, "workspace"))), 3)

    def test_a_tree_that_was_found_and_cannot_be_opened_keeps_nobody_from_the_others(self):
        for closed, open_one, missing in ((os.path.join(self.project, "workspace/mailboxes"), "bob", "alice"),
                                          (os.path.join(self.box.home, ".claude"), "alice", "bob")):
            with self.subTest(closed=closed):
                os.chmod(closed, 0)
                self.addCleanup(os.chmod, closed, 0o700)
                drop_privileges(self.box)
                self.assertRegex(self.send(open_one).err, closed + ".*: it cannot be read: Permission denied")
                self.assertRegex(self.send(missing, rc=FAILED).err,
                                 f'as far as it could be read: "{missing}" has no mailbox')
                os.chmod(closed, 0o700)

    def test_what_cannot_be_read_is_named_once_by_its_whole_path(self):
        for closed, open_one in ((os.path.join(self.project, "workspace/mailboxes"), "bob"),
                                 (os.path.join(self.box.home, ".claude/teams/dev"), "alice")):
            with self.subTest(closed=closed):
                os.chmod(closed, 0)
                self.addCleanup(os.chmod, closed, 0o700)
                drop_privileges(self.box)
                lines = [line for line in self.send(open_one).err.splitlines()
                         if "names are missing" not in line]
                self.assertEqual(lines, [f"swarmutt: {closed}: it cannot be read: Permission denied"])
                os.chmod(closed, 0o700)

    def test_the_names_that_are_near_are_those_of_all_sources(self):
        self.claude(team="ops", boxes=[("bobby", [])])
        self.openclaw(members=("bobo",))
        self.assert_says(self.send("bobb", rc=REFUSED), '"bob"', '"bobby"', '"bobo"')
        self.assert_says(self.send("alcie", rc=REFUSED), 'near: "alice"')
        self.assert_says(self.send("caroll", rc=REFUSED), 'near: "carol"')
        self.assert_says(self.send("bob@dve", rc=REFUSED), 'near: "bob@dev"')
        self.assert_says(self.run_program("check", "bobyb", cwd=self.project, rc=NOTHING), '"bobby"')
        self.assert_says(self.run_program("check", "bobo", cwd=self.project, rc=NOTHING))
        self.assertNotIn("near", self.run_program("check", "bobo", cwd=self.project, rc=NOTHING).err)

    def test_a_layout_without_swarms_has_none_that_is_near(self):
        roo = self.roo(os.path.join(self.box.root, "roo"), code="x")
        self.write(os.path.join(roo, ".roomodes"), "customModes:\n  - slug: code\n    name: c\n")
        result = self.run_program("-S", f"roo:{roo}", "broadcast", "--swarm", "s", "--subject", "s",
                                  "--body", "b", rc=REFUSED)
        self.assert_says(result, "the layout Roo mailbox has no swarms")
        self.assertNotIn("near", result.err)

    def test_the_swarms_that_are_near_are_those_of_all_sources(self):
        self.write(os.path.join(self.project, "swarms", "night", "agents", "critic.md"), "x")
        for typed, near in (("nihgt", "night"), ("dve", "dev")):
            result = self.run_program("broadcast", "--swarm", typed, "--subject", "s", "--body", "b",
                                      cwd=self.project, rc=REFUSED)
            self.assert_says(result, f'"{typed}"', f'near: "{near}"')

    def test_a_broadcast_names_what_could_not_be_read(self):
        base = os.path.join(self.box.root, "other")
        self.claude(base=base, team="ops", boxes=[("ann", [])])
        self.write(os.path.join(base, "teams/ops/config.json"), "{")
        words = ("-S", os.path.join(self.box.home, ".claude"), "-S", base, "--subject", "s", "--body", "b")
        before = self.box.snapshot()
        result = self.run_program("broadcast", "--swarm", "ops", *words, cwd=self.project, rc=FAILED)
        self.assert_says(result, "ops/config.json", "cannot be read")
        self.assert_unchanged(before)
        result = self.run_program("broadcast", "--all", *words, cwd=self.project)
        self.assert_says(result, "not all members are known", "ops/config.json", "cannot be read")
        self.assertEqual(self.run_program("broadcast", "--swarm", "dev", *words, cwd=self.project).err, "")

    def test_a_name_that_several_teams_of_one_have_is_not_taken_for_another_ones(self):
        self.claude(team="ops", boxes=[("bob", [])])
        self.assert_says(self.send("bob", rc=REFUSED), "bob@dev", "bob@ops")
        self.adr(to_agent="bob", id="MSG-000000000002")
        before = self.box.snapshot()
        self.assert_says(self.send("bob", rc=REFUSED), "2 sources")
        self.assert_unchanged(before)


class Rosterless(NameCase):
    """OpenClaw: a team whose config.json is missing."""

    def setUp(self):
        super().setUp()
        base = self.openclaw(messages=[self.claw(1), self.claw(2, to="tm1", **{"from": "lead"})])
        self.roster = os.path.join(base, "teams/web/config.json")
        os.unlink(self.roster)

    def test_its_mail_is_read(self):
        self.assertEqual(len(self.run_json("check", "tm1@web", cwd=self.project)), 1)
        self.assertEqual(len(self.run_json("check", "lead@web", cwd=self.project)), 1)
        self.assert_says(self.run_program("check", "tm1@nix", cwd=self.project, rc=REFUSED),
                         'no team "nix"')

    def test_whoever_writes_there_is_warned_what_is_missing_and_what_follows(self):
        for to in ("tm1", "tm1@web", "lead"):
            self.assert_says(self.send(to), "web/config.json is missing", "does not load the team")
        self.assertNotIn("is new", self.send("tm1").err)

    def test_who_never_wrote_cannot_be_known_there(self):
        for to in ("tm2", "tm2@web"):
            self.assert_says(self.send(to, rc=REFUSED), '"tm2"', "web/config.json is missing",
                             "its members are unknown", 'near: "tm1"', "--create")
        self.send("tm2", "--create")

    def test_whoever_writes_in_several_such_teams_is_not_taken_for_one_of_them(self):
        self.openclaw(team="api", messages=[self.claw(3, to="tm1", teamId="api")])
        os.unlink(os.path.join(os.path.dirname(os.path.dirname(self.roster)), "api/config.json"))
        for args in ((), ("--create",), ("--as", "tm9")):
            self.assert_says(self.send("tm1", *args, rc=REFUSED), "in several teams",
                             "tm1@api, tm1@web")
        self.assertNotIn("is new", self.send("tm1@api").err)
        self.send("tm1", "--as", "lead@web")

    def test_beside_other_sources_the_errors_are_the_same(self):
        self.claude(team="wbe", boxes=[("bob", [])])
        self.assert_says(self.send("tm2@web", rc=REFUSED), "web/config.json is missing", 'near: "tm1"')
        self.assert_says(self.send("bobb", rc=REFUSED), 'near: "bob"')
        words = ("--subject", "s", "--body", "b")
        before = self.box.snapshot()
        result = self.run_program("broadcast", "--swarm", "web", *words, cwd=self.project, rc=REFUSED)
        self.assert_says(result, self.roster + " is missing")
        self.assert_unchanged(before)
        result = self.run_program("broadcast", "--all", *words, cwd=self.project)
        self.assert_says(result, "not all members are known", self.roster + " is missing")
        self.assertEqual(self.run_program("broadcast", "--swarm", "wbe", *words, cwd=self.project).err, "")

    def test_a_broadcast_says_what_is_missing(self):
        for args in (("--all",), ("--swarm", "web")):
            result = self.run_program("broadcast", *args, "--subject", "s", "--body", "b",
                                      cwd=self.project, rc=REFUSED)
            self.assert_says(result, self.roster + " is missing")

    def test_the_doctor_names_it(self):
        found = [one for one in self.run_json("doctor", cwd=self.project)
                 if one.get("check") == "roster"]
        self.assertEqual([(one["path"], one["severity"]) for one in found], [("web/config.json", "remark")])
        self.assertIn("is missing", found[0]["text"])


class Members(LayoutCase):

    def test_what_is_for_all_is_for_members_only(self):
        self.openclaw(messages=[self.claw(1, to="all", **{"from": "lead"})])
        self.run_program("check", "zzz", cwd=self.project, rc=NOTHING)
        for member in ("tm1", "tm2"):
            self.assertEqual(self.run_one("check", member, cwd=self.project)["to"], "all")


    def test_a_member_marks_its_own_mail_and_what_is_for_all(self):
        lead = {"from": "lead"}
        self.openclaw(messages=[self.claw(1, to="tm1", **lead), self.claw(2, to="all", **lead)])
        other = self.run_program("mark", "--all", "tm1", "read", cwd=self.project, rc=REFUSED)
        self.assertEqual(len(other.err.splitlines()), 1, str(other))
        own = self.run_program("--as", "tm1", "mark", "--all", "tm1", "read",
                               cwd=self.project)
        self.assertEqual(len(own.lines), 2, str(own))


class TwoNames(NameCase):
    """ADR-003: with and without its swarm an agent has a mailbox each, and its program reads one of
    them."""

    def setUp(self):
        super().setUp()
        for swarm, name in (("dev", "critic"), ("dev", "tester"), ("ops", "tester")):
            self.write(os.path.join(self.project, "swarms", swarm, "agents", name + ".md"), "x")
        self.adr(to_agent="user")

    def test_a_second_mailbox_of_one_agent_is_told(self):
        self.assertEqual(self.send("dev/critic").err, "")
        self.assertEqual(self.send("dev/critic").err, "")
        self.assert_says(self.send("critic"), '"dev/critic"', "second mailbox")
        self.assertEqual(self.send("critic").err, "")
        self.send("tester")
        self.assert_says(self.send("ops/tester"), '"tester"', "second mailbox")

    def test_what_waits_under_the_other_name_is_told(self):
        for to in ("dev/critic", "dev/critic", "critic"):
            self.send(to)
        for name, other, text in (("critic", "dev/critic", "2 unread messages are"),
                                  ("dev/critic", "critic", "1 unread message is")):
            result = self.run_program("check", name, cwd=self.project)
            self.assert_says(result, f'{text} for "{other}"')
            found = self.run_json("check", name, cwd=self.project)
            self.assertEqual({one["to"] for one in found}, {name})
            self.run_program("mark", "--as", name, "--all", other, "completed", cwd=self.project)
            self.assertNotIn(other, self.run_program("check", name, cwd=self.project).err.split())
            self.send(other)

    def test_who_is_one_of_them_gets_both(self):
        for to in ("dev/critic", "critic", "ops/critic"):
            self.send(to, "--create")
        found = self.run_json("--as", "dev/critic", "check", cwd=self.project)
        self.assertEqual({one["to"] for one in found}, {"dev/critic", "critic"})


class Myself(LayoutCase):
    """check without a name."""

    def test_without_a_name_it_is_for_who_we_are_in_each_source(self):
        self.claude(boxes=[("team-lead", [self.entry("for the lead")]),
                           ("bob", [self.entry("for bob", sender="team-lead")])])
        self.openclaw(messages=[self.claw(1, to="lead"), self.claw(2, to="tm2")])
        self.inbox(messages=(1,))
        self.inbox(box="workers", messages=(1,))
        self.roo(orchestrator="for the orchestrator", tester="for the tester")
        self.adr(to_agent="user")
        self.adr(to_agent="critic", id="MSG-000000000009")
        found = self.run_json("check", cwd=self.project)
        self.assertEqual({one["to"] for one in found},
                         {"team-lead", "lead", "coordinator", "orchestrator", "user"})
        self.assertEqual(len(found), 5)
        mine = self.run_program("check", cwd=self.project)
        self.assertEqual((len(mine.lines), mine.err), (5, ""))

    def test_as_somebody_it_is_for_them(self):
        self.claude(boxes=[("team-lead", [self.entry("for the lead")]),
                           ("bob", [self.entry("for bob", sender="team-lead")])])
        for more in (("--as", "bob"), ("--as", "bob@dev")):
            self.assertEqual(self.run_one("check", *more, cwd=self.project)["body"], "for bob")
            self.assertEqual(self.run_program("check", *more, "--format", "prompt",
                                              "--min-priority", "low", cwd=self.project).rc, 0)

    def test_nothing_is_said_of_oneself(self):
        self.claude(boxes=[("bob", [self.entry("for bob", sender="team-lead")])])
        result = self.run_program("check", cwd=self.project, rc=NOTHING)
        self.assert_says(result, "nothing waits for you")


class SeveralTeams(LayoutCase):
    """The lead of several teams reads the mail of all of them."""

    def setUp(self):
        super().setUp()
        for team in ("web-migration", "analysis"):
            self.claude(team=team, boxes=[
                ("team-lead", [self.entry(f"from {team}", msg_id=f"lead-{team}")]),
                ("bob", [self.entry(f"to bob of {team}", sender="team-lead")])])
        for number, team in enumerate(("web", "api")):
            self.openclaw(team=team, messages=[
                self.claw(number, teamId=team), self.claw(number + 5, to="all", teamId=team),
                self.claw(number + 2, to="tm2", teamId=team)])

    def check(self, *args, rc=harness.DONE):
        return sorted((one["path"].split("/teams/")[1].split("/")[0], one["to"])
                      for one in self.run_json("check", *args, cwd=self.project, rc=rc))

    def test_without_a_name_the_mail_of_all_teams_is_shown(self):
        wanted = [("analysis", "team-lead"), ("api", "all"), ("api", "lead"), ("web", "all"),
                  ("web", "lead"), ("web-migration", "team-lead")]
        self.assertEqual(self.check(), wanted)
        self.assertEqual(self.run_program("check", cwd=self.project).err, "")

    def test_a_name_means_the_agent_in_every_team_that_has_it(self):
        self.assertEqual(self.check("team-lead"),
                         [("analysis", "team-lead"), ("web-migration", "team-lead")])
        self.assertEqual(self.check("lead"),
                         [("api", "all"), ("api", "lead"), ("web", "all"), ("web", "lead")])
        self.assertEqual(self.check("bob@analysis"), [("analysis", "bob")])
        self.assertEqual(self.check("--as", "team-lead@analysis"), [("analysis", "team-lead")])
        total = self.run_one("count", "team-lead", cwd=self.project)["total"]
        self.assertEqual(total, 2)
        self.assertEqual(len(self.ids("--box", "team-lead")), 2)

    def test_each_source_by_itself_shows_all_of_its_teams(self):
        for name, wanted in ((".claude", 2), (".openclaw/teams", 4)):
            source = os.path.join(self.box.home, name)
            self.assertEqual(len(self.check("--source", source)), wanted, name)

    def test_ones_mail_of_all_teams_is_marked_at_once(self):
        self.run_program("mark", "--all", "team-lead", "read", cwd=self.project)
        self.assertEqual(self.check("team-lead", rc=NOTHING), [])

    def test_a_team_that_cannot_be_read_is_named_beside_the_mail_of_the_others(self):
        inboxes = os.path.join(self.box.home, ".claude/teams/analysis/inboxes")
        os.rename(inboxes, inboxes + ".away")
        os.symlink(inboxes + ".away", inboxes)
        for args in ((), ("team-lead",)):
            result = self.box.run("check", *args, "--source", os.path.join(self.box.home, ".claude"))
            self.assertEqual(result.rc, harness.DONE, str(result))
            self.assertEqual(len(result.lines), 1, str(result))
            self.assertIn("analysis/inboxes: it cannot be read", result.err)


class Mistyped(LayoutCase):
    """--as with an unknown name."""

    def setUp(self):
        super().setUp()
        self.claude(boxes=[("team-lead", [self.entry("for the lead")]), ("bob", [])])
        self.write(os.path.join(self.project, "swarms", "dev", "agents", "critic.md"), "x")
        self.adr(to_agent="user", from_agent="boris")

    def said(self, name, *args):
        return self.box.run("--as", name, *(args or ("messages",)), cwd=self.project).err

    def test_a_name_that_is_near_another_is_told_and_kept(self):
        for name, near in (("tema-lead", "team-lead"), ("bbo", "bob"), ("critc", "critic"),
                           ("dev/critc", "dev/critic"), ("bob@dve", "bob@dev"), ("usr", "user")):
            self.assertEqual(self.said(name).splitlines()[0].split("; ")[:2],
                             [f'swarmutt: nobody is called "{name}" here', f'near: "{near}"'])
        self.assertIn('going on as "bbo"', self.said("bbo", "check"))
        sent = self.run_program("--as", "bbo", "send", "--to", "team-lead", "--subject", "s",
                                "--body", "b", cwd=self.project)
        found = [one for one in self.run_json("messages", cwd=self.project)
                 if one["id"] == sent.out.strip()]
        self.assertEqual(found[0]["from"], "bbo")
        self.assertEqual(self.said("bbo"), "")  # an author of mail is known

    def test_who_is_known_or_new_is_told_nothing(self):
        for name in ("bob", "bob@dev", "team-lead", "user", "critic", "dev/critic", "coordinator",
                     "boris", "somebody-else", "coo", "x"):
            self.assertNotIn("nobody is called", self.said(name), name)

    def test_the_screens_say_it_too(self):
        result = self.box.run("--plain", "--as", "tema-lead", cwd=self.project, input="quit\n")
        self.assertIn('nobody is called "tema-lead" here; near: "team-lead"',
                      result.out + result.err)


class KnownNames(LayoutCase):
    """Names that the programs of ADR-003 use, though no roster has them."""

    def setUp(self):
        super().setUp()
        self.mail = self.adr(to_agent="architect")
        self.write(os.path.join(self.project, "swarms", "dev", "agents", "architect.md"), "x")

    def test_mail_for_coo_and_system_needs_no_mailbox_there(self):
        for name in ("coo", "system", "user"):
            result = self.run_program("send", "--to", name, "--subject", "s", "--body", "b",
                                      "--as", "architect", cwd=self.project)
            self.assertNotIn(name, result.err)
            self.assertEqual(len(os.listdir(os.path.join(self.mail, name, "inbox"))), 1)
        result = self.run_program("send", "--to", "ceo", "--subject", "s", cwd=self.project,
                                  rc=harness.REFUSED)
        self.assert_says(result, "ceo", "near", "coo")
        self.assertEqual([one for one in self.run_json("doctor", cwd=self.project)
                          if "phantom" in str(one)], [])

    def test_a_request_of_coo_or_system_has_no_odd_sender(self):
        for number, name in enumerate(("coo", "system", "cooo"), 2):
            self.adr(id=f"MSG-{number:012x}", to_agent="user", from_agent=name, type="handoff")
        flags = {one["from"]: one["flags"]
                 for one in self.run_json("pending", cwd=self.project)}
        self.assertIn("sender: on the roster", flags["coo"])
        self.assertIn("sender: on the roster", flags["system"])
        self.assertIn("sender: not on the roster", flags["cooo"])
        lines = self.run_program("pending", cwd=self.project).lines
        self.assertEqual([("odd sender" in line) for line in lines if "coo " in line or
                          "system" in line], [False, False])

    def test_a_name_that_two_sources_use_has_to_be_told_apart(self):
        other = self.adr(base=os.path.join(self.box.root, "other"), to_agent="architect")
        both = ("-S", f"adr:{self.mail}", "-S", f"adr:{other}", "send", "--to", "coo", "--subject",
                "s")
        self.assert_says(self.run_program(*both, rc=harness.REFUSED), "known in 2 sources")
        os.makedirs(os.path.join(other, "coo", "inbox"))
        self.run_program(*both)  # only one of them has such a mailbox
        self.assertEqual(len(os.listdir(os.path.join(other, "coo", "inbox"))), 1)


class Teams(NameCase):

    def test_no_team_is_called_like_a_way_through_directories(self):
        self.claude(boxes=[("bob", [])])
        before = self.box.snapshot()
        for team in ("..", ".", "a/b"):
            for more in ((), ("--create",)):
                self.assert_says(self.send(f"x@{team}", *more, rc=REFUSED), f'"{team}"')
        self.assert_unchanged(before)

    def test_the_directory_of_a_new_team_has_a_plain_name(self):
        base = self.claude(boxes=[("bob", [])])
        self.send("x@My Team.v2", "--create")
        self.assertEqual(sorted(os.listdir(os.path.join(base, "teams"))), ["My-Team-v2", "dev"])
        self.assertEqual(os.listdir(os.path.join(base, "teams/My-Team-v2/inboxes")), ["x.json"])


if __name__ == "__main__":
    harness.main()
