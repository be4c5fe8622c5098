#!/usr/bin/env python3
"""The examples in doc/examples work: hooks with events of every kind, and the commands that agents
are asked to run."""
import json
import os
import re
import stat
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "lib"))
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import DONE, MailboxCase, message  # noqa: E402

EXAMPLES = os.path.join(HERE, "..", "..", "..", "doc", "examples")
HOOKS = os.path.join(EXAMPLES, "hooks")
AGENTS = os.path.join(EXAMPLES, "agents")
HOSTILE = "$(touch here) `touch here`; touch here\n\x1b]0;x\x07'\"--help"


class Hooks(MailboxCase):

    def setUp(self):
        super().setUp()
        self.bin = os.path.join(self.box.root, "bin")
        os.makedirs(self.bin)
        for name in "notify-send", "tmux", "my-push":
            self.fake(name)

    def fake(self, name):
        """Makes a program that only writes down its arguments, one per line."""
        path = os.path.join(self.bin, name)
        with open(path, "w") as file:
            file.write("#!/bin/sh\n{ for word; do printf '%s\\n' \"$word\"; done; "
                       "[ \"${0##*/}\" != my-push ] || cat; } >> \"$0\".said\n")
        os.chmod(path, stat.S_IRWXU)

    def said(self, name):
        path = os.path.join(self.bin, name + ".said")
        if not os.path.exists(path):
            return []
        with open(path) as file:
            return file.read().splitlines()

    def run_hook(self, name, event, **env):
        done = subprocess.run([os.path.join(HOOKS, name)], input=json.dumps(event).encode() + b"\n",
                              cwd=self.box.root, timeout=harness.LIMIT_S,
                              env=dict(os.environ, PATH=f"{self.bin}:{os.environ['PATH']}", **env))
        self.assertEqual(done.returncode, 0)
        self.assertFalse(os.path.exists(os.path.join(self.box.root, "here")))

    def test_the_desktop_is_told_who_and_what(self):
        self.run_hook("desktop", {"v": 1, "event": "waiting", "from": "bob", "subject": "a plan"})
        self.run_hook("desktop", {"v": 1, "event": "stuck", "agent": "ann", "why": "silent 20m"})
        said = self.said("notify-send")
        for line in "bob waits for you", "a plan", "ann may be stuck", "silent 20m":
            self.assertIn(line, said)

    def test_text_of_others_stays_text(self):
        for name in "desktop", "push", "wake":
            self.run_hook(name, {"v": 1, "event": "waiting", "from": HOSTILE, "to": HOSTILE,
                                 "subject": HOSTILE}, PUSH="my-push")
        self.assertNotIn("\x1b", "".join(self.said("notify-send") + self.said("my-push")))
        self.assertEqual(self.said("tmux"), [])

    def test_a_push_goes_through_the_command_of_the_users_choice(self):
        event = {"v": 1, "event": "waiting", "from": "bob", "subject": "a plan"}
        self.run_hook("push", event, PUSH="my-push --topic mine")
        self.assertEqual(self.said("my-push"), ["--topic", "mine", "swarmutt: waiting, bob",
                                                "a plan"])
        self.run_hook("push", event, PUSH="")

    def test_an_agent_is_woken_in_its_own_pane(self):
        panes = os.path.join(self.box.root, "panes")
        with open(panes, "w") as file:
            file.write("builder-1 swarm:0.2\nbuilder-10 swarm:0.3\n")
        for to in "builder-1", "nobody", "builder-1; rm":
            self.run_hook("wake", {"v": 1, "event": "sent", "to": to}, SWARMUTT_PANES=panes)
        said = self.said("tmux")
        self.assertEqual(said.count("swarm:0.2"), 2, said)
        self.assertNotIn("swarm:0.3", said)
        self.assertIn("There is mail for you: swarmutt check builder-1", said)


class Agents(MailboxCase):

    def setUp(self):
        super().setUp()
        self.box.put("worker-1", message(id="MSG-000000000001", to_agent="worker-1", priority=4,
                                         subject="the first subject"))
        self.box.put("bob", message(id="MSG-000000000002", to_agent="bob", from_agent="worker-1"))

    def snippet(self, *words, text="", rc=DONE):
        where = os.path.join(self.box.root, "bin")
        os.makedirs(where, exist_ok=True)
        path = os.path.join(where, "swarmutt")
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\nexec '{harness.PROGRAM}' --source 'adr:{self.box.mail}' \"$@\"\n")
        os.chmod(path, stat.S_IRWXU)
        done = subprocess.run([os.path.join(AGENTS, "snippets.sh"), *words], input=text.encode(),
                              env=dict(self.box.env, PATH=f"{where}:{os.environ['PATH']}"),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              cwd=self.box.root, timeout=harness.LIMIT_S)
        self.assertEqual(done.returncode, rc, done.stderr)
        return done.stdout.decode()

    def test_every_snippet_works(self):
        self.assertIn("the first subject", self.snippet("check_mail"))
        self.assertIn("the first subject", self.snippet("read_mail", "MSG-000000000001"))
        self.assertRegex(self.snippet("tell", "bob", "Tests", text="all green"), "^MSG-")
        self.assertRegex(self.snippet("answer", "MSG-000000000001", text="yes"), "^MSG-")
        self.assertRegex(self.snippet("hand_over", "bob", "Auth", "half", "green", "the rest"),
                         "^MSG-")
        self.snippet("await_answer", "bob", "1s", rc=harness.NOTHING)

    def test_what_agents_run_first_tells_them_of_plain_mail_and_its_id(self):
        """Most mail has the default priority, and the next command needs an id."""
        self.box.put("worker-1", message(id="MSG-000000000003", to_agent="worker-1", priority=2,
                                         subject="the usual subject"))
        self.assertRegex(self.snippet("check_mail"), "(?m)^MSG-000000000003 .*the usual subject")
        found = 0
        for name in sorted(os.listdir(AGENTS)):
            with open(os.path.join(AGENTS, name)) as file:
                for options in re.findall(r"`swarmutt check NAME([^`]*)`", file.read()):
                    told = self.run_program("check", "worker-1", *options.split()).out
                    self.assertRegex(told, "(?m)^MSG-000000000003 .*the usual subject", name)
                    found += 1
        self.assertGreater(found, 3)

    def test_what_agents_are_told_to_run_is_understood(self):
        """The texts name only existing commands and options."""
        told = 0
        for name in sorted(os.listdir(AGENTS)):
            with open(os.path.join(AGENTS, name)) as file:
                text = file.read()
            for line in re.findall(r"`swarmutt ([^`]+)`", text):
                command, options = line.split()[0], re.findall(r"--([a-z-]+)", line)
                help_text = self.run_program(command, "--help").out
                for option in options:
                    self.assertIn(f"--{option}", help_text, (name, line))
                told += 1
        self.assertGreater(told, 15)


if __name__ == "__main__":
    harness.main()
