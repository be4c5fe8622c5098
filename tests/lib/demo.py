"""A demo that runs during a test."""
import os
import re
import subprocess

import harness
from harness import DONE, UNCONFIRMED
from processes import LIMIT_S, end_process

PATIENCE_S = LIMIT_S * max(1, int(os.environ.get("SWARMUTT_PATIENCE") or 1))
SENT = (DONE, UNCONFIRMED)  # an agent may have taken the message before the check after sending


def processes_of(directory):
    """Returns the processes with the directory on their command line: the swarm, all agents, the
    client."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read()
            with open(f"/proc/{pid}/stat") as file:
                state = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if os.fsencode(directory) in words and state[0] != "Z":
            found.append((int(pid), int(state[1])))
    return found


class Demo:
    """A demo that runs in plain mode, and the program run on it a second time."""

    def __init__(self, case, *options, keep=True):
        self.case = case
        self.box = harness.Home()
        case.addCleanup(self.box.close)
        self.box.env["TMPDIR"] = os.path.join(self.box.root, "tmp")
        os.mkdir(self.box.env["TMPDIR"])
        self.dir = os.path.join(self.box.root, "demo")
        self.said = os.path.join(self.box.root, "said")
        if keep:
            options += ("--keep", self.dir)
        with open(self.said, "wb") as said:
            self.process = self.box.popen("demo", "--plain", *options, stdin=subprocess.PIPE,
                                          stdout=said, stderr=said)
        case.addCleanup(self.close)
        self.wait("the demo opens", lambda: "swarmutt> " in self.told())
        if not keep:
            self.dir = re.search(r"agents? lives? in (\S+);", self.told())[1]

    def close(self):
        end_process(self.process)
        self.wait("no process is left", lambda: processes_of(self.dir) == [])

    def told(self):
        with open(self.said, encoding="utf-8") as said:
            return said.read()

    def wait(self, what, test):
        answer = harness.poll_until(test, PATIENCE_S)
        self.case.assertTrue(answer, f"{what}: never\n{self.told()}")
        return answer

    def run(self, *args):
        run = subprocess.run([os.path.join(self.dir, "swarmutt"), *args], env=self.box.env,
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S)
        return harness.checked(harness.Result(args, run.returncode, run.stdout, run.stderr))

    def json(self, *args):
        return harness.parse_lines(self.run(*args, "--json").stdout)

    def messages(self):
        return {one["id"]: one for one in self.json("messages", "--all", "--bodies")}

    def quit(self):
        self.process.stdin.write(b"quit\n")
        self.process.stdin.close()
        return self.process.wait(PATIENCE_S)

    def asked(self, kind, layout):
        """Returns a request of that kind that waits for the person."""
        return self.wait(f"a {kind} of {layout}", lambda: next(
            (one for one in self.json("pending")
             if (one["kind"], one["format"]) == (kind, layout)), None))

    def decide(self, kind, layout, *words, says="", test=bool):
        """Decides a request, and waits until its agent writes to the lead about that, among its
        other mail; returns the request."""
        request = self.asked(kind, layout)
        before = set(self.messages())

        def decided():
            run = self.run("decide", request["id"], words[0], "--expect", request["sha256"],
                           *words[1:])
            return run.rc in SENT
        self.wait(f"{kind} of {layout} is decided", decided)
        self.answer(before, request["from"], request["to"],
                    lambda one: says in (one["body"] or "") and test(one))
        return request

    def answer(self, before, agent, lead, test):
        self.wait(f"{agent} writes to {lead}", lambda: [
            one for id, one in self.messages().items()
            if id not in before and one["from"] == agent and one["to"] == lead and test(one)])

    def write(self, agent, text, says=""):
        """Writes to an agent, and waits for its answer."""
        before = set(self.messages())
        run = self.run("send", "--to", agent, "--subject", "a word", "--body", text)
        self.case.assertIn(run.rc, SENT, str(run))
        self.wait(f"{agent} answers", lambda: [
            one for id, one in self.messages().items()
            if id not in before and one["from"] == agent and text in (one["body"] or "")
            and says in one["body"]])

    def agent(self, role):
        return next(one for one in self.json("agents") if one["agent"].startswith(role + "-"))
