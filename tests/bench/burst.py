"""Measures many files that arrive at once: the time until all are on the screen, compared in turn
with the least program that reads each file on its event; and the time until keys are answered
meanwhile.
"""
import shutil
import subprocess

from mail import Arrivals
from measuring import in_turn, median, ratios
from session import READY, Session, add_keys, available

ROUNDS = 5
KEY_ROUNDS = 3
BURST = 10_000
FEW = 1_000  # messages that are already there, here and elsewhere


class Target:
    """A mailbox that receives the files."""

    def __init__(self, bench, count):
        self.bench, self.tree = bench, bench.tree(count)
        self.arrivals = Arrivals(bench, self.tree)
        self.arrivals.stage(BURST)
        self.home = bench.home()
        bench.rest()

    def close(self):
        self.arrivals.clear()
        shutil.rmtree(self.arrivals.staged)
        self.home.close()

    def session(self):
        """Returns the settled screens, and the text that they show when all files have arrived."""
        session = Session(self.bench, self.home, self.bench.program(self.tree))
        session.see(READY)
        session.settle()
        return session, f"INBOX {session.shown() + BURST}/"

    def least(self):
        with subprocess.Popen([self.bench.tool("notify"), self.arrivals.inbox, str(BURST)],
                              stdout=subprocess.PIPE, text=True) as notify:
            notify.stdout.readline()
            return self.since(self.arrivals.burst(), lambda: int(notify.stdout.readline()))

    def seen(self):
        session, text = self.session()
        with session:
            return self.since(self.arrivals.burst(), lambda: session.see_at(text))

    def keys(self):
        session, text = self.session()
        with session:
            burst = self.arrivals.burst()
            took = session.press_until(text)
            self.since(burst, lambda: 0)
            return took

    def since(self, burst, moment):
        """Returns the milliseconds from the first rename until `moment`."""
        end = moment()
        begun = int(burst.communicate()[0].split()[0])
        self.arrivals.unburst()
        return (end - begun) / 1e3


def bench_burst(bench):
    if not available(bench):
        return
    for count in (FEW, bench.messages):
        target = Target(bench, count)
        try:
            took = in_turn(ROUNDS, {"least": target.least, "seen": target.seen})
            bench.figures.add(f"{BURST} files until on screen, among {count}",
                              ratios(took["seen"], took["least"]), "x reading them", 1.5,
                              beside=f"{median(took['seen']):.0f} of {median(took['least']):.0f} ms")
            add_keys(bench, f"p99 of keys meanwhile, among {count}",
                     [target.keys() for _ in range(KEY_ROUNDS)])
        finally:
            target.close()
