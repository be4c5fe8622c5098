"""Measures the memory of idle programs that have read everything: private bytes per message, above
the same program with an empty mailbox.
"""
import json
import os
import subprocess

import harness
from claude import entry
from measuring import anonymous, median, settle
from session import READY, Session, add_keys, available

ROUNDS = 3
BOXES, ENTRIES = 20, 1_000
AIM = 300
MILLION = 1_000_000
KEYS = 200


def claude_tree(base, entries):
    inboxes = os.path.join(base, "teams", "dev", "inboxes")
    os.makedirs(inboxes)
    for box in range(BOXES):
        with open(os.path.join(inboxes, f"agent-{box:02}.json"), "w") as file:
            json.dump([entry(box * entries + i) for i in range(entries)], file, indent=2)
    return base


def watch_bytes(bench, source):
    home = bench.home()
    process = subprocess.Popen([harness.PROGRAM, "-S", source, "watch", "--json"], env=home.env,
                               cwd=home.root, stdout=subprocess.DEVNULL)
    try:
        settle(process.pid)
        return anonymous(process.pid)
    finally:
        process.kill()
        process.wait()
        home.close()


def screen_bytes(bench, tree):
    """Measures without a cache, and with the one that this run writes."""
    home = bench.home()
    took = []
    try:
        for _ in range(2):
            with Session(bench, home, bench.program(tree)) as session:
                session.see(READY)
                session.settle()
                took.append(anonymous(session.pid))
    finally:
        home.close()
    return took


def add(bench, what, empty, full, count):
    bench.figures.add(what, [(b - a) / count for a, b in zip(empty, full)], "bytes/message", AIM,
                      beside=f"{median(full) / 1e6:.1f} MB, empty {median(empty) / 1e6:.1f} MB")


def bench_memory(bench):
    count = bench.messages
    sources = {"adr": [f"adr:{bench.tree(n)}" for n in (0, count)],
               "claude": ["claude:" + claude_tree(f"{bench.scratch}/claude-{n}", n)
                          for n in (0, ENTRIES)]}
    bench.rest()
    for layout, messages, what in (("adr", count, "watch"),
                                   ("claude", BOXES * ENTRIES, "watch, Claude inboxes")):
        add(bench, what, *([watch_bytes(bench, source) for _ in range(ROUNDS)]
                           for source in sources[layout]), messages)
    if not available(bench):
        return
    empty, full = (list(zip(*[screen_bytes(bench, bench.tree(n)) for _ in range(ROUNDS)]))
                   for n in (0, count))
    add(bench, "the screens, opened without a cache", empty[0], full[0], count)
    add(bench, "the screens, opened with one", empty[1], full[1], count)


def bench_million(bench):
    """Runs only on request: it takes minutes and gigabytes."""
    if not available(bench):
        return
    tree = bench.tree(MILLION)
    bench.rest()
    home, limit = bench.home(), bench.limit(tree)
    try:
        for what in ("without a cache", "with a cache"):
            with Session(bench, home, bench.program(tree)) as session:
                session.rows()
                loading = session.press_until(READY)
                shown = session.see(READY)
                session.settle()
                bench.figures.add(f"{MILLION} messages to the whole list, {what}", [shown / limit],
                                  "x LIMIT", beside=f"{shown:.1f} of {limit:.1f} s")
                add_keys(bench, f"p99 while they load, {what}", [loading])
                add_keys(bench, f"p99 of keys afterwards, {what}", [session.press(KEYS)])
                bench.figures.add(f"memory, {what}", [anonymous(session.pid) / MILLION],
                                  "bytes/message", AIM)
    finally:
        home.close()
