"""The workers in the mailboxes: the program as a command each time, the program as a long session,
and independent agents. Each does a sequence of operations that its seed determines; the message of
an operation depends on the mail at that time."""
import json
import os
import random
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "interop")]

import mcp  # noqa: E402
import node_modules  # noqa: E402
from harness import DONE, FAILED, NOTHING, REFUSED, UNCONFIRMED, parse_lines  # noqa: E402
from model import OPEN, Record  # noqa: E402
from places import token_of  # noqa: E402
from processes import Peer  # noqa: E402

WORDS = ('plain', 'naïve', '"quoted"', 'back\\slash', '日本語', '\U0001f41d', 'tab\there', "it's",
         '{"a":1}', '$HOME', '%s', '</x>', '- a\n- b', '\n\n', '# head')


UNSURE = re.compile("confirm|may |delivered to|is sent")


class Worker:
    """One worker. `step` does one operation."""

    shares = {}  # weights of the kinds of operations

    def __init__(self, world, place, model, number, seed):
        self.world, self.place, self.model = world, place, model
        self.name = f"{type(self).__name__.lower()}-{number}"
        self.dice = random.Random(f"{seed}/{place.name}/{self.name}")
        self.me = self.dice.choice(place.agents)
        self.count = 0

    def work(self, steps, pace):
        for _ in range(steps):
            self.step()

    def step(self):
        kind, = self.dice.choices(list(self.shares), list(self.shares.values()))
        self.count += 1
        if getattr(self, "do_" + kind)():
            self.model.did(f"{type(self).__name__.lower()} {kind}")

    def text(self, plain=False):
        """Returns a new text, and its token."""
        token = f"[t-{self.place.name}-{self.name}-{self.count}]"
        more = [] if plain else self.dice.choices(WORDS, k=self.dice.choice((0, 3, 9, 200)))
        return token, " ".join([token, *more, "end"])

    def other(self):
        return self.dice.choice([agent for agent in self.place.agents if agent != self.me])

    def close(self):
        pass


class Agent(Worker):
    """A program of an agent that follows the layout's description only."""

    shares = {"send": 3, "deed": 2}

    def work(self, steps, pace):
        for number in range(steps):
            pace.wait(number / steps)
            self.step()

    def do_send(self):
        token, body = self.text()
        to = self.other()
        id, raw = self.place.send(self.me, to, body)
        if not id:
            return False
        self.model.note(Record(token, to, body, self.me, id, raw=raw))
        return True

    def do_deed(self):
        deed = self.dice.choice(self.place.peer_deeds)
        if deed == "take":
            box, began = self.other(), time.monotonic()
            token = self.place.do(deed, None, box)
            if token:
                self.model.take((token, box), began)
            return bool(token)
        record = self.model.some(self.dice)
        if not record or record.box not in self.place.agents:
            return False
        began = time.monotonic()
        status = self.place.do(deed, record.id, record.box)
        if status:
            self.model.deed(record, {status}, began, by_peer=True, sure=self.place.says_states)
        return bool(status)


class Ours(Worker):
    """The program; `ask` returns its answer: objects, or None, and true if something may have been
    done."""

    def work(self, steps, pace):
        left = steps
        try:
            for left in range(steps, 0, -1):
                self.step()
                pace.tick()
            left = 0
        finally:
            pace.tick(left)  # a failed worker must not block the others

    def note(self, token, body, answer, sure, boxes):
        """Notes a message that was sent to these boxes, or may have been."""
        for one in answer or [{"to": box, "id": None} for box in boxes if sure is None]:
            record = Record(token, one["to"], body, self.me, one["id"], sure=bool(answer))
            record.again = self.place.overwritten
            self.model.note(record)

    def do_send(self):
        token, body = self.text()
        to = self.other()
        self.note(token, body, *self.ask("send", to=to, subject=f"about {self.count}", body=body), [to])
        return True

    def do_handoff(self):
        token, body = self.text(plain=True)
        to = self.other()
        self.note(token, body, *self.ask("handoff", to=to, subject="Work", done=body, state="green"), [to])
        return True

    def do_broadcast(self):
        token, body = self.text()
        more = dict(zip(("swarm",), self.place.swarm[1:]))
        self.note(token, body, *self.ask("broadcast", subject="to all", body=body, **more),
                  self.place.recipients(self.me))
        return True

    def do_reply(self):
        record = self.model.some(self.dice, self.me)
        if not record:
            return False
        token, body = self.text()
        began = time.monotonic()
        answer, sure = self.ask("reply", id=record.id, body=body)
        self.note(token, body, answer, sure, [record.sender])
        if self.place.name == "inbox" and sure is not False:
            self.model.deed(record, {"archived"}, began, sure=bool(answer) and not self.remarks)
        return True

    def change(self, verb, record, **more):
        began = time.monotonic()
        answer, sure = self.ask(verb, id=record.id, **more)
        for one in answer or []:
            states = OPEN if one.get("restored") else {one["status"]}
            self.model.deed(record, states, began)
        if sure is None:
            self.model.deed(record, OPEN | {"archived"}, began, sure=False)

    def do_mark(self):
        record = self.model.some(self.dice, self.me)
        if record:
            self.change("mark", record, status=self.dice.choice(self.place.marks))
        return bool(record)


class Command(Ours):
    """Runs a process for each operation."""

    shares = {"send": 30, "reply": 8, "handoff": 5, "broadcast": 3, "mark": 20, "archive": 10,
              "restore": 8, "cleanup": 2, "decide": 3, "outbox": 1, "list": 2}
    OPTIONS = {"to": "--to", "subject": "--subject", "body": "--body", "done": "--done",
               "state": "--state", "swarm": "--swarm", "sum": "--expect"}

    def run(self, *words):
        return self.world.run("--as", self.me, *words)

    def ask(self, verb, id=None, status=None, **options):
        words = [verb, *filter(None, (id, status))]
        for name, value in options.items():
            words += ["--feedback" if (verb, name) == ("decide", "body") else self.OPTIONS[name], value]
        if verb == "broadcast" and "swarm" not in options:
            words += self.place.swarm
        if verb in ("send", "reply", "handoff", "broadcast", "decide"):
            words.append("--no-verify")
        result = self.run(*words, "--json")
        self.remarks = "was not archived" in result.err
        if result.rc not in (DONE, NOTHING, REFUSED, FAILED, UNCONFIRMED):
            self.model.wrong(f"{self.name}: {result}")
        if result.rc != DONE:
            self.model.answered({FAILED: "failed", UNCONFIRMED: "unsure"}.get(result.rc, "refused"))
        if result.rc == DONE:
            return parse_lines(result.stdout), True
        return None, None if result.rc == UNCONFIRMED else False

    def do_archive(self):
        record = self.model.some(self.dice, self.me)
        if record:
            self.change("archive", record)
        return bool(record)

    def do_restore(self):
        record = self.model.some(self.dice, self.me)
        if record:
            self.change("restore", record)
        return bool(record)

    def do_cleanup(self):
        """Nothing here is old enough; in ADR-003, completed mail goes to the archive."""
        began = time.monotonic()
        result = self.run("cleanup", "--json")
        if result.rc not in (DONE, NOTHING):
            self.model.wrong(f"{self.name}: {result}")
        if self.place.name == "adr":
            for record in self.model.all():
                if any("completed" in deed.states for deed in record.deeds):
                    self.model.deed(record, {"archived"}, began, sure=False)
        return True

    def do_decide(self):
        """Declines a waiting handoff."""
        pending = [one for one in parse_lines(self.run("pending", "--json").stdout)
                   if one.get("sha256") and one["box"] == self.me]
        if not pending:
            return False
        one = self.dice.choice(pending)
        token, body = self.text(plain=True)
        began = time.monotonic()
        answer, sure = self.ask("decide", id=one["id"], status="decline", body=body, sum=one["sha256"])
        answer = answer and [{"id": told["id"], "to": told["agent"]} for told in answer]
        self.note(token, body, answer, sure, [one["from"]])
        record = self.model.by_id(one["id"], self.me)
        if record and sure is not False:
            self.model.deed(record, OPEN | {"archived"}, began, sure=False)
        return True

    def do_outbox(self):
        self.run("outbox", "--json")
        return True

    def do_list(self):
        result = self.run("list", "--json")
        if result.rc not in (DONE, NOTHING):
            self.model.wrong(f"{self.name}: {result}")
        return True


class Session(Ours):
    """An MCP server that runs all of its operations."""

    shares = {"send": 30, "reply": 8, "handoff": 5, "broadcast": 3, "mark": 25}

    def __init__(self, *args):
        super().__init__(*args)
        self.client = mcp.Client(self.world, "--as", self.me)
        self.client.initialize()
        self.remarks = False

    def ask(self, verb, **arguments):
        answer = self.client.answer(self.client.begin_call(verb, **arguments))["result"]
        if answer["isError"]:
            unsure = UNSURE.search(answer["content"][0]["text"])
            self.model.answered("unsure" if unsure else "refused")
            return None, None if unsure else False
        told = answer["structuredContent"]
        self.remarks = "was not archived" in json.dumps(told)
        return told.get("messages", [told]), True

    def close(self):
        code, _, err = self.client.finish()
        if code != DONE:
            self.model.wrong(f"{self.name} ended with {code}: {err}")


class Node(Worker):
    """Claude's own way to write: Node, with the genuine library for locks."""

    runs = 0

    def work(self, steps, pace):
        self.runs += 1
        to, sender = self.other(), f"[t-claude-{self.name}-{self.runs}]"
        peer = Peer(node_modules.command("claude_peer.js", "--from", sender, self.place.root, "dev", to,
                                         "append", str(steps)),
                    dict(self.world.env, **node_modules.environment()), self.world.root)
        try:
            said = peer.finish(limit=600)
        finally:
            peer.close()
        for one in said:
            if "acknowledged" in one:
                self.model.note(Record(token_of(one["text"]), to, one["text"], sender))
                self.model.did("node send")
