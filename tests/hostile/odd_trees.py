"""Mailboxes of every layout with everything in them that is no message, no box, or leads elsewhere;
and files outside of them, which nobody may touch."""
import contextlib
import json
import os
import socket
import stat

from harness import message

GIGABYTE = 1 << 30
# The words of the doctor's report for each kind.
WORDS = {"fifo": "FIFO", "link": "link", "linkdir": "link", "dangling": "link", "loop": "link",
         "up": "link", "socket": "socket", "dir": "directory", "device": "device",
         "huge": "too large"}
NAMES = (b"new\nline", b"esc\x1b[2J\x1b]0;t\x07", b"\xff\xfe\xc3", "c1\u009b\u202e".encode(),
         b"-rf", b"$(touch x)", b"%n%s", b"~", b"*", b"a b")


class Place:
    """The paths of a layout: directories of mail, and the names of files there. `aside` are files
    and directories that are read, or written, besides; `boxes` is the parent of boxes or teams."""

    def __init__(self, dirs, form, boxes=None, aside=()):
        self.dirs, self.form, self.boxes, self.aside = dirs, form, boxes, aside

    def name(self, stem):
        stem = stem if isinstance(stem, bytes) else os.fsencode(stem)
        return self.form % stem

    def longest(self):
        return self.name(b"l" * (255 - len(self.form) + 2))


PLACES = {
    "claude": Place(("home/.claude/teams/dev/inboxes",), b"%s.json", "home/.claude/teams",
                    ("home/.claude/teams/%s/config.json", "home/.claude/tasks/%s",
                     "home/.claude/tasks/dev/%s.json",
                     "home/.claude/teams/dev/inboxes/%s.json.lock")),
    "openclaw": Place(("home/.openclaw/teams/web/mailbox",), b"%s.json", "home/.openclaw/teams",
                      ("home/.openclaw/teams/%s/config.json",)),
    "adr": Place(("project/workspace/mailboxes/user/inbox",
                  "project/workspace/mailboxes/user/archive"), b"MSG-%s.json",
                 "project/workspace/mailboxes",
                 ("project/workspace/mailboxes/b%s/inbox", "project/workspace/mailboxes/b%s/archive",
                  "project/swarms/%s", "project/swarms/dev/agents/%s.md", "project/swarms/s%s/agents")),
    "inbox": Place(("project/scheduler/inboxes/coordinator",
                    "project/scheduler/inboxes/coordinator/archive"), b"%s.json",
                   "project/scheduler/inboxes", ("project/scheduler/inboxes/b%s/archive",)),
    "roo": Place(("project/.roo/mailbox",), b"to-%s.md"),
}
# Paths that commands write, or read before they write.
TARGETS = {
    "claude": ("home/.claude/teams/dev/inboxes/bob.json", "home/.claude/teams/dev/inboxes",
               "home/.claude/teams/dev"),
    "openclaw": ("home/.openclaw/teams/web/mailbox", "home/.openclaw/teams/web"),
    "adr": ("project/workspace/mailboxes/bob/inbox", "project/workspace/mailboxes/bob",
            "project/workspace/mailboxes/user/archive"),
    "inbox": ("project/scheduler/inboxes/pm", "project/scheduler/inboxes/coordinator/archive"),
    "roo": ("project/.roo/mailbox/to-tester.md", "project/.roo/mailbox",
            "project/.roo/memory-bank/progress.md", "project/.roo/memory-bank"),
}
LOCKS = {"claude": ("home/.claude/teams/dev/inboxes/bob.json.lock",)}  # waited for, for long


def put_aside(path):
    """Makes room for something else, and keeps the old content."""
    if os.path.lexists(path):
        os.rename(path, path + ".was")


def make_device(path):
    try:
        os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 5))  # a file that never ends
    except PermissionError:
        return False
    return True


def make_socket(path):
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(os.path.dirname(path))  # the path of a socket must be short
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(os.path.basename(path))
    finally:
        os.fchdir(here)
        os.close(here)
    return True


def make_odd(kind, path, outside):
    """Makes one thing that is not a regular file; returns false where that is not possible."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "dir":
        os.mkdir(path)
    elif kind == "huge":
        with open(path, "wb") as file:
            file.truncate(GIGABYTE)
    elif kind == "socket":
        return make_socket(path)
    elif kind == "device":
        return make_device(path)
    else:
        target = {"link": outside.file, "linkdir": outside.dir, "dangling": outside.nothing,
                  "loop": os.path.basename(path), "up": ".."}[kind]
        os.symlink(target, path)
    return True


class Outside:
    """Files outside the mailboxes: a message, a directory with a whole mailbox in it, and a name
    that does not exist. They must not change in any byte or time."""

    def __init__(self, box):
        self.box, self.top = box, os.path.join(box.root, "outside")
        self.dir, self.file = os.path.join(self.top, "dir"), os.path.join(self.top, "file")
        self.nothing = os.path.join(self.top, "nothing")
        for name in ("inbox", "archive", "inboxes", "mailbox", "agents"):
            os.makedirs(os.path.join(self.dir, name))
            self.put(os.path.join(self.dir, name, "MSG-secret.json"), message("MSG-secret"))
        self.put(os.path.join(self.dir, "inboxes", "team-lead.json"), [])
        self.put(os.path.join(self.dir, "config.json"), {"name": "secret", "members": []})
        self.put(self.file, message("MSG-secret", to_agent="user"))
        os.utime(self.dir, (1, 1))
        self.before = self.look()

    @staticmethod
    def put(path, data):
        with open(path, "w") as file:
            json.dump(data, file)
        os.utime(path, (1, 1))

    def look(self):
        seen = self.box.snapshot(self.top)
        for path in [os.fsencode(self.top), *seen]:
            if path not in seen or stat.S_ISDIR(seen[path][0]):
                seen[path] = os.stat(path).st_mtime_ns
        return seen

    def problem(self):
        now = self.look()
        if now == self.before:
            return None
        return sorted(path for path in set(now) | set(self.before)
                      if now.get(path) != self.before.get(path))


class OddTree:
    """Fills the existing mailboxes of a layout. `listed` are the paths that the doctor has to
    report, each with a word; `odd` are all paths that were made."""

    def __init__(self, case, layout, outside):
        self.case, self.place, self.outside = case, PLACES[layout], outside
        self.listed, self.odd, self.missing = {}, [], set()
        for where in self.place.dirs:
            for kind, word in WORDS.items():
                self.add(kind, self.path(where, self.place.name("odd-" + kind)), word)
            self.add_names(where)
        if self.place.boxes:
            for kind in ("link", "linkdir", "dangling", "loop", "up"):
                self.add(kind, self.path(self.place.boxes, b"box-" + kind.encode()), WORDS[kind])
        for form in self.place.aside:
            for kind in WORDS:
                if kind == "dir" and form.endswith(".lock"):
                    continue  # locks are made like this
                self.add(kind, self.path(form % ("aside-" + kind)), None)
        self.before = self.look()

    def path(self, *parts):
        return os.path.join(os.fsencode(self.case.box.root), *map(os.fsencode, parts))

    def add(self, kind, path, word):
        if not make_odd(kind, os.fsdecode(path), self.outside):
            self.missing.add(kind)
            return
        self.odd.append(path)
        if word:
            self.listed[path] = word

    def add_names(self, where):
        """Adds a sound file under names of every kind, and a hard link to a file outside."""
        dir = self.path(where)
        sound = next((entry for entry in sorted(os.listdir(dir))
                      if os.path.isfile(os.path.join(dir, entry)) and b"odd" not in entry), None)
        if not sound:
            return
        with open(os.path.join(dir, sound), "rb") as file:
            data = file.read()
        for name in [*map(self.place.name, NAMES), self.place.longest()]:
            with open(os.path.join(dir, name), "wb") as file:
                file.write(data)
            os.utime(os.path.join(dir, name), (1, 1))
        shared = os.path.join(self.outside.top, "shared-" + where.replace("/", "-"))
        with open(shared, "wb") as file:
            file.write(data)
        os.utime(shared, (1, 1))
        os.link(shared, os.path.join(dir, self.place.name(b"hard")))
        self.outside.before = self.outside.look()

    def look(self):
        """Returns the type and inode of each odd file; a link that was replaced has another inode."""
        seen = {}
        for path in self.odd:
            with contextlib.suppress(FileNotFoundError):
                st = os.lstat(path)
                seen[path] = (st.st_mode, st.st_ino)
        return seen
