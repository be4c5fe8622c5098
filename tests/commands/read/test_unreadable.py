#!/usr/bin/env python3
"""Unreadable mail: no command reports that there is none."""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness
import layouts
from following import Follower
from harness import DONE, FAILED, NOTHING, message
from unprivileged import drop_privileges

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "faults"))
import preload

# Every command that searches the mailboxes.
FINDING = ("list", "messages", "messages --all", "check", "pending", "pending --all", "count",
           "count --format json", "count --format tmux", "search word", "search from:bob", "handoffs",
           "flow", "wait subject:word --timeout 0s")
# Their words when they find nothing.
ALL_CLEAR = ("nothing waits", "nobody waits", "no messages", "no message has", "there is no mail",
             "nothing was handed", "no agents here", "nothing matches")


def make_file(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)
    with open(path, "w") as file:
        file.write("something else")


def make_link(path):
    os.rename(path, path + ".elsewhere")
    os.symlink(path + ".elsewhere", path)


class Inboxes(layouts.LayoutCase):
    """The only inbox cannot be read."""

    def make(self, layout):
        """Returns the file or directory of the mail, and an agent that is known without it, or None."""
        home, project = self.box.home, self.project
        if layout == "adr":
            self.adr(to_agent="user")
            return os.path.join(project, "workspace/mailboxes/user/inbox"), None
        if layout == "inbox":
            self.inbox(messages=(1,))
            return os.path.join(project, "scheduler/inboxes/coordinator"), None
        if layout == "claude":
            self.claude(boxes=[("team-lead", [self.entry()])])
            return os.path.join(home, ".claude/teams/dev/inboxes"), "bob"
        if layout == "openclaw":
            self.openclaw(messages=[self.claw(1)])
            return os.path.join(home, ".openclaw/teams/web/mailbox"), "tm1"
        self.roo(orchestrator="a text")
        return os.path.join(project, ".roo/mailbox"), None

    def renew(self):
        self.doCleanups()
        self.setUp()

    def run_here(self, words, **more):
        return self.box.run(*words.split(), cwd=self.project, **more)

    def assert_no_all_clear(self, place, agent, reason, commands=FINDING, **more):
        for words in commands:
            result = self.run_here(words, **more)
            self.assertEqual(result.rc, FAILED, f"{words}: {result}")
            self.assertIn(os.path.basename(place), result.err, words)
            self.assertIn(reason, result.err, words)
            for sentence in ALL_CLEAR:
                self.assertNotIn(sentence, result.err, words)
        count = self.run_here("count --format json", **more)
        self.assertEqual(harness.parse_lines(count.stdout)[0]["unreadable"], 1)
        self.assertEqual(self.run_here("count --format tmux", **more).out, "?\n")
        self.assertIn("unreadable 1", self.run_here("count", **more).out)
        agents = self.run_here("agents --json", **more)
        self.assertIn(reason, agents.err)
        if agent:
            self.assertEqual(agents.rc, DONE, str(agents))
            states = {one["agent"]: one for one in harness.parse_lines(agents.stdout)}
            self.assertEqual(states[agent]["state"], "UNKNOWN")
            self.assertIn("its mailbox cannot be read: " + reason, states[agent]["why"])

    def check_all(self, spoil, reason, *more_layouts):
        for layout in ("adr", "claude", "openclaw", "roo", *more_layouts):
            with self.subTest(layout):
                self.renew()
                place, agent = self.make(layout)
                drop_privileges(self.box)
                spoil(place)
                self.assert_no_all_clear(place, agent, reason)

    def test_an_inbox_of_mode_000_is_no_all_clear(self):
        def close(place):
            os.chmod(place, 0)
            self.addCleanup(os.chmod, place, 0o700)
        self.check_all(close, "Permission denied", "inbox")

    def test_a_link_in_the_place_of_an_inbox_is_no_all_clear(self):
        self.check_all(make_link, "it is a symbolic link, which is not followed")

    def test_a_file_in_the_place_of_an_inbox_is_no_all_clear(self):
        self.check_all(make_file, "it should be a directory, and is none")

    def test_an_inbox_on_a_failing_disk_is_no_all_clear(self):
        for layout in ("adr", "claude", "openclaw", "roo", "inbox"):
            for call in ("list", "open"):  # the directory, or the files in it
                with self.subTest(layout=layout, call=call):
                    self.renew()
                    place, agent = self.make(layout)
                    faults = preload.Preload(self.box, (place,))
                    env = faults.env_for(preload.Fault(call, 1, "EIO", sticky=True))
                    # lists show a damaged message in place of a file
                    commands = [words for words in FINDING if call == "list" or
                                words.split()[0] not in ("list", "messages")]
                    self.assert_no_all_clear(place, agent if call == "list" else None,
                                             "Input/output error", commands, env=env)

    def test_a_claude_inbox_file_of_mode_000_is_no_all_clear(self):
        place, _ = self.make("claude")
        drop_privileges(self.box)
        os.chmod(os.path.join(place, "team-lead.json"), 0)
        for words in FINDING:
            result = self.run_here(words)
            self.assertEqual(result.rc, FAILED, f"{words}: {result}")
            self.assertIn("team-lead.json: it cannot be read", result.err)

    def test_what_is_found_elsewhere_is_shown_with_the_reason(self):
        place, _ = self.make("claude")
        self.adr(to_agent="user", subject="word", type="request")
        make_file(place)
        for words in FINDING[:-1]:
            if words == "handoffs":
                continue
            result = self.run_here(words)
            self.assertEqual(result.rc, DONE, f"{words}: {result}")
            self.assertIn(place + ": it cannot be read", result.err, words)
            self.assertTrue(result.out, words)
        self.assertRegex(self.run_here("count --format tmux").out, r"\A.*1 new.* \?\n\Z")

    def test_what_others_cannot_read_is_no_news_about_ones_own_mail(self):
        self.adr(to_agent="user", status="completed")
        self.adr(to_agent="bob", id="MSG-000000000002")
        make_link(os.path.join(self.project, "workspace/mailboxes/bob/inbox"))
        for words in ("pending", "check"):
            result = self.run_here(words)
            self.assertEqual(result.rc, NOTHING, str(result))
            self.assertIn("nothing waits for you", result.err)
        self.assertEqual(self.run_here("check bob").rc, FAILED)
        (bob,) = harness.parse_lines(self.run_here("agents bob --json").stdout)
        self.assertEqual(bob["state"], "UNKNOWN")

    def test_nothing_unreadable_is_counted_as_zero(self):
        self.make("adr")
        self.assertEqual(self.run_one("count", cwd=self.project)["unreadable"], 0)
        self.assertNotIn("unreadable", self.run_here("count").out)


class Watching(harness.MailboxCase):

    def follow(self, *options):
        follower = Follower(self.box, *options)
        self.addCleanup(follower.close)
        return follower

    def test_a_directory_that_becomes_unreadable_is_reported_gone_once(self):
        for options in ((), ("--poll",)):
            with self.subTest(options):
                self.box = harness.Mailbox()
                self.addCleanup(self.box.close)
                self.box.env["SWARMUTT_NOW"] = "2026-01-03T14:30:30Z"
                for number in range(3):
                    self.box.put("alice", message(f"MSG-{number:012x}", type="notification"))
                drop_privileges(self.box)
                follower = self.follow(*options)
                follower.wait_for(lambda: len(follower.present) == 3)
                os.chmod(self.box.dir("alice"), 0)
                self.addCleanup(os.chmod, self.box.dir("alice"), 0o700)
                follower.wait_for(lambda: follower.counts.get("gone", 0) >= 3, 20)
                self.assertEqual(follower.counts, {"new": 4, "gone": 3}, follower.events[3:])
                (left,) = follower.present.values()
                self.assertEqual(left["path"], self.box.dir("alice"))
                self.assertIn("ermission denied", left["damaged"])
                # a message elsewhere proves that nothing else was reported before it
                bob = self.box.dir("bob")
                self.box.put("bob", message("MSG-00000000000b", to_agent="bob", type="notification"))
                self.assertTrue(follower.wait_for(lambda: follower.counts["new"] == 5), bob)
                os.chmod(self.box.dir("alice"), 0o700)
                self.assertTrue(follower.wait_for(lambda: len(follower.present) == 4), follower.present)
                self.assertEqual(follower.counts, {"new": 8, "gone": 4}, follower.events[3:])


if __name__ == "__main__":
    harness.main()
