"""The words of every subcommand that reads and of every one that writes, to be run on hostile
mailboxes. A test fails if a new command is missing here."""
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
WITHOUT_MAIL = {"demo"}  # it makes its own mailboxes
LASTING = {"demo", "mcp", "wait", "watch"}  # without more words they do not end
WRITING = ("send", "reply", "handoff", "broadcast", "shutdown", "mode", "assign", "rules", "escalate",
           "mark", "archive", "restore", "cleanup", "outbox", "decide", "doctor", "mcp")


def known():
    """Returns the names of all commands, from the program itself."""
    text = subprocess.run([harness.PROGRAM, "help"], stdout=subprocess.PIPE, check=True).stdout
    part = text.decode().split("\ncommands:\n")[1].split("\n\n")[0]
    return {line.split()[0] for line in part.splitlines()}


def missing():
    """Returns the commands that are missing here."""
    return known() - {words[0] for words in READING} - set(WRITING) - WITHOUT_MAIL


def share(given, number, of):
    """Returns a part of them: commands that are all given to one run need not all be given to every
    run."""
    return given[number % len(given)::of] if len(given) > of else given


def reading(ids, agents, whole=True):
    """Yields all reading commands, for each of the ids and agents; or, if not `whole`, each command
    for some of them, and each of them in some command."""
    for place, given in (("{id}", ids), ("{agent}", agents)):
        taking = [words for words in READING if any(place in word for word in words)]
        for number, words in enumerate(taking):
            for one in given if whole else share(given, number, len(taking)):
                yield [one.join(word.split(place)) for word in words]
    yield from (list(words) for words in READING if "{" not in "".join(words))


def deciding(box, cwd):
    """Yields every kind of decision for each waiting request, for its current bytes."""
    result = box.run("pending", "--json", cwd=cwd)
    for one in harness.parse_lines(result.stdout):
        id = one["id"].encode("utf-8", "surrogatepass").replace(b"\0", b"")
        for verb in ("approve", "grant", "allow-host", "accept", "reject"):
            yield ["decide", id, verb, "--expect", one.get("sha256") or "0" * 64, "--feedback",
                   "no", "--no-verify"]


def writing(layout, box, cwd):
    """Yields the commands of a layout that write, the most destructive ones last."""
    words = [list(command.words) for command in all_commands()
             if command.layout == layout and not command.decides]
    late = ("archive", "restore", "cleanup")
    yield from sorted(words, key=lambda one: late.index(one[0]) if one[0] in late else -1)
    yield from deciding(box, cwd)
    yield ["mark", "--all", "user", "read"]
    yield ["outbox", "retry", "1"]
    yield ["doctor", "--fix", "--yes"]


def serve(box, cwd, agent, ids):
    """Calls all tools of the MCP server on the mailboxes; returns its output lines."""
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
