"""Hostile trees: whatever is in a mailbox, no command follows it out, waits for it or crashes, and
each odd file is reported with its reason. SWARMUTT_SOAK=1 takes every kind everywhere."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "faults"), HERE]
sys.dont_write_bytecode = True

import every_command  # noqa: E402
import harness  # noqa: E402
from odd_case import AGENTS, SOAK, TreeCase, each_layout  # noqa: E402
from odd_trees import LOCKS, TARGETS, WORDS, make_odd, put_aside  # noqa: E402
from payloads import FILL  # noqa: E402
from tmux import Tmux  # noqa: E402


class Everything(TreeCase):
    """All odd things at once."""

    def assert_told(self):
        told = {one["path"]: one["text"] for one in harness.parse_lines(
            self.try_run("doctor", "--json").stdout) if one.get("path")}
        for path, word in self.tree.listed.items():
            texts = [text for end, text in told.items() if os.fsdecode(path).endswith("/" + end)]
            self.assertTrue(any(word in text for text in texts), (path, texts))

    @each_layout
    def test_every_command_ends_and_leads_nowhere(self, layout):
        self.make(layout)
        odd = [os.fsdecode(path) for path in self.tree.odd]
        for words in every_command.reading(odd if SOAK else odd[:2] + odd[-2:],
                                           [AGENTS[layout], "box-linkdir"]):
            self.try_run(*words)
        self.assert_told()
        self.assertEqual(every_command.serve(self.box, self.project, AGENTS[layout], [])[0].rc, 0)
        for words in every_command.writing(layout, self.box, self.project):
            self.try_run(*words)
        self.assertIsNone(self.outside.problem())
        self.assert_there()
        self.assert_told()

    @each_layout
    def test_what_is_odd_is_neither_changed_nor_put_away(self, layout):
        self.make(layout)
        for path in self.tree.odd if SOAK else self.tree.odd[:len(WORDS)]:
            for words in (("mark", path, "read"), ("archive", path), ("reply", path, "--body", "b"),
                          ("restore", path), ("decide", path, "accept", "--expect", "0" * 64)):
                self.assertNotEqual(self.try_run(*words).rc, harness.DONE, words)  # rosters are not messages
        self.assert_there()

    def test_no_command_was_forgotten(self):
        self.assertEqual(every_command.missing(), set(), "tests/hostile/every_command.py: a line for each")


class Beside(TreeCase):
    """Something odd next to other agents' mail."""

    def test_the_roster_of_another_team_that_cannot_be_read_stops_no_broadcast(self):
        self.claude(boxes=[("bob", [])])
        other = os.path.join(self.claude(team="other"), "teams", "other", "config.json")
        os.unlink(other)
        os.symlink("nowhere", other)
        words = ("--subject", "s", "--body", "b", "--no-verify")
        self.run_program("broadcast", "--swarm", "dev", *words, cwd=self.project)
        self.run_program("broadcast", "--swarm", "dev", "--exclude", "team-lead", *words, cwd=self.project)
        self.run_program("rules", "dev", "--tool", "Bash", "--directory", "/src", "--behavior", "deny",
                         "--no-verify", cwd=self.project)
        result = self.run_program("broadcast", "--swarm", "dev", "--exclude", "nobody", *words,
                                  cwd=self.project, rc=harness.FAILED)
        self.assert_says(result, "teams/other/config.json", "names are missing")

    def test_a_box_that_is_a_link_is_named_by_its_own_name(self):
        mail = self.adr(to_agent="user")
        os.symlink("user", os.path.join(mail, "zoe"))
        for words, rc in ((("show", "zoe"), harness.FAILED), (("thread", "zoe"), harness.FAILED),
                          (("cleanup",), harness.FAILED), (("mark", "zoe", "read"), harness.FAILED)):
            result = self.run_program(*words, cwd=self.project, rc=rc)
            self.assertTrue(result.err.startswith("swarmutt: zoe: it "), str(result))


class Paths(TreeCase):
    """Ids, names and teams that are paths."""

    @each_layout
    def test_none_of_them_is_gone_along(self, layout):
        self.make(layout, odd=False)
        texts = {"up": "../../../outside/dir/inbox/x", "far": self.outside.file,
                 "here": "./../x", "dots": ".."}
        FILL[layout](self, texts)
        listed = self.run_json("messages", "--all", cwd=self.project)
        self.assertTrue([one for one in listed if "outside" in f'{one["id"]} {one["from"]}'])
        for one in listed:
            for words in (("show",), ("thread",), ("reply", "--body", "b", "--no-verify"), ("mark", "read"),
                          ("archive",), ("restore",)):
                self.try_run(words[0], one["path"], *words[1:])
        for text in texts.values():
            for words in (("send", "--to", text, "--subject", "s", "--body", "b", "--create", "--no-verify"),
                          ("broadcast", "--swarm", text, "--subject", "s", "--body", "b", "--no-verify"),
                          ("show", text), ("archive", text), ("shutdown", text, "--no-verify")):
                self.try_run(*words)
        for words in every_command.writing(layout, self.box, self.project):
            self.try_run(*words)


class Screens(TreeCase):

    @each_layout
    def test_they_open_show_and_end(self, layout):
        self.make(layout)
        env = [f"{name}={value}" for name, value in self.box.env.items()]
        with Tmux(["env", *env, harness.PROGRAM], cwd=self.project) as tmux:
            tmux.wait_for("unreadable")  # all mail is listed, and the links in it are not followed
            for keys in ("1", "G", "Enter", "q", "2", "Enter", "q", "3", "4", "5", "6", "1"):
                tmux.send_keys(keys)
            tmux.wait_for("1Inbox*")
            tmux.type(":doctor")
            tmux.send_keys("Enter")
            tmux.wait_for("doctor")
            tmux.send_keys("q", "Q")
            self.assertEqual(tmux.wait_dead(), 0)
        self.assertIsNone(self.outside.problem())
        self.assert_there()


class InThePlace(TreeCase):
    """One odd thing at a path that a command writes."""

    KINDS = tuple(WORDS) if SOAK else ("link", "linkdir", "fifo")
    COMMON = ("send", "broadcast", "archive", "mark")
    lock_timeout = None

    def assert_leads_nowhere(self, layout, target, kind, verbs):
        with self.subTest(f"{target} is a {kind}"):
            self.renew()
            self.make(layout, odd=False)
            if self.lock_timeout:
                self.write(os.path.join(self.box.home, "config", "swarmutt", "config"),
                           f"[general]\nlock-timeout = {self.lock_timeout}\n")
            path = os.path.join(self.box.root, target)
            put_aside(path)
            if not make_odd(kind, path, self.outside):
                return
            before = os.lstat(path)
            for words in every_command.writing(layout, self.box, self.project):
                if not verbs or words[0] in verbs:
                    self.try_run(*words)
            self.assertEqual(os.lstat(path).st_ino, before.st_ino)

    @each_layout
    def test_what_is_written_to_leads_nowhere(self, layout):
        for target in TARGETS[layout]:
            for kind in self.KINDS:
                self.assert_leads_nowhere(layout, target, kind, () if SOAK else self.COMMON)

    @each_layout
    def test_an_odd_lock_leads_nowhere(self, layout):
        """Anything else in place of a lock is followed nowhere: after a while it counts as left
        over."""
        self.lock_timeout = "50ms"
        for target in LOCKS.get(layout, ()):
            for kind in set(WORDS) - {"dir", "huge"}:
                self.assert_leads_nowhere(layout, target, kind, self.COMMON)


if __name__ == "__main__":
    harness.main()
