"""Following the program's own account of what happens, and holding it to what a fresh look finds."""
import json
import os
import subprocess

from harness import parse_lines, poll_until
from processes import end_process

# What an event knows of a message whatever brought it.
TOLD = ("source format box from to subject type priority status created_at expires_at reply_to "
        "path damaged").split()


def told(message):
    return {key: message[key] for key in TOLD}


def key_of(message):
    """Several messages may have one id, in files of their own."""
    return (message["source"], message.get("team"), message["box"], message["path"], message["id"])


class Follower:
    """`watch --json --from-start`, its lines folded into what should be there now."""

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
        """Folds what has been said since the last time; returns those events."""
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
        """The events of that id, this one last, as far as they matter here."""
        return "".join("\n  " + " ".join(str(one[name]) for name in ("event", "path", "subject", "damaged"))
                       for one in self.events if one.get("id") == event["id"])

    def known_as(self, event):
        """The key of the same message: of its id it is the one in the same file, or the one that
        says the same elsewhere. Where only the content tells the box, one that is half written has none."""
        alike = [key for key, one in self.present.items()
                 if (key[0], key[1], key[-1]) == (event["source"], event.get("team"), event["id"])
                 and (one["box"] == event["box"] or None in (one["box"], event["box"]))]
        for same in ("path",), ("from", "subject", "created_at"):
            for key in alike:
                if all(self.present[key][name] == event[name] for name in same):
                    return key
        return None

    def fresh(self):
        """The same by a fresh look at everything."""
        result = self.box.run("messages", "--all", "--json")
        return {key_of(m): told(m) for m in parse_lines(result.stdout)}

    def wait_for(self, what, seconds=60):
        """Takes events until the function of them is true; returns its answer."""
        def answer():
            if self.process.poll() is not None:
                raise AssertionError(f"watch ended with {self.process.returncode}: {self.errors()}")
            self.take()
            return what()
        return poll_until(answer, seconds)

    def settle(self, seconds=60):
        """Waits until the account is what a fresh look finds; both are returned."""
        fresh = self.fresh()

        def same():
            nonlocal fresh
            if self.present == fresh:
                return True
            fresh = self.fresh()
            return self.present == fresh
        self.wait_for(same, seconds)
        return self.present, fresh
