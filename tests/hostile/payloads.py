"""Texts that a terminal would obey, or that look like something else; and mailboxes of every layout
with them in every field, file name and directory name. The shared corpus adds its texts if it is
next to the project."""
import functools
import glob
import json
import os
import sys

import harness
from harness import message
from layouts import UUID

CORPUS = os.path.join(os.environ.get("SWARMUTT_SHARED")
                      or os.path.join(harness.SRC, "..", "shared"), "corpus", "text")
# Named by their effect. A surrogate stands for bytes that are not UTF-8.
OWN = {
    "colour": "\x1b[31mred\x1b[0m", "conceal": "\x1b[8mhidden\x1b[28m", "clear": "\x1b[2J\x1b[H\x1b[3J",
    "title": "\x1b]0;a title\x07", "clipboard": "\x1b]52;c;aGk=\x1b\\", "link": "\x1b]8;;http://h\x07x",
    "device": "\x1bP$qm\x1b\\\x1b_apc\x1b\\\x1b^pm\x1b\\\x1bX\x1b\\", "reset": "\x1bc\x1b(0\x1b#8",
    "report": "\x1b[6n\x1b[c\x1b[21t\x05", "controls": "".join(map(chr, range(1, 32))) + "\x7f",
    "c1": "".join(map(chr, range(0x80, 0xa0))), "csi": "\x9b31mx\x9d0;t\x9c", "over": "a\rb\bc\x0bd\x0ce",
    "bidi": "a\u202eexe\u202c\u2066b\u2069\u200e\u200f\u061c", "unseen": "a\u200b\u2060\ufeff\u00ad\u034fb",
    "blank": "\u3164\u2800\u115f\uffa0", "tags": "x\U000e0041\U000e007f\ufe0f\U000e0100",
    "lines": "a\u2028b\u2029c\x85d", "private": "\ue000\U0010fffd\ufdd0\uffff", "half": "a\ud800b\udfffc",
    "format": "%n%s%x %1$s", "forged": "x\nStatus    archived\nswarmutt: done\r\n"}


@functools.cache
def corpus():
    """Returns the shared texts by name, as far as JSON can hold them."""
    found = {}
    for path in sorted(glob.glob(os.path.join(CORPUS, "*.txt"))):
        with open(path, "rb") as file:
            text = file.read().decode("utf-8", "replace")
        found[os.path.basename(path)[:-4]] = text[:2000]
    if not found:
        sys.stderr.write(f"{CORPUS} is not there: only the project's own texts are tried\n")
    return found


def as_name(text, most=150):
    """Returns the part of the text that a file name can have."""
    raw = text.encode("utf-8", "surrogatepass").replace(b"/", b"").replace(b"\0", b"")
    return os.fsdecode(raw[:most] if raw.strip(b".") else b"x")


def requests(text):
    """Yields requests of agents to a lead, with the text in every value."""
    yield dict(type="plan_approval_request", timestamp="2026-02-07T15:35:15.573Z", planFilePath=text,
               planContent=text, requestId="plan-" + text, **{"from": text})
    yield dict(type="permission_request", request_id="perm-" + text, agent_id=text, tool_name=text,
               tool_use_id=text, description=text, input={"command": text, text: text},
               permission_suggestions=[text])
    yield dict(type="sandbox_permission_request", requestId="host-" + text, workerId=text,
               workerName=text, hostPattern={"host": text}, createdAt=1770478515573)
    yield dict(type="shutdown_approved", requestId=text, paneId=text, backendType=text, **{"from": text})
    yield dict(type="idle_notification", idleReason=text, summary=text, **{"from": text})
    yield dict(type="task_assignment", taskId=text, subject=text, description=text, assignedBy=text)


def fill_claude(case, texts):
    entries = []
    for name, text in texts.items():
        entries += [case.entry(text, sender=text, summary=text, color=text, msg_id=f"{name}-{text}")]
        entries += [case.entry(json.dumps(one), sender=text) for one in requests(text)]
        case.write(os.path.join(case.box.home, ".claude/tasks/dev", f"{as_name(text)}.json"),
                   dict(id=text, subject=text, description=text, status="in_progress", owner=text,
                        blocks=[text], blockedBy=[text]))
        team = as_name(text, 60)
        case.claude(team=team, members=("team-lead", text), boxes=[
            ("team-lead", [case.entry(text, sender=text)]), (team, [case.entry(text)])])
    case.claude(members=("team-lead", "bob", *texts.values()), boxes=[("team-lead", entries)])


def fill_openclaw(case, texts):
    case.openclaw(members=("tm1", *texts.values()))
    for number, (name, text) in enumerate(texts.items()):
        where = os.path.join(case.box.home, ".openclaw/teams")
        one = dict(case.claw(number, message=text, subject=text, type=text), priority=text)
        one.update({"from": text, "messageId": f"{name}-{text}"})
        case.write(os.path.join(where, "web/mailbox", UUID + as_name(text) + ".json"), one)
        case.write(os.path.join(where, as_name(text), "config.json"), {
            "teamId": text, "teamName": text, "teammates": {text: {"teammateId": text, "status": text}}})


def fill_adr(case, texts):
    mail = case.adr(to_agent="user")
    for name, text in texts.items():
        for kind, box in (("handoff", "user"), (text, "user"), ("escalation", as_name(text))):
            one = message(f"MSG-{name}-{text}", from_agent=text, to_agent="user", type=kind, subject=text,
                          body=text, swarm_name=text, payload={text: text, "x_protocol": text},
                          thread_id=text, reply_to=text, context={text: text, "next_steps": [text],
                          "work_completed": text, "current_state": text, "job": text},
                          attachments=[text], tags=[text])
            case.write(os.path.join(mail, box, "inbox", f"MSG-{kind[:1].isalpha()}{as_name(text)}.json"), one)
        case.write(os.path.join(mail, "user", "archive", f"MSG-{as_name(text)}.json"), os.fsencode("{" + as_name(text)))
        case.write(os.path.join(case.project, "swarms", as_name(text), "agents", as_name(text) + ".md"), text
                   .encode("utf-8", "replace"))


def fill_inbox(case, texts):
    where = case.inbox(messages=[0])
    for name, text in texts.items():
        one = dict(case.memo(f"{name}-{text}"), subject=text, content={text: text}, type=text,
                   replyTo=text, requiresResponse=True, threadId=text, **{"from": text})
        for box in ("coordinator", as_name(text)):
            case.write(os.path.join(where, box, f"17000000-{as_name(text)}.json"), one)


def fill_roo(case, texts):
    case.roo(orchestrator="a text")
    slugs = [json.dumps(text) for text in texts.values()]
    case.write(os.path.join(case.project, ".roomodes"), "customModes:\n" + "".join(
        f"  - slug: {slug}\n    name: {slug}\n" for slug in slugs))
    for name, text in texts.items():
        value = json.dumps(f"{name}-{text}")
        head = f"---\nfrom: {value}\nto: {value}\nid: {value}\nsubject: {value}\npriority: {value}\n---\n\n"
        case.write(os.path.join(case.project, ".roo/mailbox", f"to-{as_name(text)}.md"),
                   head.encode() + text.encode("utf-8", "surrogatepass"))


FILL = {"claude": fill_claude, "openclaw": fill_openclaw, "adr": fill_adr, "inbox": fill_inbox,
        "roo": fill_roo}
