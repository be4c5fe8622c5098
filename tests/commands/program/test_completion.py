"""Completion of command lines: the offers of the program, and their use by real shells."""
import os
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import shells  # noqa: E402
from harness import USAGE, message  # noqa: E402
from layouts import LayoutCase  # noqa: E402
from manual import commands_in, options_in  # noqa: E402
from shells import HIDDEN, HOSTILE  # noqa: E402

BREAKS = " \t\n\"'@><=;|&(:"


class CompletionCase(LayoutCase):
    """alice and bob of ADR-003, two teams of Claude Code, and boxes with hostile names."""

    def setUp(self):
        super().setUp()
        self.box.bin = os.path.join(self.box.root, "bin")
        os.makedirs(self.box.bin)
        os.symlink(harness.PROGRAM, os.path.join(self.box.bin, "swarmutt"))
        self.mail = os.path.join(self.box.root, "workspace", "mailboxes")
        for name in ("alice", "bob", *HOSTILE, *HIDDEN):
            os.makedirs(os.path.join(self.mail, name, "inbox"), exist_ok=True)
        for number, fields in enumerate((
                dict(to_agent="user", from_agent="alice", subject="a \x1b[1m plan", tags=["red one"]),
                dict(to_agent="bob", from_agent="alice", tags=["blue"]),
                dict(to_agent="alice", from_agent="user")), 1):
            one = message(id=f"MSG-{number:012}", **fields)
            self.write(os.path.join(self.mail, one["to_agent"], "inbox", one["id"] + ".json"), one)
        self.claude(team="dev", members=("team-lead", "ann"), boxes=[("ann", [])])
        self.claude(team="ops", members=("team-lead", "ann", "zoe"), boxes=[("zoe", [])])
        self.before = self.box.snapshot(self.box.root)

    def tearDown(self):
        """No completion may change anything."""
        self.assert_unchanged(self.before, self.box.root)

    def ask(self, *words, shell="zsh", **more):
        """Returns the offers for the last of the words, with notes; leaves out the first line."""
        result = self.run_program("complete", shell, "--", *words, **more)
        self.assertEqual(result.err, "")
        return dict(line.split("\t", 1) for line in result.out.split("\n")[1:-1])

    def offers(self, *words, **more):
        return sorted(self.ask(*words, **more))

    def kind(self, *words):
        return self.run_program("complete", "zsh", "--", *words).lines[0]

    def assert_typed(self, typed):
        """Asserts the completions that all shells have in common."""
        self.assertEqual(typed.complete("swarmutt send --to al", "ice"),
                         ["swarmutt", "send", "--to", "alice"])
        for start, name in (("evil\\ \\$", HOSTILE[0]), ("evil\\`", HOSTILE[1]),
                            ("evil\\ \\'", HOSTILE[3])):
            self.assertEqual(typed.complete(f"swarmutt send --to {start}", name.split()[-1][-4:-1]),
                             ["swarmutt", "send", "--to", name])
        self.assertEqual(typed.complete("swarmutt messages from:bo", "b"),
                         ["swarmutt", "messages", "from:bob"])


class Offered(CompletionCase):

    def commands(self):
        return commands_in(self.run_program("--help").out)

    def options(self, *command):
        return sorted("--" + name for name in options_in(self.run_program(*command, "--help").out))

    def test_every_command_and_every_option_is_offered(self):
        self.assertEqual(self.offers(""), sorted(self.commands()))
        self.assertEqual(self.offers("--"), self.options())
        for command in self.commands():
            with self.subTest(command=command):
                self.assertEqual(sorted(self.offers(command, "-")), self.options(command))

    def test_where_nothing_else_can_follow_options_are_offered(self):
        self.assertIn("--to", self.offers("send", ""))
        self.assertEqual(self.offers("show", "MSG-000000000001", "x"), [])

    def test_every_fixed_word_that_is_offered_is_taken(self):
        """The program rejects nonsense in the place of the word, and must not reject the word like
        that."""
        text = "--subject s --body b"
        for line in (f"send --to bob {text} --priority", f"send --to bob {text} --type",
                     f"broadcast --all {text} --priority",
                     "handoff --to bob --subject s --done d --state s --priority",
                     "check bob --min-priority", "check bob --format", "show MSG-000000000001 --format",
                     "count --format", "mode ann@dev", "outbox", "config",
                     "rules dev --tool Bash --directory /s --behavior", "protocol compose",
                     "escalate --title t --reason r --level", "completion",
                     "escalate --level coo --to bob --title t --reason r --priority",
                     "protocol compose mode_set_request --to a --mode",
                     "protocol compose team_permission_update --tool a --directory /x --behavior",
                     "protocol compose idle_notification --idle-reason",
                     "protocol compose idle_notification --completed-status"):
            words = line.split()
            more = ["--dry-run"] if "--dry-run" in self.offers(*words[:1], "--") else []
            nonsense = self.box.run("--readonly", *words, "zzz", *more)
            self.assertIn("zzz" if words[0] != "outbox" else "retry or drop", nonsense.err)
            found = [word for word in self.offers(*words, "") if not word.startswith(("MSG", "evil"))]
            self.assertGreater(len(found), 1, line)
            for word in found:
                with self.subTest(line=line, word=word):
                    result = self.box.run("--readonly", *words, word,
                                          *(["1"] if words[0] == "outbox" else []), *more)
                    self.assertNotEqual(result.err.replace(word, "zzz"), nonsense.err)

    def test_values_with_fixed_words(self):
        self.assertEqual(self.offers("send", "--priority", ""), ["high", "low", "normal", "urgent"])
        self.assertEqual(self.offers("send", "--priority=h"), ["--priority=high"])
        self.assertEqual(self.offers("check", "--format", "m"), ["markdown"])
        self.assertEqual(self.offers("mode", "ann", "p"), ["plan"])
        self.assertEqual(self.offers("config", ""), ["check", "show"])
        self.assertEqual(self.offers("completion", ""), ["bash", "fish", "zsh"])
        self.assertIn("shutdown_request", self.offers("protocol", "compose", "s"))
        self.assertIn("grant", self.offers("decide", "MSG-000000000001", "g"))
        self.assertIn("layouts", self.offers("help", "l"))

    def test_files_are_left_to_the_shell(self):
        for words, kind in {("send", "--body-file", ""): "files", ("send", "--attach=x"): "files",
                            ("rules", "x", "--directory", ""): "directories",
                            ("--swarms", ""): "directories", ("-S", ""): "directories",
                            ("watch", "--exec", ""): "programs",
                            ("send", "--subject", ""): "words"}.items():
            self.assertEqual(self.kind(*words), kind, words)
        self.assertEqual(self.offers("-S", "ad"), ["adr:"])
        self.assertEqual(self.offers("--source=adr:work"), ["--source=adr:workspace/"])

    def test_agents_and_teams_are_those_that_are_there(self):
        self.assertEqual(self.offers("send", "--to", "b"), ["bob"])
        self.assertEqual(self.offers("send", "--to", "ann"), ["ann@dev", "ann@ops"])
        self.assertEqual(self.offers("send", "--to", "zoe@"), ["zoe@ops"])
        self.assertEqual(self.offers("broadcast", "--swarm", ""), ["dev", "ops"])
        self.assertEqual(self.offers("rules", "op"), ["ops"])
        self.assertEqual(self.offers("agents", "alice", "bo"), ["bob"])

    def test_sources_and_identities_on_the_line_are_obeyed(self):
        claude = "claude:" + os.path.join(self.box.home, ".claude")
        self.assertEqual(self.offers("-S", claude, "send", "--to", "b"), [])
        self.assertEqual(self.offers("send", "--source=" + claude, "--to", "z"), ["zoe"])
        self.assertEqual(self.offers("-S", "adr:" + self.mail, "send", "--to", "z"), [])
        self.assertEqual(self.offers("sent", "MSG"), ["MSG-000000000003"])
        self.assertEqual(self.offers("--as", "alice", "sent", "MSG"),
                         ["MSG-000000000001", "MSG-000000000002"])

    def test_ids_come_with_who_wrote_and_a_clean_subject(self):
        self.assertEqual(self.ask("show", "MSG-000000000001"),
                         {"MSG-000000000001": "alice: a ^[[1m plan"})
        self.assertEqual(len(self.offers("show", "MSG")), 3)
        words = set(self.offers("mark", "MSG-000000000001", "")) - set(self.offers("show", ""))
        self.assertEqual(words, {"read", "processing", "completed", "failed"})
        self.assertEqual(self.offers("decide", ""), ["MSG-000000000001"])
        self.assertEqual(self.offers("restore", ""), [])

    def test_queries_are_completed_term_by_term(self):
        self.assertEqual(self.offers("messages", "fr"), ["from:"])
        self.assertEqual(self.offers("messages", "is:un"), ["is:unread"])
        self.assertEqual(self.offers("messages", "kind:plan,perm"), ["kind:plan,permission"])
        self.assertEqual(self.offers("messages", "from:alice (not prio:h"),
                         ["from:alice (not prio:high"])
        self.assertEqual(self.offers("watch", "from:al"), ["from:alice"])
        self.assertEqual(self.offers("messages", "source:o"), ["source:openclaw"])
        self.assertEqual(self.offers("messages", "tag:"), ['tag:"red one"', "tag:blue"])
        self.assertIn("verify", self.offers("log", ""))
        self.assertEqual(self.offers("messages", "nonsense:a"), [])

    def test_a_query_that_was_completed_is_understood(self):
        found = [one for one in self.offers("messages", "box:") if "evil" in one]
        self.assertEqual(len(found), len(HOSTILE))
        for query in found:
            with self.subTest(query=query):
                self.assertIn(self.box.run("messages", "--readonly", "--", query).rc, (0, 1))

    def test_hostile_names_are_offered_only_if_they_can_be_shown(self):
        self.assertEqual(set(self.offers("send", "--to", "evil")), set(HOSTILE))

    def test_no_name_or_id_becomes_an_option(self):
        """Agents choose names and ids, and a shell inserts the only offer without asking."""
        one = message(id="--all", to_agent="--readonly", from_agent="alice")
        self.write(os.path.join(self.mail, "--readonly", "inbox", "MSG-x.json"), one)
        self.before = self.box.snapshot(self.box.root)
        for command in ("check", "agents", "mark", "show", "archive", "thread"):
            self.assertEqual([word for word in self.offers(command, "") if word[0] == "-"], [],
                             command)
        self.assertIn("--readonly", self.offers("check", "--", ""))
        self.assertIn("--all", self.offers("show", "--", "--"))
        self.assertIn("--readonly", self.offers("send", "--to", ""))  # a value may begin with a dash

    def test_whatever_goes_wrong_it_says_nothing(self):
        for words in (("nonsense", ""), ("send", "--nonsense", "x"), ("--to", ""),
                      ("-S", "/nowhere", "show", ""), ("-S", "zzz:/", "messages", "from:"),
                      ("messages", '"unclosed'), ("", ""), ("\xff", "\x00"[:0])):
            self.ask(*words)
        self.write(os.path.join(self.box.home, "config", "swarmutt", "config"), "[zzz]\nx = 1\n")
        self.assertEqual(self.ask("show", ""), {})
        self.assertIn("list", self.offers("l"))
        self.before = self.box.snapshot(self.box.root)

    def test_an_unknown_shell_is_a_mistake(self):
        result = self.run_program("completion", "tcsh", rc=USAGE)
        self.assert_says(result, "bash, zsh or fish", "tcsh")

    def test_the_scripts_are_those_that_are_installed(self):
        for shell in shells.SCRIPTS:
            with open(shells.script_of(shell), encoding="utf-8") as file:
                self.assertEqual(self.run_program("completion", shell).out, file.read())

    def test_no_list_names_the_helper(self):
        for args in ("--help",), ("help", "topics"):
            self.assertNotRegex(self.run_program(*args).out, r"(?m)^  complete ")


class Quoted(CompletionCase):
    """For bash the program itself quotes, as the position of the cursor requires."""

    def bash(self, line):
        result = self.run_program("complete", "bash", "--", line, BREAKS)
        return result.out.split("\n")[1:-1]

    def test_what_bash_replaces_is_what_stands_behind_the_last_break(self):
        self.assertEqual(self.bash("swarmutt messages from:al"), ["alice"])
        self.assertEqual(self.bash("swarmutt send --to=al"), ["alice"])
        self.assertEqual(self.bash("swarmutt send --to ann@o"), ["ops"])
        self.assertEqual(self.bash("swarmutt messages 'from:al"), ["from:alice"])
        self.assertEqual(self.bash('swarmutt messages "is:waiting from:al'),
                         ["is:waiting from:alice"])
        self.assertEqual(self.bash("swarmutt send --to a\\li"), ["alice"])

    def test_in_each_kind_of_quotes_a_name_means_only_itself(self):
        bash = shells.need("bash")
        for quote in "", "'", '"':
            words = self.bash(f"swarmutt send --to {quote}evil")
            self.assertEqual(len(words), len(HOSTILE))
            script = "".join(f"printf '%s\\0' {quote}{word}{quote}\n" for word in words)
            run = subprocess.run([bash, "--noprofile", "--norc", "-c", script],
                                 capture_output=True, cwd=self.box.root, env=self.box.env)
            self.assertEqual(run.stderr, b"")
            self.assertEqual(set(run.stdout.decode().split("\0")[:-1]), set(HOSTILE), quote)


class Bash(CompletionCase):

    def reply(self, *words, line=None):
        """Returns COMPREPLY for these words."""
        script = f". {shlex.quote(shells.script_of('bash'))}; " \
                 "COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); " \
                 "COMP_LINE=$LINE; COMP_POINT=${#LINE}; _swarmutt; " \
                 "[ ${#COMPREPLY[@]} = 0 ] || printf '%s\\0' \"${COMPREPLY[@]}\""
        run = subprocess.run([shells.need("bash"), "--noprofile", "--norc", "-c", script, "bash",
                              *words], capture_output=True, cwd=self.box.root,
                             env=dict(self.box.env, LINE=line or "",
                                      PATH=self.box.bin + ":" + self.box.env["PATH"]))
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        return sorted(run.stdout.decode().split("\0")[:-1])

    def test_the_function_fills_in_what_may_follow(self):
        self.assertEqual(self.reply("swarmutt", "sen"), ["send", "sent"])
        self.assertEqual(self.reply("swarmutt", "send", "--to", "al"), ["alice"])
        self.assertEqual(self.reply("swarmutt", "messages", "from", ":", "al"), ["alice"])
        self.assertEqual(self.reply("swarmutt", "messages", "from", ":", "al",
                                    line="swarmutt messages from:al"), ["alice"])
        self.assertEqual(len(self.reply("swarmutt", "send", "--to", "evil")), len(HOSTILE))
        self.assertEqual(self.reply("swarmutt", "send", "--body-file", "workspace/mailboxes/al"),
                         ["workspace/mailboxes/alice"])
        *layouts, last = self.reply("swarmutt", "-S", "")
        self.assertIn("roo:", layouts)
        self.assertEqual(last, "workspace/")

    def test_on_a_terminal_a_word_is_completed_and_means_only_itself(self):
        typed = shells.Typed("bash", self.box)
        self.addCleanup(typed.close)
        self.assert_typed(typed)
        self.assertEqual(typed.complete("swarmutt -S workspa", "ce/"),
                         ["swarmutt", "-S", "workspace/"])
        self.assertEqual(typed.complete("swarmutt send --body-file=workspa", "ce/"),
                         ["swarmutt", "send", "--body-file=workspace/"])
        self.assertEqual(typed.complete("swarmutt -S adr:workspa", "ce/"),
                         ["swarmutt", "-S", "adr:workspace/"])
        self.assertEqual(typed.complete("swarmutt messages 'is:waiting from:al", "ice"),
                         ["swarmutt", "messages", "is:waiting from:alice"])


class Zsh(CompletionCase):

    def test_on_a_terminal_a_word_is_completed_and_means_only_itself(self):
        typed = shells.Typed("zsh", self.box)
        self.addCleanup(typed.close)
        self.assert_typed(typed)
        self.assertEqual(typed.complete("swarmutt doct", "or"), ["swarmutt", "doctor"])
        self.assertEqual(typed.complete("swarmutt protocol compose sandbox_permission_resp", "onse"),
                         ["swarmutt", "protocol", "compose", "sandbox_permission_response"])
        self.assertEqual(typed.complete("swarmutt messages 'from:alice not (is:waiting or from:al",
                                        "ice")[2:], ["from:alice not (is:waiting or from:alice"])
        # zsh removes the slash again
        self.assertEqual(typed.complete("swarmutt -S workspa", "ce/"),
                         ["swarmutt", "-S", "workspace"])
        self.assertEqual(typed.complete("swarmutt send --body-file=workspa", "ce/"),
                         ["swarmutt", "send", "--body-file=workspace"])
        self.assertEqual(typed.complete("swarmutt -S adr:workspa", "ce/"),
                         ["swarmutt", "-S", "adr:workspace/"])
        self.assertEqual(typed.complete("swarmutt messages 'is:waiting from:al", "ice"),
                         ["swarmutt", "messages", "is:waiting from:alice"])


class Fish(CompletionCase):

    def complete(self, line):
        """Returns the offers of fish for the line, without the notes."""
        script = f"source {shlex.quote(shells.script_of('fish'))}; complete -C $argv[1]"
        own = os.path.join(self.box.root, "fish")  # fish's own files
        run = subprocess.run([shells.need("fish"), "--no-config", "-c", script, line],
                             capture_output=True, cwd=self.box.root,
                             env=dict(self.box.env, XDG_DATA_HOME=own, XDG_CONFIG_HOME=own,
                                      XDG_CACHE_HOME=own,  # since version 4
                                      PATH=self.box.bin + ":" + self.box.env["PATH"]))
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        return sorted(one.split("\t")[0] for one in run.stdout.decode().splitlines())

    def tearDown(self):
        shutil.rmtree(os.path.join(self.box.root, "fish"), ignore_errors=True)
        super().tearDown()

    def test_it_offers_what_may_follow(self):
        self.assertEqual(self.complete("swarmutt send --to al"), ["alice"])
        self.assertEqual(self.complete("swarmutt sen"), ["send", "sent"])
        self.assertEqual(self.complete("swarmutt messages from:al"), ["from:alice"])
        self.assertEqual(self.complete("swarmutt -S adr:workspace/mailboxes send --to z"), [])
        self.assertEqual(self.complete("swarmutt send --priority="),
                         [f"--priority={word}" for word in ("high", "low", "normal", "urgent")])
        self.assertEqual(self.complete("swarmutt send --body-file workspace/ma"),
                         ["workspace/mailboxes/"])
        self.assertEqual(self.complete("swarmutt send --body-file=workspace/ma"),
                         ["--body-file=workspace/mailboxes/"])
        self.assertEqual(self.complete("swarmutt -S work"), ["workspace/"])
        self.assertEqual(self.complete("swarmutt -S adr:work"), ["adr:workspace/"])

    def test_hostile_names_are_only_names(self):
        self.assertEqual(set(self.complete("swarmutt send --to evil")), set(HOSTILE))
        self.assertEqual(self.complete("swarmutt send --to 'evil $"), [HOSTILE[0]])


if __name__ == "__main__":
    harness.main()
