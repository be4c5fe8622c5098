"""Kills the screens with a draft open and with a decision delayed: the draft on disk is there
afterwards, and a decision was sent once or not at all.

Kills at a storage call (storage.c) and at random moments; SWARMUTT_SOAK=1 makes it many.
"""
import contextlib
import json
import os
import random
import signal
import sqlite3
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import ledger  # noqa: E402
from commands import PERMISSION  # noqa: E402
from harness import DONE, NOTHING  # noqa: E402
from layouts import LayoutCase  # noqa: E402
from preload import KILL, Fault, Preload, library  # noqa: E402
from tmux import Tmux  # noqa: E402

ROUNDS = 40 if "SWARMUTT_SOAK" in os.environ else 2
WORDS = "these words were typed one after the other and none of those on disk may be lost "


class ScreenCase(LayoutCase):

    def setUp(self):
        super().setUp()
        if not os.path.exists(library()):
            self.skipTest(f"{library()} is not built: make check builds it")
        self.base = self.claude(boxes=[("team-lead", [self.entry(PERMISSION)]), ("bob", [])])
        self.dice = random.Random(os.environ.get("SWARMUTT_SEED"))
        self.preload = Preload(self.box, [self.base, self.box.state])

    def start_screens(self, fault=None):
        env = dict(self.box.env, **self.preload.env_for(fault))
        tmux = Tmux(("env", *(f"{name}={value}" for name, value in env.items()), harness.PROGRAM),
                    cwd=self.project, cols=100)
        self.addCleanup(tmux.close)
        return tmux

    def press(self, tmux, keys, text):
        """Types keys and waits for a text; returns false if the program has ended."""
        if tmux.dead() is None:
            tmux.send_keys(*keys)
        tmux.wait_until(f"the screen shows {text!r}", lambda: tmux.dead() is not None or any(
            text in line for line in tmux.capture()))
        return tmux.dead() is None

    def kill(self, tmux):
        if tmux.dead() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(tmux.ask("#{pane_pid}")), signal.SIGKILL)
        self.assertEqual(tmux.wait_dead(), -signal.SIGKILL)
        tmux.close()

    def change(self, sql):
        """Runs a statement on the local state, if there is one; returns its rows."""
        path = os.path.join(self.box.state, "swarmutt", "state.db")
        if not os.path.exists(path):
            return []
        with contextlib.closing(sqlite3.connect(path)) as db, db, \
                contextlib.suppress(sqlite3.OperationalError):
            return db.execute(sql).fetchall()
        return []


class Drafts(ScreenCase):

    def saved(self):
        """Returns the bodies of all drafts on disk."""
        return [json.loads(fields).get("body") or "" for fields, in
                self.change("SELECT fields FROM draft")]

    def write_until_dead(self, tmux, least_s):
        """Types; returns the text that was on disk at the last check, and all typed text."""
        typed, on_disk, end = "", "", time.monotonic() + least_s
        if not (self.press(tmux, (), "watch ok") and self.press(tmux, "m", "NEW MESSAGE")
                and self.press(tmux, ("b", "o", "b", "Enter", "s", "Enter"), "[s")):
            return on_disk, typed
        while tmux.dead() is None and (time.monotonic() < end or not on_disk):
            with contextlib.suppress(AssertionError):
                tmux.type(WORDS[len(typed) % len(WORDS)])
                typed += WORDS[len(typed) % len(WORDS)]
            on_disk = max(self.saved() or [""], key=len)
        return on_disk, typed

    def check(self, on_disk, typed):
        """Checks that the next start finds the draft, and can continue it."""
        bodies = self.saved()
        self.assertLessEqual(len(bodies), 1, bodies)
        if on_disk:
            body, = bodies
            self.assertTrue(body.startswith(on_disk), (body, on_disk))
            self.assertTrue(typed.startswith(body), (body, typed))
            tmux = self.start_screens()
            tmux.wait_for("watch ok")
            tmux.send_keys("R")
            tmux.wait_for(on_disk[:20])
            tmux.send_keys("C-o")
            tmux.wait_for("kept as a draft")
            self.kill(tmux)
            self.assertEqual(self.saved(), [body])
        self.change("DELETE FROM draft")

    def test_a_draft_that_was_on_disk_is_there_after_a_kill_at_any_moment(self):
        for _ in range(ROUNDS):
            tmux = self.start_screens()
            on_disk, typed = self.write_until_dead(tmux, self.dice.uniform(0, 4))
            self.kill(tmux)
            self.check(on_disk, typed)

    def test_a_draft_that_was_on_disk_is_there_after_a_kill_at_a_storage_call(self):
        for _ in range(ROUNDS):
            fault = Fault(self.dice.choice(("write", "sync")), self.dice.randint(20, 60), KILL)
            tmux = self.start_screens(fault)
            on_disk, typed = self.write_until_dead(tmux, 4)
            self.kill(tmux)
            self.check(on_disk, typed)


class Decisions(ScreenCase):

    def answers(self):
        return json.loads(self.read(os.path.join(self.base, "teams/dev/inboxes/bob.json")))

    def list(self, *words):
        result = self.box.run(*words, "--json", cwd=self.project)
        self.assertIn(result.rc, (DONE, NOTHING), str(result))
        return harness.parse_lines(result.stdout)

    def check(self):
        """Checks that it was sent once, or not at all, and that the log says so."""
        self.change("UPDATE outbox SET lease_us = 1")  # release the claims of a dead process
        waiting, answers = self.list("pending"), self.answers()
        self.assertLessEqual(len(answers), 1)
        self.assertEqual(len(waiting), 1 - len(answers))
        path = os.path.join(self.box.state, "swarmutt", "ledger")
        events = [line["event"] for line in ledger.check(path)] if os.path.exists(path) else []
        self.assertEqual("delivered" in events, bool(answers), events)
        if events and not answers:
            self.assertEqual(events[-1], "failed")
        if events:
            self.run_program("log", "verify", cwd=self.project)
        return len(answers)

    def renew(self):
        for name in ("ledger", "ledger.head", "state.db", "state.db-wal", "state.db-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(self.box.state, "swarmutt", name))
        self.claude(boxes=[("bob", [])])
        self.write(os.path.join(self.box.home, "config", "swarmutt", "config"),
                   "[decide]\nhold = 1s\n")

    def decide(self, fault=None):
        """Continues up to the delay of the decision, or until the program dies."""
        tmux = self.start_screens(fault)
        for keys, text in ((), "watch ok"), ("3", "-- end of the request"), ("ao", "held: grant"):
            if keys == "ao": # an approval counts only when the request has been shown for a while
                tmux.wait_until("the request settles", lambda: tmux.dead() is not None or not any(
                    "settling" in line for line in tmux.capture()))
            if not self.press(tmux, keys, text):
                break
        return tmux

    def test_a_held_decision_is_sent_once_or_not_at_all_when_killed_at_any_moment(self):
        for _ in range(ROUNDS):
            self.renew()
            tmux = self.decide()
            time.sleep(self.dice.uniform(0, 1.6))  # the time of the kill is random on purpose
            self.kill(tmux)
            self.check()

    def test_a_held_decision_is_sent_once_or_not_at_all_when_killed_at_a_storage_call(self):
        for _ in range(ROUNDS):
            self.renew()
            fault = Fault(self.dice.choice(("write", "sync", "rename", "mkdir", "unlink")),
                          self.dice.randint(1, 12), KILL)
            tmux = self.decide(fault)
            tmux.wait_until("it is sent", lambda: self.answers() or tmux.dead() is not None)
            self.kill(tmux)
            self.check()


if __name__ == "__main__":
    harness.main()
