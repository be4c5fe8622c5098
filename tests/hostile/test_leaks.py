"""Text of agents never reaches a terminal as it is: checks the output of every command, on both of
its streams, with texts that a terminal would obey. The program prints no sequence of its own here,
so any control character comes from a text. SWARMUTT_SOAK=1 takes each text by itself, the corpus
included."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "faults"), HERE]
sys.dont_write_bytecode = True

import every_command  # noqa: E402
import harness  # noqa: E402
from cleanliness import bad_characters  # noqa: E402
from odd_case import AGENTS, SERVED, SOAK, TreeCase, each_layout  # noqa: E402
from payloads import FILL, OWN, as_name, corpus  # noqa: E402

TERMINAL = {"TERM": "dumb", "NO_COLOR": "1"}
BARE = ("--format", "--raw", "completion", "complete", "help")


def is_for_files(words):
    """True for commands that print raw bytes: --raw writes to a terminal only after a confirmation,
    and a message for a program is sanitized (test_protocol.py)."""
    return "--raw" in words or (words[0] == "protocol" and "--json" not in words)


def without_joiners(data):
    """Removes the joiners of emoji, which Markdown keeps in a pipe but not on a terminal."""
    return re.sub("(?<=[\u2600-\u27bf\U0001f000-\U0001faff])\u200d(?=[\u2600-\u27bf\U0001f000-\U0001faff])",
                  "", data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


class LeakCase(TreeCase):

    def try_run(self, *words, env=(), **more):
        """Checks that the command ends, and prints nothing that a terminal would obey."""
        more.setdefault("cwd", self.project)
        result = self.box.run(*words, env=dict(TERMINAL, **dict(env)), **more)
        ascii_only = "--json" in words
        shown = without_joiners(result.stdout) if "markdown" in words else result.stdout
        if not is_for_files(words):
            self.assertEqual(bad_characters(shown, ascii_only, lines=not ascii_only
                                            or b"\t" not in result.stdout), [], str(result)[:3000])
        self.assertEqual(bad_characters(result.stderr), [], str(result)[:3000])
        return result

    def ids(self):
        result = self.try_run("messages", "--all", "--json")
        paths = [one["path"] for one in harness.parse_lines(result.stdout)]
        return [os.fsdecode(path.encode("utf-8", "surrogatepass")) for path in paths]

    def look_everywhere(self, layout, texts):
        FILL[layout](self, texts)
        agents = [AGENTS[layout], *(as_name(text, 60) for text in texts.values())]
        ids = self.ids()
        self.assertTrue(ids)
        for words in every_command.reading(ids, agents, whole=SOAK):
            self.try_run(*words)
            if not any(word in BARE for word in words):
                self.try_run(*words, "--json")
        self.try_run("--plain", input="help\n1\n2\n\n3\nlist\nagents\npending\nquit\n")
        return ids, agents

    def change_everything(self, layout, ids, agents):
        text = ("--body", agents[-1], "--subject", agents[-1])
        for id in ids[:None if SOAK else 12]:
            for words in (["reply", id, "--body", "b"], ["mark", id, "read"], ["archive", id],
                          ["restore", id]):
                self.try_run(*words, *(("--no-verify",) if words[0] == "reply" else ()))
        for agent in agents:
            self.try_run("send", "--to", agent, *text, "--no-verify")
            self.try_run("shutdown", agent, "--no-verify", "--json")
        for words in (("sent",), ("log",), ("outbox",), ("cleanup", "--dry-run"), ("doctor", "--fix", "--yes")):
            self.try_run(*words)
        for words in every_command.deciding(self.box, self.project):
            self.try_run(*words)
        result, _ = every_command.serve(self.box, self.project,
                                        SERVED.get(layout, AGENTS[layout]), ids)
        self.assertEqual(bad_characters(result.stderr), [])


class Everywhere(LeakCase):

    @each_layout
    def test_our_own_texts(self, layout):
        self.change_everything(layout, *self.look_everywhere(layout, OWN))

    @each_layout
    def test_the_corpus(self, layout):
        texts = corpus()
        for name in texts if SOAK else ():
            with self.subTest(name):
                self.renew()
                self.look_everywhere(layout, {name: texts[name]})
        if texts and not SOAK:
            FILL[layout](self, texts)
            for words in (("list", "--all"), ("messages", "--all"), ("agents",), ("pending",), ("doctor",),
                          ("check", AGENTS[layout], "--format", "markdown")):
                self.try_run(*words)


class Elsewhere(LeakCase):
    """Texts from the command line, the config and the environment."""

    def setUp(self):
        super().setUp()
        self.claude(boxes=[("team-lead", [self.entry("a text", msg_id="one")])])

    def test_arguments(self):
        for name, text in OWN.items():
            text = os.fsencode(as_name(text))
            for command in sorted(every_command.known()) if SOAK or name in ("colour", "c1", "half") else (
                    "send", "show", "messages", "config"):
                self.try_run(command, b"--" + text)
                for words in ([text], [b"--to", text], [b"--as", text], [b"--source", text]):
                    if command not in every_command.LASTING:
                        self.try_run(command, *words)

    def test_the_config(self):
        where = os.path.join(self.box.home, "config", "swarmutt", "config")
        for text in OWN.values():
            line = as_name(text.replace("\n", ""))
            for config in (f"identity = {line}\n", f"{line} = x\n", f"[{line}]\nx = y\n", f"editor = {line}\n",
                           f"[source]\npath = {line}\n", f"[template {line}]\nfor = {line}\nto = {line}\n",
                           f"[view {line}]\nquery = {line}\n", f"[keys]\n{line} = {line}\n"):
                self.write(where, os.fsencode(config))
                for words in (("config", "check"), ("config", "show"), ("list",)):
                    self.try_run(*words)

    def test_the_environment(self):
        for text in OWN.values():
            text = as_name(text)
            for name in ("SWARMUTT_SWARM", "SWARMUTT_NOW", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME", "TZ",
                         "PAGER", "TMPDIR", "XDG_CACHE_HOME"):
                value = text if name in ("SWARMUTT_NOW", "TZ", "PAGER") else os.path.join(self.box.root, text)
                self.try_run("messages", env={name: value})
            self.try_run("--as", "bob", env={"TERM": text})


if __name__ == "__main__":
    harness.main()
