"""Mailboxes that are restored before each run, and their content in a comparable form."""
import collections
import contextlib
import os
import re
import shutil
import sqlite3
import time

import harness
from harness import DONE, NOTHING

STAGED = re.compile(r"\A\..+\.\d+\.[0-9A-Za-z]{4,32}\.tmp\Z")
TOKENS = re.compile(  # values that differ in each run: ids, times
    rb"MSG-[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|"
    rb"msg-[0-9a-f]{8}|inbox-[0-9a-f]{16}(?:-\d+)?|\w+-\d{13}-[0-9a-f]{1,4}|ESC-\d{8}-\d{4}|"
    rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?|\b\d{13}\b|\b\d{10}\b")

SUMS = re.compile(rb"[0-9a-f]{64}")
SALTS = re.compile(rb"\.\d+\.[0-9a-f]{8}\.tmp")


class World:
    """The mailboxes of one layout, made by a test case."""

    def __init__(self, case):
        self.case, self.box = case, case.box
        self.tops = [path for path in (os.path.join(case.box.home, ".claude"),
                                       os.path.join(case.box.home, ".openclaw"), case.project)
                     if os.path.isdir(path)]
        self.state = os.path.join(case.box.state, "swarmutt")
        self.kept = case.box.root + "-kept"
        for path in (self.kept, self.kept + "-state"):
            case.addCleanup(shutil.rmtree, path, ignore_errors=True)
        self.known = set()

    def under(self):
        return [*self.tops, self.box.state, os.path.join(self.box.home, "cache")]

    def keep(self):
        """Keeps the current state as the one to restore."""
        shutil.rmtree(self.kept, ignore_errors=True)
        for number, top in enumerate([*self.tops, self.box.state]):
            if os.path.isdir(top):
                shutil.copytree(top, os.path.join(self.kept, str(number)), symlinks=True)
        self.known = {token for data in self.read()[0].values()
                      for token in TOKENS.findall(data)}
        self.known |= {token for path in self.read()[0] for token in TOKENS.findall(path.encode())}

    def put_back(self):
        for number, top in enumerate([*self.tops, self.box.state]):
            shutil.rmtree(top, ignore_errors=True)
            with contextlib.suppress(FileNotFoundError):
                shutil.copytree(os.path.join(self.kept, str(number)), top, symlinks=True)
        shutil.rmtree(os.path.join(self.box.home, "cache"), ignore_errors=True)

    def read(self):
        """Returns all files of the mailboxes, and all temporary files."""
        files, leftovers = {}, []
        for top in self.tops:
            for where, dirs, names in os.walk(top):
                locks = [name for name in dirs if name.endswith(".lock") or STAGED.match(name)]
                leftovers += [os.path.join(where, name) for name in locks]
                dirs[:] = [name for name in dirs if name not in locks]
                for name in names:
                    path = os.path.join(where, name)
                    if STAGED.match(name) or name.endswith(".lock"):
                        leftovers.append(path)
                    else:
                        with open(path, "rb") as file:
                            files[os.path.relpath(path, self.box.root)] = file.read()
        return files, leftovers

    def plain(self, data):
        """Returns the data without the values that differ in each run."""
        return TOKENS.sub(lambda match: match[0] if match[0] in self.known else b"#", data)

    def view(self):
        """Returns the files in a form that can be compared between runs."""
        return collections.Counter((self.plain(path.encode()).decode(), self.plain(data))
                                   for path, data in self.read()[0].items())

    def list(self, *words):
        result = self.box.run(*words, "--json", cwd=self.case.project)
        if result.rc not in (DONE, NOTHING):
            raise AssertionError(f"it cannot be listed any more: {result}")
        return harness.parse_lines(result.stdout)

    def listing(self):
        """Returns all messages as the program sees them."""
        return collections.Counter(
            (self.plain(one["id"].encode()).decode(), one["box"], one["status"], bool(one["damaged"]),
             "archive" in str(one["path"])) for one in self.list("messages", "--all"))

    def digest(self):
        """Returns all that a later process can see, in a form that can be compared between runs.
        Reads the database from a copy: reading it would repair it."""
        scratch = self.kept + "-state"
        shutil.rmtree(scratch, ignore_errors=True)
        with contextlib.suppress(FileNotFoundError):
            shutil.copytree(self.state, scratch)
        seen = [sorted(os.listdir(scratch)) if os.path.isdir(scratch) else None]
        for name in ("ledger", "ledger.head"):
            with contextlib.suppress(FileNotFoundError), open(os.path.join(scratch, name), "rb") as file:
                seen.append(SUMS.sub(b"#", self.plain(file.read())))
        path = os.path.join(scratch, "state.db")
        if os.path.exists(path):
            with contextlib.closing(sqlite3.connect(path)) as db:
                seen.append(self.dump(db))
        shutil.rmtree(scratch, ignore_errors=True)
        left = sorted((self.plain(os.path.basename(path).encode()), self.size(path))
                      for path in self.read()[1])
        return repr((sorted(self.view().items()), SALTS.sub(b"#", repr(left).encode()), seen))

    def dump(self, db):
        """Returns the content of the tables, or the reason why it cannot be read."""
        tables = "mark copy outbox sent draft snooze".split()
        try:
            return [db.execute("PRAGMA user_version").fetchall(),
                    [[self.column(one) for one in row] for table in tables
                     for row in db.execute(f"SELECT * FROM {table}")]]
        except sqlite3.Error as problem:
            return str(problem)

    def column(self, value):
        if isinstance(value, bytes):
            return self.plain(value)
        return "time" if isinstance(value, int) and value > 1 << 40 else value

    @staticmethod
    def size(path):
        return os.lstat(path).st_size if os.path.isfile(path) else None

    def pass_time(self):
        """Releases the claims of dead processes and ages their files."""
        path = os.path.join(self.state, "state.db")
        if os.path.exists(path):
            with contextlib.closing(sqlite3.connect(path)) as db, db, \
                    contextlib.suppress(sqlite3.OperationalError):
                db.execute("UPDATE outbox SET lease_us = 1")
        then = time.time() - 3600
        for path in self.read()[1]:
            for inside in os.listdir(path) if os.path.isdir(path) else ():
                os.utime(os.path.join(path, inside), (then, then))
            os.utime(path, (then, then))
