#!/usr/bin/env python3
"""watch: its lines, the commands that it runs for them, and its end."""
import json
import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness
import layouts
from following import Follower
from harness import DONE, USAGE, message, poll_until
from processes import LIMIT_S

# Appends its input and its arguments to the records of earlier runs.
RECORDER = """#!{python}
import json, os, sys
fds = sorted(int(fd) for fd in os.listdir("/proc/self/fd"))
with open({out!r}, "a") as out:
    out.write(json.dumps([sys.argv[1:], sys.stdin.read(), fds]) + "\\n")
"""


def msg(number, **fields):
    """Returns a plain message that nobody waits for."""
    return message(id=f"MSG-{number:012x}", type="notification", **fields)


class WatchCase(harness.MailboxCase):

    def setUp(self):
        super().setUp()
        self.box.env["SWARMUTT_NOW"] = "2026-01-03T14:30:30Z"  # so that no answer is late

    def follow(self, *options):
        """Follows from the first message on, whose line shows that the watch has begun."""
        self.put(msg(0xfff, subject="there before"))
        follower = Follower(self.box, *options)
        self.addCleanup(follower.close)
        self.assertTrue(follower.wait_for(lambda: follower.events), follower.errors())
        return follower

    def put(self, fields, **more):
        """Writes like an agent: complete before the rename."""
        path = self.box.put("alice", fields, name=fields["id"] + ".tmp", age=0, **more)
        os.rename(path, path[:-len(".tmp")] + ".json")
        return path[:-len(".tmp")] + ".json"

    def wait_for_events(self, follower, count):
        self.assertTrue(follower.wait_for(lambda: len(follower.events) >= count),
                        f"{follower.events} {follower.errors()}")
        return follower.events

    def wait_for_words(self, follower, *words):
        """Waits for words on standard error."""
        self.assertTrue(follower.wait_for(lambda: all(word in follower.errors() for word in words)),
                        follower.errors())


class Lines(WatchCase):

    def test_an_event_is_the_object_of_its_message_with_its_name_behind_the_version(self):
        follower = self.follow()
        path = self.put(msg(1, subject="one", payload={"a": [1, None]}, tags=["x"]))
        event = self.wait_for_events(follower, 2)[1]
        listed = self.run_one("messages", "--bodies", "subject:one")
        listed.update(event="new")
        self.assertEqual(event, listed)
        os.unlink(path)
        event = self.wait_for_events(follower, 3)[2]
        self.assertEqual((event["event"], event["id"], event["subject"], event["path"]),
                         ("gone", "MSG-000000000001", "one", path))
        with open(follower.path, "rb") as file:
            for line in file:
                self.assertTrue(line.startswith(b'{"v":1,"event":"'), line)
                self.assertTrue(line.isascii())

    def test_what_is_there_first_is_told_only_on_request(self):
        self.put(msg(1))
        process = self.start("watch", "--json", "--limit", "1")
        number = 1
        while process.poll() is None and number < 3000:  # its first check is at an unknown time
            number += 1
            self.put(msg(number))
            time.sleep(0.01)
        told = json.loads(self.finish(process, DONE).out)
        self.assertEqual(told["event"], "new")
        self.assertNotEqual(told["id"], "MSG-000000000001")
        told = self.run_json("watch", "--from-start", "--limit", str(number))
        self.assertEqual({one["id"] for one in told}, {f"MSG-{n + 1:012x}" for n in range(number)})

    def test_a_limit_ends_it(self):
        for number in range(5):
            self.put(msg(number))
        for limit in (1, 3, 5):
            told = self.run_json("watch", "--from-start", "--limit", str(limit))
            self.assertEqual([one["event"] for one in told], ["new"] * limit)
        for wrong in ("", "-1", "x", "1.5"):
            self.run_program("watch", "--limit", wrong, rc=USAGE)

    def test_a_hostile_message_is_one_clean_line(self):
        hostile = "a\nb\r\x1b]0;owned\x07\x1b[2J\u202egnp.exe\u0000\x7f\x9b1m"
        self.box.put("alice", msg(1, from_agent="eve" + hostile, to_agent="al" + hostile,
                                  subject=hostile))
        result = self.run_program("watch", "--from-start", "--limit", "1")
        self.assertEqual(len(result.lines), 1, result)
        self.assertRegex(result.out, r"\A\d\d:\d\d:\d\d new     eve.* -> al.*  MSG-000000000001\n\Z")
        for bad in ("\x1b", "\x07", "\r", "\u202e", "\x00", "\x7f", "\x9b"):
            self.assertNotIn(bad, result.out)
        told = self.run_one("watch", "--from-start", "--limit", "1")
        self.assertEqual((told["subject"], told["from"]), (hostile, "eve" + hostile))

    def test_what_is_hidden_or_temporary_is_no_event(self):
        follower = self.follow()
        for name in (".MSG-1.json", "MSG-1.json.tmp", "x.lock", "README.md", "note.txt"):
            self.box.put("alice", b"{}", name=name)
        self.put(msg(2))
        self.wait_for_events(follower, 2)
        self.assertEqual([event["id"] for event in follower.events],
                         ["MSG-000000000fff", "MSG-000000000002"])

    def test_the_end_of_its_readers_is_its_own(self):
        self.put(msg(1))
        process = self.start("watch", "--json", "--from-start")
        self.assertTrue(process.stdout.readline())
        process.stdout.close()
        self.assertEqual(process.wait(timeout=LIMIT_S), DONE)
        self.assertEqual(process.stderr.read(), b"")

    def test_a_signal_ends_it_and_leaves_nothing_behind(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            follower = self.follow("--exec", "true")
            before = self.box.snapshot(self.box.mail)
            follower.process.send_signal(number)
            follower.process.wait(timeout=LIMIT_S)
            self.assertNotEqual(follower.process.returncode, DONE)
            self.assertNotIn("Sanitizer", follower.errors())
            self.assert_unchanged(before, self.box.mail)
            left = [name for name in os.listdir(os.path.join(self.box.state, "swarmutt"))
                    if not name.startswith(("state.", "log"))]
            self.assertEqual(left, [])


class Torn(WatchCase):
    """Writers that do not rename: a concurrent reader sees a part of the file."""

    def setUp(self):
        super().setUp()
        self.follower = self.follow()
        self.path = os.path.join(self.box.dir("alice"), "MSG-000000000001.json")
        self.data = json.dumps(msg(1, subject="whole"), indent=2).encode()

    def test_what_is_half_written_for_a_moment_is_never_damaged(self):
        with open(self.path, "wb", buffering=0) as file:
            for at in range(0, len(self.data), len(self.data) // 10 + 1):
                file.write(self.data[at:at + len(self.data) // 10 + 1])
                time.sleep(0.03)  # the pause of a slow writer
        event = self.wait_for_events(self.follower, 2)[1]
        self.assertEqual((event["event"], event["subject"], event["damaged"]), ("new", "whole", None))
        with open(self.path, "wb", buffering=0) as file:  # again, over the old content
            file.write(self.data[:100])
            time.sleep(0.3)
            file.write(self.data[100:].replace(b"whole", b"later"))
        event = self.wait_for_events(self.follower, 3)[2]
        self.assertEqual((event["event"], event["subject"], event["damaged"]),
                         ("changed", "later", None))

    def test_what_stays_half_written_is_damaged_until_it_is_completed(self):
        with open(self.path, "wb", buffering=0) as file:
            file.write(self.data[:100])
        event = self.wait_for_events(self.follower, 2)[1]
        self.assertEqual((event["event"], event["id"]), ("new", "MSG-000000000001"))
        self.assertTrue(event["damaged"])
        with open(self.path, "ab", buffering=0) as file:
            file.write(self.data[100:])
        event = self.wait_for_events(self.follower, 3)[2]
        self.assertEqual((event["event"], event["subject"], event["damaged"]),
                         ("changed", "whole", None))


class Marks(layouts.LayoutCase):
    """Local marks that another process of ours makes for a mailbox that cannot hold them."""

    def setUp(self):
        super().setUp()
        self.claude(boxes=(("team-lead", [self.entry("first"), self.entry("second")]),))
        self.box.source = ("--source", "claude:" + os.path.join(self.box.home, ".claude"))
        self.follower = Follower(self.box)
        self.addCleanup(self.follower.close)
        self.assertTrue(self.follower.wait_for(lambda: len(self.follower.present) == 2))
        self.first, self.second = self.follower.events

    def next_event(self):
        seen = len(self.follower.events)
        self.assertTrue(self.follower.wait_for(lambda: len(self.follower.events) > seen),
                        self.follower.errors())
        return self.follower.events[seen]

    def test_looking_at_a_message_is_told(self):
        self.run_program("show", self.first["id"])
        event = self.next_event()
        self.assertEqual((event["event"], event["id"], event["status"]),
                         ("changed", self.first["id"], "read"))

    def test_putting_away_is_told(self):
        self.run_program("archive", self.second["id"])
        event = self.next_event()
        self.assertEqual((event["event"], event["id"], event["status"]),
                         ("changed", self.second["id"], "archived"))
        present, fresh = self.follower.settle()
        self.assertEqual(present, fresh)

    def test_a_mark_is_told(self):
        self.run_program("mark", self.first["id"], "processing")
        event = self.next_event()
        self.assertEqual((event["event"], event["id"], event["status"]),
                         ("changed", self.first["id"], "processing"))


class Running(WatchCase):

    def setUp(self):
        super().setUp()
        self.out = os.path.join(self.box.root, "recorded")
        self.recorder = self.script("recorder", RECORDER.format(python=sys.executable, out=self.out))

    def script(self, name, text):
        path = os.path.join(self.box.root, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def recorded(self):
        try:
            with open(self.out) as file:
                return [json.loads(line) for line in file if line.endswith("\n")]
        except FileNotFoundError:
            return []

    def wait_for_runs(self, count):
        self.assertTrue(poll_until(lambda: len(self.recorded()) >= count), self.recorded())
        return self.recorded()

    def test_each_event_is_given_to_one_run_in_order(self):
        follower = self.follow("--exec", self.recorder)
        for number in range(20):
            self.put(msg(number, subject=f"subject {number}"))
        self.wait_for_events(follower, 21)
        runs = self.wait_for_runs(21)
        given = [json.loads(text) for _, text, _ in runs]
        self.assertEqual(given, follower.events)
        for words, text, fds in runs:
            self.assertEqual(words, [])
            self.assertTrue(text.startswith('{"v":1,"event":"new",') and text.endswith("\n"), text)
            self.assertEqual(fds[:3], [0, 1, 2])
            self.assertLessEqual(len(fds), 4, "a descriptor of ours; one more lists them")
        self.assertEqual(follower.errors(), "")

    def test_no_shell_has_a_part_in_it(self):
        trap = os.path.join(self.box.root, "trap")
        words = [";", "touch", trap, f"$(touch${{IFS}}{trap})", "`id`", "*", "~", "'a", "b'", "&&", ">x"]
        follower = self.follow("--exec", "  ".join([self.recorder, *words]))
        subject = f"'; touch {trap}; $(touch {trap}) `touch {trap}` \n touch {trap}"
        self.put(msg(1, subject=subject))
        self.wait_for_events(follower, 2)
        runs = self.wait_for_runs(2)
        self.assertEqual([run[0] for run in runs], [words, words])
        self.assertEqual(json.loads(runs[1][1])["subject"], subject)
        self.assertFalse(os.path.exists(trap))
        self.assertFalse(os.path.exists(os.path.join(self.box.root, "x")))

    def test_a_path_with_blanks_that_can_be_run_is_one_word(self):
        os.rename(self.recorder, self.recorder + " of all")
        self.follow("--exec", self.recorder + " of all")
        self.assertEqual(self.wait_for_runs(1)[0][0], [])

    def test_a_command_that_does_not_read_is_no_matter(self):
        follower = self.follow("--exec", "true")
        for number in range(3):  # more than a pipe holds
            self.put(msg(number, payload={"much": "x" * 300000}))
        self.wait_for_events(follower, 4)
        self.put(msg(7))
        self.wait_for_events(follower, 5)
        self.assertEqual(follower.errors(), "")

    def test_a_command_gets_more_than_a_pipe_takes(self):
        follower = self.follow("--exec", self.recorder)
        self.put(msg(1, payload={"much": "x" * 300000}))
        self.wait_for_events(follower, 2)
        self.assertEqual(json.loads(self.wait_for_runs(2)[1][1]), follower.events[1])

    def test_a_command_that_fails_is_noted_and_the_next_event_runs_it_again(self):
        failing = self.script("failing", "#!/bin/sh\nexit 7\n")
        follower = self.follow("--exec", failing)
        self.wait_for_words(follower, "failing", "7")
        self.put(msg(1))
        self.assertTrue(follower.wait_for(lambda: follower.errors().count("failing") == 2),
                        follower.errors())
        for line in follower.errors().splitlines():
            self.assertTrue(line.startswith("swarmutt: "), line)

    def test_a_command_that_is_ended_by_a_signal_is_noted(self):
        follower = self.follow("--exec", self.script("dying", "#!/bin/sh\nkill -9 $$\n"))
        self.wait_for_words(follower, "dying", "signal 9")

    def test_a_command_that_is_not_there_is_noted(self):
        follower = self.follow("--exec", "no-such-command-anywhere")
        self.wait_for_words(follower, "no-such-command-anywhere", "cannot be run")
        self.put(msg(1))
        self.wait_for_events(follower, 2)

    def test_a_command_without_a_name_is_refused(self):
        for empty in ("", "  "):
            self.run_program("watch", "--exec", empty, rc=USAGE)

    def test_a_command_that_hangs_holds_up_no_event(self):
        """The command does not read, so its input waits in the pipe."""
        stop = os.path.join(self.box.root, "stop")
        hanging = self.script("hanging", f"#!/bin/sh\nwhile ! test -e {stop}; do sleep 0.05; done\n"
                                         f"echo >>{self.out} 1\n")
        self.addCleanup(self.script, "stop", "")
        follower = self.follow("--exec", hanging)
        for number in range(3):
            self.put(msg(number, payload={"much": "x" * 300000}))
        self.wait_for_events(follower, 4)
        self.assertEqual(self.recorded(), [])
        self.script("stop", "")
        self.assertEqual(self.wait_for_runs(4), [1] * 4)

    def test_a_limit_waits_for_the_last_run(self):
        self.put(msg(1))
        self.run_program("watch", "--from-start", "--limit", "1", "--exec", self.recorder)
        self.assertEqual(len(self.recorded()), 1)

    def test_its_output_and_that_of_the_command_are_apart(self):
        """The command has our standard output, and our lines are whole."""
        self.put(msg(1, subject="one"))
        result = self.run_program("watch", "--json", "--from-start", "--limit", "1", "--exec", "cat")
        lines = [json.loads(line) for line in result.lines]
        self.assertEqual(lines, [lines[0]] * 2)


if __name__ == "__main__":
    harness.main()
