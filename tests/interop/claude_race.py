"""Concurrent writers of both kinds on one inbox, and the checks afterwards."""
import os
import re
import threading
from collections import Counter

from claude_case import ClaudeCase
from harness import DONE, FAILED
from processes import run_together


class Race(ClaudeCase):
    """acknowledged and refused: the texts of all writers, in the order of each writer's results."""

    limit_s = 600

    def setUp(self):
        super().setUp()
        self.lock = threading.Lock()
        self.acknowledged, self.refused = {}, []

    def record(self, writer, text, done):
        with self.lock:
            self.acknowledged.setdefault(writer, [])
            if done:
                self.acknowledged[writer].append(text)
            else:
                self.refused.append(text)

    def write_with_node(self, writer, count, *options):
        peer = self.start_node("append", str(count), options=["--from", writer, *options])
        for said in peer.finish(limit=self.limit_s):
            self.record(writer, said["text"], "acknowledged" in said)

    def write_ourselves(self, writer, count, *options):
        for number in range(1, count + 1):
            text = f"{writer} says {number}"
            result = self.box.run("send", "--to", "alice", "--subject", f"number {number}",
                                  "--body", text, "--no-verify", *options)
            self.assertIn(result.rc, (DONE, FAILED), str(result))
            self.record(writer, text, result.rc == DONE)

    def run_writers(self, nodes, per_node, ours, per_ours, *options):
        run_together(*[lambda name=f"node{n}": self.write_with_node(name, per_node)
                       for n in range(nodes)],
                     *[lambda name=f"we{n}": self.write_ourselves(name, per_ours, *options)
                       for n in range(ours)])

    @property
    def count(self):
        return sum(map(len, self.acknowledged.values()))

    def assert_sound(self):
        """Asserts that none is lost, none doubled, each writer's order is kept, and failed ones are
        absent."""
        texts = [one["text"] for one in self.box.entries("alice")]
        doubled = [text for text, count in Counter(texts).items() if count > 1]
        self.assertEqual(doubled, [])
        for writer, sent in self.acknowledged.items():
            self.assertEqual([text for text in texts if text.startswith(writer + " says ")], sent)
        self.assertEqual(set(self.refused) & set(texts), set())
        self.assertEqual(len(texts), self.count)
        self.assertEqual(self.node("canonical"), {"canonical": True})
        self.assert_tidy("alice")

    def longest_hold(self):
        """Returns the longest time from the program's own log, or None."""
        try:
            with open(os.path.join(self.box.state, "swarmutt", "debug.log")) as file:
                held = re.findall(r"longest lock so far (\d+) us", file.read())
        except FileNotFoundError:
            return None
        return max((int(time_us) / 1000 for time_us in held), default=None)
