"""The five layouts from the agents' side, written after their descriptions alone: how agents send,
change and read their mail. Uses no code of the program."""
import collections
import contextlib
import json
import os
import random
import re
import sys
import threading
import time
import uuid
from datetime import datetime
from pathlib import Path

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "interop")]

import adr_peer  # noqa: E402

TOKEN = re.compile(r"\[t-[\w-]+\](?: says \d+)?")  # Node's peer adds a number

SUBJECT = "from a peer"
ODD = {"odd": 1.0, "big": 10 ** 20}  # values that only careful programs keep unchanged


def token_of(text):
    """Returns the token of the message. An answer may quote another one first."""
    return (TOKEN.findall(text) or [None])[-1]


class Found:
    """A message in a mailbox. `status` is None if the layout does not keep it."""

    def __init__(self, box, body, id, status=None, raw=b"", still=None):
        self.box, self.body, self.id, self.status, self.raw = box, body, id, status, raw
        self.is_still = lambda old: (still or (lambda a, b: a == b))(old, raw)
        self.token = token_of(body)

    def __repr__(self):
        return f"<{self.token} in {self.box}, {self.id} {self.status}>"


def read_json(path):
    with open(path, "rb") as file:
        raw = file.read()
    return raw, json.loads(raw)


def files(directory, end=".json"):
    with contextlib.suppress(FileNotFoundError):
        for name in sorted(os.listdir(directory)):
            if name.endswith(end) and not name.startswith("."):
                yield os.path.join(directory, name)


class Place:
    """One layout below a directory. `agents` have boxes, `lead` is the program's default identity."""

    swarm = ()  # the address of a broadcast
    marks = ("read", "processing", "completed", "failed")
    peer_deeds = ()
    overwritten = 0  # how often a message is written again because it seems to have been overwritten
    says_states = True  # a change by an agent is the message's state and overrides local marks

    def __init__(self, root):
        self.root = root
        self.make()

    def source(self):
        return ("-S", f"{self.name}:{self.root}")

    def recipients(self, sender):
        """Returns the boxes that receive a broadcast."""
        return [agent for agent in self.agents if agent != sender]

    def look(self):
        """Returns all messages, by token and box."""
        found = collections.defaultdict(list)
        for one in self.read():
            found[one.token, one.box].append(one)
        return found

    def leftovers(self):
        """Returns the paths of locks and temporary files."""
        return [os.path.join(where, name) for where, dirs, names in os.walk(self.root)
                for name in dirs + names if name.endswith((".lock", ".tmp", ".taken"))]

    def write(self, path, data):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(data if isinstance(data, str) else json.dumps(data, indent=2))


class AdrPeer(adr_peer.Peer):
    """The manager, but without the mail of the others: it would load everything each time."""

    def __init__(self, root):
        self.mailboxes = Path(root) / "workspace" / "mailboxes"
        self.now, self.new_id = datetime.now, lambda: "MSG-" + uuid.uuid4().hex[:12]
        self.letters, self.skipped = {}, {}


class Adr(Place):
    name, agents, lead = "adr", ("user", "bob", "alice", "eve"), "user"
    swarm = ("--swarm", "dev")
    peer_deeds = ("read", "processing", "completed")

    def make(self):
        self.mail, self.manager = os.path.join(self.root, "workspace", "mailboxes"), threading.Lock()
        for agent in self.agents:
            os.makedirs(os.path.join(self.mail, agent, "inbox"))
        for stem in ("bob", "alice", "eve"):
            self.write(os.path.join(self.root, "swarms", "dev", "agents", stem + ".md"), "an agent\n")

    def source(self):
        return ("-S", f"adr:{self.mail}", "--swarms", os.path.join(self.root, "swarms"))

    def recipients(self, sender):
        return [agent for agent in ("bob", "alice", "eve") if agent != sender]

    def send(self, sender, to, body):
        letter = AdrPeer(self.root).send(sender, to, SUBJECT, body, payload=ODD)
        return letter.id, None

    def do(self, deed, id, box):
        """Uses a manager that has just loaded that message; returns false if it is not in the inbox."""
        with self.manager:  # the agents have only one such process
            peer = AdrPeer(self.root)
            peer._load(Path(self.mail, box, "inbox", id + ".json"))
            if not peer.letters or (deed == "read" and peer.letters[id].status != "unread"):
                return None
            with contextlib.suppress(FileNotFoundError):  # it was archived just now, and stays so
                return getattr(peer, deed)(id).status
        return None

    def read(self):
        for agent in self.agents:
            for part in ("inbox", "archive"):
                for path in files(os.path.join(self.mail, agent, part)):
                    raw, one = read_json(path)
                    if one["subject"] == SUBJECT and one["payload"] != ODD:
                        raise AssertionError(f"{path}: {one['payload']}")
                    yield Found(agent, one["body"], one["id"], one["status"], raw)


class Inbox(Place):
    name, agents, lead = "inbox", ("coordinator", "pm", "workers", "validator"), "coordinator"
    swarm = ("--all",)
    marks = ("processing", "completed")
    peer_deeds = ("archive",)

    def make(self):
        self.mail = os.path.join(self.root, "scheduler", "inboxes")
        for agent in self.agents:
            os.makedirs(os.path.join(self.mail, agent, "archive"))

    def send(self, sender, to, body):
        """Writes in place, like a shell, in two pieces; with blanks after commas, as models write them."""
        id = f"{sender}-{uuid.uuid4().hex[:12]}"
        raw = json.dumps({"id": id, "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                          "from": sender, "to": to, "subject": SUBJECT, "content": body, "odd": 1.0},
                         indent=1, separators=(", ", " : ")).encode() + b"\n"
        path = os.path.join(self.mail, to, f"{int(time.time())}-{sender}-{id[-12:]}.json")
        with open(path, "wb") as file:
            file.write(raw[:len(raw) // 2])
            file.flush()
            file.write(raw[len(raw) // 2:])
        return id, raw

    def do(self, deed, id, box):
        for path in files(os.path.join(self.mail, box)):
            if id[-12:] in path:
                with contextlib.suppress(FileNotFoundError):
                    os.rename(path, os.path.join(self.mail, box, "archive", os.path.basename(path)))
                    return "archived"
        return None

    def read(self):
        for agent in self.agents:
            for part, status in ((".", None), ("archive", "archived")):
                for path in files(os.path.join(self.mail, agent, part)):
                    raw, one = read_json(path)
                    text = one["content"]  # an object in a handoff
                    yield Found(agent, text if isinstance(text, str) else json.dumps(text),
                                one["id"], status, raw)


class OpenClaw(Place):
    name, agents, lead = "openclaw", ("lead", "tm1", "tm2"), "lead"
    swarm = ("--swarm", "web")
    marks = ("read", "completed")
    peer_deeds, says_states = ("read",), False

    def make(self):
        self.mail = os.path.join(self.root, "teams", "web", "mailbox")
        os.makedirs(self.mail)
        self.write(os.path.join(self.root, "teams", "web", "config.json"), {
            "teamId": "web", "teamName": "web", "leadSessionKey": "k",
            "teammates": {name: {"teammateId": name, "status": "active"} for name in self.agents[1:]}})

    def recipients(self, sender):
        return ["all"]

    def send(self, sender, to, body):
        id = str(uuid.uuid4())
        raw = json.dumps({"messageId": id, "teamId": "web", "from": sender, "to": to, "message": body,
                          "priority": "normal", "read": False, "createdAt": int(time.time() * 1000),
                          "odd": 1.0}, indent=2, ensure_ascii=False).encode() + b"\n"
        with open(os.path.join(self.mail, id + ".json"), "wb") as file:
            file.write(raw)
        return id, raw

    def do(self, deed, id, box):
        """Loads, changes and saves in place, like the gateway."""
        path = os.path.join(self.mail, id + ".json")
        try:
            _, one = read_json(path)
        except (FileNotFoundError, ValueError):
            return None
        one["read"] = True
        with open(path, "wb") as file:
            file.write(json.dumps(one, indent=2, ensure_ascii=False).encode() + b"\n")
        return "read"

    def read(self):
        for path in files(self.mail):
            raw, one = read_json(path)
            yield Found(one["to"], one["message"], one["messageId"], None, raw, lambda old, new:
                        new in (old, old.replace(b'"read": false', b'"read": true')))


class Claude(Place):
    name, agents, lead = "claude", ("team-lead", "bob", "ann"), "team-lead"
    swarm = ("--swarm", "dev")
    marks = ("read", "completed", "failed")
    peer_deeds, says_states = ("read",), False

    def make(self):
        self.mail = os.path.join(self.root, "teams", "dev", "inboxes")
        os.makedirs(self.mail)
        self.write(os.path.join(self.root, "teams", "dev", "config.json"), {
            "name": "dev", "leadAgentId": "team-lead@dev",
            "members": [{"name": name, "agentId": f"{name}@dev"} for name in self.agents]})
        for agent in self.agents:  # two agents that make one at the same time lose mail without our help
            self.write(self.path(agent), "[]")

    def path(self, agent):
        return os.path.join(self.mail, agent + ".json")

    @contextlib.contextmanager
    def locked(self, agent):
        """Makes the directory that is the lock. Yields the entries, and writes them back in place."""
        lock, wait = self.path(agent) + ".lock", 0.005
        for _ in range(200):
            try:
                os.mkdir(lock)
                break
            except FileExistsError:
                time.sleep(wait * random.random())
                wait = min(2 * wait, 0.1)
        else:
            raise TimeoutError(lock)
        try:
            with open(self.path(agent), "r+", encoding="utf-8") as file:
                entries = json.load(file)
                yield entries
                file.seek(0)
                file.truncate()
                file.write(json.dumps(entries, indent=2, ensure_ascii=False))
        finally:
            os.rmdir(lock)

    def send(self, sender, to, body):
        id = str(uuid.uuid4())
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + ".123Z"
        with self.locked(to) as entries:
            entries.append({"from": sender, "text": body, "summary": SUBJECT, "timestamp": stamp,
                            "msgV": 1, "msg_id": id, "type": "message", "odd": 1.0, "read": False})
        return id, None

    def do(self, deed, id, box):
        """Marks one entry as read, like an agent's program."""
        with self.locked(box) as entries:
            for one in entries:
                if one.get("msg_id") == id:
                    one["read"] = True
                    return "read"
        return None

    def read(self):
        for path in files(self.mail):
            raw, entries = read_json(path)
            for one in entries:
                yield Found(os.path.basename(path)[:-5], one["text"], one.get("msg_id"), None)


class Roo(Place):
    name, agents, lead = "roo", ("orchestrator", "code", "tester", "architect"), "orchestrator"
    swarm = ("--all",)
    marks = ("processing", "completed")
    peer_deeds, overwritten = ("take",), 2

    def make(self):
        self.mail = os.path.join(self.root, ".roo", "mailbox")
        os.makedirs(self.mail)
        self.write(os.path.join(self.root, ".roomodes"),
                   "customModes:\n" + "".join(f"  - slug: {name}\n" for name in self.agents))
        self.write(os.path.join(self.root, ".roo", "memory-bank", "progress.md"),
                   "# Progress\n\n## Completed Tasks\n\n## Blockers\n")

    def send(self, sender, to, body):
        """Writes only into an empty slot; returns None if it is taken."""
        id = "msg-" + uuid.uuid4().hex[:8]
        raw = (f'---\nfrom: {sender}\ntimestamp: "2026-07-07T11:15:00Z"\nid: "{id}"\nodd: 1.0\n---\n\n'
               f'{body}\n').encode()
        try:
            with open(os.path.join(self.mail, f"to-{to}.md"), "xb") as file:
                file.write(raw)
        except FileExistsError:
            return None, None
        return id, raw

    def do(self, deed, id, box):
        """Takes the message in the slot; returns its token, or None."""
        mine = os.path.join(self.mail, f".{box}.{uuid.uuid4().hex}.taken")
        try:
            os.rename(os.path.join(self.mail, f"to-{box}.md"), mine)
        except FileNotFoundError:
            return None
        text = ""
        while not text.endswith("\n"):  # its writer has it open, and continues under its new name
            with open(mine, encoding="utf-8") as file:
                text = file.read()
        os.unlink(mine)
        return token_of(text)

    def read(self):
        for agent in self.agents:
            with contextlib.suppress(FileNotFoundError):
                with open(os.path.join(self.mail, f"to-{agent}.md"), "rb") as file:
                    raw = file.read()
                head, body = raw.decode().split("\n---\n\n", 1)
                yield Found(agent, body[:-1], re.search(r'^id: "(.*)"$', head, re.M)[1], None, raw)


ALL = (Claude, OpenClaw, Inbox, Adr, Roo)
