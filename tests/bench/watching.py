"""Measures following the mailboxes: how soon one message is reported, and how soon a storm is over.

The times of `watch --json` are compared with those of tests/bench/notify, the least work of
following a directory, in turn and by the same clock.
"""
import os
import signal
import subprocess
import time

from following import Follower
from mail import Arrivals
from measuring import in_turn, median, quantile

ROUNDS = 5
STORM_ROUNDS = 3
BASE = 1_000  # messages that are already there
PACES = (("idle", 200, 10_000, 0.2, 2), ("5000 a second", 5_000, 200, None, None))
MESSAGES = 20_000
STORM = 8_000  # messages: each makes five events


class Sample:
    """The times of one program for one run of messages, in milliseconds."""

    def __init__(self, bench, count, pause_us, program, base=BASE):
        home = bench.home(quick=True)
        try:
            tree = bench.generate(base, os.path.join(home.root, "mailboxes"))
            self.measure(bench, home.env, tree, count, pause_us, program)
        finally:
            home.close()

    def measure(self, bench, env, tree, count, pause_us, program):
        inbox = os.path.join(tree, "agent-00", "inbox")
        out = subprocess.run([bench.tool("latency"), str(count), str(pause_us), inbox,
                              *program(tree, inbox)], env=env, check=True,
                             stdout=subprocess.PIPE).stdout
        lines = out.decode().splitlines()
        self.late, self.worst_us, self.rate = (int(word) for word in lines[0].split())
        took = [float(line) / 1e3 for line in lines[1:]]
        self.missed = sum(ms < 0 for ms in took)
        self.took_ms = [ms for ms in took if ms >= 0]


def bench_latency(bench):
    programs = {"notify": lambda tree, inbox: [bench.tool("notify"), inbox],
                "watch": lambda tree, inbox: bench.program(tree, "watch", "--json")}
    for pace, count, pause_us, *aims in PACES:
        samples = in_turn(ROUNDS, {
            name: lambda program=program: Sample(bench, count, pause_us, program)
            for name, program in programs.items()})
        missed = sum(sample.missed for sample in samples["watch"])
        for word, share, aim in (("p50", 0.5, aims[0]), ("p99", 0.99, aims[1])):
            took = {name: [quantile(sample.took_ms, share) for sample in those]
                    for name, those in samples.items()}
            bench.figures.add(f"{word} from rename to told, {pace}", took["watch"], "ms", aim,
                              beside=f"notify {median(took['notify']):.3f} ms"
                                     + (f", {missed} were not told" if missed else ""))


class Storm:
    def __init__(self, bench):
        self.home = bench.home(quick=True)
        self.tree = bench.generate(MESSAGES, os.path.join(self.home.root, "mailboxes"))
        self.home.source = ("-S", "adr:" + self.tree)
        self.arrivals = Arrivals(bench, self.tree)

    def blow(self):
        """Changes files as agents do: archives half of the new ones, and removes some of the old."""
        archive = os.path.join(self.tree, "agent-00", "archive")
        for number in range(STORM):
            self.arrivals.add()
            if number % 2:
                name = f"MSG-{number:012x}.json"
                os.rename(os.path.join(self.arrivals.inbox, name), os.path.join(archive, name))
        old = os.path.join(self.tree, "agent-01", "archive")
        for name in os.listdir(old):
            os.unlink(os.path.join(old, name))

    def seconds(self):
        follower = Follower(self.home)
        try:
            follower.wait_for(lambda: len(follower.present) == MESSAGES)
            os.kill(follower.process.pid, signal.SIGSTOP)
            self.blow()
            fresh = follower.fresh()
            start = time.monotonic()
            os.kill(follower.process.pid, signal.SIGCONT)
            same = follower.wait_for(lambda: len(follower.present) == len(fresh)
                                     and follower.present == fresh)
            return time.monotonic() - start if same else float("inf")
        finally:
            follower.close()
            self.home.close()


def bench_storm(bench):
    bench.figures.add("until all is told after being stopped",
                      [Storm(bench).seconds() for _ in range(STORM_ROUNDS)], "s", 5,
                      beside=f"{5 * STORM} events in {MESSAGES} messages")
