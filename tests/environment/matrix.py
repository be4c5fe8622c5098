"""Every subcommand as a line that can be run in mailboxes of all five layouts in any environment:
its result in a normal environment is known, and the others are compared with that."""
import contextlib
import os
import re
import sqlite3
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "faults")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from commands import ESCALATE, HANDOFF, MAKERS, TEXT  # noqa: E402
from harness import DONE, FAILED, NOTHING, REFUSED, UNCONFIRMED  # noqa: E402
from layouts import UUID, LayoutCase  # noqa: E402
from world import World  # noqa: E402

SOAK = "SWARMUTT_SOAK" in os.environ
QUICK = "--no-verify"
# The long form runs all commands in all layouts.
SOME = ("list", "search", "watch", "index", "log", "decide", "send", "broadcast", "mark", "archive",
        "cleanup", "restore")


class Line:
    """Words that can be run repeatedly. `writes`: they change the mailboxes."""

    def __init__(self, *words, writes=False):
        self.words, self.writes = words, writes
        self.name = [word for word in words if not word.startswith("-")][0]

    def __str__(self):
        return " ".join(self.words[:4])


def reading():
    for words in ("list", "pending", "agents", "messages --all", "search text", "check team-lead",
                  "show one", "show one --raw", "thread one", "count", "watch --from-start --limit 1",
                  "wait --timeout 0", "mcp --as bob", "sent", "log", "handoffs", "flow", "outbox",
                  "index status", "index rebuild", "doctor", "sources", "config show", "config check",
                  "protocol compose shutdown-request --to bob", "formats", "version", "help", "help keys",
                  "completion bash"):
        yield Line(*words.split())


def writing(sums):
    """`sums`: the hashes of the requests that wait for a decision."""
    yield Line("decide", "plan-1", "approve", "--expect", sums["plan-1"], QUICK, writes=True)
    yield Line("send", "--to", "bob@dev", *TEXT, QUICK, writes=True)
    yield Line("reply", UUID + "2", "--body", "an answer", QUICK, writes=True)
    yield Line("handoff", "--to", "pm", *HANDOFF, QUICK, writes=True)
    yield Line("broadcast", "--swarm", "dev", "--source", "claude:" + sums["claude"], *TEXT, QUICK,
               writes=True)
    yield Line("shutdown", "tester", QUICK, writes=True)
    yield Line("mode", "bob@dev", "plan", QUICK, writes=True)
    yield Line("assign", "bob@dev", "--task", "3", "--subject", "Tests", QUICK, writes=True)
    yield Line("rules", "dev", "--tool", "Bash", "--directory", "/src", "--behavior", "deny", QUICK,
               writes=True)
    yield Line("escalate", *ESCALATE, QUICK, writes=True)
    yield Line("mark", "MSG-00000000000c", "read", writes=True)
    yield Line("mark", "msg-orchestrator", "completed", writes=True)
    yield Line("archive", "new-0", writes=True)
    yield Line("cleanup", writes=True)
    yield Line("restore", "old-0", writes=True)


# Has a test of its own: it runs in its own directory until it is ended.
DEMO = Line("demo", "--plain", "--agents", "1")


class MatrixCase(LayoutCase):

    def setUp(self):
        super().setUp()
        for make in MAKERS.values():
            make(self)
        self.world = World(self)
        self.run_line(Line("show", "two"))  # make a local state
        self.world.keep()
        self.before = self.world.view()
        sums = {one["thread"] or one["id"]: one["sha256"] for one in self.world.list("pending")}
        sums["claude"] = os.path.join(self.box.home, ".claude")
        self.reading, self.writing = list(reading()), list(writing(sums))
        self.lines = self.reading + self.writing
        self.some = [line for line in self.lines if SOAK or line.name in SOME]
        self.usual, self.written = {}, False

    def run_line(self, line, env=None, **more):
        """Runs it in the current mailboxes; None removes a variable of the environment."""
        whole = {key: value for key, value in {**self.box.env, **(env or {})}.items()
                 if value is not None}
        more.setdefault("cwd", self.project)
        before, self.box.env = self.box.env, whole
        try:
            result = self.box.run(*line.words, **more)
        finally:
            self.box.env = before
        if "stderr" not in more and "preexec_fn" not in more:
            self.assert_speaks(line, result)
        return result

    def assert_speaks(self, line, result):
        """Asserts that any error is one sentence."""
        for text in result.err.splitlines():
            self.assertRegex(text, r"\Aswarmutt: .{15,}", f"{line}: {result}")
        if result.rc > NOTHING:
            self.assertTrue(result.err, f"{line}: {result}")

    def undisturbed(self, line):
        """Returns the result, and the mailboxes afterwards, in a normal environment."""
        if line not in self.usual:
            self.renew(line)
            result = self.run_line(line)
            self.assertIn(result.rc, (DONE, NOTHING), str(result))
            self.usual[line] = result, self.world.view()
        return self.usual[line]

    def renew(self, line):
        """Restores the mailboxes; a line that only reads leaves them as they were."""
        if line.writes or self.written:
            self.world.put_back()
        self.written = line.writes

    def assert_like_usual(self, line, result, when, codes):
        """Asserts that it did its usual work; `codes`: the exit codes that it may have."""
        after = self.undisturbed_view(line) if line.writes else self.before
        self.assertIn(result.rc, codes, f"{line}, {when}: {result}")
        self.assertEqual(self.world.view(), after, f"{line}, {when}: {result}")
        self.assert_state_whole()

    def assert_nothing_done(self, line, result, when, codes):
        self.assertIn(result.rc, codes, f"{line}, {when}: {result}")
        self.assertEqual(self.world.view(), self.before, f"{line}, {when}: {result}")

    def undisturbed_view(self, line):
        return self.undisturbed(line)[1]

    def assert_state_whole(self):
        path = os.path.join(self.world.state, "state.db")
        if os.path.exists(path):
            with contextlib.closing(sqlite3.connect(path)) as db:
                self.assertEqual(db.execute("PRAGMA integrity_check").fetchall(), [("ok",)])


def subcommands(box):
    """Returns all subcommands, from the program itself."""
    text = box.run("help").out
    found = re.search(r"^commands:\n((?:  .+\n)+)", text, re.M)
    return re.findall(r"^  (\S+) ", found.group(1), re.M)


__all__ = ["DEMO", "DONE", "FAILED", "Line", "MatrixCase", "NOTHING", "REFUSED", "SOAK", "UNCONFIRMED", "harness",
           "subcommands"]
