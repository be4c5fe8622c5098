#!/usr/bin/env python3
"""The demo on a first visit: a full first screen, a decision, the agent's answer, and no files left
at the end."""
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness  # noqa: E402
from tmux import Tmux  # noqa: E402


class DemoScreens(unittest.TestCase):
    def setUp(self):
        box = harness.Home()
        self.addCleanup(box.close)
        self.tmp = os.path.join(box.root, "tmp")
        os.mkdir(self.tmp)
        command = f"'{harness.PROGRAM}' demo --seed 7 --speed 10; echo it ended with $?; read line"
        env = {key: value for key, value in box.env.items()
               if key.startswith("XDG_") or key.endswith("SAN_OPTIONS")}
        env["TMPDIR"] = self.tmp
        self.tmux = Tmux((command,), env=env, cwd=box.root, rows=40, cols=80)
        self.addCleanup(self.tmux.close)

    def test_the_first_screen_and_a_decision(self):
        tmux = self.tmux
        tmux.wait_for("demo: nothing here is real")
        tmux.wait_for("watch ok  demo")
        for word in ("PLAN", "PERM", "HOST", "HANDOFF", "ESC", "STUCK?"):
            tmux.wait_for(word)
        tmux.send_keys("3")
        tmux.wait_for("ESC from ledger-")
        tmux.wait_for("-- end of the request")
        tmux.wait_gone("settling")
        tmux.send_keys("a", "a")
        tmux.wait_for("held: accept CEO Escalation")
        tmux.wait_until("it is sent", lambda: not any(
            re.search(r"ledger-\d+ +ESC", line) for line in tmux.capture()))
        tmux.send_keys("1")
        tmux.wait_until("the agent answers", lambda: any(
            re.search(r"N .*ledger-\d+ .*CEO Escalation", line) for line in tmux.capture()))

    def test_quitting_gives_the_terminal_back_and_removes_all(self):
        tmux = self.tmux
        tmux.wait_for("needs you (")
        self.assertTrue(tmux.flags()["alternate"])
        self.assertEqual(len(os.listdir(self.tmp)), 1)
        tmux.send_keys("Q")
        tmux.wait_for("it ended with 0")
        tmux.wait_for("is removed")
        self.assertFalse(tmux.flags()["alternate"])
        self.assertEqual(os.listdir(self.tmp), [])


if __name__ == "__main__":
    harness.main()
