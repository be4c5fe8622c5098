"""make bench: how soon the screens are there, and how soon they answer.

The first screen is compared with that of tests/bench/empty, the least that a program with a screen
can be, in turn and by the same clock. Keys are pressed while many messages load, and while mail
arrives afterwards; tests/bench/screen does that in a pseudo terminal.
"""
import os
import statistics
import subprocess
import threading

import harness
from watching import adr_probe, generate, quick_place

ROUNDS = 15
FEW, MANY = 100, 100_000  # messages
SIZE = ("40", "140")  # with a list, the agents beside it and a preview
KEY_US, KEYS = 20_000, 400  # between two keys; how many after everything is there
MAIL_S = 0.15  # between two messages that arrive
FRAME, READY = "?:help", "watch ok"  # seen on the first screen, and when all mail is there


def has_screen(build):
    if os.path.exists(f"{build}/tests/bench/screen"):
        return True
    print("\nThe screens are not measured: that needs libvterm (Debian: libvterm-dev).")
    return False


def program(build, tree):
    return [f"{build}/swarmutt", "-S", "adr:" + tree]


def seen_ms(build, box, texts, command):
    """Milliseconds from the start until each text is on the screen."""
    out = subprocess.run([f"{build}/tests/bench/screen", "first", *SIZE, *texts, "--", *command],
                         env=box.env, cwd=box.root, check=True, stdout=subprocess.PIPE).stdout
    return [int(line) / 1000 for line in out.split()]


def bench_screen(build):
    if not has_screen(build):
        return
    box = harness.Home(quick_place())
    box.env["TERM"] = "xterm-256color"
    try:
        few, many = (program(build, generate(build, count, os.path.join(box.root, str(count))))
                     for count in (FEW, MANY))
        cases = {"empty": (["here I am"], [f"{build}/tests/bench/empty"]),
                 f"{FEW} messages": ([FRAME, READY], few),
                 f"{MANY} messages": ([FRAME], many)}
        took = {name: [] for name in cases}
        for _ in range(ROUNDS):
            for name, (texts, command) in cases.items():
                took[name].append(seen_ms(build, box, texts, command))
    finally:
        box.close()
    least = statistics.median(first for first, *_ in took["empty"])
    print(f"\nFrom the start to the first screen, in ms; the median of {ROUNDS} rounds.\n"
          f"{'program':>15} {'first':>8} {'ratio':>6} {'all mail':>9}  spread of the first")
    for name, rounds in took.items():
        first, *ready = (statistics.median(column) for column in zip(*rounds))
        print(f"{name:>15} {first:8.2f} {first / least:6.2f} "
              f"{f'{ready[0]:.2f}' if ready else '':>9}  "
              f"{min(r[0] for r in rounds):.2f}..{max(r[0] for r in rounds):.2f}")


class Mail:
    """Messages that arrive in a mailbox one after the other, until it is closed."""

    def __init__(self, tree):
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.write, args=(adr_probe(tree),))
        self.thread.start()

    def write(self, probe):
        number = 0
        while not self.ended.wait(MAIL_S):
            probe(number)
            number += 1

    def close(self):
        self.ended.set()
        self.thread.join()


def press_keys(build, box, tree):
    """Milliseconds that each key took, by whether it was pressed while mail was loading or after."""
    took, mail = {"loading": [], "after": []}, None
    command = [f"{build}/tests/bench/screen", "keys", *SIZE, str(KEY_US), str(KEYS), READY, "--",
               *program(build, tree)]
    with subprocess.Popen(command, env=box.env, cwd=box.root, stdout=subprocess.PIPE) as keys:
        try:
            for line in keys.stdout:
                words = line.decode().split()
                if words == ["ready"]:
                    mail = Mail(tree)
                else:
                    took[words[0]].append(int(words[1]) / 1000)
        finally:
            if mail:
                mail.close()
    if keys.returncode:
        raise RuntimeError("the keys were not answered")
    return took


def with_those_behind(took_ms):
    """Keys that would have been pressed while one was waited for have waited, too."""
    return sorted(ms - behind * KEY_US / 1000 for ms in took_ms
                  for behind in range(1 + int(ms * 1000 // KEY_US)))


def bench_keys(build):
    if not has_screen(build):
        return
    box = harness.Home(quick_place())
    box.env["TERM"] = "xterm-256color"
    try:
        tree = generate(build, MANY, os.path.join(box.root, "mailboxes"))
        took = press_keys(build, box, tree)
    finally:
        box.close()
    print(f"\nFrom a key to its answer among {MANY} messages, in ms; a key every {KEY_US // 1000} ms, "
          f"mail every {MAIL_S * 1000:.0f} ms.\n"
          f"{'while':>9} {'keys':>5} {'p50':>7} {'p99':>7} {'worst':>7}  aim")
    for name, word in (("loading", "loading"), ("after", "arriving")):
        all_ms = with_those_behind(took[name])
        quantiles = [all_ms[int(share * (len(all_ms) - 1))] for share in (0.5, 0.99, 1)]
        print(f"{word:>9} {len(all_ms):5} " + " ".join(f"{ms:7.1f}" for ms in quantiles)
              + "  p99 16, worst 50")
