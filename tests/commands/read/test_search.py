"""search: messages of every layout by their words, with an index or without."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import DONE, NOTHING, USAGE  # noqa: E402
from layouts import LayoutCase  # noqa: E402
from search_case import RARE, SearchCase  # noqa: E402


class Searching(SearchCase):

    def setUp(self):
        super().setUp()
        self.put(1, "the parser of src/base/fold.c is done", subject="Build broken")
        self.put(2, "The PARSER again, and Straße", part="archive", status="archived")
        self.put(3, "parsers are something else", from_agent="parser-7")
        self.put(4, "nothing", subject="parser", priority=4)

    def check(self):
        for words, wanted in {
                "parser": [4, 3, 2, 1], "PARSER": [4, 3, 2, 1], "pars*": [4, 3, 2, 1], "pars": [],
                "\"the parser\"": [2, 1], "\"parser the\"": [], "src/base/fold.c": [1],
                "fold.c": [1], "src/ba*": [1], "strasse": [2], "subject:parser": [4],
                "body:parser": [2, 1], "parser not subject:parser": [3, 2, 1],
                "parser is:archived": [2], "(broken or again) parser": [2, 1],
                "parser from:parser-7": [3], "from:parser-7": [3], "prio:urgent": [4],
                "not parser": [], "parser newer:2026-01-03T14:03": [4, 3],
                "subject:parser,broken": [4, 1]}.items():
            with self.subTest(query=words):
                self.assertEqual(self.found(words, rc=DONE if wanted else NOTHING), wanted)

    def test_words_phrases_prefixes_and_the_whole_language_without_an_index(self):
        self.check()
        self.assertEqual(self.segments(), [])

    def test_the_same_with_an_index(self):
        self.assertEqual(self.rebuild()["messages"], 4)
        self.assertEqual(self.status()["indexed"], 4)
        self.check()

    def test_operands_are_one_query_as_elsewhere(self):
        self.assertEqual(self.found("src/base/fold.c", "parser"), [1])

    def test_a_limit_leaves_the_newest(self):
        self.assertEqual(self.found("parser", "--limit", "2"), [4, 3])
        self.assertEqual(self.found("parser", "--limit", "0", rc=NOTHING), [])

    def test_a_message_is_printed_as_elsewhere(self):
        for built in (False, True):
            if built:
                self.rebuild()
            found = self.run_json("search", "parser")
            listed = self.run_json("messages", "--all", "--newest")
            self.assertEqual(found, listed)
            with_body = self.run_one("search", "strasse", "--bodies")
            self.assertEqual(with_body["body"], "The PARSER again, and Straße")

    def test_bodies_are_there_whatever_the_query_looks_for(self):
        for query in ("from:*", "not zzz", "is:unread or is:read"):
            for one in self.run_json("search", query, "--bodies"):
                self.assertTrue(one["body"], (query, one))

    def test_text_output_is_a_list_and_the_line_if_it_is_wanted(self):
        lines = self.run_program("search", "strasse").lines
        self.assertEqual(len(lines), 1)
        self.assertIn("MSG-000000000002", lines[0])
        lines = self.run_program("search", "strasse", "--lines").lines
        self.assertEqual(lines[1], "    The PARSER again, and Straße")

    def test_nothing_found_is_said_and_mistakes_have_a_mark(self):
        result = self.run_program("search", "xyzzy", rc=NOTHING)
        self.assert_says(result, "no message has: xyzzy")
        result = self.run_program("search", "(parser", rc=USAGE)
        self.assertIn("never closed", result.err)
        self.run_program("search", rc=USAGE)
        self.run_program("search", "x", "--limit", "many", rc=USAGE)

    def test_hostile_text_is_cleaned(self):
        self.put(9, f"{RARE} \x1b[31m\u202e red")
        out = self.run_program("search", RARE, "--lines").out
        self.assertIn("^[[31m<U+202E> red", out)
        self.assertNotIn("\x1b", out)

    def test_the_best_come_first_when_that_is_asked_for(self):
        self.put(5, f"{RARE} once among many other words " + "filler " * 50)
        self.put(6, "other words", subject=f"about {RARE}")
        self.put(7, f"{RARE} {RARE} {RARE}")
        self.put(8, f"one {RARE} here " + "filler " * 20)
        before = self.found(RARE, "--rank")
        self.assertEqual(sorted(before), [5, 6, 7, 8])
        self.assertEqual(before[-1], 5)
        self.assertEqual(self.found(RARE), [8, 7, 6, 5])
        self.rebuild()
        self.assertEqual(self.found(RARE, "--rank"), before)
        self.assertEqual(self.found(RARE, "--rank", "--limit", "2"), before[:2])

    def test_a_message_that_lies_in_both_places_is_found_once(self):
        self.put(4, "nothing", subject="parser", part="archive", status="archived")
        for built in (False, True):
            if built:
                self.rebuild()
            found = self.run_json("search", "subject:parser")
            self.assertEqual([one["id"] for one in found], ["MSG-000000000004"])
            self.assertEqual(found[0]["status"], "archived")
            self.assertIn("flags", found[0])


class Layouts(LayoutCase):
    """Every layout, its archive and the local copies."""

    def setUp(self):
        super().setUp()
        self.adr(id="MSG-00000000000a", body=f"{RARE} adr")
        self.claude(boxes=[("team-lead", [self.entry(f"{RARE} claude one"),
                                          self.entry("something else"),
                                          self.entry(f"{RARE} claude two", sender="eve")])])
        self.openclaw(messages=[self.claw(1, message=f"{RARE} openclaw")])

    def bodies(self, *words):
        result = self.box.run("search", *words, "--json", "--bodies", cwd=self.project)
        return sorted(one["body"] for one in harness.parse_lines(result.stdout))

    def test_all_of_them_are_searched_and_copies_of_what_was_put_away_too(self):
        wanted = [f"{RARE} adr", f"{RARE} claude one", f"{RARE} claude two", f"{RARE} openclaw"]
        self.assertEqual(self.bodies(RARE), wanted)
        self.run_program("index", "rebuild", cwd=self.project)
        self.assertEqual(self.bodies(RARE), wanted)
        [two] = self.run_json("search", "two", cwd=self.project)
        self.run_program("archive", two["id"], cwd=self.project)
        self.assertEqual(self.bodies(RARE), wanted)
        self.assertEqual(self.bodies(f"{RARE} is:archived"), [f"{RARE} claude two"])
        self.run_program("index", "rebuild", cwd=self.project)
        self.assertEqual(self.bodies(RARE), wanted)
        self.assertEqual(self.bodies(f"{RARE} is:archived"), [f"{RARE} claude two"])
        self.run_program("restore", two["id"], cwd=self.project)
        self.assertEqual(self.bodies(f"{RARE} is:archived"), [])
        self.assertEqual(self.bodies(RARE), wanted)


if __name__ == "__main__":
    harness.main()
