"""An ADR-003 mailbox manager: the other side of the layout, as the design document describes it.

Written for the tests. It works like the Python programs of that layout, with their habits: it loads
everything once at the start and keeps it in memory, times are local without a zone, it replaces a
file by renaming MSG-x.json.tmp over it, archiving removes first and writes afterwards, and it skips
a file that does not load.

As a program:
  adr_peer.py ROOT send FROM TO COUNT    prints the ids, one per line
  adr_peer.py ROOT steps ID STEP...      loads, says "ready", waits for a line, marks
"""
import json
import sys
import uuid
from datetime import datetime
from pathlib import Path

TYPES = ("request", "response", "notification", "handoff", "escalation")
STATUSES = ("unread", "read", "processing", "completed", "archived", "failed")
PRIORITIES = {1: "LOW", 2: "NORMAL", 3: "HIGH", 4: "URGENT"}
MARKS = {3: "[HIGH]", 4: "[URGENT]"}
TIMES = ("created_at", "expires_at", "read_at", "completed_at")
HANDOFF_LISTS = ("files_modified", "files_created", "next_steps", "blockers", "dependencies",
                 "related_escalations")
HANDOFF = {"work_completed": "", "files_modified": [], "files_created": [], "current_state": "",
           "state_file": None, "next_steps": [], "blockers": [], "dependencies": [],
           "related_escalations": [], "job_id": None, "notes": ""}


def one_of(known, value):
    """Returns the known value that equals this one; 2.0 is 2 and True is 1, as in the language."""
    for candidate in known:
        if candidate == value:
            return candidate
    raise ValueError(f"{value!r} is none of {tuple(known)}")


class Letter:
    """One message. Times are datetimes here and text in the file."""

    required = ("id", "from_agent", "to_agent", "type", "subject", "body", "priority", "created_at")
    optional = {"swarm_name": None, "payload": {}, "expires_at": None, "status": "unread",
                "read_at": None, "completed_at": None, "reply_to": None, "thread_id": None,
                "context": {}, "attachments": [], "tags": []}
    order = ("id", "from_agent", "to_agent", "swarm_name", "type", "subject", "body", "payload",
             "priority", "created_at", "expires_at", "status", "read_at", "completed_at",
             "reply_to", "thread_id", "context", "attachments", "tags")

    def __init__(self, **fields):
        for name in self.required:
            setattr(self, name, fields[name])
        for name, default in self.optional.items():
            setattr(self, name, fields.get(name, default))

    @classmethod
    def from_file(cls, fields):
        letter = cls(**{name: fields[name] for name in fields if name in cls.order})
        letter.type = one_of(TYPES, letter.type)
        letter.priority = one_of(PRIORITIES, letter.priority)
        letter.status = one_of(STATUSES, letter.status)
        letter.created_at = datetime.fromisoformat(letter.created_at)
        for name in TIMES[1:]:
            text = getattr(letter, name)
            setattr(letter, name, datetime.fromisoformat(text) if text else None)
        return letter

    def fields(self):
        values = {name: getattr(self, name) for name in self.order}
        for name in TIMES:
            values[name] = values[name].isoformat() if values[name] else None
        return values

    def markdown(self):
        text = [f"## {MARKS.get(self.priority, '')} {self.subject}".strip(), "",
                f"**From:** {self.from_agent}", f"**Type:** {self.type}",
                "**Priority:** " + PRIORITIES[self.priority],
                "**Sent:** " + self.created_at.strftime("%Y-%m-%d %H:%M")]
        text += [f"**Thread:** {self.thread_id}"] if self.thread_id else []
        text += [f"**Swarm:** {self.swarm_name}"] if self.swarm_name else []
        text += ["", "---", "", self.body]
        if self.context:
            text += ["", "### Context", ""]
        for name, value in (self.context or {}).items():
            if isinstance(value, list):
                text += [f"- **{name}:**"] + [f"  - {item}" for item in value]
            else:
                text.append(f"- **{name}:** {value}")
        if self.attachments:
            text += ["", "### Attachments", ""] + [f"- `{path}`" for path in self.attachments]
        if self.payload:
            text += ["", "### Payload", "", "```json", json.dumps(self.payload, indent=2), "```"]
        return "\n".join(text)


class Peer:
    """The manager of a tree: ROOT/workspace/mailboxes and ROOT/swarms.

    A test can replace `now` and `new_id` to write a given message.
    """

    def __init__(self, root, now=datetime.now, new_id=None):
        self.mailboxes = Path(root) / "workspace" / "mailboxes"
        self.swarms = Path(root) / "swarms"
        self.now = now
        self.new_id = new_id or (lambda: "MSG-" + uuid.uuid4().hex[:12])
        self.letters = {}
        self.skipped = {}  # reasons by path, for the tests
        self.mailboxes.mkdir(parents=True, exist_ok=True)
        for box in self.mailboxes.iterdir():
            if box.is_dir() and (box / "inbox").exists():
                for path in (box / "inbox").glob("MSG-*.json"):
                    self._load(path)

    def _load(self, path):
        try:
            with open(path) as file:
                letter = Letter.from_file(json.load(file))
            self.letters[letter.id] = letter
        except Exception as problem:
            self.skipped[str(path)] = problem

    def _dir(self, agent, part):
        path = self.mailboxes / agent.replace("/", "_").replace("\\", "_") / part
        path.mkdir(parents=True, exist_ok=True)
        return path

    def _save(self, letter):
        path = self._dir(letter.to_agent, "inbox") / (letter.id + ".json")
        beside = path.with_suffix(".json.tmp")
        with open(beside, "w") as file:
            json.dump(letter.fields(), file, indent=2)
        beside.rename(path)

    # Sending

    def members(self, swarm):
        agents = self.swarms / swarm / "agents"
        return [path.stem for path in agents.glob("*.md") if not path.name.startswith("_")]

    def send(self, from_agent, to_agent, subject, body, type="request", priority=2, payload=None,
             context=None, swarm_name=None, reply_to=None, thread_id=None, expires_at=None,
             attachments=None, tags=None):
        answered = self.letters.get(reply_to) if reply_to else None
        if answered and not thread_id:
            thread_id = answered.thread_id or reply_to
        letter = Letter(id=self.new_id(), from_agent=from_agent, to_agent=to_agent,
                        swarm_name=swarm_name, type=type, subject=subject, body=body,
                        payload=payload or {}, priority=priority, created_at=self.now(),
                        expires_at=expires_at, reply_to=reply_to, thread_id=thread_id,
                        context=context or {}, attachments=attachments or [], tags=tags or [])
        if to_agent.startswith("broadcast:"):
            self._distribute(letter, to_agent.partition(":")[2])
        else:
            self._save(letter)
        self.letters[letter.id] = letter
        return letter

    def _distribute(self, parent, swarm):
        for agent in self.members(swarm):
            if agent == parent.from_agent:
                continue
            copy = Letter(id=self.new_id(), from_agent=parent.from_agent, to_agent=agent,
                          swarm_name=swarm, type=parent.type, subject=parent.subject,
                          body=parent.body, payload=parent.payload, priority=parent.priority,
                          created_at=parent.created_at, expires_at=parent.expires_at,
                          context=parent.context, attachments=parent.attachments,
                          tags=parent.tags + ["broadcast"])
            self._save(copy)
            self.letters[copy.id] = copy

    def handoff(self, from_agent, to_agent, subject, priority=2, swarm_name=None, extra_notes="",
                **given):
        context = {name: given.pop(name, list(usual) if name in HANDOFF_LISTS else usual)
                   for name, usual in HANDOFF.items()}
        if given:
            raise TypeError(f"not in a handoff: {sorted(given)}")
        body = (f"Work handoff from {from_agent} to {to_agent}.\n\n"
                f"**Work Completed:** {context['work_completed']}\n\n"
                f"**Current State:** {context['current_state']}")
        for title, name in (("Next Steps", "next_steps"), ("Blockers", "blockers")):
            if context[name]:
                body += f"\n\n**{title}:**" + "".join(f"\n- {item}" for item in context[name])
        if extra_notes:
            body += f"\n\n**Notes:**\n{extra_notes}"
        return self.send(from_agent, to_agent, subject, body, type="handoff", priority=priority,
                         context=context, swarm_name=swarm_name, tags=["handoff"],
                         attachments=context["files_modified"] + context["files_created"])

    def broadcast(self, from_agent, swarm_name, subject, body, type="notification", priority=2,
                  exclude=()):
        left_out = [*exclude, from_agent]
        return [self.send(from_agent, agent, subject, body, type=type, priority=priority,
                          swarm_name=swarm_name, tags=["broadcast", f"swarm:{swarm_name}"])
                for agent in self.members(swarm_name) if agent not in left_out]

    def reply(self, id, from_agent, body, payload=None):
        original = self.letters.get(id)
        return original and self.send(from_agent, original.from_agent, f"Re: {original.subject}",
                                      body, type="response", priority=original.priority,
                                      payload=payload, swarm_name=original.swarm_name, reply_to=id,
                                      thread_id=original.thread_id or id)

    # Reading

    def check(self, agent, unread_only=True, types=None, min_priority=None):
        now = self.now()
        found = [letter for letter in self.letters.values()
                 if letter.to_agent == agent
                 and (not unread_only or letter.status == "unread")
                 and (not types or letter.type in types)
                 and (not min_priority or letter.priority >= min_priority)
                 and (not letter.expires_at or letter.expires_at > now)]
        return sorted(found, key=lambda letter: (-letter.priority, letter.created_at))

    def thread(self, id):
        found = [letter for letter in self.letters.values() if id in (letter.thread_id, letter.id)]
        return sorted(found, key=lambda letter: letter.created_at)

    def pending(self, agent):
        waiting = [letter.priority for letter in self.check(agent)]
        counts = {PRIORITIES[number].lower(): waiting.count(number) for number in (4, 3, 2, 1)}
        return dict(counts, total=len(waiting))

    @staticmethod
    def prompt(letters):
        text = ["## Pending Messages in Your Mailbox", "",
                f"You have {len(letters)} high-priority message(s) to review:", ""]
        for letter in letters[:5]:
            text += [f"### {letter.subject}",
                     f"From: {letter.from_agent} | Priority: {PRIORITIES[letter.priority]}",
                     letter.body[:500] + "...", ""]
        return "\n".join(text)

    # Marking

    def read(self, id):
        letter = self.letters.get(id)
        if letter and letter.status == "unread":
            letter.status, letter.read_at = "read", self.now()
            self._save(letter)
        return letter

    def processing(self, id):
        letter = self.letters.get(id)
        if letter:
            letter.status = "processing"
            self._save(letter)
        return letter

    def completed(self, id, archive=True):
        letter = self.letters.get(id)
        if not letter:
            return None
        letter.status, letter.completed_at = "completed", self.now()
        if not archive:
            self._save(letter)
            return letter
        inbox = self._dir(letter.to_agent, "inbox") / (id + ".json")
        if inbox.exists():
            inbox.unlink()
        letter.status = "archived"
        with open(self._dir(letter.to_agent, "archive") / (id + ".json"), "w") as file:
            json.dump(letter.fields(), file, indent=2)
        return letter


def main(root, command, *args):
    peer = Peer(root)
    if command == "send":
        sender, to, count = args
        for number in range(int(count)):
            print(peer.send(sender, to, f"number {number}", f"body {number} of {sender}").id)
    elif command == "steps":
        print("ready", flush=True)
        sys.stdin.readline()
        for step in args[1:]:
            getattr(peer, step)(args[0])


if __name__ == "__main__":
    main(*sys.argv[1:])
