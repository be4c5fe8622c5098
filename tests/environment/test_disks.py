"""A disk that is full or read-only below the local state, the cache or the mailboxes: mounts in a
namespace per run, which needs the superuser."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from matrix import DONE, FAILED, NOTHING, UNCONFIRMED, MatrixCase, harness
from screens import QUIT, Screens

FULL = 'mount -t tmpfs -o size=256k none "$1" && cp -a "$2/." "$1/" && ' \
       '{ head -c 1m /dev/zero >"$1/filler" 2>/dev/null; shift 2; exec "$@"; }'
READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'


def started(script, *words):
    return ("unshare", "-m", "sh", "-c", script, "sh", *words)


class Disks(MatrixCase):

    def setUp(self):
        super().setUp()
        self.cache = os.path.join(self.box.home, "cache")
        can = subprocess.run(started(READ_ONLY, self.box.home, "true"), stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, check=False).returncode == 0
        if not can:
            self.skipTest("nothing can be mounted here: that takes the superuser")

    def each(self, lines, starter, check):
        """Runs them on such a disk, and passes line, result and the usual code to the check."""
        for line in lines:
            with self.subTest(line=str(line)):
                usual, _ = self.undisturbed(line)
                self.renew(line)
                os.makedirs(self.cache, exist_ok=True)
                self.box.starter = starter
                try:
                    result = self.run_line(line)
                finally:
                    self.box.starter = ()
                check(line, result, usual.rc)

    def check_state(self, line, result, usual):
        """Checks that a change that needs a note fails, and that all others are made."""
        if result.rc == FAILED:
            self.assert_nothing_done(line, result, "state", (FAILED,))
            self.assertIn(self.world.state, result.err, str(result))
            self.assertTrue(line.writes or line.name in ("outbox", "log"), str(result))
        else:
            codes = (usual, NOTHING if line.name == "doctor" else usual, UNCONFIRMED)
            self.assert_like_usual(line, result, "state", codes)

    def check_cache(self, line, result, usual):
        if str(line) == "index rebuild":
            self.assertEqual(result.rc, FAILED)
            self.assertIn(self.cache, result.err)
        else:
            self.assert_like_usual(line, result, "cache", (usual,))

    def check_mail(self, line, result, usual):
        if result.rc in (DONE, NOTHING):
            self.assert_like_usual(line, result, "mail", (usual,))
            return
        self.assertTrue(line.writes, str(result))
        self.assertIn("Read-only file system", result.err, str(result))
        if line.name == "cleanup":  # of several mailboxes it leaves out this one
            self.assertEqual(result.rc, UNCONFIRMED, str(result))
        else:
            # a local copy, which is made first, is no change of the mailbox, but may be left
            self.assert_nothing_done(line, result, "mail", (FAILED, UNCONFIRMED))

    def test_a_full_one_beneath_the_local_state_changes_no_mail_or_all(self):
        kept = os.path.join(self.box.root, "whole")
        os.rename(self.box.state, kept)
        os.mkdir(self.box.state)
        self.world.keep()
        self.each(self.lines, started(FULL, self.box.state, kept), self.check_state)

    def test_a_read_only_one_beneath_the_local_state_changes_no_mail_or_all(self):
        self.each(self.some, started(READ_ONLY, self.box.state), self.check_state)

    def test_a_read_only_cache_hinders_nobody(self):
        self.each(self.some, started(READ_ONLY, self.cache), self.check_cache)

    def test_the_screens_open_on_all_of_them_and_keep_what_cannot_be_saved_on_the_screen(self):
        kept = os.path.join(self.box.root, "whole")
        shutil.copytree(self.box.state, kept)
        os.makedirs(self.cache)
        for starter in (started(FULL, self.box.state, kept), started(READ_ONLY, self.box.state),
                        started(READ_ONLY, self.cache), *(started(READ_ONLY, top)
                                                          for top in self.world.tops)):
            with self.subTest(starter=starter[4:7]):
                self.box.starter = starter
                screens = Screens(self)
                self.box.starter = ()
                screens.wait(b"watch ok")
                for key in "123456":
                    screens.type(key.encode())
                screens.type(b"1m")
                screens.wait(b"NEW MESSAGE")
                screens.type(b"tester")
                if self.box.state in starter:
                    screens.wait(b"the draft is not saved: ")
                screens.type(b"\x1bx")  # only giving up the draft leaves the screens
                screens.wait(b"(y/n)")
                screens.type(b"y")
                screens.type(QUIT)
                self.assertEqual(screens.end(), DONE)

    def test_read_only_mailboxes_can_be_read_and_all_else_is_told(self):
        for top in self.world.tops:
            self.each(self.some, started(READ_ONLY, top), self.check_mail)


if __name__ == "__main__":
    harness.main()
