"""Messages that arrive in a mailbox during a measurement, and are removed afterwards."""
import json
import os
import subprocess
import time

import harness


class Arrivals:
    """New messages in the inbox of one agent, each a conversation of its own."""

    def __init__(self, bench, tree):
        self.bench, self.count = bench, 0
        self.inbox = os.path.join(tree, "agent-00", "inbox")
        self.before = set(os.listdir(self.inbox))
        self.staged = os.path.join(os.path.dirname(tree), "staged")

    def write(self, path, number):
        with open(path, "w") as file:
            json.dump(harness.message(id=f"MSG-{number:012x}", subject=f"arrival {number}"), file,
                      indent=2)

    def add(self):
        """Adds one message as agents do: writes it under another name first. Returns the time of
        the rename in us."""
        path = os.path.join(self.inbox, f"MSG-{self.count:012x}.json")
        self.write(path + ".tmp", self.count)
        self.count += 1
        begun = time.monotonic()
        os.rename(path + ".tmp", path)
        return begun * 1e6

    def stage(self, count):
        """Writes `count` messages outside the mailbox but on the same disk."""
        os.makedirs(self.staged, exist_ok=True)
        for number in range(count):
            self.write(os.path.join(self.staged, f"MSG-{number:012x}.json"), number)

    def burst(self):
        """Starts moving all staged messages into the inbox."""
        return subprocess.Popen([self.bench.tool("burst"), self.staged, self.inbox],
                                stdout=subprocess.PIPE, text=True)

    def unburst(self):
        """Moves the messages back to the staging directory."""
        for name in set(os.listdir(self.inbox)) - self.before:
            os.rename(os.path.join(self.inbox, name), os.path.join(self.staged, name))
        self.bench.touched = time.monotonic()

    def clear(self):
        for name in set(os.listdir(self.inbox)) - self.before:
            os.unlink(os.path.join(self.inbox, name))
        self.bench.touched = time.monotonic()
