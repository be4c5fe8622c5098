"""Follows the program's own events, and compares them with a fresh listing."""
import json
import os
import subprocess

from harness import parse_lines, poll_until
from processes import end_process

# The fields that every event of a message has, whatever caused it.
TOLD = ("source format box from to subject type priority status created_at expires_at reply_to "
        "path damaged").split()


def told(message):
    return {key: message[key] for key in TOLD}


def key_of(message):
    """Returns a key with the file: several messages may have the same id, in different files."""
    return (message["source"], message.get("team"), message["box"], message["path"], message["id"])


class Follower:
    """`watch --json --from-start`; its lines add up to the messages that should be there now."""

    def __init__(self, box, *options, program=None):
        self.box = box
        self.path = os.path.join(box.root, f"events-{len(os.listdir(box.root))}")
        self.out = open(self.path, "wb")
        self.err = open(self.path + ".err", "wb")
        args = ("watch", "--json", "--from-start", *options)
        if program:
            self.process = subprocess.Popen([*program, *args], env=box.env, cwd=box.root,
                                            stdout=self.out, stderr=self.err)
        else:
            self.process = box.popen(*args, stdin=subprocess.DEVNULL, stdout=self.out,
                                     stderr=self.err)
        self.read_from, self.rest = 0, b""
        self.present, self.counts, self.events = {}, {}, []

    def close(self):
        end_process(self.process)
        self.out.close()
        self.err.close()

    def errors(self):
        with open(self.path + ".err", "rb") as file:
            return file.read().decode()

    def take(self):
        """Applies the lines since the last call; returns those events."""
        with open(self.path, "rb") as file:
            file.seek(self.read_from)
            piece = self.rest + file.read()
            self.read_from = file.tell()
        lines, _, self.rest = piece.rpartition(b"\n")
        new = [json.loads(line) for line in lines.split(b"\n") if line]
        for event in new:
            self.events.append(event)
            self.fold(event)
        return new

    def fold(self, event):
        what = event["event"]
        self.counts[what] = self.counts.get(what, 0) + 1
        if what not in ("new", "changed", "gone"):
            return
        key, before = key_of(event), self.known_as(event)
        if what == "gone":
            if before is None:
                raise AssertionError(f"gone, and never there: {self.history(event)}")
            del self.present[before]
        else:
            if (what == "new") == (before is not None):
                raise AssertionError(f"{what}, though it was{'' if what == 'new' else ' not'} there: "
                                     f"{self.history(event)}")
            self.present.pop(before, None)
            self.present[key] = told(event)

    def history(self, event):
        """Returns the events of that id up to this one, with the fields that matter here."""
        return "".join("\n  " + " ".join(str(one[name]) for name in ("event", "path", "subject", "damaged"))
                       for one in self.events if one.get("id") == event["id"])

    def known_as(self, event):
        """Returns the key of the same message: of those with its id, the one in the same file, or
        the one with the same text in another. Where only the content names the box, a half-written
        message has none."""
        alike = [key for key, one in self.present.items()
                 if (key[0], key[1], key[-1]) == (event["source"], event.get("team"), event["id"])
                 and (one["box"] == event["box"] or None in (one["box"], event["box"]))]
        for same in ("path",), ("from", "subject", "created_at"):
            for key in alike:
                if all(self.present[key][name] == event[name] for name in same):
                    return key
        return None

    def fresh(self):
        """Returns the same from a fresh listing."""
        result = self.box.run("messages", "--all", "--json")
        return {key_of(m): told(m) for m in parse_lines(result.stdout)}

    def wait_for(self, what, seconds=60):
        """Takes events until `what` returns a true value; returns that value."""
        def answer():
            if self.process.poll() is not None:
                raise AssertionError(f"watch ended with {self.process.returncode}: {self.errors()}")
            self.take()
            return what()
        return poll_until(answer, seconds)

    def settle(self, seconds=60):
        """Waits until the events agree with a fresh listing; returns both."""
        fresh = self.fresh()

        def same():
            nonlocal fresh
            if self.present == fresh:
                return True
            fresh = self.fresh()
            return self.present == fresh
        self.wait_for(same, seconds)
        return self.present, fresh
