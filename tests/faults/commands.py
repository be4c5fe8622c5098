"""Every command that writes, in every layout: the mailboxes it is run in, and its words."""
import json
import os

from layouts import UUID

TEXT = ("--subject", "a new one", "--body", "a new text")
HANDOFF = ("--subject", "Index", "--done", "half of it", "--state", "green", "--next", "the rest")
ESCALATE = ("--level", "coo", "--title", "Blocked", "--reason", "blocked")

ORDERS = ("shutdown", "mode", "assign", "rules", "escalate")


class Command:
    """One command. `prepare` runs before it, without faults. `often`: running it twice does its
    work twice. `fresh`: there is no local state yet. `finish`: the command that completes a run
    that stopped half way. `repeats`: a second try may repeat a line in an agents' log or an answer,
    because nobody can know if the first was read. `each`: it is several orders, of which some may
    be done; the log has those."""

    def __init__(self, layout, *words, prepare=(), often=False, name=None, decides=None,
                 fresh=False, finish=(), repeats=False, each=False):
        self.layout, self.words, self.prepare, self.often = layout, words, prepare, often
        self.decides = decides  # the request that it decides, whose hash is added
        self.fresh, self.finish, self.repeats, self.each = fresh, finish, repeats, each
        self.ledger = bool(decides) or words[0] in ORDERS
        self.name = f"{layout}: {name or ' '.join(words[:3])}"


def request(**fields):
    return json.dumps(fields, separators=(",", ":"))


PLAN = request(type="plan_approval_request", **{"from": "bob"}, timestamp="2026-02-07T15:35:15.573Z",
               planFilePath="/nowhere/plan.md", planContent="# Plan\n", requestId="plan-1")
PERMISSION = request(type="permission_request", request_id="perm-1", agent_id="bob",
                     tool_name="Bash", tool_use_id="toolu_1", description="List files",
                     input={"command": "ls"}, permission_suggestions=[])
HOST = request(type="sandbox_permission_request", requestId="host-1", workerId="bob@dev",
               workerName="bob", hostPattern={"host": "example.org"}, createdAt=1770478515573)


def make_claude(case):
    base = case.claude(members=("team-lead", "bob", "ann"), boxes=[
        ("team-lead", [case.entry("one", msg_id="one", odd=1.0), case.entry(PLAN),
                       case.entry(PERMISSION), case.entry(HOST), case.entry("two", msg_id="two")]),
        ("bob", [case.entry("for bob", sender="ann", msg_id="three")])])
    case.claude(base, team="gone", members=(), boxes=[("eve", [case.entry("left", msg_id="four"),
                                                                case.entry("more", msg_id="five")])])


def make_openclaw(case):
    case.openclaw(messages=[
        case.claw(1, message="Handoff: index\n\nIt is half done."), case.claw(2),
        case.claw(3, hours=30, read=True), case.claw(4, hours=31, read=True),
        case.claw(5, to="tm1", **{"from": "lead"}), case.claw(6)])


def make_adr(case):
    mail = case.adr(id="MSG-00000000000a", to_agent="user", type="handoff", subject="Handoff: it")
    case.adr(id="MSG-00000000000b", to_agent="user", type="request", subject="Plan",
             payload={"x_protocol": "plan_approval"})
    case.adr(id="MSG-00000000000c", to_agent="user", type="notification")
    case.adr(id="MSG-00000000000d", to_agent="bob", status="completed")
    case.adr(id="MSG-00000000000e", to_agent="alice", expires_at="2026-01-04T00:00:00")
    for agent in ("user", "bob", "alice", "coo"):
        for part in ("inbox", "archive"):
            os.makedirs(os.path.join(mail, agent, part), exist_ok=True)
    for stem in ("bob", "alice"):
        case.write(os.path.join(case.project, "swarms", "dev", "agents", stem + ".md"), "an agent\n")


def make_inbox(case):
    where = case.inbox(messages=[0, 1], archived=[9, 1])
    case.inbox(box="pm")
    case.inbox(box="workers")
    case.write(os.path.join(where, "coordinator", "1700000009-pm-plan.json"),
               dict(case.memo("p-1"), type="plan-approval-request", requiresResponse=True))


def make_roo(case):
    base = case.roo(orchestrator="Work handoff from tester to orchestrator.\n\n"
                                 "**Work Completed:** half", code="taken")
    path = os.path.join(base, ".roo", "mailbox", "to-orchestrator.md")
    case.write(path, case.read(path).replace(b"from: code", b"from: tester"))
    case.write(os.path.join(base, ".roomodes"),
               "customModes:\n  - slug: tester\n  - slug: architect\n  - slug: code\n")
    case.write(os.path.join(base, ".roo", "memory-bank", "progress.md"),
               "# Progress\n\n## Completed Tasks\n\n## Blockers\n")


# Messages that are read before, so that there is a local state; the first send of a layout makes
# it.
SEEN = {"claude": ("two",), "openclaw": (UUID + "6",), "adr": ("MSG-00000000000b",),
        "inbox": ("new-1",), "roo": ("msg-code", "--as", "code")}
MAKERS = {"claude": make_claude, "openclaw": make_openclaw, "adr": make_adr, "inbox": make_inbox,
          "roo": make_roo}


def sending(layout, to, id, swarm):
    """Yields the commands that every layout has."""
    yield Command(layout, "send", "--to", to, *TEXT, "--no-verify", often=True, fresh=True,
                  name="send, the first of all")
    yield Command(layout, "send", "--to", to, *TEXT, "--no-verify", often=True, name="send")
    yield Command(layout, "send", "--to", to, *TEXT, often=True, name="send, looked at again")
    new = "newcomer@dev" if layout == "claude" else "newcomer"
    yield Command(layout, "send", "--to", new, *TEXT, "--create", "--no-verify", often=True,
                  name="send to somebody new")
    yield Command(layout, "reply", id, "--body", "an answer", "--no-verify", often=True,
                  finish=("archive", id) if layout == "inbox" else ())
    yield Command(layout, "handoff", "--to", to, *HANDOFF, "--no-verify", often=True)
    yield Command(layout, "broadcast", *swarm, *TEXT, "--no-verify", often=True)
    yield Command(layout, "shutdown", to, "--no-verify", often=True)
    yield Command(layout, "outbox", "retry", "1", prepare=("interrupted", to))


def moving(layout, id, *more):
    for state in more:
        yield Command(layout, "mark", id, state,
                      repeats=layout == "roo" or (layout, state) == ("inbox", "failed"))
    yield Command(layout, "archive", id, repeats=layout == "roo")
    yield Command(layout, "restore", id, prepare=("archive", id))


def deciding(layout, id, verb, *words):
    return Command(layout, "decide", id, verb, *words, "--no-verify", decides=id, often=True,
                   finish=("archive", id) if layout == "inbox" else ())


NO = ("--feedback", "not now")


def all_commands():
    yield from sending("claude", "bob", "one", ("--swarm", "dev"))
    yield from moving("claude", "one", "read", "completed", "failed")
    yield Command("claude", "cleanup", "--clear", "eve@gone")
    for id, verb, *words in (("plan-1", "approve"), ("plan-1", "reject", *NO), ("perm-1", "grant"),
                             ("perm-1", "deny", *NO), ("host-1", "allow-host")):
        yield deciding("claude", id, verb, *words)
    for words in (("mode", "bob", "plan"), ("assign", "bob", "--task", "3", "--subject", "Tests"),
                  ("rules", "dev", "--tool", "Bash", "--directory", "/src", "--behavior", "deny")):
        yield Command("claude", *words, "--no-verify", often=True, each=words[0] == "rules")

    yield from sending("openclaw", "tm1", UUID + "2", ("--swarm", "web"))
    yield from moving("openclaw", UUID + "2", "read", "completed")
    yield Command("openclaw", "cleanup")
    yield deciding("openclaw", UUID + "1", "accept")

    yield from sending("adr", "bob", "MSG-00000000000c", ("--swarm", "dev"))
    yield from moving("adr", "MSG-00000000000c", "read", "processing", "completed", "failed")
    yield Command("adr", "cleanup")
    yield deciding("adr", "MSG-00000000000a", "accept")
    yield Command("adr", "escalate", *ESCALATE, "--no-verify", often=True)

    yield from sending("inbox", "pm", "new-0", ("--all",))
    yield from moving("inbox", "new-0", "processing", "completed", "failed")
    yield Command("inbox", "cleanup")
    yield deciding("inbox", "p-1", "accept")
    yield Command("inbox", "escalate", *ESCALATE, "--to", "pm", "--no-verify", often=True)

    yield from sending("roo", "tester", "msg-orchestrator", ("--all",))
    yield Command("roo", "send", "--to", "code", *TEXT, "--no-verify", often=True,
                  name="send to a place that is taken")
    yield from moving("roo", "msg-orchestrator", "processing", "completed", "failed")
    yield deciding("roo", "msg-orchestrator", "accept")
