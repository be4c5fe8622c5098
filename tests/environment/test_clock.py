"""The wall clock jumps ten years, forward and back: between commands, in the middle of one, and
while screens and followers run. Nothing waits for the old time to return, and nothing is lost."""
import json
import os
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from matrix import DONE, NOTHING, Line, MatrixCase, harness
from preload import library
from screens import QUIT, Screens

YEARS = 10 * 365 * 24 * 3600
BY_AGE = ("cleanup",)  # the age of files depends on the clock


class Clock(MatrixCase):

    def setUp(self):
        super().setUp()
        self.path = os.path.join(self.box.root, "clock")
        self.jump(0)
        path = library("clock")
        if not os.path.exists(path):
            self.skipTest(f"{path} is not built: make check builds it")
        # any sanitizer need not be loaded first
        self.env = {"LD_PRELOAD": path, "CLOCK_FILE": self.path,
                    "ASAN_OPTIONS": self.box.env["ASAN_OPTIONS"] + ":verify_asan_link_order=0"}

    def jump(self, seconds):
        """Writes in place: running programs have it mapped."""
        with open(self.path, "r+b" if os.path.exists(self.path) else "wb") as file:
            file.write(struct.pack("q", seconds))

    def send(self, *words):
        return self.run_line(Line("send", "--to", "bob@dev", "--subject", "s", "--body", "b", *words),
                             self.env)

    def start(self, *words):
        process = self.box.popen(*words, env=self.env, cwd=self.project, stdin=-3, stdout=-1,
                                 stderr=-1)
        self.addCleanup(harness.end_process, process)
        return process

    def finish_soon(self, process, seconds=30):
        """Waits much shorter than the clock has jumped."""
        out, err = process.communicate(timeout=seconds)
        return harness.Result(process.args, process.returncode, out, err)

    def bobs(self):
        path = os.path.join(self.box.home, ".claude/teams/dev/inboxes/bob.json")
        with open(path, "rb") as file:
            return json.load(file)

    def test_the_library_moves_the_clock(self):
        self.jump(YEARS)
        year = int(self.run_line(Line("protocol", "compose", "shutdown-request", "--to", "bob"),
                                 self.env).out.split('"timestamp":"')[1][:4])
        self.assertGreaterEqual(year, time.gmtime().tm_year + 9)

    def test_every_change_is_made_by_any_clock(self):
        for line in self.writing:
            if line.name in BY_AGE:
                continue
            for seconds in (YEARS, -YEARS):
                self.undisturbed(line)
                self.renew(line)
                self.jump(seconds)
                result = self.run_line(line, self.env)
                self.assert_like_usual(line, result, seconds, (DONE,))

    def test_what_was_sent_before_the_clock_was_put_back_leaves_the_outbox(self):
        for seconds in (YEARS, -YEARS):
            self.jump(seconds)
            self.assertEqual(self.send().rc, DONE)  # its second check is due in some years
            self.jump(0)
            self.assertTrue(harness.poll_until(
                lambda: self.run_line(Line("outbox"), self.env).rc == NOTHING))
        self.assertEqual(len(self.bobs()), 3)

    def test_a_jump_while_one_is_sent_delays_nobody(self):
        for number, seconds in enumerate((-YEARS, YEARS)):
            self.jump(0)
            sender = self.start("send", "--to", "bob@dev", "--subject", "s", "--body", "b",
                                "--verify")
            self.assertTrue(harness.poll_until(lambda: len(self.bobs()) > 1 + number))
            time.sleep(0.15)  # before the first check; the result is the same at any other time
            self.jump(seconds)
            result = self.finish_soon(sender)
            self.assertEqual(result.rc, DONE, str(result))
        self.assertEqual(len(self.bobs()), 3)

    def test_a_wait_is_as_long_as_it_was_to_be(self):
        waiter = self.start("wait", "subject:nothing-like-this", "--timeout", "1s")
        self.jump(-YEARS)
        self.assertEqual(self.finish_soon(waiter).rc, NOTHING)
        waiter = self.start("wait", "subject:nothing-like-this", "--timeout", "1h")
        self.jump(YEARS)
        with self.assertRaises(harness.subprocess.TimeoutExpired):
            waiter.wait(2)

    def test_who_watches_is_told_whatever_the_clock_says(self):
        watcher = self.start("watch", "--from-start", "--json", "--limit", "3", "subject:s")
        for seconds in (YEARS, -YEARS, 0):
            self.jump(seconds)
            self.send("--no-verify")
        result = self.finish_soon(watcher, harness.LIMIT_S)
        self.assertEqual(result.rc, DONE, str(result))
        self.assertEqual({one["event"] for one in harness.parse_lines(result.stdout)}, {"new"})

    def test_the_age_in_the_preview_grows_with_the_clock(self):
        self.claude(team="aging", boxes=[
            ("team-lead", [self.entry("how old am I", msg_id="age", timestamp=time.strftime(
                "%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 150)))])])
        screens = Screens(self, size=(40, 120), env=self.env)
        screens.wait(b"watch ok")
        screens.type(b"/how old\r")
        screens.wait(b"(2m ago)")
        self.jump(3 * 3600)
        screens.type(b"\x0c")  # draws everything, not only the difference
        screens.wait(b"(3h")
        screens.type(QUIT)
        self.assertEqual(screens.end(), DONE)

    def test_the_screens_go_on_whatever_the_clock_says(self):
        screens = Screens(self, env=self.env)
        screens.wait(b"watch ok")
        for number, seconds in enumerate((YEARS, -YEARS, 0)):
            self.jump(seconds)
            self.claude(team=f"team{number}", boxes=[
                ("team-lead", [self.entry(f"after the jump {number}", msg_id=f"j{number}")])])
            screens.type(b"2")
            screens.type(b"1")
            screens.wait(b"after the jump %d" % number)
        screens.type(QUIT)
        self.assertEqual(screens.end(), DONE)


if __name__ == "__main__":
    harness.main()
