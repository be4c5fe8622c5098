"""A ledger as swarmutt-json(5) describes it, written and checked without any code of the program."""
import hashlib
import json
import os

ZEROS = "0" * 64


def sum_of(text):
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def split(line):
    """Returns the part of a line that its sum covers, and the rest."""
    at = line.rindex(',"sum":')
    return line[:at], line[at:]


class Ledger:
    """Writes entries to the ledger of a test's home."""

    def __init__(self, state):
        self.path = os.path.join(state, "swarmutt", "ledger")
        self.lines = []

    def add(self, event, decision, at="2026-11-16T12:00:00.000Z", more_keys=(), **members):
        """Appends one line. `more_keys` replace the line's own keys; False leaves one out."""
        entry = {"v": 1, "n": len(self.lines) + 1,
                 "prev": sum_of(self.lines[-1]) if self.lines else ZEROS, "at": at,
                 "event": event, "decision": decision, **members}
        entry.update(more_keys)
        body = json.dumps(entry, separators=(",", ":"))[:-1]
        self.lines.append(f'{body},"sum":"{sum_of(body)}"}}')
        self.write("".join(line + "\n" for line in self.lines))
        return self

    def write(self, text):
        os.makedirs(os.path.dirname(self.path), 0o700, exist_ok=True)
        with open(self.path, "w", encoding="ascii", newline="") as file:
            file.write(text)
        os.chmod(self.path, 0o600)

    def write_head(self, number, line):
        with open(self.path + ".head", "w", encoding="ascii") as file:
            file.write(f"{number:016d} {sum_of(line)}\n")


def check(path):
    """Reads a whole ledger and raises at the first deviation from the manual."""
    with open(path, encoding="ascii", newline="") as file:
        text = file.read()
    if text and not text.endswith("\n"):
        raise ValueError("the last line is not ended")
    entries, prev = [], ZEROS
    for number, line in enumerate(text.split("\n")[:-1], 1):
        entry = json.loads(line)
        body, tail = split(line)
        if tail != f',"sum":"{sum_of(body)}"}}' or list(entry)[-1] != "sum":
            raise ValueError(f"line {number}: the sum is wrong")
        if entry["v"] != 1 or entry["n"] != number or entry["prev"] != prev:
            raise ValueError(f"line {number}: it does not follow")
        prev = sum_of(line)
        entries.append(entry)
    return entries
