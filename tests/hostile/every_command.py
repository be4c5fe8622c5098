"""Every subcommand, to be run on mailboxes that mean ill: the words of those that read, and of those
that write. Whoever adds a command adds it here, or a test says so."""
import json
import subprocess

import harness
from commands import all_commands
from mcp import Client

READING = (
    ("list",), ("list", "--all"), ("pending",), ("agents",), ("agents", "{agent}"), ("messages", "--all"),
    ("messages", "--all", "--bodies"), ("messages", "--archive"), ("messages", "from:{agent}"),
    ("search", "text OR subject OR secret"), ("check",), ("check", "{agent}", "--all"),
    ("check", "{agent}", "--format", "markdown"), ("check", "{agent}", "--format", "prompt"),
    ("show", "{id}"), ("show", "{id}", "--format", "markdown"), ("show", "{id}", "--raw"),
    ("thread", "{id}"), ("count",), ("count", "{agent}"), ("count", "--format", "tmux"),
    ("watch", "--from-start", "--limit", "1"), ("wait", "from:nobody-at-all", "--timeout", "0s"),
    ("wait", "--all", "--timeout", "0s"), ("sent",), ("log",), ("log", "verify"), ("handoffs",),
    ("flow",), ("outbox",), ("index", "rebuild"), ("index", "status"), ("search", "text"),
    ("index", "drop"), ("doctor",), ("sources",), ("config", "show"), ("config", "check"),
    ("formats",), ("version",), ("help",), ("completion", "bash"), ("protocol", "compose", "shutdown_request", "--to", "{agent}"),
    ("complete", "bash", "--", "swarmutt", "show", ""), ("complete", "bash", "--", "swarmutt", "send", "--to", ""))
WITHOUT_MAIL = {"demo"}  # it brings its own mailboxes
LASTING = {"demo", "mcp", "wait", "watch"}  # without more words they go on
WRITING = ("send", "reply", "handoff", "broadcast", "shutdown", "mode", "assign", "rules", "escalate",
           "mark", "archive", "restore", "cleanup", "outbox", "decide", "doctor", "mcp")


def known():
    """The names of all commands, as the program itself tells them."""
    text = subprocess.run([harness.PROGRAM, "help"], stdout=subprocess.PIPE, check=True).stdout
    part = text.decode().split("\ncommands:\n")[1].split("\n\n")[0]
    return {line.split()[0] for line in part.splitlines()}


def missing():
    """Commands that nobody has thought of here."""
    return known() - {words[0] for words in READING} - set(WRITING) - WITHOUT_MAIL


def share(given, number, of):
    """A part of them: commands that all take one need not all take every one."""
    return given[number % len(given)::of] if len(given) > of else given


def reading(ids, agents, whole=True):
    """All reading ones, about each of the ids and agents that are given; or else each command about
    some of them, and each of them in some command."""
    for place, given in (("{id}", ids), ("{agent}", agents)):
        taking = [words for words in READING if any(place in word for word in words)]
        for number, words in enumerate(taking):
            for one in given if whole else share(given, number, len(taking)):
                yield [one.join(word.split(place)) for word in words]
    yield from (list(words) for words in READING if "{" not in "".join(words))


def deciding(box, cwd):
    """A yes or a no to whatever waits, for what it is now."""
    result = box.run("pending", "--json", cwd=cwd)
    for one in harness.parse_lines(result.stdout):
        id = one["id"].encode("utf-8", "surrogatepass").replace(b"\0", b"")
        for verb in ("approve", "grant", "allow-host", "accept", "reject"):
            yield ["decide", id, verb, "--expect", one.get("sha256") or "0" * 64, "--feedback",
                   "no", "--no-verify"]


def writing(layout, box, cwd):
    """Those of a layout; what changes most comes last."""
    words = [list(command.words) for command in all_commands()
             if command.layout == layout and not command.decides]
    late = ("archive", "restore", "cleanup")
    yield from sorted(words, key=lambda one: late.index(one[0]) if one[0] in late else -1)
    yield from deciding(box, cwd)
    yield ["mark", "--all", "user", "read"]
    yield ["outbox", "retry", "1"]
    yield ["doctor", "--fix", "--yes"]


def serve(box, cwd, agent, ids):
    """All tools of the server for agents, with whatever is there; the lines it said."""
    said = []
    client = Client(box, "--as", agent, cwd=cwd)
    try:
        client.initialize()
        tools = client.ask("tools/list")["tools"]
        for tool in tools:
            wanted = tool["inputSchema"]["properties"]
            given = {"to": agent, "subject": "s", "body": "b", "id": ids[0] if ids else "x", "query": "text",
                     "timeout": 0, "timeout_s": 0, "status": "read", "state": "read", "done": "d",
                     "next": ["n"]}
            call = {key: value for key, value in given.items() if key in wanted}
            answer = client.answer(client.begin_call(tool["name"], **call))
            said.append(json.dumps(answer))
        rc, out, err = client.finish()
    finally:
        client.close()
    return harness.checked(harness.Result(("mcp",), rc, out, err.encode())), said
