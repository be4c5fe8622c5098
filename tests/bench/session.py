"""A program in a pseudo terminal: reading its screen and pressing its keys.

tests/bench/screen does both, and reads the clock; this sends its requests.
"""
import os
import re
import subprocess

import measuring

SIZE = ("40", "140")  # room for a list, the agents next to it and a preview
FRAME, READY = "?:help", "watch ok"  # texts of the first screen, and of the screen with all mail
KEY_US = 20_000  # between two keys


def available(bench):
    if os.path.exists(bench.tool("screen")):
        return True
    bench.figures.note("The screens are not measured: that needs libvterm (Debian: libvterm-dev).")
    return False


class Session:
    def __init__(self, bench, home, command):
        self.process = subprocess.Popen([bench.tool("screen"), *SIZE, *command], env=home.env,
                                        cwd=home.root, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.pid, self.begun_us = (int(word) for word in self.process.stdout.readline().split())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer.endswith("\n"):
            raise RuntimeError(f"no answer to {line!r}")
        return answer.rstrip("\n")

    def see(self, text):
        """Returns the seconds from the start until the text is on the screen."""
        return (int(self.ask("see " + text).split()[0]) - self.begun_us) / 1e6

    def see_at(self, text):
        """Returns the time when the text is on the screen, in microseconds."""
        return int(self.ask("see " + text).split()[0])

    def rows(self):
        return (int(self.ask("rows")) - self.begun_us) / 1e6

    def shown(self):
        """Returns the number of conversations in the list."""
        return int(re.search(r"INBOX (\d+)/", self.ask("see INBOX ")).group(1))

    def press(self, count):
        """Returns the milliseconds that each key took."""
        return [int(us) / 1000 for us in self.ask(f"press {KEY_US} {count}").split()]

    def press_until(self, text):
        return [int(us) / 1000 for us in self.ask(f"until {KEY_US} {text}").split()]

    def settle(self):
        measuring.settle(self.pid)


def with_those_behind(took_ms):
    """Adds the keys that would have been pressed while a slow one was waited for: they have waited,
    too."""
    return sorted(ms - behind * KEY_US / 1000 for ms in took_ms
                  for behind in range(1 + int(ms * 1000 // KEY_US)))


def add_keys(bench, what, runs):
    """Adds the p99 of each run, with other useful values."""
    runs = [with_those_behind(run) for run in runs if run]
    if not runs:
        bench.figures.note(f"{what}: no key was pressed, it was over before.")
        return
    keys = sorted(ms for run in runs for ms in run)
    bench.figures.add(what, [measuring.quantile(run, 0.99) for run in runs], "ms", 16,
                      beside=f"{len(keys)} keys, p50 {measuring.quantile(keys, 0.5):.1f}, "
                             f"worst {keys[-1]:.1f} ms (aim 50)")
