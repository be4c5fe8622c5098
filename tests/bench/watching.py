"""make bench: what following the mailboxes costs, in time and in memory.

Times are those of `watch --json` beside tests/bench/notify, the least that following a directory
can be, in turn and by the same clock: only the difference means anything.
"""
import json
import os
import select
import shutil
import signal
import statistics
import subprocess
import time

import harness
from following import Follower

ROUNDS = 5
PACES = (("idle", 200, 10_000), ("load", 15_000, 200))  # messages and microseconds between them
MESSAGES = 20_000
BOXES, ENTRIES = 20, 1_000
STORM = 8_000  # messages: each makes five events


def generate(build, count, tree):
    shutil.rmtree(tree, ignore_errors=True)
    os.makedirs(tree)
    subprocess.run([f"{build}/tests/bench/generate", str(count), tree], check=True)
    return tree


def quick_place():
    """Memory where there is some to write files in: a disk has delays of its own."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class Sample:
    """What one program took for one run of messages."""

    def __init__(self, build, box, count, pause_us, program):
        inbox = os.path.join(box.root, "mailboxes", "agent-00", "inbox")
        command = [f"{build}/tests/bench/latency", str(count), str(pause_us), inbox,
                   *(word.format(inbox=inbox, root=box.root) for word in program)]
        out = subprocess.run(command, env=box.env, check=True, stdout=subprocess.PIPE).stdout
        lines = out.decode().splitlines()
        self.late, self.worst_us, self.rate = (int(word) for word in lines[0].split())
        took = [float(line) for line in lines[1:]]
        self.missed = sum(us < 0 for us in took)
        self.took_us = sorted(us for us in took if us >= 0)

    def quantile(self, share):
        return self.took_us[int(share * (len(self.took_us) - 1))]


def show_latency(pace, name, samples, aim=""):
    middle = [statistics.median(sample.quantile(share) for sample in samples)
              for share in (0.5, 0.99)]
    count = sum(len(sample.took_us) + sample.missed for sample in samples)
    print(f"{pace:>5} {name:7} {middle[0]:8.0f} {middle[1]:8.0f} "
          f"{max(sample.took_us[-1] for sample in samples):8.0f}  {aim:18} "
          f"{min(sample.rate for sample in samples):8} "
          f"{sum(sample.late for sample in samples) / count:6.1%} "
          f"{max(sample.worst_us for sample in samples):8} "
          f"{sum(sample.missed for sample in samples):6}")
    return middle[1]


def bench_latency(build):
    programs = {"notify": [f"{build}/tests/bench/notify", "{inbox}"],
                "watch": [f"{build}/swarmutt", "-S", "adr:{root}/mailboxes", "watch", "--json"]}
    print(f"\nFrom a message's rename to its line, in us; p50 and p99 are the median of {ROUNDS} "
          f"rounds.\n{'pace':>5} {'program':7} {'p50':>8} {'p99':>8} {'max':>8}  {'p99 above notify':18} "
          f"{'files/s':>8} {'late':>6} {'by us':>8} {'missed':>6}")
    for pace, count, pause_us in PACES:
        samples = {name: [] for name in programs}
        for _ in range(ROUNDS):
            for name, program in programs.items():
                box = harness.Home(quick_place())
                try:
                    generate(build, 1000, os.path.join(box.root, "mailboxes"))
                    samples[name].append(Sample(build, box, count, pause_us, program))
                finally:
                    box.close()
        least = show_latency(pace, "notify", samples["notify"])
        more = statistics.median(s.quantile(0.99) for s in samples["watch"]) - least
        show_latency(pace, "watch", samples["watch"], f"{more:.0f} (aim 5000)")


class Idle:
    """`watch` once it has nothing to do: it has told of a message that came after its start."""

    def __init__(self, box, source, probe):
        self.process = subprocess.Popen([harness.PROGRAM, "-S", source, "watch", "--json"],
                                        env=box.env, cwd=box.root, stdout=subprocess.PIPE)
        for number in range(3000):
            probe(number)
            if select.select([self.process.stdout], [], [], 0.02)[0]:
                return
        raise RuntimeError("watch tells nothing")

    def resident(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS"))

    def close(self):
        self.process.kill()
        self.process.stdout.close()
        self.process.wait()


def adr_probe(tree):
    def probe(number):
        path = os.path.join(tree, "agent-00", "inbox", f"MSG-{number:012x}.json")
        with open(path + ".tmp", "w") as file:
            json.dump(harness.message(id=f"MSG-{number:012x}"), file, indent=2)
        os.rename(path + ".tmp", path)
    return probe


def entry(number):
    return {"from": f"agent-{number % BOXES:02}", "timestamp": "2026-02-07T15:35:15.573Z",
            "read": number % 3 > 0, "summary": f"step {number} is done",
            "text": f"step {number}: " + "the review of the parser is done " * (number % 40)}


def claude_tree(base, entries):
    inboxes = os.path.join(base, "teams", "dev", "inboxes")
    os.makedirs(inboxes)
    for box in range(BOXES):
        with open(os.path.join(inboxes, f"agent-{box:02}.json"), "w") as file:
            json.dump([entry(box * entries + i) for i in range(entries)], file, indent=2)
    return base


def claude_probe(base):
    def probe(number):
        path = os.path.join(base, "teams", "dev", "inboxes", f"probe-{number}.json")
        with open(path + ".tmp", "w") as file:
            json.dump([entry(number)], file)
        os.rename(path + ".tmp", path)
    return probe


def idle_memory(build, layout, count):
    box = harness.Home(quick_place())
    try:
        tree = os.path.join(box.root, "tree")
        if layout == "adr":
            probe = adr_probe(generate(build, count, tree))
        else:
            probe = claude_probe(claude_tree(tree, count // BOXES))
        idle = Idle(box, f"{layout}:{tree}", probe)
        try:
            return idle.resident()
        finally:
            idle.close()
    finally:
        box.close()


def bench_memory(build):
    print(f"\nResident memory of an idle watch, the median of {ROUNDS} rounds.\n{'layout':>7} "
          f"{'messages':>9} {'empty kB':>9} {'full kB':>9} {'bytes/message':>13} {'aim':>5}  spread")
    for layout, count in (("adr", MESSAGES), ("claude", BOXES * ENTRIES)):
        pairs = [(idle_memory(build, layout, 0), idle_memory(build, layout, count))
                 for _ in range(ROUNDS)]
        each = [(full - empty) / count for empty, full in pairs]
        print(f"{layout:>7} {count:9} {statistics.median(p[0] for p in pairs) / 1024:9.0f} "
              f"{statistics.median(p[1] for p in pairs) / 1024:9.0f} "
              f"{statistics.median(each):13.0f} {300:5}  {min(each):.0f}..{max(each):.0f}")


def make_storm(tree):
    """As agents do: half of what comes is archived, and some of what was there goes."""
    inbox, archive = (os.path.join(tree, "agent-00", part) for part in ("inbox", "archive"))
    for number in range(STORM):
        adr_probe(tree)(number)
        name = f"MSG-{number:012x}.json"
        if number % 2:
            os.rename(os.path.join(inbox, name), os.path.join(archive, name))
    old = os.path.join(tree, "agent-01", "archive")
    for name in os.listdir(old):
        os.unlink(os.path.join(old, name))


def storm_seconds(build):
    box = harness.Home(quick_place())
    tree = generate(build, MESSAGES, os.path.join(box.root, "mailboxes"))
    box.source = ("-S", "adr:" + tree)
    follower = Follower(box)
    try:
        follower.wait_for(lambda: len(follower.present) == MESSAGES)
        os.kill(follower.process.pid, signal.SIGSTOP)
        make_storm(tree)
        fresh = follower.fresh()
        start = time.monotonic()
        os.kill(follower.process.pid, signal.SIGCONT)
        same = follower.wait_for(lambda: len(follower.present) == len(fresh)
                                 and follower.present == fresh)
        return time.monotonic() - start if same else float("inf")
    finally:
        follower.close()
        box.close()


def bench_storm(build):
    took = [storm_seconds(build) for _ in range(3)]
    print(f"\nUntil all is told after {5 * STORM} events in {MESSAGES} messages while stopped: "
          f"{statistics.median(took):.2f} s (aim 5), {min(took):.2f}..{max(took):.2f}")
