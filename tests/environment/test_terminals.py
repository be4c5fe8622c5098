"""Unknown terminals, tiny ones, and invalid locales: every subcommand prints its usual output, and
the screens open and close, or lines replace them."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from matrix import DONE, NOTHING, SOAK, Line, MatrixCase, harness
from screens import QUIT, Screens

TERMS = (None, "", "dumb", "unknown", "no/such/../terminal", "x" * 5000)
SIZES = ((1, 1), (2, 2), (3, 10), (1, 200), (0, 0))
LOCALES = ({"LC_ALL": None, "LANG": None}, {"LC_ALL": "C"}, {"LC_ALL": "POSIX"},
           {"LC_ALL": "xx_YY.UTF-8"}, {"LC_ALL": None, "LANG": "xx_YY"},
           {"LC_ALL": None, "LC_CTYPE": "/"}, {"LC_ALL": ""})
SCREENS = "123456"


class Terminals(MatrixCase):

    def lines_printing(self):
        """Returns some lines, or all except those that are refused on a terminal: raw bytes."""
        some = ("list", "agents", "show", "flow", "watch", "help", "doctor")
        return [line for line in self.reading
                if "--raw" not in line.words and (SOAK or line.name in some)]

    def test_no_terminal_changes_what_commands_print(self):
        for line in self.lines_printing():
            usual = self.run_line(line)
            for term in TERMS:
                result = self.run_line(line, {"TERM": term})
                self.assertEqual(result.rc, usual.rc, f"{line}, TERM {term}: {result}")
                self.assertEqual(len(result.lines), len(usual.lines), f"{line}, TERM {term}")

    def test_no_size_is_too_small_for_what_commands_print(self):
        for line in self.lines_printing():
            usual = self.run_line(line)
            for size in SIZES:
                result = self.box.run_tty(*line.words, size=size, cwd=self.project)
                self.assertIn(result.rc, (DONE, NOTHING), f"{line}, {size}: {result}")
                self.assertTrue(result.stdout or not usual.stdout, f"{line}, {size}: {result}")

    def test_no_locale_changes_what_commands_do(self):
        for line in self.writing:
            _, after = self.undisturbed(line)
            for env in LOCALES if SOAK else LOCALES[::3]:
                self.renew(line)
                result = self.run_line(line, env)
                self.assert_like_usual(line, result, env, (DONE,))
        for line in self.lines_printing():
            usual = self.run_line(line)
            for env in LOCALES:
                result = self.run_line(line, env)
                self.assertEqual((result.rc, len(result.lines)), (usual.rc, len(usual.lines)),
                                 f"{line}, {env}: {result}")

    def test_without_utf8_a_terminal_gets_ascii_and_a_file_gets_all(self):
        text = "\u00e9\u4e2d"
        self.claude(boxes=[("team-lead", [self.entry(text, msg_id="odd")])])
        for env in LOCALES:
            self.assertIn(text, self.run_line(Line("show", "odd"), env).out)
            shown = self.box.run_tty("show", "odd", cwd=self.project,
                                     env={key: value or "" for key, value in env.items()})
            self.assertEqual(shown.rc, DONE)
            self.assertTrue(shown.stdout.isascii(), shown.stdout)

    def test_a_terminal_that_is_not_known_gets_lines(self):
        for term in TERMS:
            with self.subTest(term=term and term[:30]):
                screens = Screens(self, env={"TERM": term})
                screens.wait(b"swarmutt> ")
                screens.type(b"quit\n")
                self.assertEqual(screens.end(), DONE)
                self.assertNotIn(b"\x1b", screens.seen)

    def test_the_screens_open_and_close_without_a_locale(self):
        for env in LOCALES:
            with self.subTest(env=env):
                screens = Screens(self, env=env)
                screens.wait(b"watch ok")
                screens.type(QUIT)
                self.assertEqual(screens.end(), DONE)
                self.assertNotIn("\u2500".encode(), screens.seen)

    def test_every_screen_opens_in_a_tiny_terminal_and_grows(self):
        for size in SIZES:
            with self.subTest(size=size):
                screens = Screens(self, size=size)
                screens.wait(b"\x1b[")
                for key in SCREENS:
                    screens.type(key.encode())
                screens.type(b"?q1")
                screens.resize(24, 80)
                screens.wait(b"watch ok")
                screens.type(QUIT)
                self.assertEqual(screens.end(), DONE)


if __name__ == "__main__":
    harness.main()
