"""Files with misleading sizes: reading them takes no more memory than their content needs.
SWARMUTT_SOAK=1 takes larger ones."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", part) for part in ("lib", "faults", "environment")] + [HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import preload  # noqa: E402
from following import Follower  # noqa: E402
from harness import DONE, NOTHING  # noqa: E402
from layouts import LayoutCase  # noqa: E402
from processes import end_process  # noqa: E402
from odd_case import SOAK  # noqa: E402
from screens import QUIT, Screens  # noqa: E402

SIZE = (8 if SOAK else 4) << 20
BASE = 30 << 20
TIMES = 4
SHOWN = 200  # damaged entries of an inbox that are listed one by one
LOOKS = (("list",), ("messages", "--json"), ("pending",), ("count",), ("agents",), ("doctor",), ("handoffs",),
         ("search", "word"), ("watch", "--from-start", "--limit", "1"), ("--plain",))


def join(pieces, start="[", end="]"):
    """Yields the pieces as members of a container."""
    yield start
    for number, piece in enumerate(pieces):
        yield ("," if number else "") + piece
    yield end


class DamagedEntries(LayoutCase):
    """Thousands of entries of a Claude inbox are not messages."""

    MANY = 12345 + SHOWN

    def setUp(self):
        super().setUp()
        self.path = os.path.join(self.claude(), "teams/dev/inboxes/team-lead.json")
        self.entries = ["0"] * self.MANY
        for at, word in ((self.MANY, "last"), (self.MANY // 2, "middle"), (0, "first")):
            self.entries.insert(at, json.dumps(self.entry(word)))
        self.save()

    def save(self):
        self.write(self.path, "".join(join(self.entries)))

    def rows(self):
        return self.run_json("messages", "--all")

    def rest(self):
        """Returns the row that represents the entries that are not listed one by one."""
        rest = [one for one in self.rows() if one["id"] == "team-lead#rest"]
        self.assertEqual(len(rest), 1)
        return rest[0]

    def test_beyond_some_hundred_damaged_entries_are_one_row_that_counts_them(self):
        rows = self.rows()
        self.assertEqual({one["subject"] for one in rows if not one["damaged"]}, {"first", "middle", "last"})
        self.assertEqual(sum(bool(one["damaged"]) for one in rows), SHOWN + 1)
        self.assertEqual(self.rest()["damaged"], f"12,345 more damaged entries, shown as one: #{SHOWN + 2} "
                                                 f"to #{self.MANY + 2}")
        self.assertEqual(self.run_one("count", "--format", "json")["unread"], 3)

    def test_every_command_counts_the_same_rows(self):
        self.assertEqual(sum("damaged" in line for line in self.run_program("list").lines), SHOWN + 1)
        self.assertIn(f"{SHOWN + 1} damaged messages", self.run_program("pending", rc=NOTHING).err)
        self.assertEqual(self.run_one("sources")["damaged"], SHOWN + 1)
        self.assertEqual(self.box.run("doctor").out.count("12,345 more damaged entries"), 1)
        self.assertIn("12,345 more damaged entries", self.run_program("list").out)
        self.assertIn(f"INBOX {SHOWN + 4}/{SHOWN + 4}", self.box.run("--plain", input="").lines[0])

    def test_the_row_shows_the_bytes_of_all_that_it_stands_for(self):
        raw = self.run_program("show", "--raw", "team-lead#rest").out
        self.assertEqual(raw, ",".join(self.entries[SHOWN + 1:-1]))

    def test_one_damaged_entry_more_than_are_shown_is_a_row_that_says_one(self):
        self.entries = ["null"] * (SHOWN + 1)
        self.save()
        self.assertEqual(self.rest()["damaged"], f"1 more damaged entry, shown as one: #{SHOWN + 1}")
        self.entries.pop()
        self.save()
        self.assertEqual({one["id"] for one in self.rows()},
                         {f"team-lead#{number}" for number in range(1, SHOWN + 1)})

    def test_the_row_stays_the_same_one_while_the_file_is_followed(self):
        follower = Follower(self.box)
        self.addCleanup(follower.close)
        self.assertEqual(*follower.settle())
        rest = self.rest()
        self.run_program("send", "--to", "team-lead", "--subject", "more", "--body", "text", "--as", "bob")
        self.assertEqual(*follower.settle())
        self.assertEqual(self.rest(), rest)
        self.entries.append("{}")
        self.save()
        self.assertEqual(*follower.settle())
        events = [event["event"] for event in follower.events if event.get("id") == rest["id"]]
        self.assertEqual(events, ["new", "changed"])
        self.assertIn("12,346 more", self.rest()["damaged"])

    def test_what_is_written_keeps_every_byte_of_damaged_entries(self):
        damaged = ['{ "from" : 1 }', "[[ ]]", '"\\u0041"', "-0.0e1", "null", '{"text":"x"}']
        self.entries = [json.dumps(self.entry("mine"))] + damaged * 100
        self.save()
        before = self.read(self.path)
        self.run_program("mark", "--all", "team-lead", "read")
        marked = before.replace(b'"read": false', b'"read": true')
        self.assertEqual(self.read(self.path), marked)
        self.run_program("send", "--to", "team-lead", "--subject", "more", "--body", "text", "--as", "bob")
        self.assertTrue(self.read(self.path).startswith(marked[:-1] + b","))
        self.assertNotEqual(self.box.run("mark", "team-lead#rest", "read").rc, DONE)
        self.assertTrue(self.read(self.path).startswith(marked[:-1] + b","))


class Memory(LayoutCase):
    """The peak memory of a command, with mailboxes of which it reads hardly anything."""

    def setUp(self):
        super().setUp()
        if not preload.takes_memory():
            self.skipTest("a sanitizer has the memory")

    def save(self, path, pieces):
        """Writes the pieces one by one, because the memory of this process counts, too."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            for piece in pieces:
                file.write(piece)
        os.utime(path, (1, 1))

    def peak(self, *words):
        """Returns the peak memory in bytes."""
        with open(os.devnull, "w") as nothing:
            process = self.box.popen(*words, cwd=self.project, stdin=subprocess.DEVNULL, stdout=nothing,
                                     stderr=nothing)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(process.returncode, range(harness.UNCONFIRMED + 1), words)
        return usage.ru_maxrss << 10

    def screens_peak(self):
        screens = Screens(self)
        try:
            screens.wait(b"damaged")
            with open(f"/proc/{screens.process.pid}/status") as status:
                peak = next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM:"))
            screens.type(QUIT)
            self.assertEqual(screens.end(), DONE)
        finally:
            end_process(screens.process)
        return peak

    def assert_modest(self, size, looks=LOOKS):
        for words in looks:
            with self.subTest(" ".join(words)):
                self.assertLess(self.peak(*words), BASE + TIMES * size)
        with self.subTest("the screens"):
            self.assertLess(self.screens_peak(), BASE + TIMES * size)

    def inbox(self, pieces):
        """Writes a Claude inbox; returns its size."""
        path = os.path.join(self.claude(), "teams/dev/inboxes/team-lead.json")
        self.save(path, pieces)
        return os.path.getsize(path)

    def test_an_inbox_of_numbers_takes_little_memory(self):
        self.assert_modest(self.inbox(join("0" for _ in range(SIZE // 2))))

    def test_an_inbox_of_empty_objects_takes_little_memory(self):
        self.assert_modest(self.inbox(join("{}" for _ in range(SIZE // 3))))

    def test_an_inbox_that_is_cut_takes_little_memory(self):
        self.assert_modest(self.inbox(join(("0" for _ in range(SIZE // 2)), end="")))

    def test_an_inbox_of_opening_brackets_takes_little_memory(self):
        self.assert_modest(self.inbox("[" * 1024 for _ in range(SIZE // 1024)))


if __name__ == "__main__":
    harness.main()
