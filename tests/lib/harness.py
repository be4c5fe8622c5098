"""Shared by the script tests: a mailbox tree of their own and the program run in it.

The program is $SWARMUTT, by default build/swarmutt below the sources ($SWARMUTT_SRC, by default the
directory above tests/). Tests write nothing outside their temporary directory.
"""
import fcntl
import json
import os
import pty
import select
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

from processes import LIMIT_S, Peer, end_process

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.environ.get("SWARMUTT_SRC") or os.path.dirname(os.path.dirname(HERE))
PROGRAM = os.path.abspath(os.environ.get("SWARMUTT") or os.path.join(SRC, "build", "swarmutt"))

NOBODY = 65534  # neither the superuser nor the owner of anything here
AS_NOBODY = {"user": NOBODY, "group": NOBODY, "extra_groups": []}  # arguments of Popen()

DONE, NOTHING, USAGE, REFUSED, FAILED, UNCONFIRMED = range(6)

FIELDS = ("id from_agent to_agent swarm_name type subject body payload priority created_at "
          "expires_at status read_at completed_at reply_to thread_id context attachments tags").split()
MARK = ("mark", "--as", "alice")  # most mail here is hers, and only its owner marks it


class Result:
    """The result of one run."""

    def __init__(self, args, rc, stdout, stderr):
        self.args, self.rc, self.stdout, self.stderr = args, rc, stdout, stderr

    @property
    def out(self):
        return self.stdout.decode("utf-8")

    @property
    def err(self):
        return self.stderr.decode("utf-8")

    @property
    def lines(self):
        return self.out.splitlines()

    def __str__(self):
        return f"{self.args!r} ended with {self.rc}\nstdout: {self.stdout!r}\nstderr: {self.stderr!r}"


def refuse_constant(word):
    raise ValueError(f"{word} is not JSON")


def parse_lines(data):
    """Parses one JSON object per line, in ASCII, each line ended; anything else is an error."""
    text = data.decode("ascii")
    if text and not text.endswith("\n"):
        raise ValueError("the last line is not ended")
    objects = [json.loads(line, parse_constant=refuse_constant) for line in text.split("\n")[:-1]]
    for one in objects:
        if not isinstance(one, dict) or one.get("v") != 1:
            raise ValueError(f"no object of version 1: {one!r}")
    return objects


def poll_until(what, seconds=20):
    """Calls the function again until its value is true; returns the last value."""
    end = time.monotonic() + seconds
    while True:
        answer = what()
        if answer or time.monotonic() > end:
            return answer
        time.sleep(0.005)


def copy_for_others(case):
    """Makes a copy of the program for a class of tests that run it as NOBODY, who may be unable to
    enter the directories above the build, such as /root."""
    directory = tempfile.mkdtemp(prefix="swarmutt-test-")
    case.addClassCleanup(shutil.rmtree, directory)
    copy = shutil.copy(PROGRAM, directory)
    for path in (directory, copy):
        os.chmod(path, 0o755)
    try:
        subprocess.run([copy, "--version"], cwd="/", stdout=subprocess.DEVNULL, check=True, **AS_NOBODY)
    except (OSError, subprocess.SubprocessError) as reason:
        raise unittest.SkipTest(f"nobody else can run the program here: {reason}")
    return copy


def is_program(pid):
    """True if a process is the program, or a fork of it."""
    try:
        return os.path.samefile(f"/proc/{pid}/exe", PROGRAM)
    except FileNotFoundError:
        return False


def open_terminal():
    """Returns both ends of a new terminal; skips the test if there is none."""
    try:
        return pty.openpty()
    except OSError as reason:
        raise unittest.SkipTest(f"no pseudo-terminal is to be had here: {reason}")


class Home:
    """A fresh directory with a home directory of its own, and the program run in it."""

    program = PROGRAM
    source = ()  # options that name the mailboxes, if the program does not find them itself
    starter = ()  # a command that starts the program

    def __init__(self, base=None):
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="swarmutt-test-", dir=base))
        self.home = os.path.join(self.root, "home")
        self.state = os.path.join(self.home, "state")
        os.makedirs(self.home)
        kept = ("PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LSAN_OPTIONS")
        self.env = {key: os.environ[key] for key in kept if key in os.environ}
        self.env.update(
            HOME=self.home, XDG_STATE_HOME=self.state, TZ="UTC", LC_ALL="C.UTF-8",
            XDG_CONFIG_HOME=os.path.join(self.home, "config"),
            XDG_DATA_HOME=os.path.join(self.home, "data"),
            XDG_CACHE_HOME=os.path.join(self.home, "cache"),
            XDG_RUNTIME_DIR=os.path.join(self.home, "run"),
            # An exit code for a sanitizer's report that differs from the program's own.
            ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":exitcode=99",
            UBSAN_OPTIONS=os.environ.get("UBSAN_OPTIONS", "") + ":exitcode=99")

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def snapshot(self, top=None):
        """Returns everything below a directory: kind, mode, inode, time and content of each entry.
        Leaves out the local state, unless `top` is given."""
        seen = {}
        for where, dirs, names in os.walk(os.fsencode(top or self.root)):
            if where == os.fsencode(self.home) and not top:
                dirs[:] = [name for name in dirs if os.fsdecode(name) != "state"]
            for name in dirs + names:
                path = os.path.join(where, name)
                st = os.lstat(path)
                entry = [stat.S_IFMT(st.st_mode), stat.S_IMODE(st.st_mode), st.st_ino]
                if stat.S_ISLNK(st.st_mode):
                    entry.append(os.readlink(path))
                elif stat.S_ISREG(st.st_mode):
                    entry.append(st.st_mtime_ns)
                    if st.st_size < 1 << 20:
                        with open(path, "rb") as file:
                            entry.append(file.read())
                seen[path] = entry
        return seen

    def popen(self, *args, env=None, cwd=None, **more):
        whole = dict(self.env, **(env or {}))
        return subprocess.Popen([*self.starter, self.program, *self.source, *args], env=whole,
                                cwd=cwd or self.root, **more)

    def run(self, *args, input=None, env=None, cwd=None, **more):
        """Runs the program to its end."""
        for stream in ("stdout", "stderr"):
            more.setdefault(stream, subprocess.PIPE)
        more.setdefault("stdin", subprocess.DEVNULL if input is None else subprocess.PIPE)
        if isinstance(input, str):
            input = input.encode()
        with self.popen(*args, env=env, cwd=cwd, **more) as process:
            try:
                out, err = process.communicate(input, timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                raise AssertionError(f"{args!r} hangs")
        return checked(Result(args, process.returncode, out or b"", err or b""))

    def run_tty(self, *args, tty=("stdout", "stderr"), size=None, env=None, cwd=None):
        """Runs with some of the streams on a terminal in raw mode; the output there is the result's
        stdout (or its stderr, if only that is on the terminal). The size is rows and columns."""
        master, slave = open_terminal()
        modes = termios.tcgetattr(slave)
        modes[1] &= ~termios.OPOST
        termios.tcsetattr(slave, termios.TCSANOW, modes)
        if size:
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        streams = {name: slave if name in tty else subprocess.PIPE for name in ("stdout", "stderr")}
        process = self.popen(*args, env=env, cwd=cwd, stdin=subprocess.DEVNULL, **streams)
        os.close(slave)
        screen, end = b"", time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            if not select.select([master], [], [], 0.5)[0]:
                continue
            try:
                piece = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            screen += piece
        os.close(master)
        out, err = process.communicate(timeout=LIMIT_S)
        if "stdout" in tty:
            return checked(Result(args, process.returncode, screen, err or b""))
        return checked(Result(args, process.returncode, out or b"", screen))


class Mailbox(Home):
    """workspace/mailboxes and swarms/ in a fresh directory, where the program finds them."""

    def __init__(self, base=None):
        super().__init__(base)
        self.mail = os.path.join(self.root, "workspace", "mailboxes")
        self.swarms = os.path.join(self.root, "swarms")
        os.makedirs(self.mail)

    def dir(self, agent, part="inbox"):
        return os.path.join(self.mail, agent.replace("/", "_").replace("\\", "_"), part)

    def add_box(self, *agents):
        for agent in agents:
            for part in ("inbox", "archive"):
                os.makedirs(self.dir(agent, part), exist_ok=True)

    def add_swarm(self, swarm, *stems):
        agents = os.path.join(self.swarms, swarm, "agents")
        os.makedirs(agents, exist_ok=True)
        for stem in stems:
            with open(os.path.join(agents, stem + ".md"), "w") as file:
                file.write("an agent\n")

    def put(self, agent, data, name=None, part="inbox", age=60):
        """Writes a file as an agent would, `age` seconds old; returns its path.

        data: bytes as they are, or a dictionary to be dumped in the layout's own style.
        """
        if isinstance(data, dict):
            name = name or data["id"] + ".json"
            data = json.dumps(data, indent=2).encode()
        os.makedirs(self.dir(agent, part), exist_ok=True)
        path = os.path.join(self.dir(agent, part), name)
        with open(path, "wb") as file:
            file.write(data)
        if age:
            then = time.time() - age
            os.utime(path, (then, then))
        return path

    def files(self, agent, part="inbox"):
        """Returns the names in a directory of an agent, without those that are never messages."""
        try:
            names = os.listdir(self.dir(agent, part))
        except FileNotFoundError:
            return []
        return sorted(name for name in names if not name.startswith("."))

    def read(self, agent, name, part="inbox"):
        if not name.endswith(".json"):
            name += ".json"
        with open(os.path.join(self.dir(agent, part), name), "rb") as file:
            return file.read()


def checked(result):
    """Returns the result; fails on a crash or a sanitizer's report, which no test expects."""
    if result.rc < 0 or result.rc > UNCONFIRMED or b"Sanitizer" in result.stderr \
            or b"runtime error:" in result.stderr:
        raise AssertionError(f"a crash: {result}")
    return result


def message(id="MSG-000000000001", **changes):
    """Returns the nineteen fields of a message, with some of them changed."""
    fields = dict.fromkeys(FIELDS)
    fields.update(id=id, from_agent="bob", to_agent="alice", type="request", subject="a subject",
                  body="a body", payload={}, priority=2, created_at="2026-01-03T14:30:00.123456",
                  status="unread", context={}, attachments=[], tags=[])
    for key in changes:
        if key not in fields:
            raise KeyError(key)
    fields.update(changes)
    return fields


def without(fields, *names):
    return {key: value for key, value in fields.items() if key not in names}


class ProgramCase(unittest.TestCase):
    """A test that runs the program in self.box."""

    maxDiff = None

    def run_program(self, *args, rc=DONE, **more):
        result = self.box.run(*args, **more)
        self.assertEqual(result.rc, rc, str(result))
        return result

    def run_json(self, *args, rc=DONE, **more):
        result = self.run_program(*args, "--json", rc=rc, **more)
        try:
            return parse_lines(result.stdout)
        except ValueError as error:
            self.fail(f"{error}: {result}")

    def run_one(self, *args, **more):
        objects = self.run_json(*args, **more)
        self.assertEqual(len(objects), 1, objects)
        return objects[0]

    def assert_unchanged(self, before, top=None):
        after = self.box.snapshot(top)
        self.assertEqual(sorted(before), sorted(after))
        for path, entry in before.items():
            self.assertEqual(entry, after[path], path)

    def assert_says(self, result, *words):
        """Asserts that standard error is one sentence that names the program and contains all these
        words."""
        self.assertEqual(len(result.err.splitlines()), 1, str(result))
        self.assertTrue(result.err.startswith("swarmutt: "), str(result))
        for word in words:
            self.assertIn(word, result.err)

    def start(self, *args):
        """Starts the program, without waiting for it."""
        process = self.box.popen(*args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        self.addCleanup(end_process, process)
        return process

    def finish(self, process, *codes):
        out, err = process.communicate(timeout=LIMIT_S)
        result = checked(Result(process.args[1:], process.returncode, out, err))
        if codes:
            self.assertIn(result.rc, codes, str(result))
        return result

    def start_peer(self, command, env=()):
        peer = Peer(command, dict(self.box.env, **dict(env)), self.box.root)
        self.addCleanup(peer.close)
        return peer


class MailboxCase(ProgramCase):
    """A test with a mailbox tree: the agents alice and bob have boxes."""

    agents = ("alice", "bob")

    def setUp(self):
        self.box = Mailbox()
        self.addCleanup(self.box.close)
        self.box.add_box(*self.agents)

    def send(self, *args, to="alice", subject="a subject", rc=DONE, **more):
        """Sends and returns the id."""
        result = self.run_program("send", "--to", to, "--subject", subject, *args, rc=rc, **more)
        if rc != DONE:
            return result
        self.assertRegex(result.out, r"\AMSG-[0-9a-f]{12}\n\Z")
        return result.out.strip()

    def listed(self, *args, **more):
        """Returns all messages, inbox and archive, by their ids."""
        found = self.run_json("messages", "--all", *args, **more)
        by_id = {one["id"]: one for one in found}
        self.assertEqual(len(by_id), len(found), "an id is listed twice")
        return by_id


class NamingResult(unittest.TextTestResult):
    """Prints each skipped test in a line of its own, for the summary of a whole run."""

    def printErrors(self):
        super().printErrors()
        for test, reason in self.skipped:
            self.stream.writeln(f"skipped: {test.id().replace('__main__.', '', 1)}: {reason}")


def main():
    sys.dont_write_bytecode = True
    unittest.main(testRunner=unittest.TextTestRunner(resultclass=NamingResult))
