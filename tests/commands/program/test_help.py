"""help TOPIC: shows the manual without man, through the person's pager."""
import os
import re
import shutil
import stat
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness  # noqa: E402
from harness import USAGE  # noqa: E402
from manual import PAGES, page_path  # noqa: E402

TOPICS = {"query": "swarmutt-query.7", "config": "swarmutt-config.5",
          "formats": "swarmutt-formats.5", "layouts": "swarmutt-formats.5",
          "json": "swarmutt-json.5", "manual": "swarmutt.1"}


class HelpCase(harness.ProgramCase):
    def setUp(self):
        self.box = harness.Home()
        self.addCleanup(self.box.close)

    def help(self, *args, **more):
        return self.run_program("help", *args, **more).out

    def script(self, name, text):
        """Makes a program in a directory of its own; returns its path."""
        path = os.path.join(self.box.root, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path


class Pages(HelpCase):

    def formatted(self, page, form):
        text = subprocess.run(["mandoc", "-T", form, "-O", "width=78", page_path(page)],
                              check=True, capture_output=True, encoding="utf-8").stdout
        lines = re.sub(".\b", "", text.replace("+\b+\bo\bo", "*")).splitlines(True)
        return "".join(lines[2:-2])  # without head and foot

    def test_every_page_is_shown_as_mandoc_formats_it(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed")
        for page in PAGES:
            for form, locale in ("utf8", "C.UTF-8"), ("ascii", "C"):
                with self.subTest(page=page, form=form):
                    shown = self.help(page.split(".")[0], env={"LC_ALL": locale})
                    self.assertTrue(shown.endswith(self.formatted(page, form)))

    def test_every_topic_shows_its_page(self):
        for topic, page in TOPICS.items():
            with self.subTest(topic=topic):
                whole = self.help(page.split(".")[0])
                self.assertTrue(whole.startswith("NAME\n     swarmutt"))
                self.assertTrue(self.help(topic).endswith(whole))

    def test_a_command_with_a_page_is_explained_before_it(self):
        self.assertTrue(self.help("config").startswith(self.run_program("config", "--help").out))
        self.assertTrue(self.help("query").startswith("A query chooses messages."))

    def test_no_line_is_wider_than_78_columns(self):
        for page in PAGES:
            lines = self.help(page.split(".")[0]).splitlines()
            wide = [line for line in lines if len(line) > 78]
            self.assertEqual([line for line in wide if len(line.split()) > 1], [], page)

    def test_outside_of_utf8_it_is_ascii(self):
        for page in PAGES:
            self.run_program("help", page.split(".")[0], env={"LC_ALL": "C"}).stdout.decode("ascii")
        self.assertIn("\u201c", self.help("manual"))

    def test_it_needs_nothing_but_the_program(self):
        before = self.box.snapshot(self.box.root)
        self.assertIn("SECTIONS", self.help("config", env={"PATH": "/nowhere"}))
        self.assert_unchanged(before, self.box.root)


class Topics(HelpCase):

    def test_plain_help_and_topics_list_them_all(self):
        for args in (), ("topics",):
            out = self.help(*args)
            for topic in (*TOPICS, "keys", "topics", "list", "decide"):
                self.assertRegex(out, rf"(?m)^  {topic} +\S")

    def test_every_command_and_every_topic_that_is_listed_is_explained(self):
        listed = re.findall(r"^  (\w+) +\S", self.help("topics"), re.M)
        self.assertGreater(len(listed), 40)
        for name in listed:
            self.assertTrue(self.help(name))

    def test_an_unknown_one_names_what_is_near(self):
        for typed, meant in ("confg", "config"), ("jsn", "json"), ("layout", "layouts"):
            result = self.run_program("help", typed, rc=USAGE)
            self.assert_says(result, typed, f'near: "{meant}"', "swarmutt help topics")
        self.assert_says(self.run_program("help", "zzzzzzzz", rc=USAGE), "zzzzzzzz")


class Paging(HelpCase):

    def shown(self, pager, *topic, rows=24, **env):
        if pager is not None:
            env["PAGER"] = pager
        return self.box.run_tty("help", *(topic or ("manual",)), size=(rows, 80), env=env).out

    def test_the_pager_gets_what_does_not_fit_on_the_screen(self):
        pager = self.script("my pager", 'echo "$#"; wc -l\n')
        plain = self.shown("")
        self.assertEqual(self.shown(pager).split(), ["0", str(plain.count("\n"))])
        self.assertEqual(self.shown("cat"), plain)
        self.assertEqual(self.shown("head -n 3"), "".join(plain.splitlines(True)[:3]))
        self.assertEqual(self.shown(pager, rows=5000), plain)

    def test_no_shell_has_a_part_in_it(self):
        told = os.path.join(self.box.root, "told")
        for pager in f"cat;touch {told}", f"$(touch {told})", f"`touch {told}`", f"cat>{told}":
            self.shown(pager)
            self.assertFalse(os.path.exists(told), pager)

    def test_without_one_that_runs_it_is_just_printed(self):
        plain = self.shown("")
        self.assertIn("EXIT STATUS", plain)
        for pager in "", "  ", "/nowhere/pager", "no-such-pager -x":
            self.assertEqual(self.shown(pager), plain, pager)

    def test_without_a_choice_less_shows_it_where_it_is_installed(self):
        self.script("less", 'echo "less $#"; wc -l\n')
        plain, term = self.shown(""), {"TERM": "xterm"}
        self.assertEqual(self.shown(None, PATH=f"{self.box.root}:/usr/bin:/bin", **term).split(),
                         ["less", "0", str(plain.count("\n"))])
        self.assertEqual(self.shown("", PATH=f"{self.box.root}:/usr/bin:/bin", **term), plain)
        self.assertEqual(self.shown(None, PATH="/nowhere", **term), plain)
        for dumb in "", "dumb":
            self.assertEqual(self.shown(None, PATH=f"{self.box.root}:/usr/bin:/bin", TERM=dumb), plain)

    def test_the_help_of_the_program_and_of_a_command_goes_through_it_too(self):
        self.script("less", 'echo "less $#"; wc -l\n')
        env = {"PATH": f"{self.box.root}:/usr/bin:/bin", "TERM": "xterm"}
        for words in ("--help",), ("help",), ("send", "--help"), ("help", "send"):
            plain = self.box.run_tty(*words, size=(12, 80), env={"PAGER": ""}).out
            self.assertIn("usage:", plain)
            shown = self.box.run_tty(*words, size=(12, 80), env=env).out
            self.assertEqual(shown.split(), ["less", "0", str(plain.count("\n"))], words)
            self.assertEqual(self.box.run_tty(*words, size=(200, 80), env=env).out, plain)

    def test_one_that_does_not_read_is_no_failure(self):
        self.assertEqual(self.shown("true"), "")

    def test_where_nothing_is_a_terminal_it_is_not_used(self):
        self.assertIn("EXIT STATUS", self.help("manual", env={"PAGER": "false"}))


if __name__ == "__main__":
    harness.main()
