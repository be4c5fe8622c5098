"""The manual pages are complete: every command and option, every key, every place of mailboxes, and
every row of the abilities of the layouts."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness  # noqa: E402
from manual import PAGES, commands_in, options_in, page_path, read_page  # noqa: E402


def output_of(*command):
    return subprocess.run([harness.PROGRAM, *command], check=True, capture_output=True,
                          text=True).stdout


def help_of(*command):
    return output_of(*command, "--help")


class Manual(unittest.TestCase):
    def setUp(self):
        self.page = read_page("swarmutt.1")
        self.commands = commands_in(help_of())

    def test_every_command_has_an_entry(self):
        self.assertGreater(len(self.commands), 10)
        for command in self.commands:
            with self.subTest(command=command):
                self.assertTrue(re.search(rf"(?m)^\.It Ic {command}\b", self.page),
                                f"swarmutt.1, COMMANDS: no .It Ic {command}")

    def test_the_manual_has_no_entry_for_a_command_that_is_not_there(self):
        commands = self.page.split(".Sh COMMANDS", 1)[1].split(".Sh ", 1)[0]
        self.assertEqual(set(re.findall(r"^\.It Ic (\w+)", commands, re.M)), set(self.commands))

    def test_every_option_is_explained(self):
        named = set(re.findall(r"Fl -([\w-]+)", self.page))
        for command in [None] + self.commands:
            for option in options_in(help_of(*([command] if command else []))):
                with self.subTest(command=command, option=option):
                    self.assertTrue(option in named, f"swarmutt.1: no .Fl -{option}")

    def test_the_pages_name_no_option_that_is_not_there(self):
        known = options_in(help_of()).union(*(options_in(help_of(one)) for one in self.commands))
        for name in PAGES:
            named = set(re.findall(r"(?:Fl -|(?<= )--)([a-z][\w-]*)", read_page(name)))
            self.assertEqual(named - known, set(), name)

    def test_every_word_that_an_option_or_an_operand_takes_is_named(self):
        box = harness.Mailbox()
        self.addCleanup(box.close)

        def offered(*words):
            """Returns the completions: without mail these are fixed words, and queries, which have
            a page."""
            run = subprocess.run([harness.PROGRAM, "complete", "zsh", "--", *words], cwd=box.root,
                                 env=box.env, check=True, capture_output=True, text=True)
            found = {line.split("\t")[0] for line in run.stdout.splitlines()[1:]}
            return {one for one in found if re.fullmatch(r"[A-Za-z][\w-]*", one)} - {"and", "or", "not"}

        marked = " ".join(re.findall(r"^\.(?:It )?(.*\b(?:Cm|Li|Ic) .*)", self.page, re.M))
        named = set(re.findall(r"[\w-]+", marked))
        checked = 0
        for command in self.commands:
            with_value = re.findall(r"^ +(?:-\w, |    )--([\w-]+) [A-Z]", help_of(command), re.M)
            for words in [()] + [(f"--{option}",) for option in with_value]:
                found = offered(command, *words, "")
                checked += len(found)
                with self.subTest(command=command, words=words):
                    self.assertEqual(found - named, set())
        self.assertGreater(checked, 50)

    def test_every_variable_of_the_environment_that_is_read_is_told(self):
        told = self.page.split(".Sh ENVIRONMENT", 1)[1].split("\n.Sh ", 1)[0]
        told = set(re.findall(r"\w+", " ".join(re.findall(r"^\.It Ev (.*)", told, re.M))))
        read = set()
        for place in ("src", "ui"):
            for path, _, names in os.walk(os.path.join(harness.SRC, place)):
                for name in names:
                    if name.endswith(".c"):
                        with open(os.path.join(path, name), encoding="utf-8") as file:
                            read |= set(re.findall(r'getenv\("(\w+)"', file.read()))
        self.assertGreater(len(read), 5)
        self.assertEqual(read - told, set())

    def test_every_place_where_mailboxes_are_looked_for_is_told(self):
        box = harness.Mailbox()
        self.addCleanup(box.close)
        os.rmdir(box.mail)
        run = subprocess.run([harness.PROGRAM, "sources"], cwd=box.home, env=box.env,
                             capture_output=True, text=True)
        looked = re.search(r"looked for (.*?);", run.stderr)
        if not looked:
            self.skipTest("there are mailboxes above the directory for temporary files")
        places = [one.replace(" here and above", "") for one in looked[1].split(", ")]
        self.assertGreater(len(places), 5)
        told = re.findall(r"^\.Pa (\S+)", self.page, re.M)
        for place in places:
            with self.subTest(place=place):
                self.assertTrue(place in told, f"swarmutt.1: no .Pa {place}")


def words_in_the_program():
    """Returns each field of queries with its words, as help query lists them."""
    fields = {}
    for line in output_of("help", "query").split("\n\n")[1].splitlines()[1:]:
        field, explained = re.match(r"  (\w+):\S", line), re.match(r"      (\w+)  +\S", line)
        if field:
            words = fields.setdefault(field[1], [])
        else:
            words += [explained[1]] if explained else re.findall(r"\w+", line)
    return fields


class Queries(unittest.TestCase):
    """swarmutt-query(7) has an item for each field, which names all of its words."""

    def setUp(self):
        section = read_page("swarmutt-query.7").split(".Sh TERMS\n", 1)[1].split("\n.Sh ", 1)[0]
        self.items = {}
        for item in section.split("\n.It ")[1:]:
            head, text = item.split("\n.El", 1)[0].split("\n", 1)
            for field in re.findall(r"Cm (\w+):", head):
                self.items[field] = re.findall(r"^\.Cm (\w+)", text, re.M)

    def test_every_field_is_explained_and_no_other(self):
        program = words_in_the_program()
        self.assertGreater(len(program), 10)
        self.assertEqual(set(self.items), set(program))

    def test_every_word_of_a_field_is_named_and_no_other(self):
        program = words_in_the_program()
        self.assertIn("unread", program["is"])
        self.assertIn("idle", program["kind"])
        for field, words in program.items():
            with self.subTest(field=field):
                self.assertEqual(self.items[field], words)


    def test_every_keyword_is_told(self):
        page = read_page("swarmutt-query.7").split(".Sh PUTTING TERMS TOGETHER", 1)[1]
        for word in "and", "or", "not":
            self.assertRegex(page, rf"(?m)^\.Cm {word}$")

    def test_every_example_is_understood(self):
        box = harness.Mailbox()
        self.addCleanup(box.close)
        box.add_box("tester-2")
        examples = re.findall(r"^\.Dl swarmutt (.*)", read_page("swarmutt-query.7"), re.M)
        self.assertGreater(len(examples), 10)
        for example in examples:
            with self.subTest(example=example):
                words = shlex.split(example.replace(r"\(dq", '"'))
                if words[0] in ("wait", "watch"):
                    words = ["messages", *(word for word in words[1:] if ":" in word)]
                result = box.run(*words)
                self.assertIn(result.rc, (harness.DONE, harness.NOTHING), str(result))


def keys_in_the_program():
    """Returns the rows of help keys, each with its group, keys, help, name and argument."""
    rows = []
    for line in output_of("help", "keys").rsplit("\n\n", 1)[0].splitlines():
        row = re.fullmatch(r"  (.{16}) (.*) \(:(\S+)(?: (.*))?\)", line)
        if row:
            rows.append((group, row[1].rstrip(), row[2], row[3], row[4] or ""))
        elif line:
            group = line
    return rows


def as_help_has_it(takes):
    """Returns the argument of an action without macros: "Op Ar AGENT Op Ar MODE" is [AGENT [MODE]]."""
    words = [one for one in takes.split() if one not in ("Ar", "Cm")]
    text = " ".join(words).replace(" | ", "|").replace("Op ", "[")
    return text + "]" * text.count("[")


class Keys(unittest.TestCase):
    """The section KEYS has a table for each group of actions."""

    def test_it_has_every_action_of_the_program_with_its_keys_and_its_help_and_no_other(self):
        section = read_page("swarmutt.1").split(".Sh KEYS\n", 1)[1].split("\n.Sh ", 1)[0]
        for escape, character in ((r"\&", ""), (r"\(ha", "^"), (r"\(ti", "~"), (r"\e", "\\")):
            section = section.replace(escape, character)
        page = []
        for part in section.split(".Ss ")[1:]:
            group = part.split("\n", 1)[0]
            page += [(group, *row, as_help_has_it(takes)) for *row, takes in
                     re.findall(r"^\.It (.*?) ?Ta (.*) Pq Ic (\S+)(.*)$", part, re.M)]
        self.maxDiff = None
        self.assertGreater(len(page), 50)
        self.assertEqual(page, keys_in_the_program(), "swarmutt.1, KEYS: rows as help keys has them")


class Config(unittest.TestCase):
    """swarmutt-config(5) has a subsection for each section, with an item for each setting."""

    def setUp(self):
        self.box = harness.Mailbox()
        self.addCleanup(self.box.close)
        page = read_page("swarmutt-config.5")
        parts = re.split(r"^\.Ss \[([\w ]+)\]$", page.split(".Sh LOOKS", 1)[0], flags=re.M)
        self.looks, self.agents = page.split(".Sh LOOKS", 1)[1].split(".Sh FILES", 1)[0].split(
            ".El", 1)
        self.sections, self.heads = {}, {}
        for title, text in zip(parts[1::2], parts[2::2]):
            items = self.sections[title.split()[0]] = {}
            heads = self.heads[title.split()[0]] = {}
            for item in re.split(r"^\.It ", text, flags=re.M)[1:]:
                head, rest = item.split("\n", 1)
                for key in re.findall(r"[\w.-]+", head.split(" No = ")[0].removeprefix("Cm ")):
                    items[key] = rest
                    heads[key] = head.split(" No = ")[1]

    def check(self, text):
        """Returns the problems that the program reports in such a config."""
        path = os.path.join(self.box.home, "config", "swarmutt", "config")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        result = self.box.run("config", "check")
        return "" if result.rc == 0 else result.out

    def known(self, text):
        """Returns the words that the program lists when it rejects another one."""
        return re.search(r"known: (.*)", self.check(text))[1].split(", ")

    def test_every_section_is_explained_and_no_other(self):
        self.assertEqual(sorted(self.sections), sorted(self.known("[zzzzzzzz]\nx = 1\n")))

    def test_every_setting_is_explained_with_its_usual_value_and_no_other(self):
        shown = {}
        for row in harness.parse_lines(self.box.run("config", "show", "--json").stdout):
            shown.setdefault(row["section"], {})[row["key"]] = row["value"]
        self.assertGreater(len(shown["general"]), 5)
        for section, settings in shown.items():
            self.assertEqual(list(self.sections[section]), list(settings))
            for key, value in settings.items():
                with self.subTest(section=section, key=key):
                    told = re.search(r"^By default\n\.Li ([^.,]*[^.,\s])",
                                     self.sections[section][key], re.M)
                    if key != "editor":
                        self.assertEqual(told and told[1], value)

    def test_every_word_that_a_setting_takes_is_named(self):
        """The program lists the words when it rejects another one."""
        checked = 0
        for section, title in (("source", "source a"), ("template", "template a"), *(
                (one, one) for one in self.sections if one not in ("source", "template", "keys"))):
            for key, text in self.sections[section].items():
                said = re.search(r" takes ((?:[\w-]+(?:, | or )?)+), not ",
                                 self.check(f"[{title}]\n{key} = zzzzzzzzzz\n"))
                if not said:
                    continue
                words = set(re.split(", | or ", said[1]))
                named = re.findall(r"^\.?Cm (.*)", self.heads[section][key] + "\n" + text, re.M)
                with self.subTest(section=section, key=key):
                    self.assertEqual(words - set(re.findall(r"[\w-]+", " ".join(named))), set())
                checked += len(words)
        self.assertGreater(checked, 30)

    def test_every_key_of_sources_and_templates_is_explained_and_no_other(self):
        for section in ("source", "template"):
            known = self.known(f"[{section} a]\nzzzzzzzzzz = 1\n")
            self.assertEqual(sorted(self.sections[section]), sorted(known))


    def test_every_look_is_explained_and_no_other(self):
        looks = re.findall(r"^\.It Cm (\S+) Ta \S", self.looks, re.M)
        self.assertEqual(looks, self.known("[theme]\nzzzzzzzzzz = red\n"))

    def test_what_the_page_says_of_looks_and_keys_is_taken(self):
        agents = re.findall(r"^\.Cm (agent-\w+)", self.agents, re.M)
        words = re.findall(r"^\.Cm (\w+)", self.agents.split("A value is", 1)[1], re.M)
        self.assertGreater(len(words), 15)
        given = [f"{agent} = red" for agent in agents]
        given += [f"plain = {word}" for word in words if word not in ("on", "colours", "bright")]
        given += re.findall(r"^\.Dl (\w+ = .*)", self.agents, re.M)
        for line in given:
            with self.subTest(line=line):
                self.assertEqual(self.check(f"[theme]\n{line}\n"), "")
        self.assertEqual(self.check("[keys]\nmouse = none\nnone = H B\n"), "")
        page = read_page("swarmutt-config.5").split(".Sh EXAMPLES", 1)[1]
        for example in re.findall(r"^\.Bd .*\n((?:.*\n)*?)\.Ed", page, re.M):
            if "[source" not in example:
                self.assertEqual(self.check(example), "")


class Pages(unittest.TestCase):
    """Rules for every page."""

    def test_those_that_are_there_are_those_that_the_tests_know(self):
        there = [name for name in os.listdir(os.path.join(harness.SRC, "doc"))
                 if re.fullmatch(r"swarmutt.*\.\d", name)]
        self.assertEqual(sorted(there), sorted(PAGES))

    def test_each_names_others_at_its_end_and_only_pages_that_are_there(self):
        own = {tuple(name.rsplit(".", 1)) for name in PAGES}
        for name in PAGES:
            with self.subTest(page=name):
                page = read_page(name)
                self.assertRegex(page, r"(?s)\n\.Sh SEE ALSO\n\.Xr (?:lib)?swarmutt")
                named = set(re.findall(r"\bXr (swarmutt\S*) (\d)", page))
                self.assertEqual(named - own, set())
                self.assertNotIn(tuple(name.rsplit(".", 1)), named)

    def test_every_section_that_is_referred_to_is_there(self):
        for name in PAGES:
            page = read_page(name)
            titles = {one.strip('"') for one in re.findall(r"^\.S[sh] (.*)", page, re.M)}
            for title in re.findall(r"\bSx (?:\"(.*?)\"|(\S.*?))(?: [.,;:)].*)?$", page, re.M):
                with self.subTest(page=name, title=title):
                    self.assertIn(title[0] or title[1], titles)

    def test_mandoc_has_nothing_to_say(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed")
        for name in PAGES:
            run = subprocess.run(["mandoc", "-Tlint", "-W", "warning", page_path(name)],
                                 capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stdout + run.stderr), (0, ""), name)


def layouts_in_the_program():
    """Returns the name of each layout with its title and the person's name there."""
    line = re.compile(r'^(\w+) \((.*)\), you are "(.*)" there', re.M)
    return {name: rest for name, *rest in line.findall(output_of("formats"))}


def rows_in_the_program():
    row = re.compile(r'"format":"(.*?)","verb":"(.*?)","ability":"(.*?)"')
    return [row.search(line).groups() for line in output_of("formats", "--json").splitlines()]


class Formats(unittest.TestCase):
    """swarmutt-formats(5) has a section for each layout, headed TITLE (NAME), with a table."""

    def setUp(self):
        parts = re.split(r"^\.Sh (.*) \((\w+)\)$", read_page("swarmutt-formats.5"), flags=re.M)
        self.sections = {}
        for title, name, text in zip(parts[1::3], parts[2::3], parts[3::3]):
            self.sections[name] = (title, text.split("\n.Sh ", 1)[0])

    def test_every_layout_has_a_section_under_its_title(self):
        program = {name: title for name, (title, _) in layouts_in_the_program().items()}
        self.assertGreater(len(program), 1)
        self.assertEqual({name: title for name, (title, _) in self.sections.items()}, program,
                         "swarmutt-formats.5: a section .Sh TITLE (NAME) for each")

    def test_every_section_says_who_the_person_is_there(self):
        for name, (_, identity) in layouts_in_the_program().items():
            with self.subTest(layout=name):
                self.assertIn(f"\nYou are\n.Dq {identity}\nthere", self.sections.get(name, ("", ""))[1],
                              "swarmutt-formats.5")

    def test_every_row_of_the_program_stands_in_its_section_and_no_other_does(self):
        rows = rows_in_the_program()
        for name, (_, text) in self.sections.items():
            with self.subTest(layout=name):
                page = re.findall(r"^\.It ([\w ]+) Ta (\w+) Ta \S", text, re.M)
                self.assertEqual(page, [row[1:] for row in rows if row[0] == name])

    def test_the_first_page_tells_every_layout_and_who_the_person_is_there(self):
        table = re.findall(r"^\.It Cm (\w+) Ta .* Ta (\S+)$", read_page("swarmutt.1"), re.M)
        program = layouts_in_the_program()
        self.assertEqual(dict(table), {name: program[name][1] for name in program},
                         "swarmutt.1, the table below FORMAT")


if __name__ == "__main__":
    harness.main()
