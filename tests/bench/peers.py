"""make bench-peers: measures other programs and LIMIT in turn, with the same messages.

Mail programs read them as a maildir, compared with LIMIT on that maildir; jq and Python read our
tree. Each program runs in a process of its own, in the way that lists all messages, sorted by
threads where it can do that. Programs that keep a cache run once without it and then with it.
Programs that are not installed are listed.
"""
import os
import pty
import select
import shutil
import subprocess
import time

import harness
from measuring import at_most, median, ratios

ROUNDS = 5
SLOW_S = 10  # a program that takes longer runs once
PATIENCE_S = 60  # limit for a program that draws nothing
SORT = "set sort=threads; set sort_aux=last-date-received"
PYTHON = """
import json, pathlib, sys
messages = []
for path in pathlib.Path(sys.argv[1]).glob("*/*/*.json"):
    with open(path) as file:
        messages.append(json.load(file))
threads = {}
for message in messages:
    threads.setdefault(message["thread_id"] or message["id"], []).append(message)
for thread in threads.values():
    thread.sort(key=lambda message: message["created_at"])
print(len(sorted(threads.values(), key=lambda thread: thread[-1]["created_at"])))
"""
JQ = ("find %s -name '*.json' -print0 | xargs -0 cat | "
      "jq -c '{id, from_agent, to_agent, subject, created_at, thread_id, reply_to, status}' >/dev/null")
MBLAZE = "mlist %s | mthread | mseq >/dev/null"


def in_terminal(command, env):
    """Runs a program with screens to its end and discards its output. Ends one that waits for a
    key."""
    master, slave = pty.openpty()
    process = subprocess.Popen(command, env=env, stdin=slave, stdout=slave, stderr=slave,
                               start_new_session=True)
    os.close(slave)
    try:
        while select.select([master], [], [], PATIENCE_S)[0] and os.read(master, 65536):
            pass
    except OSError:  # the other end is closed
        pass
    os.close(master)
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.returncode:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")


class Peers:
    """A mailbox with equal messages in both forms, and a home for programs that need one."""

    def __init__(self, bench):
        self.bench, self.home = bench, bench.home()
        self.tree = bench.tree(bench.messages)
        self.maildir = bench.generate(bench.messages, f"{bench.scratch}/maildir", "--maildir")
        self.cache = os.path.join(self.home.root, "headers")
        self.env = dict(self.home.env, MBLAZE=self.home.home, NOTMUCH_CONFIG=self.home.home + "/nm")

    def close(self):
        self.home.close()
        shutil.rmtree(self.maildir)

    def shell(self, line):
        subprocess.run(["sh", "-c", line], check=True, env=self.env)

    def mutt(self, name, cached):
        """Opens the maildir, sorts it and quits."""
        settings = ["-e", f"set folder={self.maildir}", "-e", SORT, "-e", "set quit=yes", "-e",
                    "push <quit>"]
        if cached:
            settings = ["-e", f"set header_cache={self.cache}-{name}", *settings]
        in_terminal([name, "-n", "-F", "/dev/null", "-R", *settings, "-f", self.maildir], self.env)

    def notmuch_new(self):
        with open(self.env["NOTMUCH_CONFIG"], "w") as file:
            file.write(f"[database]\npath={self.maildir}\n[user]\nname=bench\n"
                       f"primary_email=bench@bench\n[new]\ntags=\n")
        self.shell("notmuch new --quiet")

    def cases(self):
        """Returns name, required program, preparation, command and mailbox of each case."""
        cases = [("Python", "python3", None,
                  lambda: self.shell(f"python3 -c '{PYTHON}' {self.tree} >/dev/null"), self.tree),
                 ("jq, heads only", "jq", None, lambda: self.shell(JQ % self.tree), self.tree),
                 ("mblaze", "mthread", None, lambda: self.shell(MBLAZE % self.maildir),
                  self.maildir)]
        for name in ("mutt", "neomutt"):
            cases += [(name, name, None, lambda name=name: self.mutt(name, False), self.maildir),
                      (f"{name} with its cache", name, lambda name=name: self.mutt(name, True),
                       lambda name=name: self.mutt(name, True), self.maildir)]
        return cases + [("notmuch with its index", "notmuch", self.notmuch_new,
                         lambda: self.shell("notmuch search '*' >/dev/null"), self.maildir)]

    def ours(self):
        """Returns the cases of swarmutt: the whole command, without a cache and with one."""
        cold = self.bench.home()
        command = [harness.PROGRAM, "-S", "adr:" + self.tree, "list", "--all"]

        def first():
            shutil.rmtree(cold.env["XDG_CACHE_HOME"], ignore_errors=True)
            self.bench.timed(cold, *command)

        return [("swarmutt list", harness.PROGRAM, None, first, self.tree),
                ("swarmutt list with its cache", harness.PROGRAM,
                 lambda: self.bench.timed(self.home, *command),
                 lambda: self.bench.timed(self.home, *command), self.tree)]


def seconds(run):
    begun = time.monotonic()
    run()
    return time.monotonic() - begun


def bench_peers(bench):
    peers, absent = Peers(bench), []
    bench.rest()
    try:
        for name, needs, prepare, run, tree in peers.ours() + peers.cases():
            if not shutil.which(needs):
                absent.append(name)
                continue
            ready = seconds(prepare) if prepare else 0
            limits, took = [], []
            while len(took) < at_most(ROUNDS) and not (took and took[-1] > SLOW_S):
                limits.append(bench.limit(tree, depth=1 if tree == peers.maildir else 2))
                took.append(seconds(run))
            beside = f"{median(took) * 1e3:.0f} of {median(limits) * 1e3:.0f} ms"
            bench.figures.add(name, ratios(took, limits), "x LIMIT",
                              beside=beside + (f", made ready in {ready:.1f} s" if prepare else ""))
    finally:
        peers.close()
    if absent:
        bench.figures.note(f"Not installed: {', '.join(absent)}.")
