"""Compares swarmutt-json(5) with the real output: every command, every object, every key."""
import json
import os
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import ledger  # noqa: E402
from following import Follower  # noqa: E402
from harness import DONE, FAILED, NOTHING, REFUSED, USAGE, message  # noqa: E402
from layouts import LayoutCase  # noqa: E402
from manual import read_page  # noqa: E402

UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
CHECKS = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: type(value) is int,
    "boolean": lambda value: isinstance(value, bool),
    "true": lambda value: value is True,
    "time": lambda value: isinstance(value, str) and UTC.fullmatch(value),
    "object": lambda value: isinstance(value, dict),
    "any": lambda value: value is not None,
    "array of strings": lambda value: isinstance(value, list) and all(
        isinstance(one, str) for one in value),
    "array of objects": lambda value: isinstance(value, list) and all(
        isinstance(one, dict) for one in value),
}


class Told:
    """The page's description of one key."""

    def __init__(self, name, words):
        self.name = name
        self.optional = words.endswith(", may be absent")
        words = words.removesuffix(", may be absent")
        self.nullable = words.endswith(" or null")
        self.type = words.removesuffix(" or null")
        # an inner object names its keys, each as .Em
        self.inner = []

    def allows(self, value):
        return self.nullable if value is None else CHECKS[self.type](value)


def read_objects():
    """Returns the objects of the page by their titles, each a list of its keys."""
    objects = {}
    for part in re.split(r"^\.S[sh] ", read_page("swarmutt-json.5"), flags=re.M)[1:]:
        title, text = part.split("\n", 1)
        keys = []
        for item in re.split(r"^\.It Em ", text, flags=re.M)[1:]:
            name, said = item.split("\n.El\n")[0].split("\n", 1)
            key = Told(name, said.split(":", 1)[0])
            if "object" in key.type:
                key.inner = re.findall(r"\w+", " ".join(re.findall(r"^\.Em (.*)", said, re.M)))
                key.inner = [one for one in key.inner if one != "giver"]
            keys.append(key)
        if keys:
            objects[title] = keys
    own = [key.name for key in objects["Request"]]
    objects["Request"][:0] = [key for key in objects["Message"] if key.name not in own]
    outer = [key for key in objects["THE LEDGER"] if key.name not in ("prev", "torn", "sum")]
    objects["Event of the ledger"][:0] = outer
    objects["Event of a message"] = objects["Event"] + objects["Message"]
    objects["Event of an agent"] = objects["Event"] + objects["Agent"]
    return objects


def read_commands():
    """Returns the object that each form of a command prints, from the table of the page."""
    rows = re.findall(r"^\.It Ic (.*) Ta Sx (.*)$", read_page("swarmutt-json.5"), re.M)
    return {re.sub(r"(Cm|Ar|Fl|,) ?", lambda m: "--" if m[1] == "Fl" else "", form).replace(
        "---", "--"): title for form, title in rows}


def stamp(seconds_ago):
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - seconds_ago))


class World(LayoutCase):
    """All five layouts, with mail of every kind in them."""

    @classmethod
    def setUpClass(cls):
        cls.objects, cls.commands = read_objects(), read_commands()

    def setUp(self):
        super().setUp()
        self.seen = {}
        plan = {"type": "plan_approval_request", "from": "bob", "timestamp": stamp(600),
                "planFilePath": "/nowhere/plan.md", "planContent": "# Plan\n", "requestId": "p1"}
        second = dict(plan, requestId="p2", **{"from": "ann"})
        order = {"type": "mode_set_request", "mode": "plan", "from": "ann"}
        self.base = self.claude(members=("team-lead", "bob", "ann"), boxes=[
            ("team-lead", [self.entry(json.dumps(plan), timestamp=stamp(600)),
                           self.entry(json.dumps(second), sender="ann", timestamp=stamp(600))]),
            ("bob", [self.entry(json.dumps(order), sender="ann")])])
        self.openclaw(messages=[self.claw(1)])
        self.inbox(archived=[30])
        self.roo(code="a text")
        failed = dict(id="MSG-000000000002", to_agent="tester", status="failed", priority=3,
                      created_at="2026-01-03T14:30:00.1+02:00")
        asked = dict(id="MSG-000000000003", from_agent="tester", to_agent="user",
                     payload={"a": float("nan")}, context={"b": 1}, tags=["c"],
                     attachments=["/d"], reply_to="MSG-000000000002", thread_id="MSG-9",
                     expires_at="2096-01-01T00:00:00")
        for fields in (failed, asked):
            self.adr(**fields)
        self.adr(id="MSG-000000000004", to_agent="user", from_agent="tester")
        self.mail = os.path.join(self.project, "workspace", "mailboxes")
        self.write(os.path.join(self.mail, "tester", "inbox", "broken.json"), "{")

    def told(self, title, value):
        """Compares one object with the page."""
        keys = self.objects[title]
        names = [key.name for key in keys]
        self.assertEqual(list(value)[0], "v", value)
        self.assertEqual(value["v"], 1)
        self.assertEqual(list(value)[1:], [name for name in names if name in value], title)
        for key in keys:
            if key.name not in value:
                self.assertTrue(key.optional, f"{title}: {key.name} is absent: {value}")
                continue
            self.assertTrue(key.allows(value[key.name]), f"{title}: {key.name}: {value}")
            self.seen.setdefault(title, set()).add(key.name)
            for inner in self.within(value[key.name]) if key.inner else ():
                self.assertLessEqual(set(inner), set(key.inner), f"{title}: {key.name}")
                self.seen.setdefault((title, key.name), set()).update(inner)
        return value

    def within(self, value):
        return value if isinstance(value, list) else [value]

    def run_told(self, form, *args, title=None, rc=DONE, some=True):
        """Runs a form of a command and compares its lines with the page; returns the first one."""
        self.done.add(form)
        found = self.run_json(*args, rc=rc, cwd=self.project)
        if some:
            self.assertTrue(found, args)
        for one in found:
            self.told(title or self.commands[form], one)
        return found[0] if found else None

    def assert_all_seen(self):
        """Asserts that every documented key has been printed."""
        for title, keys in self.objects.items():
            with self.subTest(title=title):
                self.assertEqual([key.name for key in keys],
                                 [key.name for key in keys if key.name in self.seen.get(title, ())])
            for key in keys:
                with self.subTest(title=title, key=key.name):
                    self.assertEqual(set(key.inner), self.seen.get((title, key.name), set()))


class Json(World):
    """One long session that uses every form of every command."""

    def test_every_command_prints_the_objects_that_are_told_and_every_key_is_printed(self):
        self.done = set()
        self.read()
        self.decide()
        self.order()
        self.send()
        self.be_done()
        self.look_at_the_program()
        self.watch()
        self.ledger()
        self.answer_elsewhere()
        self.assertEqual(self.done, set(self.commands))
        self.assert_all_seen()

    def read(self):
        run = self.run_told
        run("list", "list", "--all")
        run("messages", "messages", "--all", "--bodies")
        run("messages", "messages", "is:damaged")
        run("show", "show", "MSG-000000000003")
        run("thread", "thread", "MSG-000000000003")
        run("check", "check", "user", "--all")
        run("wait", "wait", "from:tester")
        run("agents", "agents")
        run("count", "count")
        run("count AGENT", "count", "bob")
        run("flow", "flow", "--since", "9999d")
        run("pending", "pending")

    def path(self, name):
        return os.path.join(self.base, "teams", "dev", "inboxes", name + ".json")

    def entries(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def say(self, text, sender="bob"):
        """Writes to the lead as an agent of the team."""
        text = text if isinstance(text, str) else json.dumps(dict(text, timestamp=stamp(-1)))
        self.write(self.path("team-lead"), self.entries("team-lead") + [
            self.entry(text, sender=sender, timestamp=stamp(-1))])

    def decide(self):
        sums = {one["thread"]: one["sha256"] for one in
                self.run_json("pending", cwd=self.project)}
        decide = "decide", "p1", "reject", "--feedback", "no", "--no-verify", "--expect"
        self.run_told("decide", *decide, "0" * 64, rc=REFUSED, title="Request")
        self.run_told("decide", *decide, sums["p1"], "--dry-run", title="Preview")
        self.run_told("decide", *decide, sums["p1"])
        self.run_told("decide", "decide", "p2", "approve", "--mode", "acceptEdits", "--no-verify",
                      "--expect", sums["p2"])
        self.write(self.path("bob"), [dict(one, read=True) for one in self.entries("bob")])
        self.say("I go on")

    def run_taken(self, title, *args):
        """Sends to ann, who takes her mail out of her inbox at once."""
        self.write(self.path("ann"), [])
        sending = self.start("-S", "claude:" + self.base, *args, "--json")
        self.assertTrue(harness.poll_until(lambda: self.entries("ann")))
        self.write(self.path("ann"), [])
        line, = harness.parse_lines(self.finish(sending, DONE).stdout)
        self.assertIs(self.told(title, line)["taken"], True)

    def order(self):
        run, quick = self.run_told, "--no-verify"
        run("shutdown", "shutdown", "tm1", quick)
        run("shutdown", "shutdown", "code", quick)
        self.run_taken("Shutdown", "shutdown", "ann")
        waiting = self.start("-S", "claude:" + self.base, "shutdown", "bob", "--wait", "60s",
                             "--json", quick)
        request = self.told("Shutdown", json.loads(waiting.stdout.readline()))
        self.say({"type": "shutdown_rejected", "requestId": request["request_id"], "from": "bob",
                  "reason": "busy"})
        answer, = harness.parse_lines(self.finish(waiting, REFUSED).stdout)
        self.told("Shutdown answer", answer)
        run("mode", "mode", "bob", "plan", quick)
        run("assign", "assign", "bob", "--task", "1", "--subject", "s", quick)
        run("rules", "rules", "dev", "--tool", "Bash", "--behavior", "deny", "--directory", "/s",
            quick)
        escalate = "escalate", "--level", "coo", "--title", "t", "--reason", "r", "--to"
        run("escalate", *escalate, "tester")
        run("escalate", *escalate, "tester", "--dry-run", title="Preview")

    def send(self):
        run, quick = self.run_told, "--no-verify"
        text = "--subject", "s", "--body", "b", quick
        run("send", "send", "--to", "tester", *text)
        run("send", "send", "--to", "tm1", *text, "--dry-run", title="Preview")
        run("send", "send", "--to", "code", *text)
        self.run_taken("Sent message", "send", "--to", "ann", "--subject", "s", "--body", "b")
        run("reply", "reply", "MSG-000000000003", "--body", "b")
        work = "handoff", "--subject", "w", "--done", "d", "--state", "s", "--to"
        run("handoff", *work, "tester")
        run("handoff", "-S", "adr:" + self.mail, *work, "builder", "--create", "--from", "tester")
        run("handoffs", "handoffs")
        run("broadcast", "-S", "openclaw:" + os.path.join(self.box.home, ".openclaw", "teams"),
            "broadcast", "--all", *text)
        run("broadcast --dry-run", "-S", "openclaw:" + os.path.join(
            self.box.home, ".openclaw", "teams"), "broadcast", "--all", *text, "--dry-run")
        run("broadcast --dry-run", "-S", "claude:" + self.base, "broadcast", "--swarm", "dev",
            "--exclude", "ann", *text, "--dry-run")
        run("sent", "sent")
        queued = run("outbox", "outbox")
        run("outbox retry drop", "outbox", "drop", str(queued["number"]))
        run("protocol", "protocol", "compose", "shutdown_request", "--to", "bob")

    def be_done(self):
        run = self.run_told
        run("mark", "mark", "--as", "tester", "MSG-000000000002", "read")
        ours, = [one["id"] for one in self.run_json("messages", "box:team-lead", cwd=self.project)
                 if one["body"] is None and one["subject"].startswith("I go on")]
        run("mark", "mark", ours, "processing")
        run("archive", "archive", ours, "MSG-000000000004")
        run("restore", "restore", ours, "MSG-000000000004")
        run("cleanup", "cleanup", "--dry-run")

    def look_at_the_program(self):
        run = self.run_told
        run("sources", "sources")
        run("index rebuild", "index", "rebuild")
        run("index status", "index", "status")
        run("search", "search", "from:tester or from:user")
        run("doctor", "doctor", rc=NOTHING)
        run("formats", "formats")
        run("config show", "config", "show")
        config = os.path.join(self.box.home, "config", "swarmutt", "config")
        self.write(config, "[zzz]\nx = 1\n")
        run("config check", "config", "check", rc=USAGE)
        os.unlink(config)

    def watch(self):
        """Reports all messages; then agents appear that have not touched their mail for long."""
        follower = Follower(self.box, "-S", "adr:" + self.mail, "-S", "claude:" + self.base)
        self.addCleanup(follower.close)
        added = []

        def is_stuck():
            if not added or time.monotonic() > added[-1] + 2:
                added.append(time.monotonic())
                self.adr(id=f"MSG-0000000001{len(added):02}", to_agent=f"sleeper-{len(added)}",
                         from_agent="user", created_at=stamp(7200).removesuffix("Z"))
            return "stuck" in follower.counts
        self.assertTrue(follower.wait_for(lambda: "new" in follower.counts))
        self.assertTrue(follower.wait_for(is_stuck))
        for one in follower.events:
            agent = one["event"] == "stuck"
            self.told("Event of an agent" if agent else "Event of a message", one)
        self.done.add("watch")
        self.seen["Event"] = {"event"}

    def answer_elsewhere(self):
        """Answers in the lead's name from elsewhere; the log has that after its own events."""
        self.say({"type": "plan_approval_request", "from": "bob", "planFilePath": "p",
                  "planContent": "# Plan\n", "requestId": "p9"})
        self.run_told("pending", "pending")
        yes = {"type": "plan_approval_response", "requestId": "p9", "approved": True,
               "timestamp": stamp(-2), "permissionMode": "default"}
        self.write(self.path("bob"), self.entries("bob") + [
            self.entry(json.dumps(yes), sender="team-lead", timestamp=stamp(-2))])
        self.run_told("pending", "pending")
        found = [one for one in self.run_json("log", cwd=self.project)
                 if one.get("answered_elsewhere")]
        self.assertEqual([one["thread"] for one in found], ["p9"])
        self.told("Request", found[0])

    def ledger(self):
        path = os.path.join(self.box.state, "swarmutt", "ledger")
        os.truncate(path, os.path.getsize(path) - 1)  # as after a crash
        os.unlink(path + ".head")
        self.run_told("mode", "mode", "bob", "plan", "--no-verify")
        self.run_told("log", "log")
        with open(path, encoding="ascii") as file:
            for line in file:
                self.told("THE LEDGER", json.loads(line))
        self.run_told("log verify", "log", "verify")
        other = ledger.Ledger(self.box.state)  # written by another program
        other.add("intent", "d1", answer={"sha256": "0" * 64})
        self.run_told("log", "log")
        self.seen["THE LEDGER", "answer"].add("sha256")  # only other programs note it, as the page says
        self.run_told("log verify", "log", "verify", rc=FAILED)


def source_text(name):
    with open(os.path.join(harness.SRC, name), encoding="utf-8") as file:
        return file.read()


def table(name, start, each=r'"([^"]*)"'):
    """Returns the words of a table in the program's source that begins with `start`."""
    return re.findall(each, source_text(name).split(start, 1)[1].split("};", 1)[0])


def literals(name, pattern):
    """Returns the words in the code that a pattern finds."""
    return [word for found in re.finditer(pattern, source_text(name)) for word in found.groups()]


def marks():
    states = dict(table("src/mail/message/message.c", "status_names[] = {", r'\[(\w+)\] = "(\w+)"'))
    return [states[one] for one in re.findall(r"STATUS_\w+", re.search(
        r"marks\[\] = \{(.*?)\}", source_text("src/mail/message/message.c"), re.S)[1])]


KINDS = table("src/mail/message/kind.c", "names[] = {")
PRIORITIES = table("src/mail/message/message.c", "priority_names[] = {")
WATCHED = literals("src/cmd/read/watch.c", r'announce(?:_message)?\(watcher, "(\w+)"')
SEVERITY = r'\? "(problem)" : "(remark)"'
CHOSEN = r'\? "(\w[\w ]*)" : "(\w[\w ]*)"'

# Every key with a fixed set of words as values, with the set from the program.
SETS = {
    ("Message", "priority"): PRIORITIES,
    ("Message", "status"): table("src/mail/message/message.c", "status_names[] = {"),
    ("Conversation", "kind"): KINDS + ["damaged"],
    ("Event", "event"): table("src/cmd/read/watch.c", "event_names[] = {", r'= "(\w+)"') + WATCHED + table(
        "ui/process/hooks.c", "events[CONFIG_HOOK_COUNT] = {"),
    ("Fate", "state"): table("src/mail/sent/delivery_status.c", "names[DELIVERY_COUNT] = {"),
    ("Request", "kind"): KINDS,
    ("Decision", "decision"): table("src/mail/protocol/decision.c", "decisions[DECISION_COUNT] = {",
                                    r'\.name = "([^"]*)"'),
    ("Decision", "state"): literals("src/cmd/write/decide.c", r'"state", "(\w+)"'),
    ("Event of the ledger", "state"): table("src/store/decide/ledger.c", "const words[] = {"),
    ("Ledger", "findings"): literals("src/cmd/read/log.c", SEVERITY),
    ("Shutdown answer", "answer"): literals("src/cmd/write/lead_commands.c", r'"answer", no ' + CHOSEN),
    ("Outbox entry", "state"): table("src/cmd/write/outbox.c", "state_names[] = {"),
    ("Outbox change", "done"): literals("src/cmd/write/outbox.c", r"put_changed\(app, number, retry " +
                                        CHOSEN),
    ("Protocol text", "kind"): table("src/mail/protocol/protocol_table.c", "forms[] = {",
                                     r'\.name = "([^"]*)"'),
    ("Change", "status"): marks() + ["archived"],
    ("Cleaning", "done"): literals("src/cmd/write/cleanup.c", "dry_run " + CHOSEN),
    ("Agent", "state"): table("src/mail/agent/agent.c", "state_names[AGENT_STATE_COUNT] = {"),
    ("Handoff", "state"): table("src/mail/handoff/handoff_status.c", "names[HANDOFF_STATE_COUNT] = {"),
    ("Finding", "check"): table("src/store/doctor/doctor.c", "doctor_checks[] = {", r'\n    \{"([^"]*)"'),
    ("Finding", "severity"): literals("src/cmd/admin/doctor.c", SEVERITY),
    ("Setting", "from"): literals("src/cmd/admin/config.c",
                                  r'"from", row->line \? "(\w+)" : row->variable ' + CHOSEN),
    ("Ability", "verb"): table("src/store/format/format.c", "verb_names[VERB_COUNT] = {"),
    ("Ability", "ability"): table("src/store/format/format.c", "ability_names[] = {"),
    ("THE LEDGER", "event"): table("src/store/decide/ledger.c", "event_words[] = {"),
    ("THE LEDGER", "verb"): table("src/store/decide/ledger.c", "deeds[] = {", r'\n    \{"([^"]*)"'),
    ("THE LEDGER", "kind"): KINDS,
}
# The other keys of these names are ids, or are described as equal to one above.
FREE = {("Conversation", "priority"), ("THE LEDGER", "decision")}


class Words(World):
    """For each key with a fixed set of words, the page has all of them, or refers to the page, and
    the command there, that has them."""

    def told_of(self, item):
        """Returns the words of an item, and the words on a page that it refers to."""
        said, told = re.sub(r"^\.\w+ ", "", item, flags=re.M), set()
        for command, name, number in re.findall(
                r"(?:^\.Ic (\w+)\nin\n)?^\.Xr (\S+) (\d)", item, re.M):
            page = read_page(f"{name}.{number}")
            if command:
                page = page.split(f"\n.It Ic {command} ", 1)[1].split("\n.It Ic ", 1)[0]
            for line in re.findall(r"^\.(?:It )?Cm (.*)", page, re.M):
                told |= set(re.findall(r"[\w-]+", line))
            told |= set(re.findall(r"^\.It ([\w ]+?) Ta ", page, re.M))
        return said, told

    def test_every_word_that_a_key_can_have_is_told(self):
        objects = {}
        for part in re.split(r"^\.S[sh] ", read_page("swarmutt-json.5"), flags=re.M)[1:]:
            title, text = part.split("\n", 1)
            for item in re.split(r"^\.It Em ", text.split("\n.El\n")[0], flags=re.M)[1:]:
                key, rest = item.split("\n", 1)
                objects[title, key] = rest
        for where, words in SETS.items():
            said, told = self.told_of(objects[where])
            self.assertTrue(words, where)
            for word in words:
                with self.subTest(object=where[0], key=where[1], word=word):
                    self.assertTrue(word in told or re.search(
                        rf"(?<![\w-]){re.escape(word)}(?![\w-])", said), said)

    def test_every_key_that_is_called_as_one_with_a_set_has_one(self):
        names = {"priority", "status", "kind", "event", "state", "decision", "severity", "done", "check",
                 "verb", "ability"}
        keys = {(title, key.name) for title, keys in self.objects.items() for key in keys
                if key.name in names and key.type == "string"}
        # without those that are joined from two
        keys = {(title, name) for title, name in keys if not title.startswith("Event of a") and
                not (title == "Request" and name != "kind") and
                not (title == "Event of the ledger" and name != "state")}
        self.assertEqual(keys - FREE, {one for one in SETS if one[1] in names})


class Table(World):

    def test_every_command_is_in_the_table_or_said_to_print_text(self):
        listed = self.run_program("--help").out.split("commands:\n", 1)[1].split("\n\n", 1)[0]
        commands = {line.split()[0] for line in listed.splitlines()}
        page = read_page("swarmutt-json.5")
        texts = re.search(r"^The commands\n((?:.*\n)*?)print the same text", page, re.M)[1]
        told = {form.split()[0] for form in self.commands} | set(
            re.findall(r"^\.Ic (\w+)", texts, re.M))
        self.assertEqual(told, commands, "swarmutt-json.5, the table of commands, or those that print text")


if __name__ == "__main__":
    harness.main()
