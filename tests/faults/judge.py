"""Runs one command with one fault, and checks that every promise holds afterwards."""
import os

import harness
from commands import MAKERS, SEEN
from harness import DONE, NOTHING, REFUSED, UNCONFIRMED
from preload import MEMORY, Fault, Preload, takes_memory
from world import World

KILLED = -9
NO_MAIL = b"[]"  # a box made for a message that then failed: it stays, since others may use it by then


class Broken(AssertionError):
    """A broken promise."""


class Trial:
    """A command with its mailboxes before it, and after it without a fault."""

    def __init__(self, case, command):
        self.case, self.command = case, command
        MAKERS[command.layout](case)
        self.world = World(case)
        self.preload = Preload(case.box, self.world.under())
        self.words = command.words
        self.examined = set()
        self.prepare()
        self.world.keep()
        self.before, self.listed_before = self.world.view(), self.world.listing()
        self.world.put_back()
        result = self.run()
        if result.rc != DONE or self.preload.hits():
            raise AssertionError(f"it fails by itself: {result}")
        self.made = self.preload.made()
        if not sum(self.made.values()):
            raise AssertionError("no call is counted: the library is not preloaded")
        self.waiting = sorted(one["state"] for one in self.world.list("outbox"))
        self.after, self.listed_after = self.world.view(), self.world.listing()
        self.made[MEMORY] = self.count_memory()
        if (self.before, self.listed_before) == (self.after, self.listed_after) and not self.waiting:
            raise AssertionError(f"it does nothing: {result}")

    def count_memory(self):
        """Counts the requests for memory; not where a sanitizer has its own allocator."""
        if not takes_memory():
            return 0
        self.world.put_back()
        self.run(Fault(MEMORY, 0, "ENOMEM"))
        return self.preload.made()[MEMORY]

    def prepare(self):
        """Runs the commands that must come first, without faults."""
        words, command = self.command.prepare, self.command
        if not command.fresh:
            self.case.run_program("show", *SEEN[command.layout], cwd=self.case.project)
        if words[:1] == ("interrupted",):
            self.run(Fault("sync", 1, "kill"), "send", "--to", words[1], "--subject", "s", "--body",
                     "b", "--no-verify")
            self.world.pass_time()
            self.world.list("outbox")
        elif words:
            self.case.run_program(*words, cwd=self.case.project)
        if command.decides:
            one, = [one for one in self.world.list("pending")
                    if command.decides in (one["id"], one["thread"])]
            self.words += ("--expect", one["sha256"])

    def run(self, fault=None, *words):
        process = self.case.box.popen(*(words or self.words), env=self.preload.env_for(fault),
                                      cwd=self.case.project, stdin=-3, stdout=-1, stderr=-1)
        self.case.addCleanup(harness.end_process, process)
        out, err = process.communicate(timeout=harness.LIMIT_S)
        return harness.Result(words or self.words, process.returncode, out, err)

    def attempt(self, fault):
        """Runs it with the fault; returns true if the fault hit a call."""
        self.world.put_back()
        result = self.run(fault)
        if not self.preload.hits():
            return False
        try:
            self.check_code(fault, result)
            if "was not archived" in result.err:  # decided, and the rest is reported
                result.rc = UNCONFIRMED
            seen = f"{result.rc} {self.world.digest()}"
            if seen not in self.examined:  # an equal state has been examined before
                self.examine(result)
                self.examined.add(seen)
        except AssertionError as problem:
            raise Broken(f"{self.command.name}, {fault}: {problem}\n{result}") from None
        return True

    def examine(self, result):
        if self.command.ledger:
            sound = self.case.box.run("log", "verify", cwd=self.case.project)
            self.demand(sound.rc in (DONE, NOTHING), f"the log: {sound}")
        self.check_mail(result, self.world.view(), "at once")
        self.world.pass_time()
        waiting = self.world.list("outbox")
        self.check_mail(result, self.world.view(), "at the next start")
        self.check_listing(result)
        self.check_waiting(result, waiting)
        if result.rc != DONE:
            self.try_again(result, waiting)
        self.check_leftovers()

    def check_code(self, fault, result):
        codes = (KILLED,) if fault.kills else range(DONE, UNCONFIRMED + 1)
        self.demand(result.rc in codes, "a crash")
        self.demand(b"Sanitizer" not in result.stderr and b"runtime error" not in result.stderr,
                    "a sanitizer's report")
        if result.rc > DONE:
            lines = result.err.splitlines()
            self.demand(lines and all(line.startswith("swarmutt: ") and len(line) > 20
                                      for line in lines), "no sentence")

    def check_mail(self, result, now, when):
        """Checks that the mailboxes agree with the output."""
        if result.rc == DONE:
            self.demand(now == self.after, f"{when}: done is not done: {self.differ(self.after, now)}")
            return
        for one in set(now) | set(self.before) | set(self.after):
            if one[1] == NO_MAIL:
                continue
            ends = sorted((self.before[one], self.after[one]))
            if result.rc not in (KILLED, UNCONFIRMED):
                ends = [self.before[one]] * 2
            self.demand(ends[0] <= now[one] <= ends[1],
                        f"{when}: {one} is there {now[one]} times, not {ends}")

    def check_listing(self, result):
        """Checks that every message is listed, unless it was to be removed."""
        now = self.world.listing()
        if result.rc == DONE:
            self.demand(now == self.listed_after,
                        f"done is not done: {self.differ(self.listed_after, now)}")
        elif result.rc not in (KILLED, UNCONFIRMED):
            self.demand(now == self.listed_before,
                        f"something has changed: {self.differ(self.listed_before, now)}")
        stay = {one[0] for one in self.listed_before} & {one[0] for one in self.listed_after}
        here = {one[0] for one in now}
        self.demand(stay <= here, f"lost: {stay - here}")
        self.demand(not [one for one in now if one[3]], f"damaged: {now}")

    def check_waiting(self, result, waiting):
        """Checks the outbox: it has no entry that the result does not explain, and sends nothing
        later without a report."""
        states = [one["state"] for one in waiting]
        if result.rc == DONE:  # entries may be missing: the next check restores a lost note
            self.demand(not set(states) - set(self.waiting), f"the outbox has {states}")
        elif result.rc not in (KILLED, UNCONFIRMED):
            loose = set(states) - {"failed", "lost"}
            self.demand(not loose or self.command.words[0] == "outbox",
                        f"it goes out behind one's back: {loose}")

    def try_again(self, result, waiting):
        """Checks that a second run does what the first did not, and does nothing twice."""
        for one in waiting:
            again = self.case.box.run("outbox", "retry", str(one["number"]), cwd=self.case.project)
            if again.rc == REFUSED and self.command.ledger:  # decisions are never sent automatically
                self.case.run_program("outbox", "drop", str(one["number"]), cwd=self.case.project)
            else:
                self.demand(again.rc in (DONE, NOTHING), f"retrying: {again}")
        if "delivered to" in result.err:  # the error names the recipients that did not get it
            return
        if self.command.each and not self.is_done() and not self.is_as_before():
            return
        if not self.is_done() and (not self.command.often or self.is_as_before()):
            again = self.case.box.run(*self.words, cwd=self.case.project)
            self.demand(again.rc in (DONE, NOTHING, REFUSED), f"trying again: {again}")
        if not self.is_done() and self.command.finish:
            self.case.run_program(*self.command.finish, cwd=self.case.project)
        self.world.list("outbox")
        now, listed = self.world.view(), self.world.listing()
        self.demand(now == self.after or self.command.repeats,
                    f"in the end: {self.differ(self.after, now)}")
        self.demand(listed == self.listed_after or self.command.repeats,
                    f"in the end: {self.differ(self.listed_after, listed)}")

    def is_as_before(self):
        made = self.world.view() - self.before
        return not self.before - self.world.view() and all(one[1] == NO_MAIL for one in made)

    def is_done(self):
        return self.world.view() == self.after and self.world.listing() == self.listed_after

    def check_leftovers(self):
        if self.world.read()[1]:
            self.world.pass_time()
            told = self.case.box.run("doctor", "--fix", "--yes", cwd=self.case.project).out
            left = self.world.read()[1]
            left = [path for path in left
                    if os.path.basename(path) not in told or not self.only_told(path)]
            self.demand(not left, f"left behind: {left}")

    def only_told(self, path):
        """True for the last copy of something and for an agents' log: neither is removed."""
        return self.command.words[0] == "cleanup" or "progress.md" in path

    @staticmethod
    def differ(expected, now):
        return f"missing {list((expected - now).elements())}, too much {list((now - expected).elements())}"

    @staticmethod
    def demand(holds, why):
        if not holds:
            raise Broken(why)
