"""Runs the program so that one call fails, with storage.c or memory.c preloaded."""
import atexit
import errno
import functools
import os
import re
import shutil
import struct
import tempfile

import harness

STORAGE = "open read write sync rename link mkdir unlink close map lock attr list look".split()
MEMORY = "memory"
KINDS = [*STORAGE, MEMORY]  # as in counts.h
SHORT, KILL, STOP = "short", "kill", "stop"
PAGE = 4096
WAYS = {  # the errors of each kind of call; errors that are left out cannot happen to it, or make
    # SQLite wait for ten seconds (it takes any error of a lock for another process's lock)
    "open": "EIO EACCES EMFILE ENOSPC EROFS EDQUOT EINTR ENOMEM",
    "read": "EIO EINTR short", "write": "ENOSPC EIO EDQUOT EROFS EINTR short",
    "sync": "EIO ENOSPC EDQUOT EROFS EINTR", "rename": "EIO ENOSPC EACCES EROFS EDQUOT",
    "link": "EIO ENOSPC EACCES EROFS EDQUOT", "mkdir": "EIO ENOSPC EACCES EROFS EDQUOT",
    "unlink": "EIO EACCES EROFS", "close": "EIO EINTR ENOSPC EDQUOT", "map": "ENOMEM EACCES",
    "lock": "", "attr": "EIO EACCES EROFS", "list": "EIO",
    "look": "",  # tests/sweep makes these fail
    MEMORY: "ENOMEM",
}
ENDLESS = ("EINTR", SHORT)  # callers try again after these, so they never last


class Fault:
    """One fault: the kind of call (several: separated by blanks), its number, the error, and
    whether it lasts."""

    def __init__(self, kind, at, way, sticky=False):
        self.kind, self.at, self.way, self.sticky = kind, at, way, sticky

    @property
    def kills(self):
        return self.way == KILL

    @property
    def is_retried(self):
        """True if a retry or a continuation of the call succeeds."""
        return self.way in ENDLESS

    @property
    def errno(self):
        return getattr(errno, self.way, 0)

    def __str__(self):
        lasting = " and all after it" if self.sticky else ""
        return f"{self.kind} {self.at}{lasting}: {self.way}"

    def env(self):
        number = {SHORT: 0, KILL: -1, STOP: -3}.get(self.way)
        kinds = sum(1 << KINDS.index(kind) for kind in self.kind.split())
        return {"FAULT_KINDS": str(kinds), "FAULT_AT": str(self.at),
                "FAULT_ERRNO": str(getattr(errno, self.way) if number is None else number),
                "FAULT_STICKY": str(int(self.sticky))}


def ways(kind):
    """Yields all faults of a kind of call: the error, and whether it lasts."""
    if kind not in (MEMORY, "look"):
        yield KILL, False
    for way in WAYS[kind].split():
        yield way, False
        if way not in ENDLESS:
            yield way, True


class Preload:
    """The library, with its page of counts in a directory of its own."""

    def __init__(self, box, under):
        self.counts = os.path.join(box.root, "counts")
        self.env = {"FAULT_COUNTS": self.counts,
                    "FAULT_UNDER": ":".join(under),
                    "ASAN_OPTIONS": box.env["ASAN_OPTIONS"] +
                    ":verify_asan_link_order=0:detect_leaks=0"}

    def env_for(self, fault=None):
        with open(self.counts, "wb") as file:
            file.write(bytes(PAGE))
        name = MEMORY if fault and fault.kind == MEMORY else "storage"
        return dict(self.env, LD_PRELOAD=library(name), **(fault.env() if fault else {}))

    def made(self):
        """Returns the number of calls of each kind."""
        return dict(zip(KINDS, self.numbers()))

    def hits(self):
        """Returns the number of calls that failed on purpose."""
        return self.numbers()[len(KINDS)]

    def numbers(self):
        with open(self.counts, "rb") as file:
            return struct.unpack(f"{len(KINDS) + 1}Q", file.read(8 * (len(KINDS) + 1)))


@functools.cache
def library(name="storage"):
    """Returns the path of the library in the build, or of a link to it: in LD_PRELOAD, a blank or a
    colon ends a path."""
    built = os.path.join(os.path.dirname(harness.PROGRAM), "tests", "faults", ".libs", name + ".so")
    if not re.search(r"[\s:]", built):
        return built
    directory = tempfile.mkdtemp(prefix="swarmutt-test-")
    atexit.register(shutil.rmtree, directory)
    link = os.path.join(directory, name + ".so")
    os.symlink(built, link)
    return link


def takes_memory():
    """True if memory.c can replace the allocator: not with a sanitizer."""
    with open(harness.PROGRAM, "rb") as file:
        return b"__asan_init" not in file.read()
