"""The manual knows every command and every option that the program's own help knows."""
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import harness  # noqa: E402


def help_of(*command):
    return subprocess.run([harness.PROGRAM, *command, "--help"], check=True, capture_output=True,
                          text=True).stdout


def options_in(text):
    return set(re.findall(r"^ +(?:-\w, |    )--([\w-]+)", text, re.M))


class Manual(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(harness.SRC, "doc", "swarmutt.1"), encoding="utf-8") as page:
            self.page = page.read()
        listed = help_of().split("commands:\n", 1)[1].split("\n\n", 1)[0]
        self.commands = [line.split()[0] for line in listed.splitlines()]

    def test_every_command_has_an_entry(self):
        self.assertGreater(len(self.commands), 10)
        for command in self.commands:
            with self.subTest(command=command):
                self.assertRegex(self.page, rf"(?m)^\.It Ic {command}\b")

    def test_every_option_is_explained(self):
        named = set(re.findall(r"Fl -([\w-]+)", self.page))
        for command in [None] + self.commands:
            for option in options_in(help_of(*([command] if command else []))):
                with self.subTest(command=command, option=option):
                    self.assertIn(option, named)

    def test_the_manual_names_no_option_that_is_not_there(self):
        known = options_in(help_of()).union(*(options_in(help_of(one)) for one in self.commands))
        self.assertEqual(set(re.findall(r"Fl -([\w-]+)", self.page)) - known, set())


if __name__ == "__main__":
    unittest.main()
