"""The expected content of the mailboxes: every acknowledged message, and the possible states of
each after concurrent changes."""
import collections
import threading
import time

RECENT = 40  # a small number, so that several workers choose the same message
OPEN = {"unread", "read", "processing", "completed", "failed"}  # the possible states of a restored message


class Deed:
    """A change of a message between two moments: the states that it may leave."""

    def __init__(self, states, began, by_peer=False, sure=True):
        self.states, self.began, self.ended = set(states), began, time.monotonic()
        self.by_peer, self.sure = by_peer, sure

    def overlaps(self, other):
        return self.began <= other.ended and other.began <= self.ended


class Record:
    """One message in one box. `raw`: the bytes that a peer wrote, to detect any other change.
    `sure`: it was acknowledged; otherwise it may be there or not. `again`: how often it may have
    been written again, because it was taken and another one is in its place, as if it were
    overwritten."""

    def __init__(self, token, box, body, sender, id=None, sure=True, raw=None):
        self.token, self.box, self.body, self.sender = token, box, body, sender
        self.id, self.sure, self.raw, self.again = id, sure, raw, 0
        self.deeds = []

    def states(self):
        """Returns the states after the last change, which is any of those that no other change
        began after: the order of concurrent changes is unknown. Unsure changes may or may not have
        happened."""
        sure = [deed for deed in self.deeds if deed.sure]
        last = max((deed.began for deed in sure), default=0)
        states = {"unread"} if not sure else set()
        for deed in self.deeds:
            if not deed.sure or deed.ended >= last:
                states |= deed.states
        return states | ({"archived"} if self.may_be_twice() else set())

    def may_be_twice(self, taken=()):
        """True if it may be in both places: a program that read a message before it was archived,
        and writes it afterwards, restores it. An agent that takes it while we archive it has it,
        and we have a copy."""
        return any(one.by_peer and "archived" in other.states and one.overlaps(other)
                   for one in (*self.deeds, *taken) for other in self.deeds if one is not other)


class Pace:
    """Slows the agents down, which are a hundred times as quick as a process of ours, to its speed."""

    def __init__(self, steps):
        self.moved, self.steps, self.done = threading.Condition(), steps, 0

    def tick(self, steps=1):
        with self.moved:
            self.done += steps
            self.moved.notify_all()

    def wait(self, share):
        with self.moved:
            self.moved.wait_for(lambda: self.done >= share * self.steps)


class Model:
    """The model of one layout, for many threads."""

    def __init__(self):
        self.lock = threading.Lock()
        self.records = {}  # (token, box)
        self.taken = collections.defaultdict(list)  # messages that agents have read and removed, by key
        self.counts = collections.Counter()
        self.answers = collections.Counter()  # of the program, for operations that it did not do
        self.problems = []

    def note(self, *records):
        with self.lock:
            for one in records:
                self.records[one.token, one.box] = one

    def did(self, kind):
        with self.lock:
            self.counts[kind] += 1

    def answered(self, how):
        with self.lock:
            self.answers[how] += 1

    def deed(self, record, states, began, **more):
        with self.lock:
            record.deeds.append(Deed(states, began, **more))

    def take(self, key, began):
        with self.lock:
            self.taken[key].append(Deed({"gone"}, began, by_peer=True))

    def all(self):
        with self.lock:
            return list(self.records.values())

    def by_id(self, id, box):
        return next((one for one in self.all() if (one.id, one.box) == (id, box)), None)

    def some(self, dice, box=None):
        """Returns a random message whose id is known, more likely a late one; None if there is none."""
        found = [one for one in self.all() if one.id and one.sure and box in (None, one.box)][-RECENT:]
        return dice.choice(found) if found else None

    def wrong(self, problem):
        with self.lock:
            self.problems.append(problem)

    def check(self, found, elsewhere=()):
        """Compares the mailboxes, (token, box) to a list of found messages, with the model.
        elsewhere: ids in the outbox, or archived in local copies."""
        for key, record in self.records.items():
            here = found.get(key, [])
            taken = self.taken.get(key, [])
            count = len(here) + len(taken) + (record.id in elsewhere)
            most = (2 if record.may_be_twice(taken) else 1) + (record.again if taken else 0)
            if not (1 if record.sure and "gone" not in record.states() else 0) <= count <= most:
                self.wrong(f"{key}: it is there {count} times: {here}, {self.tell(record)}")
            for one in here:
                self.check_found(key, record, one)
        for key in found.keys() - self.records.keys():
            self.wrong(f"{key}: nobody was told that it was sent: {found[key]}")

    def check_found(self, key, record, one):
        if record.body not in one.body:
            self.wrong(f"{key}: the text is {one.body!r}, not {record.body!r}")
        if record.raw is not None and not one.is_still(record.raw):
            self.wrong(f"{key}: bytes have changed: {one.raw!r} was {record.raw!r}")

    def check_states(self, statuses):
        """Compares the states with those that the owners of the boxes see."""
        for key, status in statuses.items():
            record = self.records.get(key)
            if record and status not in record.states():
                self.wrong(f"{key}: it is {status}, not {record.states()}: {self.tell(record)}")

    @staticmethod
    def tell(record):
        return {**vars(record), "deeds": [vars(deed) for deed in record.deeds]}
