"""Owners and modes: new files have the modes that the layouts and the manual promise under any
umask; files of others are read if permitted and reported otherwise."""
import os
import stat
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from matrix import DONE, FAILED, NOTHING, REFUSED, SOAK, Line, MatrixCase, harness
from harness import AS_NOBODY, NOBODY

# The modes of files and directories that each layout's own programs make, before the umask.
PROMISED = {".claude": (0o666, 0o777), ".openclaw": (0o600, 0o700), "project": (0o666, 0o777)}


def modes(top):
    """Returns the modes of everything below a directory."""
    return {os.path.join(where, name): stat.S_IMODE(os.lstat(os.path.join(where, name)).st_mode)
            for where, dirs, names in os.walk(top) for name in dirs + names}


class Modes(MatrixCase):

    def check(self, umask):
        for line in self.lines if SOAK else self.writing:
            self.world.put_back()
            before = {top: modes(top) for top in self.world.tops}
            self.run_line(line, preexec_fn=lambda: os.umask(umask))
            for top in self.world.tops:
                file_mode, dir_mode = PROMISED[os.path.basename(top)]
                for path, mode in modes(top).items():
                    promised = dir_mode if os.path.isdir(path) else file_mode
                    expected = (before[top].get(path, promised & ~umask),
                                0o644)  # a file that moves keeps its mode
                    self.assertIn(mode, expected, f"{line}, umask {umask:03o}: {path}")
            for place in (self.box.state, os.path.join(self.box.home, "cache")):
                for path, mode in modes(place).items():
                    self.assertFalse(mode & 0o077, f"{line}, umask {umask:03o}: {path} is {mode:o}")

    def test_what_is_made_is_as_open_as_the_layout_wants_and_no_more(self):
        for umask in (0o000, 0o022, 0o077):
            self.check(umask)

    def test_a_box_that_is_made_is_as_open_as_the_layout_wants(self):
        for umask in (0o000, 0o077):
            self.world.put_back()
            line = Line("send", "--to", "new", "--create", "--subject", "s", "--body", "b", "--source",
                        os.path.join(self.project, "scheduler", "inboxes"), writes=True)
            self.run_line(line, preexec_fn=lambda: os.umask(umask))
            box = os.path.join(self.project, "scheduler", "inboxes", "new")
            self.assertEqual(stat.S_IMODE(os.stat(box).st_mode), 0o777 & ~umask)

    def test_what_others_could_read_is_closed_to_them(self):
        path = os.path.join(self.world.state, "state.db")
        os.chmod(path, 0o666)
        self.run_line(Line("show", "one"))
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)


class Others(MatrixCase):
    """The superuser's files, read by another user."""

    @classmethod
    def setUpClass(cls):
        if os.getuid():
            raise unittest.SkipTest("files of others can only be made by the superuser")
        cls.program = harness.copy_for_others(cls)

    def setUp(self):
        super().setUp()
        self.box.program = self.program
        for top in (self.box.root, self.box.home):
            os.chmod(top, 0o755)
        self.hand_over()

    def hand_over(self):
        """Makes the other user the owner of the local state."""
        for where, dirs, names in os.walk(self.box.state):
            for path in (where, *(os.path.join(where, name) for name in names)):
                os.chown(path, NOBODY, NOBODY)

    def run_as_other(self, line):
        self.world.put_back()
        self.hand_over()
        return self.run_line(line, {"XDG_CACHE_HOME": "/nowhere"}, **AS_NOBODY)

    def test_what_may_be_read_is_read_and_not_written(self):
        for line in self.lines:
            with self.subTest(line=str(line)):
                usual, _ = self.undisturbed(line)
                result = self.run_as_other(line)
                if line.writes:
                    self.assert_nothing_done(line, result, "others", (FAILED, REFUSED, 5))
                    self.assertIn("ermission", result.err, str(result))
                elif str(line) != "index rebuild":
                    self.assert_like_usual(line, result, "others", (usual.rc, NOTHING))

    def test_what_may_not_be_read_is_told_and_hides_nothing_else(self):
        secret = os.path.join(self.project, "workspace/mailboxes/user/inbox/MSG-00000000000c.json")
        closed = os.path.join(self.project, "scheduler/inboxes/pm")
        for path in (secret, closed):
            mode = stat.S_IMODE(os.stat(path).st_mode)
            os.chmod(path, 0)
            self.world.keep()
            result = self.run_as_other(Line("messages", "--all", "--json"))
            self.assertIn("ermission denied", result.out + result.err, path)
            found = harness.parse_lines(result.stdout)
            self.assertIn("one", {one["id"] for one in found}, path)
            self.assertIn("MSG-00000000000b", {one["id"] for one in found}, path)
            self.assertEqual(self.run_as_other(Line("show", "one")).rc, DONE)
            os.chmod(path, mode)
            self.world.keep()

    def test_mailboxes_that_may_not_be_looked_into_are_told_when_they_are_named(self):
        top = os.path.join(self.box.home, ".openclaw")
        os.chmod(top, 0)
        self.world.keep()
        result = self.run_as_other(Line("messages", "--source", top))
        self.assertEqual(result.rc, FAILED, str(result))
        self.assertIn(top, result.err)
        self.assertEqual(self.run_as_other(Line("show", "one")).rc, DONE)


if __name__ == "__main__":
    harness.main()
