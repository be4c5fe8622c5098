#!/usr/bin/env python3
"""The program without a screen: it prints and reads lines, and writes nothing else to the terminal.
Hooks run at the same time."""
import datetime
import fcntl
import json
import os
import re
import select
import stat
import sys
import termios

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
from harness import DONE, NOTHING, MailboxCase, main, message, open_terminal, poll_until
from processes import LIMIT_S, end_process

PROMPT = b"swarmutt> "
QUESTION = b"(y/n) "
QUESTIONS = (PROMPT, b": ", b"ends it):\n", QUESTION)  # ends of lines that wait for an answer
ME = ("--as", "alice")
HOOKS = ("on-waiting", "on-new", "on-stuck", "on-sent", "on-decided")


class Talk:
    """A session line by line, through pipes or in a terminal of its own."""

    def __init__(self, box, *options, terminal=False, env=None):
        if terminal:
            self.write_to, slave = open_terminal()
            self.read_from = self.write_to
            self.process = box.popen(*ME, *options, stdin=slave, stdout=slave, stderr=slave,
                                     env=dict({"TERM": "dumb"}, **(env or {})),
                                     preexec_fn=lambda: take_terminal(slave))
            self.slave = slave
        else:
            stdin, self.write_to = os.pipe()
            self.read_from, stdout = os.pipe()
            self.process = box.popen(*ME, "--plain", *options, stdin=stdin, stdout=stdout,
                                     stderr=stdout, env=env)
            os.close(stdin)
            os.close(stdout)
        self.seen = b""

    def read(self):
        """Returns the next output; empty at the end."""
        if not select.select([self.read_from], [], [], LIMIT_S)[0]:
            raise AssertionError(f"nothing more came: {self.seen!r}")
        try:
            data = os.read(self.read_from, 65536)
        except OSError:
            return b""
        self.seen += data
        return data

    def until(self, end=PROMPT):
        """Returns all output up to one of these ends, after which the program waits."""
        text = b""
        while not text.endswith(end):
            data = self.read()
            if not data:
                raise AssertionError(f"it ended: {text!r}")
            text += data
        return text.decode()

    def say(self, line, end=PROMPT):
        os.write(self.write_to, line.encode() + b"\n")
        return self.until(end)

    def close(self):
        for fd in {self.write_to, self.read_from}:
            try:
                os.close(fd)
            except OSError:
                pass
        end_process(self.process)

    def finish(self):
        """Ends the input; returns the exit code."""
        os.close(self.write_to)
        while self.read():
            pass
        return self.process.wait(LIMIT_S)


def take_terminal(slave):
    """Runs in the child: makes the terminal its own, so that ^C reaches it."""
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)


class Plain(MailboxCase):

    def setUp(self):
        super().setUp()
        self.box.put("alice", message(id="MSG-00000000000a", subject="first one", body="the body",
                                      created_at="2026-02-06T17:00:00"))
        self.box.put("alice", message(id="MSG-00000000000b", subject="second one",
                                      created_at="2026-02-06T18:00:00"))

    def talk(self, *options, **more):
        talk = Talk(self.box, *options, **more)
        self.addCleanup(talk.close)
        return talk

    def number_of(self, screen, subject):
        found = re.search(rf"^ *(\d+)\. .*{subject}", screen, re.M)
        self.assertTrue(found, screen)
        return found.group(1)

    def test_a_script_is_done_to_its_end(self):
        result = self.run_program(*ME, "--plain", input="agents\nquit\nnever\n")
        self.assertIn("swarmutt> agents\n", result.out)
        self.assertNotIn("never", result.out)
        self.assertIn("swarmutt> agents", self.run_program(*ME, "--plain", input="agents").out)

    def test_rows_have_numbers_that_open_them(self):
        talk = self.talk()
        first = talk.until()
        opened = talk.say(self.number_of(first, "first one"))
        self.assertIn("the body", opened)
        self.assertIn("Conversation", opened)
        self.assertIn("second one", talk.say("back"))
        self.assertIn("no row has the number 77", talk.say("77"))
        self.assertEqual(talk.finish(), DONE)

    def test_a_number_means_the_row_that_was_printed_with_it(self):
        talk = self.talk()
        number = self.number_of(talk.until(), "first one")
        for index in range(5):  # these would move the row and change its number
            self.box.put("alice", message(id=f"MSG-00000000001{index}", priority=4,
                                          subject=f"pressing {index}"))
        poll_until(lambda: "wait for you" in talk.say("mouse"))  # reported before the prompt
        self.assertIn("the body", talk.say(number))

    def test_a_row_that_is_gone_is_refused_and_nothing_is_done(self):
        talk = self.talk()
        number = self.number_of(talk.until(), "first one")
        os.unlink(os.path.join(self.box.dir("alice"), "MSG-00000000000a.json"))
        before = len(self.box.files("alice", "archive"))

        def refused():
            said = talk.say(f"{number} archive", (PROMPT, QUESTION))
            if said.endswith(QUESTION.decode()):  # the program has not noticed yet
                talk.say("n")
            return "not there any more" in said

        self.assertTrue(poll_until(refused))
        self.assertEqual(len(self.box.files("alice", "archive")), before)

    def test_an_action_is_for_the_row_it_was_given_with(self):
        talk = self.talk()
        number = self.number_of(talk.until(), "second one")
        self.assertIn("still waits for your answer? (y/n)",
                      talk.say(f"{number} archive", QUESTION))
        self.assertIn("nothing was done", talk.say(""))
        self.assertEqual(len(self.box.files("alice", "archive")), 0)
        talk.say(f"{number} archive", QUESTION)
        self.assertIn("archived 1 message", talk.say("y"))
        self.assertEqual(len(self.box.files("alice", "archive")), 1)
        self.assertIn("taken back", talk.say("undo"))
        self.assertEqual(len(self.box.files("alice", "archive")), 0)

    def test_a_request_is_read_before_it_is_decided_by_its_number(self):
        for number in 1, 2:
            self.box.put("alice", message(id=f"MSG-0000000000c{number}", type="request", subject=f"ask {number}",
                                          body=f"the text {number}",
                                          created_at=f"2026-02-06T19:00:0{number}"))
        talk = self.talk()
        talk.until()
        shown = talk.say("decide")
        other = "ask 2" if "the text 1" in shown else "ask 1"
        said = talk.say(f"{self.number_of(shown, other)} accept")
        self.assertIn('read it first, here it is; then "accept" does it', said)
        self.assertIn(other.replace("ask", "the text"), said)
        self.assertEqual(self.run_program("log", rc=NOTHING).out, "")

    def test_a_script_cannot_say_yes_to_several_requests_at_once(self):
        for number in 1, 2:
            self.box.put("alice", message(id=f"MSG-0000000000c{number}", type="request",
                                          subject=f"ask {number}"))
        talk = self.talk()
        talk.until()
        talk.say("decide")
        talk.say("tag-request")
        self.assertIn("LEFT OUT: a yes needs somebody at a terminal", talk.say("approve"))
        talk.say("approve")
        os.close(talk.write_to)  # this would send the delayed decision now
        talk.process.wait(LIMIT_S)
        talk.write_to = os.open(os.devnull, os.O_WRONLY)
        self.assertEqual(self.run_program("log", rc=NOTHING).out, "")

    def test_a_field_whose_label_has_two_words_is_asked_for_again(self):
        talk = self.talk()
        talk.until()
        ends = (*QUESTIONS, b":\n")
        asked = talk.say("handoff", end=ends)
        while not asked.endswith(PROMPT.decode()):
            one_a_line = "an empty line ends it" in asked.splitlines()[-1]
            asked = talk.say("." if asked.endswith(":\n") and not one_a_line else "", end=ends)
        self.assertIn("State file", talk.say("state file", end=QUESTIONS))

    def test_what_an_action_needs_is_asked_for_on_a_line(self):
        talk = self.talk()
        number = self.number_of(talk.until(), "second one")
        self.assertIn("mark as:", talk.say(f"{number} mark", end=b") "))
        self.assertIn("that is no status", talk.say("nonsense", end=b"] "))
        self.assertIn("marked as read", talk.say("read"))

    def test_keys_and_names_and_commands(self):
        talk = self.talk()
        talk.until()
        self.assertIn("2. >", talk.say("G"))
        self.assertIn("1. >", talk.say("gg"))
        self.assertIn("is the start of several keys", talk.say("z"))
        self.assertIn("no action or command", talk.say("nonsense"))
        self.assertIn("first one", talk.say("filter subject:first"))
        self.assertNotIn("second one", talk.say(""))
        self.assertIn("second one", talk.say("messages --limit 5"))
        self.assertIn("next row or line", talk.say("help"))

    def test_new_mail_is_one_line_before_the_next_prompt(self):
        talk = self.talk()
        talk.until()
        self.box.put("bob", message(id="MSG-00000000000d", to_agent="bob"))  # not for the person
        self.box.put("alice", message(id="MSG-00000000000c", type="notification",
                                      subject="third \x1b[31mone"))
        said = poll_until(lambda: [text for text in [talk.say("mouse")] if "1 new" in text])
        self.assertIn("1 new: bob: msg third ^[[31mone\n", said[0])
        self.assertNotIn("1 new", talk.say("mouse"))

    def test_no_control_character_is_ever_written(self):
        self.box.put("alice", message(id="MSG-00000000000c", subject="\x1b[31m\u202e\x9b\x07",
                                      body="\x1b]0;title\x07"))
        talk = self.talk()
        talk.say(self.number_of(talk.until(), r"\^\["))
        talk.say("raw")
        talk.say("agents\x1b[31m")
        talk.finish()
        self.assertNotRegex(talk.seen, rb"[\x00-\x09\x0b-\x1f\x7f]")
        self.assertNotIn("\u202e", talk.seen.decode())

    def test_a_form_is_asked_field_by_field_and_sent_after_a_review(self):
        self.box.add_box("bob")
        talk = self.talk()
        talk.until()
        values = {"Subject": "a question", "Body": "how are you\n\n..\n."}
        form = talk.say("compose bob", end=QUESTIONS)
        for _ in range(20):  # the fields depend on the layout
            if form.endswith(PROMPT.decode()):
                break
            field = re.match(r"\w+", form.splitlines()[-1]).group()
            form = talk.say(values.get(field, ""), end=QUESTIONS)
        self.assertIn("a question", form)
        review = talk.say("send")
        self.assertIn("REVIEW", review)
        self.assertEqual(self.box.files("bob"), [])
        self.assertIn("sent to bob", talk.say("send"))
        sent = json.loads(self.box.read("bob", self.box.files("bob")[0]))
        self.assertEqual((sent["subject"], sent["body"]), ("a question", "how are you\n\n."))

    def test_a_terminal_that_can_do_nothing_gets_lines_by_itself(self):
        talk = self.talk(terminal=True)
        before = termios.tcgetattr(talk.slave)
        self.assertIn("first one", talk.until())
        os.write(talk.write_to, b"half a li")
        os.write(talk.write_to, b"\x03")  # ^C discards the line and does not end the program
        talk.until()
        self.assertIn("there is no mouse", talk.say("mouse"))
        self.assertEqual(termios.tcgetattr(talk.slave), before)
        os.write(talk.write_to, b"\x04")  # ^D at the start of a line ends the input
        self.assertEqual(talk.process.wait(LIMIT_S), DONE)
        self.assertNotIn(b"\x1b", talk.seen)

    def test_an_interrupt_gives_a_question_up(self):
        talk = self.talk(terminal=True)
        talk.until()
        talk.say("1 mark", end=b") ")
        os.write(talk.write_to, b"\x03")
        self.assertIn("given up", talk.until())
        self.assertIn("agents", talk.say("agents"))

    def test_readonly_holds(self):
        before = self.box.snapshot()
        talk = self.talk("--readonly")
        talk.until()
        self.assertIn("--readonly was given", talk.say("1 archive"))
        talk.finish()
        self.assert_unchanged(before)


def is_alive(pid):
    return os.path.exists(f"/proc/{pid}")


class Hooks(MailboxCase):

    def setUp(self):
        super().setUp()
        self.script = os.path.join(self.box.root, "hook")
        self.events = os.path.join(self.box.root, "events")
        with open(self.script, "w") as file:
            file.write(f"#!/bin/sh\ncat >> '{self.events}'-$1\n")
        os.chmod(self.script, stat.S_IRWXU)
        config = os.path.join(self.box.env["XDG_CONFIG_HOME"], "swarmutt")
        os.makedirs(config)
        with open(os.path.join(config, "config"), "w") as file:
            file.write("[stuck]\nunread = 1s\n[hooks]\nlimit = 2s\n" +
                       "".join(f"{name} = {self.script} {name}\n" for name in HOOKS))

    def told(self):
        told = []
        for name in HOOKS:
            path = f"{self.events}-{name}"
            if os.path.exists(path):
                with open(path) as file:
                    told += [(name, json.loads(line)) for line in file if line.endswith("\n")]
        return told

    def test_each_event_is_one_line_of_json_on_the_standard_input(self):
        self.box.put("alice", message(id="MSG-00000000000a", subject="there before",
                                      type="request"))
        talk = Talk(self.box)
        self.addCleanup(talk.close)
        talk.until()
        body = "$(touch here) `touch here`"
        self.box.put("alice", message(id="MSG-00000000000b", subject="; touch here", body=body,
                                      type="request"))
        told = poll_until(lambda: len(self.told()) >= 2 and self.told())
        self.assertEqual([(name, event["event"], event["id"]) for name, event in told],
                         [("on-waiting", "waiting", "MSG-00000000000b"),
                          ("on-new", "new", "MSG-00000000000b")])
        self.assertEqual([event["body"] for _, event in told], [body, body])
        self.assertFalse(os.path.exists(os.path.join(self.box.root, "here")))
        self.assertEqual(talk.finish(), DONE)

    def test_an_agent_that_may_be_stuck_is_told_of(self):
        talk = Talk(self.box)
        self.addCleanup(talk.close)
        talk.until()
        now = datetime.datetime.now().isoformat()
        self.box.put("bob", message(id="MSG-00000000000b", to_agent="bob", created_at=now))
        told = poll_until(lambda: [event for name, event in self.told() if name == "on-stuck"])
        self.assertEqual([(event["event"], event["agent"]) for event in told], [("stuck", "bob")])
        self.assertEqual(talk.finish(), DONE)

    def test_a_hook_that_takes_too_long_is_ended_with_all_that_it_has_started(self):
        pids = os.path.join(self.box.root, "pids")
        with open(self.script, "w") as file:
            file.write(f"#!/bin/sh\ncat >> '{self.events}'-$1\n"
                       f"sleep 3600 & echo $! >> '{pids}'; sleep 3600\n")
        talk = Talk(self.box)
        self.addCleanup(talk.close)
        talk.until()
        for number in (1, 2):
            self.box.put("alice", message(id=f"MSG-00000000000{number}"))
        self.assertTrue(poll_until(lambda: "took longer than 2 s and was ended"
                                   in talk.say("mouse")))
        self.assertTrue(poll_until(lambda: len([name for name, _ in self.told() if name == "on-new"]) == 2),
                        "the next event has its turn")
        self.assertEqual(talk.finish(), DONE)
        with open(pids) as file:
            started = [int(line) for line in file]
        self.assertTrue(poll_until(lambda: not any(map(is_alive, started))))

    def test_a_hook_that_cannot_be_run_is_said_and_disturbs_nobody(self):
        os.unlink(self.script)
        talk = Talk(self.box)
        self.addCleanup(talk.close)
        talk.until()
        self.box.put("alice", message(id="MSG-00000000000b"))
        self.assertTrue(poll_until(lambda: "cannot be run" in talk.say("mouse")))
        self.assertEqual(talk.finish(), DONE)


if __name__ == "__main__":
    main()
