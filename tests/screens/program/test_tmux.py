"""Tests the tests' private tmux, on the small program that also tests their own terminal."""
import os
import signal
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness  # noqa: E402
from tmux import Tmux  # noqa: E402

SAMPLE = os.path.join(os.path.dirname(harness.PROGRAM), "tests", "screen_sample")


@unittest.skipUnless(os.path.exists(SAMPLE), "the sample is not built: there is no libvterm")
class TmuxTest(unittest.TestCase):
    def start(self, *command, **more):
        tmux = Tmux(command, **more)
        self.addCleanup(tmux.close)
        return tmux

    def test_screens_keys_and_flags_are_seen(self):
        tmux = self.start(SAMPLE, rows=20, cols=70)
        tmux.wait_for("sample 20x70")
        self.assertEqual(tmux.capture()[2], "  red and bold")
        self.assertIn("\x1b[1m\x1b[31m", tmux.capture(attributes=True)[2])
        self.assertEqual(tmux.cursor(), (6, 3))
        flags = tmux.flags()
        self.assertTrue(flags["alternate"] and flags["cursor"] and not flags["mouse"], flags)
        tmux.send_keys("m", "h", "Up")
        tmux.wait_for("KEY_UP")
        self.assertTrue(tmux.flags()["mouse"] and not tmux.flags()["cursor"], tmux.flags())
        tmux.send_keys("p")
        tmux.wait_for("key: p")
        tmux.paste("two words")
        tmux.type("z")
        tmux.wait_for("pasted: ^[200~two words^[201~")
        tmux.resize(30, 90)
        tmux.type("xx")  # its getch() misses the signal when it is not yet in read()
        tmux.wait_for("sample 30x90")
        tmux.send_keys("q")
        self.assertEqual(tmux.wait_dead(), 0)
        self.assertFalse(tmux.flags()["alternate"] or tmux.flags()["mouse"])

    def test_the_end_is_told(self):
        tmux = self.start(SAMPLE, "none", "5")
        tmux.wait_for("sample")
        self.assertIsNone(tmux.dead())
        tmux.send_keys("q")
        self.assertEqual(tmux.wait_dead(), 5)
        tmux = self.start(SAMPLE)
        tmux.wait_for("sample")
        os.kill(int(tmux.ask("#{pane_pid}")), signal.SIGKILL)
        self.assertEqual(tmux.wait_dead(), -signal.SIGKILL)

    def test_a_shell_stops_the_program_and_goes_on_with_it(self):
        tmux = self.start("/bin/sh", "-i", env={"SAMPLE": SAMPLE})
        before = tmux.flags()
        tmux.type("\"$SAMPLE\"\n")
        tmux.wait_for("red and bold")
        tmux.type("x")
        tmux.wait_for("key: x")
        self.stop(tmux)
        self.assertEqual(tmux.flags(), before)
        tmux.type("fg\n")
        tmux.wait_for("key: x")
        self.assertTrue(tmux.flags()["alternate"])
        tmux.type("q")
        tmux.wait_for("after")
        self.assertEqual(tmux.flags(), before)

    def stop(self, tmux):
        """ncurses ignores ^Z while it draws: type it until it works."""
        def is_stopped():
            tmux.send_keys("C-z")
            return not tmux.flags()["alternate"]
        tmux.wait_until("the program stops", is_stopped)
        tmux.wait_for("Stopped")

    def test_one_server_ends_without_the_other(self):
        one, other = self.start(SAMPLE), self.start(SAMPLE)
        other.wait_for("sample")
        one.close()
        one.close()
        self.assertFalse(os.path.exists(one.root or "/nonexistent"))
        self.assertIsNone(other.dead())
        other.send_keys("q")
        self.assertEqual(other.wait_dead(), 0)


if __name__ == "__main__":
    harness.main()
