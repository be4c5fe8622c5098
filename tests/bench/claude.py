"""Measures a Claude inbox with many messages in one array: how long its lock is held to mark an
entry and to append one, and how long listing takes after an append.

The log of a process that took the lock once gives the time of the lock.
"""
import json
import os
import re
import subprocess

import harness
from measuring import in_turn, median, ratios

ROUNDS = 15
LIST_ROUNDS = 7
ENTRIES = 10_000
TEXT = "the review of the parser is done " * 50
HELD = re.compile(r"longest lock so far (\d+) us")


def entry(number):
    minute, second = divmod(number, 60)
    return {"from": f"agent-{number % 20:02}", "read": number % 3 > 0,
            "timestamp": f"2026-02-{1 + minute // 1440:02}T{minute // 60 % 24:02}:{minute % 60:02}"
                         f":{second:02}.573Z",
            "summary": f"step {number} is done", "text": f"step {number}: {TEXT}"}


class Inbox:
    """The lead's inbox of a team, in its own home."""

    def __init__(self, bench, entries):
        self.bench, self.home = bench, bench.home()
        self.base = os.path.join(self.home.root, "claude")
        inboxes = os.path.join(self.base, "teams", "dev", "inboxes")
        os.makedirs(inboxes)
        self.path = os.path.join(inboxes, "team-lead.json")
        with open(self.path, "w") as file:
            json.dump([entry(number) for number in range(entries)], file, indent=2)
        self.log = os.path.join(self.home.state, "swarmutt", "debug.log")
        self.sent = 0

    def command(self, *words):
        return [harness.PROGRAM, "--debug", "-S", "claude:" + self.base, *words]

    def unread(self):
        out = subprocess.run(self.command("messages", "is:unread", "--json"), check=True,
                             env=self.home.env, capture_output=True, text=True).stdout
        return [json.loads(line)["id"] for line in out.splitlines()]

    def held(self, *words):
        """Returns the milliseconds that one command holds the lock, and the seconds that it takes."""
        if os.path.exists(self.log):
            os.unlink(self.log)
        took = self.bench.timed(self.home, *self.command(*words))[1]
        with open(self.log) as file:
            return max(int(us) for us in HELD.findall(file.read())) / 1e3, took

    def append(self):
        self.sent += 1
        return self.held("send", "--as", "agent-01", "--to", "team-lead@dev", "--subject", "more",
                         "--body", f"this is number {self.sent}")

    def list(self):
        return self.bench.timed(self.home, *self.command("list"))[1]

    def read(self):
        """Returns the seconds that one read of the file takes in a process of its own."""
        return self.bench.timed(self.home, "cat", self.path)[1]


def bench_claude(bench):
    inbox = Inbox(bench, ENTRIES)
    try:
        megabytes = os.path.getsize(inbox.path) / 1e6
        ids = iter(inbox.unread())
        took = in_turn(ROUNDS, {"mark": lambda: inbox.held("mark", next(ids), "read"),
                                "append": inbox.append})
        for name, what in (("mark", "lock held, marking one as read"),
                           ("append", "lock held, appending one")):
            bench.figures.add(what, [held for held, _ in took[name]], "ms", 5,
                              beside=f"{ENTRIES} entries, {megabytes:.0f} MB; the command takes "
                                     f"{median([s for _, s in took[name]]) * 1e3:.0f} ms")
        bench_listing(bench, inbox)
    finally:
        inbox.home.close()


def bench_listing(bench, inbox):
    def first():
        cache = inbox.home.env["XDG_CACHE_HOME"]
        subprocess.run(["rm", "-rf", cache], check=True)
        return inbox.list()

    def again():
        inbox.append()
        return inbox.list()

    took = in_turn(LIST_ROUNDS, {"read": inbox.read, "first": first, "again": again})
    bench.figures.add("listing again after one was appended", ratios(took["again"], took["first"]),
                      "x the first listing",
                      beside=f"{median(took['again']) * 1e3:.0f} of {median(took['first']) * 1e3:.0f} ms;"
                             f" cat takes {median(took['read']) * 1e3:.0f} ms")
