"""Mailbox trees of every layout, made by the tests."""
import json
import os
import shutil
import time

import harness
from harness import NOTHING, message

UUID = "550e8400-e29b-41d4-a716-44665544000"
HOUR = 3600
NOW = "2026-02-07T16:00:00Z"


def ago(minutes, zone="Z"):
    """Returns the time of that day `minutes` before NOW, as layouts write it."""
    at = 16 * 60 - minutes
    return f"2026-02-07T{at // 60:02d}:{at % 60:02d}:00{zone}"


class LayoutCase(harness.MailboxCase):
    """A home directory and a project, both empty; each test puts its mailboxes there."""

    agents = ()

    def setUp(self):
        super().setUp()
        shutil.rmtree(os.path.join(self.box.root, "workspace"))
        self.project = os.path.join(self.box.root, "project")
        os.makedirs(self.project)

    def do(self, *args, **more):
        """Runs the program in the project."""
        more.setdefault("cwd", self.project)
        return self.run_program(*args, **more)

    def write(self, path, data, age=60):
        if not isinstance(data, (str, bytes)):
            data = json.dumps(data, indent=2)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
        then = time.time() - age
        os.utime(path, (then, then))
        return path

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def claude(self, base=None, team="dev", boxes=(), members=("team-lead", "bob")):
        """A team; boxes: agent and entries. Returns the base."""
        base = base or os.path.join(self.box.home, ".claude")
        where = os.path.join(base, "teams", team)
        os.makedirs(os.path.join(where, "inboxes"), exist_ok=True)
        if members:
            self.write(os.path.join(where, "config.json"), {
                "name": team, "leadAgentId": f"team-lead@{team}",
                "members": [{"name": name, "agentId": f"{name}@{team}"} for name in members]})
        for agent, entries in boxes:
            self.write(os.path.join(where, "inboxes", agent + ".json"), entries)
        return base

    def entry(self, text="a text", sender="bob", read=False, **more):
        return {"from": sender, "text": text, "timestamp": "2026-02-07T15:35:15.573Z", "read": read,
                **more}

    def openclaw(self, base=None, team="web", messages=(), members=("tm1", "tm2")):
        base = base or os.path.join(self.box.home, ".openclaw")
        where = os.path.join(base, "teams", team)
        self.write(os.path.join(where, "config.json"), {
            "teamId": team, "teamName": team, "leadSessionKey": "k",
            "teammates": {name: {"teammateId": name, "status": "active"} for name in members}})
        os.makedirs(os.path.join(where, "mailbox"), exist_ok=True)
        for one in messages:
            self.write(os.path.join(where, "mailbox", one["messageId"] + ".json"), one)
        return base

    def claw(self, number, to="lead", hours=1.0, **more):
        return {"messageId": UUID + str(number), "teamId": "web", "from": "tm1", "to": to,
                "message": f"message {number}", "priority": "normal", "read": False,
                "createdAt": int((time.time() - hours * HOUR) * 1000), **more}

    def inbox(self, base=None, box="coordinator", messages=(), archived=()):
        where = os.path.join(base or self.project, "scheduler", "inboxes", box)
        os.makedirs(os.path.join(where, "archive"), exist_ok=True)
        for number, days in enumerate(messages):
            self.write(os.path.join(where, f"17000000{number:02d}-pm-x.json"),
                       self.memo(f"new-{number}"), age=days * 24 * HOUR)
        for number, days in enumerate(archived):
            self.write(os.path.join(where, "archive", f"16000000{number:02d}-pm-x.json"),
                       self.memo(f"old-{number}"), age=days * 24 * HOUR)
        return os.path.dirname(where)

    def memo(self, id):
        return {"id": id, "timestamp": "2026-02-12T08:02:18Z", "from": "pm", "to": "coordinator",
                "subject": "a subject", "content": "a text"}

    def roo(self, base=None, **slots):
        base = base or self.project
        where = os.path.join(base, ".roo", "mailbox")
        os.makedirs(where, exist_ok=True)
        for slug, text in slots.items():
            self.write(os.path.join(where, f"to-{slug}.md"),
                       f'---\nfrom: code\ntimestamp: "2025-07-07T11:15:00Z"\nid: "msg-{slug}"\n---\n\n'
                       f'{text}\n')
        return base

    def adr(self, base=None, **fields):
        mail = os.path.join(base or self.project, "workspace", "mailboxes")
        one = message(**fields)
        self.write(os.path.join(mail, one["to_agent"], "inbox", one["id"] + ".json"), one)
        return mail

    def found(self, *args, **more):
        """Returns format and path of every source that is found."""
        more.setdefault("cwd", self.project)
        return [(one["format"], one["path"]) for one in self.run_json("sources", *args, **more)]

    def ids(self, *args, **more):
        more.setdefault("cwd", self.project)
        result = self.box.run("messages", "--json", *args, **more)
        self.assertIn(result.rc, (harness.DONE, NOTHING), str(result))
        return [one["id"] for one in harness.parse_lines(result.stdout)]


class FrozenCase(LayoutCase):
    """A LayoutCase with a fixed time, in UTC."""

    now = NOW

    def setUp(self):
        super().setUp()
        self.box.env.update(SWARMUTT_NOW=self.now, TZ="UTC")

    def rows(self, *args, **more):
        """Returns the objects that a command prints in the project."""
        more.setdefault("cwd", self.project)
        return self.run_json(*args, **more)
