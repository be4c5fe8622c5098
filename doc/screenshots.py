#!/usr/bin/env python3
"""Takes the pictures in the README: runs the program in tmux on a mailbox made for it, captures the
screen with its colours, and writes it as SVG.

    doc/screenshots.py BUILD-DIRECTORY [NAME...]     writes doc/screens/NAME.svg

Everything is fixed, the clock included, so that a picture changes only when the program does."""

import html
import json
import os
import re
import sys
import tempfile
from datetime import datetime, timedelta, timezone

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "lib"))
import tmux  # pylint: disable=wrong-import-position,import-error

NOW = datetime(2026, 3, 2, 14, 3, 0, tzinfo=timezone.utc)

MEMBERS = [("team-lead", "team-lead", "green"), ("builder-1", "general-purpose", "blue"),
           ("tester-2", "general-purpose", "yellow"), ("infra-4", "general-purpose", "red"),
           ("doc-3", "general-purpose", "purple"), ("w1", "general-purpose", "cyan")]
COLORS = {name: color for name, _, color in MEMBERS}

PLAN = """# Migrate the auth module

1. Move `session.c` behind the new interface
2. Keep **both** readers until the tests are green
3. Remove the old one

| file | change |
| --- | --- |
| src/session.c | split in two |
| src/token.c | new |
"""


def stamp(ago):
    """A time that long ago, as the team's own program writes it."""
    when = NOW - timedelta(seconds=ago)
    return when.strftime("%Y-%m-%dT%H:%M:%S.") + f"{when.microsecond // 1000:03}Z"


def entry(sender, ago, text, summary=None, read=False):
    """One message in an inbox."""
    made = {"from": sender, "text": text if isinstance(text, str) else json.dumps(text)}
    if summary:
        made["summary"] = summary
    made.update(timestamp=stamp(ago), color=COLORS[sender], read=read)
    return made


def write(path, content):
    """A file of JSON, with the directories above it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2)


def make_team(root):
    """A team with a plan, a permission, a stuck agent and some talk."""
    team = os.path.join(root, "teams", "auth")
    write(os.path.join(team, "config.json"), {
        "name": "auth", "createdAt": 1772460000000, "leadAgentId": "team-lead@auth",
        "members": [{"agentId": f"{name}@auth", "name": name, "agentType": kind, "color": color,
                     "joinedAt": 1772460000000, "tmuxPaneId": "", "cwd": "/src", "subscriptions": []}
                    for name, kind, color in MEMBERS]})
    boxes = {
        "team-lead": [
            entry("w1", 4300, "The parser takes the new syntax.", "parser: new syntax", True),
            entry("infra-4", 1140, "no disk left", "no disk left", True),
            entry("infra-4", 1139, {"type": "idle_notification", "from": "infra-4",
                                    "timestamp": stamp(1139), "idleReason": "failed",
                                    "failureReason": "no disk left on /var"}),
            entry("doc-3", 240, "May I describe the old interface as gone?", "old interface"),
            entry("tester-2", 120, {"type": "permission_request", "request_id": "7c2e",
                                    "agent_id": "tester-2", "tool_name": "Bash",
                                    "tool_use_id": "toolu_7c2e",
                                    "description": "clean before rebuild",
                                    "input": {"command": "rm -rf build/"},
                                    "permission_suggestions": []}),
            entry("w1", 60, "All of it is green on my side.\n\nShall I take the lexer next?",
                  "parser done"),
            entry("builder-1", 12, {"type": "plan_approval_request", "from": "builder-1",
                                    "timestamp": stamp(12), "planFilePath": "/src/plan.md",
                                    "planContent": PLAN, "requestId": "a41f"}),
        ],
        "builder-1": [entry("team-lead", 500, "please narrow the scope", "narrow the scope", True)],
        "infra-4": [entry("team-lead", 1020, "Where does the index stand?", "index?"),
                    entry("tester-2", 900, "Is the build machine yours?", "build machine")],
        "doc-3": [entry("builder-1", 240, "Wait for the plan, please.", "wait")],
        "tester-2": [entry("builder-1", 700, "Ready for tests: branch auth", "branch auth", True)],
        "w1": [],
    }
    for name, messages in boxes.items():
        write(os.path.join(team, "inboxes", f"{name}.json"), messages)
    write(os.path.join(root, "tasks", "auth", "1.json"),
          {"id": "1", "subject": "parser.c", "description": "", "status": "in_progress",
           "owner": "w1", "blocks": [], "blockedBy": []})


# NAME: keys to press and the text that is then there, one after the other; rows and columns
PICTURES = {
    "inbox": ([("k", "clean before rebuild")], 26, 124),
    "agents": ([("2", "WHY / WAITING FOR")], 18, 100),
    "decide": ([("3", "deletes files")], 28, 100),
    "handoff": ([("2", "WHY / WAITING FOR"), ("j", ">!WAITS-YOU builder-1"), ("j", ">!STUCK"),
                 ("H", "HANDOFF from infra-4")], 26, 100),
}

# --- SVG ---

BASE = ["#1d2021", "#fb4934", "#b8bb26", "#fabd2f", "#83a598", "#d3869b", "#8ec07c", "#d5c4a1",
        "#928374", "#fb4934", "#b8bb26", "#fabd2f", "#83a598", "#d3869b", "#8ec07c", "#fbf1c7"]
FOREGROUND, BACKGROUND = "#ebdbb2", "#1d2021"
CELL_WIDTH, CELL_HEIGHT = 8.4, 18


def colour(number):
    """One of 256 colours."""
    if number < 16:
        return BASE[number]
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    number -= 16
    levels = [0, 95, 135, 175, 215, 255]
    return "#" + "".join(f"{levels[number // part % 6]:02x}" for part in (36, 6, 1))


def change_style(style, codes):
    """What the numbers of an SGR sequence make of a style."""
    codes = [int(code or 0) for code in codes.split(";")]
    while codes:
        code = codes.pop(0)
        if code == 0:
            style.clear()
        elif code in (1, 2, 3, 4, 7):
            style[code] = True
        elif code in (22, 23, 24, 27):
            for off in {22: (1, 2), 23: (3,), 24: (4,), 27: (7,)}[code]:
                style.pop(off, None)
        elif 30 <= code <= 37 or 90 <= code <= 97:
            style["fg"] = colour(code - 30 if code < 90 else code - 82)
        elif 40 <= code <= 47 or 100 <= code <= 107:
            style["bg"] = colour(code - 40 if code < 100 else code - 92)
        elif code in (38, 48) and codes and codes[0] == 5:
            style["fg" if code == 38 else "bg"] = colour(codes[1])
            codes = codes[2:]
        elif code in (39, 49):
            style.pop("fg" if code == 39 else "bg", None)


def runs(line):
    """The pieces of a captured line with their styles and columns."""
    style, column = {}, 0
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b["):
            change_style(style, part[2:-1])
        elif part:
            yield column, part, dict(style)
            column += len(part)


def draw(lines, rows, columns):
    """A captured screen as SVG."""
    width, height = columns * CELL_WIDTH + 16, rows * CELL_HEIGHT + 16
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
           f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="DejaVu Sans Mono, Menlo, Consolas, '
           'monospace" font-size="14">',
           f'<rect width="100%" height="100%" rx="6" fill="{BACKGROUND}"/>']
    for row, line in enumerate(lines):
        top = 8 + row * CELL_HEIGHT
        for column, piece, style in runs(line):
            front, back = style.get("fg", FOREGROUND), style.get("bg")
            if style.get(7):
                front, back = back or BACKGROUND, front
            left, size = 8 + column * CELL_WIDTH, len(piece) * CELL_WIDTH
            if back:
                out.append(f'<rect x="{left:.1f}" y="{top}" width="{size:.1f}" '
                           f'height="{CELL_HEIGHT}" fill="{back}"/>')
            if not piece.strip():
                continue
            looks = "".join(name for code, name in (
                (1, ' font-weight="bold"'), (2, ' opacity="0.65"'), (3, ' font-style="italic"'),
                (4, ' text-decoration="underline"')) if style.get(code))
            out.append(f'<text x="{left:.1f}" y="{top + 13}" textLength="{size:.1f}" '
                       f'xml:space="preserve" fill="{front}"{looks}>{html.escape(piece)}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def take(program, name):
    """One picture."""
    steps, rows, columns = PICTURES[name]
    with tempfile.TemporaryDirectory() as place:
        make_team(os.path.join(place, ".claude"))
        env = {"XDG_STATE_HOME": place + "/state", "XDG_CONFIG_HOME": place + "/config",
               "SWARMUTT_NOW": NOW.strftime("%Y-%m-%dT%H:%M:%SZ")}
        command = [program, "--source", "claude:" + place + "/.claude"]
        with tmux.Tmux(command, env=env, cwd=place, rows=rows, cols=columns) as screen:
            screen.wait_for("watch ok")
            for keys, text in steps:
                screen.send_keys(keys)
                screen.wait_for(text)
            lines = screen.capture(attributes=True)
    path = os.path.join(HERE, "screens", name + ".svg")
    with open(path, "w", encoding="utf-8") as file:
        file.write(draw(lines, rows, columns))
    print(path)


def main():
    """All of them, or those that are named."""
    program = os.path.join(os.path.abspath(sys.argv[1]), "swarmutt")
    for name in sys.argv[2:] or PICTURES:
        take(program, name)


if __name__ == "__main__":
    main()
