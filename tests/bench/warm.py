"""Measures opening a mailbox whose heads are cached: the screens, from the start of the process,
and a command.

The program has verified everything when it has checked every file that it took from the cache; the
log records that moment.
"""
import datetime
import os
import time

from harness import poll_until
from measuring import in_turn, median, ratios
from session import READY, Session, available

ROUNDS = 9
VERIFIED = "files looked at twice"


class Warm:
    """A home with a cache of all messages."""

    def __init__(self, bench, tree):
        self.bench, self.tree, self.home = bench, tree, bench.home()
        self.log = os.path.join(self.home.state, "swarmutt", "debug.log")
        bench.rest()
        with self.session() as session:
            session.see(READY)
            session.settle()
            self.count = session.shown()

    def session(self):
        return Session(self.bench, self.home, self.bench.program(self.tree, "--debug"))

    def verified(self, session):
        """Returns the seconds from the start until the log reports it."""
        def look():
            with open(self.log) as file:
                return next((line for line in file
                             if f" {session.pid}." in line and VERIFIED in line), None)

        line = poll_until(look)
        if not line:
            raise RuntimeError("it is never verified")
        then = datetime.datetime.fromisoformat(line.split()[0].replace("Z", "+00:00")).timestamp()
        return then - (time.time() - time.monotonic()) - session.begun_us / 1e6

    def open(self):
        with self.session() as session:
            rows = session.rows()
            session.see(f"INBOX {self.count}/")
            return rows, session.see(READY), self.verified(session)

    def command(self, *words):
        """Returns the seconds that a command takes with this cache."""
        return self.bench.timed(self.home, *self.bench.program(self.tree, *words))[1]

    def command_first(self, *words):
        """Returns the seconds that a command takes without a cache."""
        cold = self.bench.home()
        try:
            return self.bench.timed(cold, *self.bench.program(self.tree, *words))[1]
        finally:
            cold.close()


def bench_warm(bench):
    if not available(bench):
        return
    tree = bench.tree(bench.messages)
    warm = Warm(bench, tree)
    try:
        took = in_turn(ROUNDS, {"limit": lambda: bench.limit(tree), "screens": warm.open,
                                "list": lambda: warm.command("list"),
                                "list first": lambda: warm.command_first("list"),
                                "all": lambda: warm.command("messages", "--all"),
                                "all first": lambda: warm.command_first("messages", "--all")})
    finally:
        warm.home.close()
    rows, shown, verified = zip(*took["screens"])
    for what, values, aim in (("the screens, to the first rows", rows, None),
                              ("the screens, to the whole list", shown, 0.12),
                              ("the screens, until every file is checked", verified, 0.6),
                              ("the command list, to its end", took["list"], None),
                              ("the same without a cache", took["list first"], None),
                              ("messages --all, to its end", took["all"], None),
                              ("the same without a cache", took["all first"], None)):
        bench.figures.add(what, ratios(values, took["limit"]), "x LIMIT", aim,
                          beside=f"{median(values) * 1e3:.0f} of {median(took['limit']) * 1e3:.0f} ms")
