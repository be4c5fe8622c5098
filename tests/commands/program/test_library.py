#!/usr/bin/env python3
"""The library does the same as the program in every layout, and exports nothing else.

tests/library/driver is a program that embeds it; its output is compared with that of swarmutt on
the same mailboxes."""
import functools
import os
import re
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "lib"))
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import poll_until  # noqa: E402
from layouts import UUID, LayoutCase  # noqa: E402
from processes import end_process  # noqa: E402

BUILD = os.path.dirname(harness.PROGRAM)
DRIVER = os.path.join(BUILD, "tests", "library", "driver")
MISUSE = os.path.join(BUILD, "tests", "library", "misuse")
UNREAD = os.path.join(BUILD, "doc", "examples", "library", "unread")
HEADER = os.path.join(harness.SRC, "src", "lib", "swarmutt.h")
MANUAL = os.path.join(harness.SRC, "doc", "libswarmutt.3")
CC = shlex.split(os.environ.get("SWARMUTT_CC") or "cc")

LAYOUTS = "adr claude openclaw inbox roo".split()
ABSENT, USAGE, REFUSED = 11, 12, 13
IN_ARCHIVE, BODIES, AS_AGENT = 2, 4, 8
CREATE, VERIFY_NEVER, PREVIEW = 1, 4, 8
DELIVERED, QUEUED, PREVIEWED, NEW_BOX = 1, 4, 8, 16
READ, ARCHIVED = 2, 6


def header():
    with open(HEADER) as file:
        return file.read()


def declared():
    """Returns the functions that the header declares."""
    text = re.sub(r"(?m)^#.*$", "", re.sub(r"(?s)/\*.*?\*/", "", header()))
    return sorted(set(re.findall(r"\b(swarmutt_\w+)\(", text)))


def in_each_layout(test):
    """Runs a test with the world of each layout: its name, source, our identity, and a peer."""
    @functools.wraps(test)
    def run(self):
        for layout in LAYOUTS:
            with self.subTest(layout):
                test(self, layout, *self.world(layout))
    return run


class LibraryCase(LayoutCase):

    def setUp(self):
        super().setUp()
        # libtool cannot link a path with a blank into a program, and a build does not know that it
        # was moved.
        self.box.env["LD_LIBRARY_PATH"] = os.path.join(BUILD, ".libs")

    def world(self, layout):
        """Makes a mailbox of that layout with one message; returns source, our identity, and the
        author."""
        if layout == "adr":
            mail = self.adr(thread_id="t-1", tags=["a", "b"], payload={"n": 1})
            for part in "inbox", "archive":
                os.makedirs(os.path.join(mail, "bob", part), exist_ok=True)
            return "adr:" + mail, "alice", "bob"
        if layout == "claude":
            boxes = [("team-lead", [self.entry("a text")]), ("bob", [])]
            return "claude:" + self.claude(boxes=boxes), "team-lead", "bob"
        if layout == "openclaw":
            return "openclaw:" + self.openclaw(messages=[self.claw(1)]), "lead", "tm1"
        if layout == "inbox":
            self.inbox(box="pm")
            return "inbox:" + self.inbox(messages=[0]), "coordinator", "pm"
        return "roo:" + self.roo(architect="a text"), "architect", "code"

    def command(self, *args, rc=0, program=DRIVER, **env):
        """Runs a program that embeds the library; returns its lines."""
        done = subprocess.run([program, *args], env=dict(self.box.env, **env), cwd=self.project,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=harness.LIMIT_S)
        self.assertEqual(done.returncode, rc, str(done))
        self.said = done.stderr.decode()
        self.printed = done.stdout
        return done.stdout.decode().splitlines()

    def program(self, source, me, *args, rc=0):
        return self.run_program("-S", source, "--as", me, *args, rc=rc).stdout

    def objects(self, source, me, *args):
        result = self.box.run("-S", source, "--as", me, *args, "--json")
        self.assertIn(result.rc, (harness.DONE, harness.NOTHING), str(result))
        return harness.parse_lines(result.stdout)

    def only(self, source, me):
        found = self.objects(source, me, "messages", "--box", me)
        self.assertEqual(len(found), 1, found)
        return found[0]["id"]

    def start_watch(self, source, me, count, **env):
        process = subprocess.Popen([DRIVER, source, me, "watch", str(count)], cwd=self.project,
                                   env=dict(self.box.env, **env), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(end_process, process)
        return process


class Reading(LibraryCase):

    @in_each_layout
    def test_sources_are_told(self, layout, source, me, peer):
        (line,) = self.command(source, me, "sources")
        told = self.objects(source, me, "sources")[0]
        self.assertEqual(line.split("|")[:3], [told["format"], told["path"], told["identity"]])

    def test_who_acts_is_said_by_the_caller_then_by_the_environment_then_by_the_config(self):
        source, *_ = self.world("claude")
        self.write(os.path.join(self.box.home, "config/swarmutt/config"), "[general]\nidentity = boss\n")
        env = {"CLAUDE_CODE_AGENT_NAME": "bob", "CLAUDE_CODE_TEAM_NAME": "dev"}
        for me, more, wanted in (("zoe", env, "zoe|"), ("", env, "bob|dev"), ("", {}, "boss|")):
            (line,) = self.command(source, me, "sources", **more)
            self.assertEqual("|".join(line.split("|")[2:4]), wanted)

    @in_each_layout
    def test_lists_are_those_of_the_program(self, layout, source, me, peer):
        self.command(source, me, "search")
        self.assertEqual(self.printed, self.program(source, me, "messages", "--json"))
        self.command(source, me, "search", FLAGS=str(BODIES))
        self.assertEqual(self.printed, self.program(source, me, "messages", "--json", "--bodies"))
        self.assertEqual(self.command(source, me, "search", "from:nobody"), [])
        self.assertEqual(len(self.command(source, me, "search", "is:unread")), 1)
        self.assertEqual(len(self.command(source, me, "search", "is:waiting or is:unread", me)), 1)

    @in_each_layout
    def test_one_message_whole(self, layout, source, me, peer):
        id = self.only(source, me)
        self.command(source, me, "raw", id)
        self.assertEqual(self.printed, self.program(source, me, "show", id, "--raw"))
        lines = self.command(source, me, "show", id)
        told = dict(line.split("=", 1) for line in lines[:-1])
        self.assertEqual(told["id"], id + "|0")  # a NUL follows every text
        self.assertTrue(told["path"].endswith("|0") and os.path.isabs(told["path"]))
        self.assertIn("body", told)
        self.assertEqual((told["to_us"], told["by_us"], told["archived"]), ("1", "0", "0"))
        self.assertEqual(lines[-1].encode() + b"\n",
                         self.program(source, me, "show", id, "--json"))
        (again,) = self.command(source, me, "find", told["name"][:-2])
        self.assertIn(id, again)

    @in_each_layout
    def test_conversations_are_those_of_list(self, layout, source, me, peer):
        self.command(source, me, "reply", self.only(source, me), "an answer")
        self.command(source, me, "send", peer, "another", "text", FLAGS=str(VERIFY_NEVER))
        for flags, options in (("0", ()), ("2", ("--archive",)), ("3", ("--all",))):
            listed = [[one["thread"], one["subject"], one["kind"], str(one["unread"]),
                       str(one["count"]), one["waiting_on"] or "", *one["messages"]]
                      for one in self.objects(source, me, "list", *options)]
            told = [line.split("|") for line in self.command(source, me, "talks", FLAGS=flags)]
            self.assertEqual(told, listed)
        self.assertEqual(self.command(source, me, "talks", "from:nobody"), [])

    def test_all_members_of_the_model(self):
        source, me, _ = self.world("adr")
        told = [re.sub(r" +", " ", line) for line in
                self.command(source, me, "show", "MSG-000000000001")]
        for line in ("subject=a subject|0", "body=a body|0", "type=request|0", "thread=t-1|0",
                     "kind=question", "priority=2", "status=1", "created_us=1767450600123456",
                     'tags=[ "a", "b" ]|0', 'payload={ "n": 1 }|0', "attachments=[]|0", "box=alice|0"):
            self.assertIn(line, told)

    def test_a_damaged_message_is_listed_with_the_reason(self):
        source, me, _ = self.world("adr")
        mail = source.split(":", 1)[1]
        self.write(os.path.join(mail, "alice", "inbox", "MSG-broken.json"), "{nothing", age=60)
        found = harness.parse_lines("".join(line + "\n" for line in
                                            self.command(source, me, "search")).encode())
        self.assertEqual([bool(one["damaged"]) for one in found].count(True), 1)
        self.assertEqual(len(self.command(source, me, "search", "", me, FLAGS=str(AS_AGENT))), 1)

    def test_order_and_most(self):
        source, me, _ = self.world("adr")
        self.adr(id="MSG-000000000002", created_at="2026-01-04T10:00:00", priority=1)
        self.adr(id="MSG-000000000003", created_at="2026-01-05T10:00:00", priority=4)

        def ids(*words):
            return [re.search(r"MSG-0*(\d)", line)[1] for line in
                    self.command(source, me, "search", "", "", *words)]
        self.assertEqual(ids("0"), ["1", "2", "3"])
        self.assertEqual(ids("1"), ["3", "2", "1"])
        self.assertEqual(ids("2"), ["3", "1", "2"])
        self.assertEqual(ids("1", "2"), ["3", "2"])


class Writing(LibraryCase):

    @in_each_layout
    def test_sending(self, layout, source, me, peer):
        (line,) = self.command(source, me, "send", peer, "a word", "the body")
        fate, id, sender, to, format, _ = line.split("|")
        self.assertTrue(int(fate) & DELIVERED)
        self.assertEqual((sender, to, format), (me, peer, layout))
        found = {one["id"]: one for one in self.objects(source, me, "messages", "--box", peer,
                                                        "--bodies")}
        self.assertIn("the body", found[id]["body"])

    @in_each_layout
    def test_a_preview_writes_nothing_and_is_the_programs(self, layout, source, me, peer):
        before = self.box.snapshot()
        first = self.command(source, me, "send", peer, "a word", "the body", FLAGS=str(PREVIEW))[0]
        fate, _, sender, to, format, path = first.split("|")
        shown = self.objects(source, me, "send", "--to", peer, "--subject", "a word", "--body",
                             "the body", "--dry-run")[0]
        self.assertTrue(int(fate) & PREVIEWED and not int(fate) & DELIVERED)
        self.assertEqual(os.path.dirname(path), os.path.dirname(shown["path"]))
        self.assertIn("the body", self.printed.decode())
        self.assert_unchanged(before)

    @in_each_layout
    def test_answering(self, layout, source, me, peer):
        id = self.only(source, me)
        (line,) = self.command(source, me, "reply", id, "an answer")
        fate, answer, _, to, *_ = line.split("|")
        self.assertTrue(int(fate) & DELIVERED)
        self.assertEqual(to, peer)
        found = {one["id"]: one for one in self.objects(source, me, "messages", "--box", peer,
                                                        "--bodies")}
        self.assertIn("an answer", found[answer]["body"])
        thread = self.command(source, me, "thread", answer)
        self.assertEqual(len(thread), len(self.objects(source, me, "thread", answer)))

    @in_each_layout
    def test_handing_off(self, layout, source, me, peer):
        (line,) = self.command(source, me, "handoff", peer, "the index", "half of it", "it runs")
        fate, id, *_ = line.split("|")
        self.assertTrue(int(fate) & DELIVERED)
        found = {one["id"]: one for one in self.objects(source, me, "messages", "--box", peer,
                                                        "--bodies")}
        for text in "half of it", "it runs", "first this", "then that":
            self.assertIn(text, found[id]["body"])

    @in_each_layout
    def test_broadcasting_reaches_whom_the_program_says(self, layout, source, me, peer):
        teams = {"claude": "dev", "openclaw": "web", "adr": None, "inbox": None, "roo": None}
        team = teams[layout]
        where = ("--swarm", team) if team else ("--all",)
        result = self.box.run("-S", source, "--as", me, "broadcast", *where, "--subject", "s",
                              "--body", "b", "--dry-run", "--json")
        if result.rc != 0:  # no possible recipient: the library reports the same
            self.command(source, me, "broadcast", team or "", "s", "b", rc=10 + result.rc)
            return
        plan = harness.parse_lines(result.stdout)[0]
        lines = [line.split("|") for line in
                 self.command(source, me, "broadcast", team or "", "s", "b")]
        sent = [line for line in lines if line[0].isdigit()]
        self.assertEqual(sorted(line[3] for line in sent),
                         sorted(one["to"].split("@")[0] for one in plan["recipients"]))
        self.assertTrue(all(int(line[0]) & (DELIVERED | QUEUED) for line in sent))

    def test_an_unknown_recipient_is_refused_and_may_be_made(self):
        source, me, _ = self.world("adr")
        self.command(source, me, "send", "carol", "s", "b", rc=REFUSED)
        self.assertIn("carol", self.said)
        (line,) = self.command(source, me, "send", "carol", "s", "b", FLAGS=str(CREATE))
        self.assertTrue(int(line.split("|")[0]) & DELIVERED)

    @in_each_layout
    def test_readonly_writes_nothing(self, layout, source, me, peer):
        id = self.only(source, me)
        before = self.box.snapshot()
        self.command(source, me, "send", peer, "s", "b", rc=REFUSED, READONLY="1")
        self.command(source, me, "reply", id, "b", rc=REFUSED, READONLY="1")
        for what in str(READ), "archive", "restore", "seen":
            self.command(source, me, "change", id, what, rc=REFUSED, READONLY="1")
        self.assert_unchanged(before)

    def test_a_thread_is_joined(self):
        source, me, _ = self.world("adr")
        (line,) = self.command(source, me, "send", "bob", "s", "b", "MSG-000000000001", '{"a": [1]}')
        (sent,) = [one for one in self.objects(source, me, "messages", "--box", "bob")]
        self.assertEqual((sent["thread"], sent["reply_to"]), ("t-1", "MSG-000000000001"))
        self.assertEqual(sent["payload"], {"a": [1]})
        self.assertEqual(len(self.command(source, me, "thread", "t-1")), 2)
        self.command(source, me, "thread", "t-nothing", rc=ABSENT)


class Changing(LibraryCase):

    def status(self, source, me, id):
        (one,) = [one for one in self.objects(source, me, "messages", "--all") if one["id"] == id]
        return one["status"]

    @in_each_layout
    def test_marking(self, layout, source, me, peer):
        id = self.only(source, me)
        (line,) = self.command(source, me, "change", id, str(READ))
        self.assertEqual(line.split("|")[0], "1")
        self.assertEqual(self.status(source, me, id), "read")

    def test_only_ones_own_mail_is_marked(self):
        source, _, _ = self.world("adr")
        self.command(source, "bob", "change", "MSG-000000000001", str(READ), rc=REFUSED)

    @in_each_layout
    def test_archiving_and_back(self, layout, source, me, peer):
        id = self.only(source, me)
        self.assertEqual(self.command(source, me, "change", id, "archive")[0][0], "1")
        self.assertEqual(self.status(source, me, id), "archived")
        self.assertEqual(self.command(source, me, "search", "", me), [])
        self.assertEqual(len(self.command(source, me, "search", FLAGS=str(IN_ARCHIVE))), 1)
        self.assertEqual(self.command(source, me, "change", id, "restore")[0][0], "1")
        self.assertEqual(len(self.command(source, me, "search", "", me)), 1)

    def test_a_note_goes_only_where_it_is_kept(self):
        source, me, _ = self.world("adr")
        self.command(source, me, "change", "MSG-000000000001", "archive", "done", rc=REFUSED)
        source, me, _ = self.world("roo")
        self.command(source, me, "change", self.only(source, me), "archive", "done")

    def test_looking_leaves_a_mark_here_only(self):
        source, me, _ = self.world("adr")
        before = self.box.snapshot(self.project)
        self.command(source, me, "change", "MSG-000000000001", "seen")
        self.assertEqual(self.status(source, me, "MSG-000000000001"), "read")
        self.assert_unchanged(before, self.project)


class Watching(LibraryCase):

    @in_each_layout
    def test_what_comes_and_changes_is_told(self, layout, source, me, peer):
        process = self.start_watch(source, me, 1)
        self.assertEqual(process.stdout.readline(), b"ready||0\n")
        sent = self.objects(source, me, "send", "--to", peer, "--subject", "s", "--body", "b")[0]
        self.assertEqual(process.stdout.readline().decode(), f"new|{sent['id']}|1\n")
        self.assertEqual(process.wait(harness.LIMIT_S), 0, process.stderr.read())

    def test_changes_and_losses(self):
        source, me, _ = self.world("adr")
        path = os.path.join(source.split(":")[1], "alice", "inbox", "MSG-000000000001.json")
        process = self.start_watch(source, me, 3, FLAGS="1")
        self.assertEqual(process.stdout.readline(), b"new|MSG-000000000001|1\n")
        self.assertEqual(process.stdout.readline(), b"ready||0\n")
        self.program(source, me, "mark", "MSG-000000000001", "read")
        self.assertEqual(process.stdout.readline(), b"changed|MSG-000000000001|2\n")
        os.unlink(path)
        self.assertEqual(process.stdout.readline(), b"gone|MSG-000000000001|2\n")
        self.assertEqual(process.wait(harness.LIMIT_S), 0)


class Example(LibraryCase):

    @in_each_layout
    def test_unread_lists_and_answers(self, layout, source, me, peer):
        (line,) = self.command("-S", source, me, program=UNREAD)
        self.assertIn(peer if layout != "roo" else "code", line)
        (line,) = self.command("-S", source, me, "I see", program=UNREAD)
        found = self.objects(source, me, "messages", "--box", peer, "--bodies")
        self.assertTrue(any("I see" in one["body"] for one in found), found)

    def test_nothing_waits_and_nobody_is_named(self):
        source, me, _ = self.world("adr")
        self.command("-S", source, "bob", program=UNREAD, rc=1)
        self.command(program=UNREAD, rc=2)
        self.command("-S", "adr:/nowhere", me, program=UNREAD, rc=2)
        self.assertIn("/nowhere", self.said)

    def test_text_of_agents_is_cleaned(self):
        mail = self.adr(subject="\x1b]0;title\x07 and more")
        self.command("-S", "adr:" + mail, "alice", program=UNREAD)
        self.assertIn(b"^[]0;title^G", self.printed)
        self.assertNotIn(b"\x1b", self.printed)

    def test_unread_follows(self):
        source, me, peer = self.world("adr")
        process = subprocess.Popen([UNREAD, "-f", "-S", source, me], env=self.box.env,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(end_process, process)
        self.assertIn(b"a subject", process.stdout.readline())
        # Mail that comes before the watch begins is not reported: send until one is.

        def send():
            self.program(source, peer, "send", "--to", me, "--subject", "later", "--body", "b")
            return harness.select.select([process.stdout], [], [], 0.2)[0]
        self.assertTrue(poll_until(send))
        self.assertIn(b"later", process.stdout.readline())


class Interface(LibraryCase):

    def test_mistakes_of_callers_are_refused(self):
        source, _, _ = self.world("adr")
        before = self.box.snapshot(self.project)
        self.command(source, program=MISUSE)
        self.assert_unchanged(before, self.project)

    def test_exactly_what_the_header_names_is_exported(self):
        library = os.path.join(BUILD, ".libs", "libswarmutt.so")
        listed = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                                stdout=subprocess.PIPE).stdout.decode()
        symbols = sorted(line.split()[-1].split("@")[0] for line in listed.splitlines()
                         if line.split()[-2] != "A")
        self.assertEqual(symbols, declared())
        self.assertGreater(len(symbols), 20)

    def test_it_does_not_even_know_how_to_print_or_to_end_the_process(self):
        library = os.path.join(BUILD, ".libs", "libswarmutt.so")
        listed = subprocess.run(["nm", "-D", "--undefined-only", library], check=True,
                                stdout=subprocess.PIPE).stdout.decode()
        wanted = {line.split()[-1].split("@")[0] for line in listed.splitlines()}
        for name in "exit printf puts putchar setlocale chdir fchdir setenv putenv system fork execve " \
                    "posix_spawn cJSON_InitHooks signal".split():
            self.assertNotIn(name, wanted)

    def test_the_manual_names_every_function(self):
        with open(MANUAL) as file:
            text = file.read()
        self.assertEqual(sorted(re.findall(r"(?m)^\.Fo (swarmutt_\w+)", text)), declared())

    def compile(self, compiler, *flags, suffix):
        source = os.path.join(self.box.root, "one" + suffix)
        with open(source, "w") as file:
            file.write("#include <swarmutt.h>\nint main(void) { return swarmutt_interface() == 0; }\n")
        done = subprocess.run([*compiler, *flags, "-Wall", "-Wextra", "-Werror", "-pedantic",
                               "-fsyntax-only", "-I", os.path.dirname(HEADER), source],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout.decode())

    def test_the_header_is_c(self):
        for standard in "-std=c99", "-std=c17":
            self.compile(CC, standard, suffix=".c")

    def test_the_header_is_cxx(self):
        if not shutil.which("g++"):
            self.skipTest("there is no g++")
        for standard in "-std=c++11", "-std=c++20":
            self.compile(["g++"], standard, suffix=".cc")


if __name__ == "__main__":
    harness.main()
