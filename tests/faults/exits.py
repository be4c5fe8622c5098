"""Runs every verb with one storage fault and judges its exit code: the answer must be the one
without a fault, or an error that names the reason. "There is none" is wrong when something could
not be read."""
import json
import os
import re
import subprocess

import commands
import harness
from commands import HANDOFF, MAKERS, SEEN, TEXT
from harness import DONE, FAILED, NOTHING, REFUSED, UNCONFIRMED
from judge import Broken
from layouts import UUID
from preload import ENDLESS, KINDS, Fault, Preload
from world import World

GOES_ON = 256  # not an exit code
PATIENCE_S = 10
NOW = "2026-03-01T12:00:00Z"
# The errors of each kind of call, tried one after another; EINTR must have no effect at all. A
# failing lock makes SQLite wait, and the locks of inboxes have tests of their own. Only commands
# that write have writes.
WAYS = {"open": "EIO EACCES EMFILE ENOMEM", "read": "EIO", "write": "ENOSPC EIO", "sync": "EIO",
        "rename": "EIO ENOSPC", "link": "EIO ENOSPC", "mkdir": "EIO EACCES", "unlink": "EIO EACCES",
        "close": "EIO", "map": "ENOMEM", "attr": "EIO", "list": "EIO ENOMEM", "look": "EIO EACCES"}
RETRIED = "open read write sync close list".split()  # calls that a signal may interrupt
SHORTENED = "read write".split()
# SQLite's texts for a failed system call.
OF_SQLITE = ("disk I/O error", "unable to open database file", "database or disk is full",
             "out of memory", "attempt to write a readonly database", "the disk is full",
             "state.db: it cannot be opened for writing")
VOLATILE = re.compile(r"\b\d+(?:\.\d+)? ?(?:us|ms|s)\b|\bnow\b|\b\d+ (?:bytes|KB|MB)\b")

# For each layout: a message, an archived one, another agent, and an id that never existed.
SUBJECTS = {"claude": ("one", "two", "bob"), "openclaw": (UUID + "2", UUID + "6", "tm1"),
            "adr": ("MSG-00000000000c", "MSG-00000000000a", "bob"), "inbox": ("new-0", "new-1", "pm"),
            "roo": ("msg-orchestrator", "msg-code", "tester")}
ARCHIVED = {"claude": "two", "openclaw": UUID + "3", "adr": "MSG-00000000000c", "inbox": "new-1"}


def reading(layout):
    """Yields the words of every command that answers, in one layout."""
    id, other, agent = SUBJECTS[layout]
    for words in ("list", "list --all --json", "pending", "pending --all --json", "agents", f"agents {agent}",
                  "agents --json", "messages", "messages --all --json", "messages --archive", "search text",
                  f"search from:{agent}", "check", f"check {agent}", "check --format prompt",
                  f"show {id}", f"show {id} --raw", f"show {id} --json", f"show {other}", f"thread {id}",
                  "count", f"count {agent}", "count --format json", "watch --from-start --limit 1",
                  "wait --timeout 0s", f"wait from:{agent} --timeout 0s", "wait --all --timeout 0s", "sent",
                  "sent --json", "log", "log --long", "log verify", "handoffs", "handoffs --all", "flow", "outbox",
                  "outbox --json", "index status", "index rebuild", "index drop", "doctor", "sources",
                  "sources --json", "config show", "config check", "cleanup --dry-run"):
        yield words.split()


class Asked:
    """One run: its words, its standard input, and whether it writes."""

    def __init__(self, layout, words, writes=False, command=None, input=None):
        self.layout, self.words, self.writes, self.input = layout, tuple(words), writes, input
        self.command = command  # an entry of commands.py, with the commands that run before it
        self.name = f"{layout}: " + (command.name.split(": ")[1] if command else " ".join(words))


def request(number, method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n"


def mcp_input(layout):
    """Returns the whole input of a client of the server: the server answers it and ends with it."""
    id = SUBJECTS[layout][0]
    text = request(1, "initialize", protocolVersion="2025-06-18", capabilities={},
                   clientInfo={"name": "test", "version": "1"})
    text += json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n"
    for number, (tool, given) in enumerate((("check", {}), ("read", {"id": id}), ("thread", {"id": id}),
                                            ("search", {"query": "to:user"})), 2):
        text += request(number, "tools/call", name=tool, arguments=given)
    return text.encode()


def all_asked():
    for layout in MAKERS:
        for words in reading(layout):
            yield Asked(layout, words)
        yield Asked(layout, ("mcp", "--as", "user"), input=mcp_input(layout))
    for command in commands.all_commands():
        yield Asked(command.layout, command.words, writes=True, command=command)


class Exits:
    """The mailboxes of one run, its result without a fault, and its result with one."""

    def __init__(self, case, asked):
        self.case, self.asked = case, asked
        MAKERS[asked.layout](case)
        self.write_config()
        self.world = World(case)
        self.under = [*self.world.under(), os.path.join(case.box.home, "config")]
        self.preload = Preload(case.box, self.under)
        self.words = asked.words
        self.prepare()
        self.world.keep()
        self.usual = self.run()
        self.made = self.preload.made()
        again = self.run()
        self.steady = self.answer(again) == self.answer(self.usual)
        if not sum(self.made.values()):
            raise AssertionError("no call is counted: the library is not preloaded")

    def write_config(self):
        """Sets a limit other than the default, so that ignoring the file changes the answer."""
        path = os.path.join(self.case.box.home, "config", "swarmutt", "config")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write("[decide]\nsettle = 2s\n")

    def here(self, *words):
        return self.case.box.run(*words, cwd=self.case.project)

    def prepare(self):
        """Makes a local state, a ledger, a sent message, an entry of the outbox and one of the
        archive; or the preparation that the command of commands.py needs."""
        command, layout = self.asked.command, self.asked.layout
        if not command or not command.fresh:
            self.here("show", *SEEN[layout])
        if command:
            self.prepare_command(command)
            return
        agent = SUBJECTS[layout][2]
        self.here("send", "--to", agent, *TEXT, "--no-verify")
        self.here("handoff", "--to", agent, *HANDOFF, "--no-verify")
        self.here("shutdown", agent, "--no-verify")
        if layout in ARCHIVED:
            self.here("archive", ARCHIVED[layout])
        self.interrupt(agent)
        if "search" in self.words:
            self.here("index", "rebuild")

    def prepare_command(self, command):
        words = command.prepare
        if words[:1] == ("interrupted",):
            self.interrupt(words[1])
        elif words:
            self.here(*words)
        if command.decides:
            one, = [one for one in self.world.list("pending")
                    if command.decides in (one["id"], one["thread"])]
            self.words += ("--expect", one["sha256"])

    def interrupt(self, agent):
        self.execute(Fault("sync", 1, "kill"), ("send", "--to", agent, "--subject", "s", "--body", "b",
                                                "--no-verify"))
        self.world.pass_time()
        self.world.list("outbox")

    def execute(self, fault, words, input=None):
        env = dict(self.preload.env_for(fault), SWARMUTT_NOW=NOW)
        process = self.case.box.popen(*words, env=env, cwd=self.case.project, stdin=-1, stdout=-1, stderr=-1)
        self.case.addCleanup(harness.end_process, process)
        try:
            out, err = process.communicate(input or b"", timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:  # a command that follows mail runs until there is some
            process.terminate()
            out, err = process.communicate()
            return harness.Result(words, GOES_ON, out, err)
        return harness.Result(words, process.returncode, out, err)

    def run(self, fault=None):
        self.world.put_back()
        return self.execute(fault, self.words, self.asked.input)

    def attempt(self, fault):
        """Runs it with the fault; returns true if the fault hit a call."""
        result = self.run(fault)
        if not self.preload.hits():
            return False
        why = self.wrong(fault, result)
        if why:
            raise Broken(f"{self.asked.name}, {fault}: {why}\n{result}")
        return True

    def plain(self, data):
        return VOLATILE.sub("#", self.world.plain(data).decode(errors="replace"))

    def answer(self, result):
        return result.rc, self.plain(result.stdout)

    def has_reason(self, fault, text):
        return os.strerror(fault.errno) in text or any(words in text for words in OF_SQLITE)

    def wrong(self, fault, result):
        """Returns the reason why an exit is wrong, or None if it is right."""
        if b"Sanitizer" in result.stderr or b"runtime error" in result.stderr or result.rc < 0:
            return "a crash"
        if result.rc == GOES_ON:
            follows = self.words[0] == "watch" and self.has_reason(fault, result.err)
            return None if follows and not fault.is_retried else "it hangs"
        if self.asked.input:
            return self.wrong_server(fault, result)
        if self.answer(result) == self.answer(self.usual):
            return None
        if fault.is_retried and not (fault.kind == "sync" and "state.db" in result.err):  # SQLite's own
            return "it can be done again, and was not"
        if not self.steady and result.rc == self.usual.rc:
            return None
        if self.words[0] == "watch" and result.rc == DONE and result.stdout:  # either may come first
            return None
        said = result.err
        if result.rc in (FAILED, UNCONFIRMED):
            return None if self.has_reason(fault, said) else "the error gives no reason"
        if result.rc == DONE and self.usual.rc == DONE:
            return None if self.has_reason(fault, result.out + said) else "another answer without a reason"
        if self.words[0] == "doctor" and self.has_reason(fault, result.out + said):
            return None
        return "absence" if result.rc == NOTHING else f"exit {result.rc}"

    def wrong_server(self, fault, result):
        """Returns the problem if an answer is neither the one without a fault nor an error with a
        reason."""
        if result.rc == FAILED and self.has_reason(fault, result.err):
            return None
        answers, usual = (self.plain(one.stdout).splitlines() for one in (result, self.usual))
        for number, one in enumerate(usual):
            now = answers[number] if number < len(answers) else ""
            if now != one and (fault.is_retried or not self.has_reason(fault, now)):
                return f"answer {number + 1} is another one without a reason"
        return None


def faults_of(kind):
    """Yields the errors of one kind of call: the ways in turn, once and lasting, and those that a
    program must not notice."""
    lasting = WAYS.get(kind, "").split()
    for sticky in (False, True):
        if lasting:
            yield lasting, sticky
    if kind in RETRIED:
        yield ["EINTR"], False
    if kind in SHORTENED:
        yield ["short"], False


def sweep(exits, step=1, first=1, kinds=KINDS, retried=None):
    """Injects faults at every `step`-th call; yields a text for each wrong exit and None for a
    right one. `retried`: only faults that a retry of the call mends, or only the others."""
    for kind in kinds:
        for ways, sticky in faults_of(kind):
            if retried is not None and retried != (ways[0] in ENDLESS):
                continue
            for turn, at in enumerate(range(first, exits.made[kind] + 1, step)):
                fault = Fault(kind, at, ways[turn % len(ways)], sticky)
                try:
                    if not exits.attempt(fault):
                        break
                    yield fault, None
                except Broken as why:
                    yield fault, str(why)
