"""Recognizing directories: bare paths, projects with several layouts, rosters elsewhere."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from layouts import LayoutCase  # noqa: E402


class Paths(LayoutCase):

    def found_at(self, *names):
        return self.found("-S", os.path.join(self.box.root, *names))

    def test_the_part_of_a_tree_that_tells_it_leads_to_its_root(self):
        claude = self.claude(os.path.join(self.box.root, "claude"), boxes=[("bob", [])])
        roo = self.roo(os.path.join(self.box.root, "roo"), code="a text")
        self.assertEqual(self.found_at("claude", "teams"), [("claude", claude)])
        self.assertEqual(self.found_at("roo", ".roo"), [("roo", roo)])

    def test_a_project_opens_the_mailboxes_of_all_layouts_in_it(self):
        mail, inboxes, roo = self.adr(), self.inbox(messages=[0]), self.roo(code="a text")
        self.assertEqual(sorted(self.found("-S", self.project)),
                         [("adr", mail), ("inbox", inboxes), ("roo", roo)])
        self.assertEqual(len(self.ids("-S", self.project)), 3)

    def test_an_archive_in_the_directory_of_a_team_makes_no_inboxes_of_it(self):
        base = self.claude(boxes=[("bob", [])])
        team = os.path.join(base, "teams", "dev")
        os.makedirs(os.path.join(team, "inboxes", "archive"))
        for path in (team, os.path.join(team, "inboxes")):
            result = self.box.run("-S", path, "sources", "--json", cwd=self.project)
            self.assertNotIn('"inbox"', result.out, str(result))

    def test_inboxes_are_told_by_their_usual_place(self):
        inboxes = self.inbox(messages=[0])
        self.assertEqual(self.found("-S", inboxes), [("inbox", inboxes)])


class RosterElsewhere(LayoutCase):
    """Settings that name another directory, which has only the registry."""

    def setUp(self):
        super().setUp()
        self.elsewhere = elsewhere = os.path.join(self.box.root, "elsewhere")
        self.openclaw(members=("tm1", "tm2"))
        self.teams = os.path.join(self.box.home, ".openclaw", "teams")
        os.rename(self.teams, elsewhere)
        os.rmdir(os.path.join(elsewhere, "web", "mailbox"))
        os.makedirs(self.teams)
        self.write(os.path.join(self.box.home, ".openclaw", "openclaw.json"), {
            "gateway": {"teams": {"storage": {"basePath": elsewhere, "mailboxTTLHours": 2}}}})

    def mailed(self):
        return sorted(os.listdir(os.path.join(self.teams, "web", "mailbox")))

    def test_it_is_one_source(self):
        self.assertEqual(self.found(), [("openclaw", self.teams)])

    def test_mail_goes_where_the_members_look(self):
        sent = self.run_program("send", "--to", "tm1", "--subject", "s", "--body", "b",
                                cwd=self.project).out.strip()
        self.assertEqual(self.mailed(), [sent + ".json"])
        self.run_program("broadcast", "--swarm", "web", "--subject", "s", "--body", "b",
                         cwd=self.project)
        self.assertEqual(len(self.mailed()), 2)

    def test_messages_last_as_long_as_the_settings_say_in_both_places(self):
        for place, teams in enumerate((self.teams, self.elsewhere)):
            for number, hours in ((2 * place, 1), (2 * place + 1, 3)):
                one = self.claw(number, to="tm1", hours=hours, read=True)
                self.write(os.path.join(teams, "web", "mailbox", one["messageId"] + ".json"), one)
        lasting = [one["id"] for one in self.run_json("messages", "not is:expired", cwd=self.project)]
        self.assertEqual(sorted(lasting), [self.claw(number)["messageId"] for number in (0, 2)])


if __name__ == "__main__":
    harness.main()
