"""Whose mail it is: spellings of names, members and strangers, names of teams."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import NOTHING, REFUSED  # noqa: E402
from layouts import LayoutCase  # noqa: E402


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
