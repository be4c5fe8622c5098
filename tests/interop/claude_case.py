"""Shared by the suites about inboxes that are one JSON array: a team and its peer."""
import hashlib
import json
import os
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import node_modules  # noqa: E402

COLORS = {"team-lead": None, "alice": "blue", "bob": "green"}
PLAIN = ["from", "text", "summary", "timestamp", "read"]
UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def derived_id(entry):
    """Returns the id of an entry that has none."""
    text = "\n".join((entry["from"], entry["timestamp"], entry["text"]))
    return "inbox-" + hashlib.sha256(text.encode()).hexdigest()[:16]


def entry(number=1, **changes):
    """Returns an entry as the classic program writes it; None removes a key."""
    fields = {"from": "bob", "text": f"text {number}", "summary": f"summary {number}",
              "timestamp": f"2026-02-07T15:35:{number % 60:02}.573Z", "color": "green",
              "read": False}
    fields.update(changes)
    return {key: value for key, value in fields.items() if value is not None}


def as_node(entries):
    """Returns the bytes of JSON.stringify(entries, null, 2), for texts without odd characters."""
    return json.dumps(entries, indent=2, ensure_ascii=False).encode()


class Team(harness.Home):
    """<root>/claude/teams/demo with its config.json, and nothing in the inboxes."""

    def __init__(self, base=None):
        super().__init__(base)
        self.base = os.path.join(self.root, "claude")
        self.team = os.path.join(self.base, "teams", "demo")
        self.inboxes = os.path.join(self.team, "inboxes")
        self.source = ("-S", "claude:" + self.base)
        os.makedirs(self.inboxes)
        self.write_config(COLORS)

    def write_config(self, colors, team="demo"):
        members = []
        for name, color in colors.items():
            member = {"agentId": f"{name}@{team}", "name": name, "agentType": "general-purpose",
                      "model": "a-model", "color": color, "joinedAt": 1770925672088,
                      "tmuxPaneId": "in-process", "cwd": "/nowhere", "subscriptions": []}
            if name == "team-lead":
                del member["color"]
                member.update(agentType="team-lead", tmuxPaneId="")
            members.append(member)
        config = {"name": team, "description": "A team", "createdAt": 1770925580406,
                  "leadAgentId": f"team-lead@{team}",
                  "leadSessionId": "130ed1f5-1307-4436-a721-9560b11f3c3c", "members": members}
        with open(os.path.join(os.path.dirname(self.team), team, "config.json"), "w") as file:
            json.dump(config, file, indent=2)

    def path(self, agent):
        return os.path.join(self.inboxes, agent + ".json")

    def put(self, agent, data, age=60):
        """Writes an inbox with these entries, or these bytes, `age` seconds old."""
        if not isinstance(data, bytes):
            data = as_node(data)
        with open(self.path(agent), "wb") as file:
            file.write(data)
        then = time.time() - age
        os.utime(self.path(agent), (then, then))
        return data

    def read(self, agent):
        with open(self.path(agent), "rb") as file:
            return file.read()

    def entries(self, agent):
        return json.loads(self.read(agent))


class ClaudeCase(harness.ProgramCase):

    def setUp(self):
        self.box = Team()
        self.addCleanup(self.box.close)

    def start_node(self, *words, agent="alice", options=()):
        return self.start_peer(
            node_modules.command("claude_peer.js", *options, self.box.base, "demo", agent, *words),
            node_modules.environment())

    def node(self, *words, agent="alice", options=()):
        """Runs the peer to its end; returns its values, or the value if there is only one."""
        said = self.start_node(*words, agent=agent, options=options).finish()
        return said[0] if len(said) == 1 and words[0] != "append" else said

    def send(self, *args, to="alice", subject="a subject", body="a body", rc=harness.DONE,
             verify=False):
        """Sends; returns the id, or the result if sending had to fail."""
        result = self.run_program("send", "--to", to, "--subject", subject, "--body", body,
                                  *([] if verify else ["--no-verify"]), *args, rc=rc)
        if rc != harness.DONE:
            return result
        self.assertRegex(result.out, r"\A\S+\n\Z")
        return result.out.strip()

    def listed(self, *args):
        return self.run_json("messages", "--all", "--bodies", *args)

    def assert_tidy(self, *agents):
        """Asserts that there are only inboxes: no lock, no claim, no temporary file."""
        names = sorted(os.listdir(self.box.inboxes))
        self.assertEqual(names, sorted(agent + ".json" for agent in agents))
