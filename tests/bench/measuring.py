"""Shared by all parts of make bench: mailboxes to measure in, runs in turn, and clocks.

LIMIT is the time to read every file of a mailbox once, in one thread (tests/bench/limit).
"""
import os
import shutil
import statistics
import subprocess
import tempfile
import time

import harness

SETTLED_S = 2.2  # caches and indexes accept a file only when nobody has changed it for this long
QUIET_S = 0.3  # settled: no work for this long
LAST_CORE = max(os.sched_getaffinity(0))


def quick_place():
    """Returns a directory in memory if there is one to write files in: a disk has delays of its
    own."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def at_most(rounds):
    """Returns the number of rounds, which BENCH_ROUNDS may lower for a quick check."""
    return min(rounds, int(os.environ.get("BENCH_ROUNDS") or rounds))


def in_turn(rounds, cases):
    """Runs each case once per round; returns their results by name."""
    took = {name: [] for name in cases}
    for _ in range(at_most(rounds)):
        for name, case in cases.items():
            took[name].append(case())
    return took


def ratios(over, under):
    """Returns the ratios of values of the same round."""
    return [a / b for a, b in zip(over, under)]


def quantile(values, share):
    return sorted(values)[int(share * (len(values) - 1))]


class Bench:
    """The programs under measurement, their mailboxes, and the table."""

    def __init__(self, build, figures, messages):
        self.build, self.figures, self.messages = build, figures, messages
        self.million = bool(os.environ.get("BENCH_MILLION"))
        self.scratch = tempfile.mkdtemp(prefix="swarmutt-bench-")
        self.trees, self.touched = {}, 0

    def close(self):
        shutil.rmtree(self.scratch)

    def tool(self, name):
        return f"{self.build}/tests/bench/{name}"

    def program(self, tree, *words):
        return [harness.PROGRAM, "-S", "adr:" + tree, *words]

    def generate(self, count, tree, *options):
        os.makedirs(tree)
        subprocess.run([self.tool("generate"), *options, str(count), tree], check=True)
        self.touched = time.monotonic()
        return tree

    def tree(self, count):
        """Returns a mailbox of `count` messages, made at the first call; nobody may change it."""
        if count not in self.trees:
            self.trees[count] = self.generate(count, f"{self.scratch}/{count}/mailboxes")
        return self.trees[count]

    def drop(self, count):
        shutil.rmtree(os.path.dirname(self.trees.pop(count)))

    def rest(self):
        """Waits until the files that were written last are old enough to be cached."""
        time.sleep(max(0, self.touched + SETTLED_S - time.monotonic()))

    def home(self, quick=False):
        """Returns a fresh home for the program, without cache and state."""
        home = harness.Home(quick_place() if quick else self.scratch)
        home.env["TERM"] = "xterm-256color"
        return home

    def limit(self, tree, prefix=(), depth=2):
        """Returns the seconds that one read of all files takes; they are `depth` directories below."""
        out = subprocess.run([*prefix, self.tool("limit"), tree, str(depth)], check=True,
                             capture_output=True).stdout.split()
        if not int(out[1]):
            raise RuntimeError(f"{tree} has no files")
        return float(out[0])

    def open(self, tree, *options, prefix=(), count=None):
        """Returns the seconds from nothing, with no cache, to the sorted threads of all messages."""
        home = self.home()
        try:
            out = subprocess.run([*prefix, self.tool("open"), *options, tree], check=True,
                                 capture_output=True, env=home.env).stdout.split()
        finally:
            home.close()
        if count is not None and int(out[1]) != count:
            raise RuntimeError(f"{out[1]!r} of {count} messages were found")
        return float(out[0])

    def timed(self, home, *command, rc=0):
        """Returns the seconds from the start of a process to its first output, and to its end."""
        done = subprocess.run([self.tool("timed"), *command], env=home.env, cwd=home.root,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != rc:
            raise RuntimeError(f"{command} ended with {done.returncode}: {done.stderr!r}")
        return [int(word) / 1e6 for word in done.stdout.split()]


def pinned():
    return ("taskset", "-c", str(LAST_CORE))


def work_of(pid):
    """Returns the work of the process's threads so far, or None while one of them is running."""
    done = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{thread}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] != "S":
                    return None
            with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
                done.append((thread, file.read()))
        except FileNotFoundError:  # a thread that has just ended
            return None
    return done


def settle(pid):
    """Waits until a process has done nothing for a while."""
    since, before = time.monotonic(), None
    while before is None or time.monotonic() - since < QUIET_S:
        now = work_of(pid)
        if now is None or now != before:
            since, before = time.monotonic(), now
        time.sleep(0.01)


def anonymous(pid):
    """Returns the bytes of memory that only this process uses."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("RssAnon"))


def median(values):
    return statistics.median(values)
