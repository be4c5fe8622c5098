"""Errors: usage, damaged files, other things in place of files, output that cannot be written."""
import json
import os
import resource
import socket
import stat
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import (DONE, FAILED, FIELDS, MARK, NOTHING, REFUSED, UNCONFIRMED,  # noqa: E402
                     USAGE, message, without)

HANDOFF = ["handoff", "--to", "alice", "--subject", "s", "--done", "d", "--state", "s"]
SEND = ["send", "--to", "alice", "--subject", "s"]


class Usage(harness.MailboxCase):

    def test_a_command_line_that_makes_no_sense_is_a_usage_error(self):
        self.box.put("alice", message())
        id = "MSG-000000000001"
        before = self.box.snapshot()
        for args in (
                ["fly"], ["--fly"], ["--json", "--fly", "messages"], ["messages", "--fly"],
                ["messages", "-x"], ["-S"], ["messages", "--source"], ["sources", "extra"],
                ["messages", "--limit"], ["messages", "--limit", "some"], ["messages", "--limit", "-1"],
                ["messages", "--limit", ""], ["messages", "--limit", "3x"],
                ["messages", "--archive", "--all"], ["messages", "--json=yes"],
                ["send"], ["send", "--to", "alice"], ["send", "--subject", "s"], [*SEND, "extra"],
                [*SEND, "-", "-"], [*SEND, "--body", "a", "-"], [*SEND, "--body", "a", "--body-file", "b"],
                [*SEND, "--priority", "3"], [*SEND, "--priority", "HIGH"], [*SEND, "--priority", ""],
                [*SEND, "--expires", "soon"], [*SEND, "--expires", ""], [*SEND, "--expires", "-1h"],
                [*SEND, "--expires", "1y"], [*SEND, "--expires", "h"], [*SEND, "--expires", "9" * 30 + "d"],
                [*SEND, "--payload", "{"], [*SEND, "--payload", ""], [*SEND, "--payload", "[1]"],
                [*SEND, "--payload", "3"], [*SEND, "--payload", "null"], [*SEND, "--payload", "{'a':1}"],
                [*SEND, "--payload", "{}{}"], [*SEND, "--context", '{"a":}'],
                [*SEND, "--context", '{"a":1,"a":2}'], [*SEND, "--payload", '{"x":{"a":1,"\\u0061":2}}'],
                ["reply"], ["reply", id], ["reply", id, "extra"], ["reply", id, "--body", "b", "x"],
                ["reply", id, "--body", "b", "--payload", "[]"],
                ["handoff"], HANDOFF[:-2], [*HANDOFF[:3], *HANDOFF[5:]], [*HANDOFF, "extra"],
                [*HANDOFF, "--priority", "top"], ["broadcast", "--subject", "s", "--body", "b"],
                ["broadcast", "--swarm", "d", "--all", "--subject", "s", "--body", "b"],
                ["broadcast", "--all", "--body", "b"], ["broadcast", "--all", "--subject", "s"],
                ["broadcast", "--all", "--subject", "s", "extra"],
                ["check", "alice", "bob"], ["check", "alice", "--format", "html"],
                ["check", "alice", "--min-priority", "most"], ["show"], ["show", id, id],
                ["show", id, "--format", "yaml"], ["thread"], ["thread", id, id],
                ["count", "a", "b"], ["count", "--format", "html"], ["mark"], ["mark", id], ["mark", id, "unread"],
                ["mark", id, "archived"], ["mark", id, "done"], ["mark", "read"],
                ["mark", id, "read", "--keep"], ["mark", "--all", "alice"],
                ["mark", "--all", "alice", "bob", "read"], ["archive"], ["formats", "extra"],
                ["help", "fly"]):
            result = self.run_program(*args, rc=USAGE)
            self.assertEqual(result.out, "", args)
            self.assert_says(result)
        self.assert_unchanged(before)

    def test_a_mistyped_command_is_told_the_nearest(self):
        self.assert_says(self.run_program("mesages", rc=USAGE), "\"messages\"")

    def test_the_option_that_is_wrong_is_named(self):
        for args, word in ((["messages", "--fly"], "--fly"), (["messages", "-xy"], "-x"),
                           (["send", "--to"], "--to"), (["--fly", "messages"], "--fly"),
                           (["messages", "--json", "--wrong", "--all"], "--wrong")):
            self.assert_says(self.run_program(*args, rc=USAGE), word)

    def test_wrong_json_is_told_with_its_position(self):
        for option in ("--payload", "--context"):
            for text, column in (('{"a": nope}', 7), ('{"a" 1}', 6), ('{"a":1,}', 8)):
                result = self.run_program(*SEND, option, text, rc=USAGE)
                self.assert_says(result, option, "line 1", f"column {column}")
        self.assert_says(self.run_program(*SEND, "--payload", '{\n "a": 01}', rc=USAGE), "line 2")
        self.assert_says(self.run_program(*SEND, "--payload", '{"k":1,"k":2}', rc=USAGE), "\"k\"")

    def test_a_body_that_is_not_utf8_is_refused(self):
        path = os.path.join(self.box.root, "bad")
        before = self.box.files("alice")
        for data in (b"caf\xe9", b"\xff\xfe", b"\xed\xa0\x80", b"ok\xc0\xaf", b"cut \xe2\x82"):
            with open(path, "wb") as file:
                file.write(data)
            self.assert_says(self.run_program(*SEND, "--body-file", path, rc=REFUSED), "UTF-8")
            self.assert_says(self.run_program(*SEND, "-", input=data, rc=REFUSED), "UTF-8")
            result = self.box.run(*SEND, "--body", data)
            self.assertIn(result.rc, (USAGE, REFUSED))
            result = self.box.run("send", "--to", "alice", "--subject", data)
            self.assertIn(result.rc, (USAGE, REFUSED))
        self.assertEqual(self.box.files("alice"), before)

    def test_a_body_file_that_cannot_be_read_sends_nothing(self):
        for path in ("nowhere", "."):
            self.assert_says(self.run_program(*SEND, "--body-file", path, rc=FAILED), path)
        self.assertEqual(self.box.files("alice"), [])

    def test_arguments_of_any_bytes_and_lengths_end_in_a_sentence(self):
        for text in (b"\xff\xfe", b"\x1b[31m", b"%s%n%d", b"x" * 5000, "\u202e".encode() * 300):
            for args in ([b"show", text], [b"check", text], [text], [b"--" + text], [b"mark", text, text],
                         [b"messages", b"--box", text], [b"messages", b"-S", text],
                         [b"messages", text], [b"messages", b"is:" + text],
                         [b"send", b"--to", text, b"--subject", b"s"], [b"thread", text],
                         [b"mark", b"--all", text, b"read"], [b"messages", b"--limit", text],
                         [b"count", text]):
                result = self.box.run(*args)
                self.assertIn(result.rc, (DONE, NOTHING, USAGE, REFUSED, FAILED))
                self.assertFalse(set(result.stderr + result.stdout) & (set(range(32)) - {10} | {127}),
                                 str(result))
                self.assertNotIn("\u202e".encode(), result.stderr + result.stdout)


class Damaged(harness.MailboxCase):

    def put_damaged(self):
        """Writes one damaged file of each kind; the reason for each must contain the word."""
        whole = message()
        text = json.dumps(whole, indent=2)
        kinds = {name: (without(whole, name), name) for name in
                 "id from_agent to_agent type subject body priority created_at".split()}
        kinds.update({
            "high": (dict(whole, priority="high"), "priority"), "five": (dict(whole, priority=5), "priority"),
            "half": (dict(whole, priority=2.5), "priority"), "memo": (dict(whole, type="memo"), "type"),
            "done": (dict(whole, status="done"), "status"), "null": (dict(whole, status=None), "status"),
            "date": (dict(whole, created_at="yesterday"), "created_at"),
            "expires": (dict(whole, expires_at="2026-13-01T00:00:00"), "expires_at"),
            "read": (dict(whole, read_at="x"), "read_at"),
            "completed": (dict(whole, completed_at=5), "completed_at"),
            "empty": (b"", "empty"), "blank": (b" \n", ""), "brace": (b"{", "line 1"), "array": (b"[]", "array"),
            "number": (b"7", ""), "nothing": (b"null", ""), "html": (b"<html>", ""),
            "two": (text.encode() * 2, "line"), "cut": (text[:-1].encode(), ""), "nul": (b"\0" * 100, ""),
            "comma": (text.replace('"tags": []', '"tags": [],').encode(), "line"),
            "quotes": (text.replace('"', "'").encode(), "line"),
            "control": (text.replace("a body", "a \x1b[2Jbody").encode(), "line"),
            "utf16": (text.encode("utf-16"), ""), "deep": (text.replace('"payload": {}', '"payload": ' + '{"a":' * 3000
                      + "1" + "}" * 3000).encode(), "deep"),
            "open": (b'{"id":' + b"[" * 100000, "deep"), "binary": (bytes(range(256)) * 20, ""),
        })
        for name, (data, _) in kinds.items():
            data = data if isinstance(data, bytes) else json.dumps(data, indent=2).encode()
            self.box.put("alice", data, name=f"MSG-{name}.json")
        self.box.put("alice", whole, name="note.json")
        self.box.put("alice", whole, name="msg-lower.json")
        words = {f"MSG-{name}.json": word for name, (_, word) in kinds.items()}
        return dict(words, **{"note.json": "MSG-", "msg-lower.json": "MSG-"})

    def test_every_damaged_file_is_listed_with_its_reason(self):
        words = self.put_damaged()
        before = self.box.snapshot()
        found = {os.path.basename(one["path"]): one for one in self.run_json("messages", "--bodies")}
        self.assertEqual(sorted(found), sorted(words))
        for name, word in words.items():
            self.assertTrue(found[name]["damaged"], name)
            self.assertIn(word, found[name]["damaged"], name)
            self.assertEqual(found[name]["box"], "alice")
        lines = self.run_program("messages").lines
        self.assertEqual(len(lines), len(words))
        for name, word in words.items():
            self.assertTrue(any(name in line and word in line and "damaged" in line
                                for line in lines), name)
        self.assert_unchanged(before)

    def test_a_damaged_file_is_never_rewritten_or_moved(self):
        words = self.put_damaged()
        before = self.box.snapshot()
        paths = ["alice/inbox/" + name for name in words]
        for args in ([*MARK, *paths, "read"], [*MARK, *paths, "completed"], ["archive", *paths]):
            result = self.run_program(*args, rc=REFUSED)
            self.assertEqual(result.out, "")
            self.assertEqual(len(result.err.splitlines()), len(paths))
        self.run_program(*MARK, "--all", "alice", "read", rc=NOTHING)
        self.run_program(*MARK, "--all", "alice", "completed", rc=NOTHING)
        self.assert_unchanged(before)

    def test_a_damaged_file_can_be_looked_at(self):
        words = self.put_damaged()
        for name in words:
            path = "alice/inbox/" + name
            self.assertEqual(self.run_program("show", path, "--raw").stdout, self.box.read("alice", name))
            found = self.run_one("show", path)
            self.assertTrue(found["damaged"], name)
            result = self.box.run("show", path)
            if result.rc != DONE:
                self.assertEqual(result.rc, FAILED)
                self.assert_says(result, name)
                continue
            self.assertIn(found["damaged"], result.out)
            for args in (["show", path, "--format", "markdown"], ["thread", path]):
                self.assertIn(self.box.run(*args).rc, (DONE, FAILED))
            self.assertIn(self.box.run("reply", path, "--body", "b").rc, (DONE, REFUSED, FAILED))

    def test_the_agent_is_not_shown_what_its_program_cannot_load(self):
        self.put_damaged()
        result = self.run_program("check", "alice", "--all", rc=NOTHING)
        self.assertIn("damaged", result.err)
        self.assertEqual(self.run_one("count", "alice")["total"], 0)
        self.send()
        self.assertEqual(self.run_one("count", "alice")["total"], 1)

    def test_a_number_that_equals_a_priority_is_one(self):
        self.box.put("alice", message(priority=2.0))
        one = self.run_one("messages")
        self.assertEqual((one["damaged"], one["priority"]), (None, "normal"))

    def test_what_is_no_message_is_ignored(self):
        for name in (".gitkeep", ".MSG-a.json", "README.md", "MSG-a.json.tmp", ".MSG-a.json.1.2.tmp",
                     "MSG-a.json.lock", "MSG-a.txt", "MSG-a"):
            self.box.put("alice", b"x", name=name)
        os.mkdir(os.path.join(self.box.dir("alice"), "MSG-b.json.lock"))
        os.mkdir(os.path.join(self.box.dir("alice"), "sub"))
        self.box.put("alice", b"x", name="sub/MSG-c.json")
        for name in ("README.md", ".gitkeep"):
            with open(os.path.join(self.box.mail, name), "w") as file:
                file.write("x")
        self.run_program("messages", "--all", rc=NOTHING)

    def test_a_message_cut_at_every_byte_is_damaged_and_no_crash(self):
        text = json.dumps(message(payload={"a": [1.5, "\u00e9", None, True]}), indent=2).encode()
        for cut in range(len(text)):
            self.box.put("alice", text[:cut], name=f"MSG-{cut:05}.json")
        found = self.run_json("messages")
        self.assertEqual(len(found), len(text))
        self.assertEqual([one["id"] for one in found if not one["damaged"]], [])

    def test_a_message_with_any_byte_changed_is_listed_once(self):
        text = json.dumps(message(), indent=2).encode()
        for place in range(0, len(text), 3):
            for number, byte in enumerate((0, 0x22, 0x7b, 0xff)):
                self.box.put("alice", text[:place] + bytes([byte]) + text[place + 1:],
                             name=f"MSG-{place:05}-{number}.json")
        found = self.run_json("messages")
        self.assertEqual(len({one["path"] for one in found}), len(range(0, len(text), 3)) * 4)
        self.assertEqual(len(found), len(range(0, len(text), 3)) * 4)

    def test_a_byte_order_mark_or_other_encoding_is_flagged(self):
        for agent, data in (("alice", b"\xef\xbb\xbf%s"), ("bob", b"%s")):
            text = json.dumps(message(to_agent=agent, body="caf\u00e9"), ensure_ascii=False)
            data %= text.encode("latin-1" if agent == "bob" else "utf-8")
            self.box.put(agent, data, name="MSG-000000000001.json")
        found = {one["box"]: one for one in self.run_json("messages", "--bodies")}
        for one in found.values():
            self.assertEqual(len(one["flags"]), 1)
        self.assertEqual(found["alice"]["body"], "caf\u00e9")
        self.assertEqual(found["bob"]["body"], "caf\ufffd")

    def test_a_key_that_stands_twice_counts_last_and_is_flagged(self):
        text = json.dumps(message(), indent=2)
        self.box.put("alice", text.replace("{", '{"subject": "first",', 1).encode(),
                     name="MSG-000000000001.json")
        one = self.run_one("messages")
        self.assertEqual((one["subject"], len(one["flags"])), ("a subject", 1))

    def test_a_file_beyond_the_size_limit_is_damaged_without_being_read(self):
        path = self.box.put("alice", b"{", name="MSG-huge.json")
        os.truncate(path, 65 << 20)
        self.assertIn("large", self.run_one("messages")["damaged"])


class InTheWay(harness.MailboxCase):
    """Other things in place of messages and boxes: nothing blocks, nothing is followed."""

    def put_others(self, where):
        """Writes one entry of each kind there; returns a word for each by its name."""
        words = {"fifo": "FIFO", "link": "link", "dangling": "link", "loop": "link",
                 "socket": "socket", "dir": "directory", "device": "device"}
        paths = {kind: os.path.join(where, f"MSG-{kind}.json") for kind in words}
        target = os.path.join(self.box.root, "target.json")
        with open(target, "w") as file:
            json.dump(message(), file)
        os.mkfifo(paths["fifo"])
        os.symlink(target, paths["link"])
        os.symlink("nowhere", paths["dangling"])
        os.symlink("MSG-loop.json", paths["loop"])
        os.mkdir(paths["dir"])
        before = os.getcwd()
        os.chdir(where)  # the path of a socket must be short
        try:
            with socket.socket(socket.AF_UNIX) as server:
                server.bind("MSG-socket.json")
        finally:
            os.chdir(before)
        try:
            os.mknod(paths["device"], 0o600 | stat.S_IFCHR, os.makedev(1, 5))
        except PermissionError:
            del words["device"]
        return {f"MSG-{kind}.json": word for kind, word in words.items()}

    def test_in_place_of_a_message_they_are_listed_and_left_alone(self):
        for part in ("inbox", "archive"):
            words = self.put_others(self.box.dir("alice", part))
        before = self.box.snapshot()
        found = self.run_json("messages", "--all")
        self.assertEqual(len(found), 2 * len(words))
        for one in found:
            self.assertIn(words[os.path.basename(one["path"])], one["damaged"])
            self.assertEqual(self.box.run("show", one["path"], "--raw").rc, FAILED)
            self.assertEqual(self.box.run(*MARK, one["path"], "read").rc, FAILED)
            self.assertEqual(self.box.run("archive", one["path"]).rc, FAILED)
        self.run_program("check", "alice", rc=FAILED)
        self.assert_unchanged(before)

    def test_in_place_of_an_inbox_they_are_listed_and_do_not_block(self):
        for name in ("fifo", "link"):
            os.mkdir(os.path.join(self.box.mail, name))
        os.mkfifo(self.box.dir("fifo"))
        os.symlink(self.box.dir("alice"), self.box.dir("link"))
        self.send()
        found = self.run_json("messages")
        self.assertEqual(sorted(one["box"] for one in found), ["alice", "fifo", "link"])
        self.assertEqual([one["box"] for one in found if not one["damaged"]], ["alice"])

    def test_links_in_place_of_boxes_are_listed_each_under_its_own_name(self):
        for name in ("one", "two", "three"):
            os.symlink(os.path.dirname(self.box.dir("alice")), os.path.join(self.box.mail, name))
        self.send()
        found = self.run_json("messages")
        self.assertEqual(sorted(one["box"] for one in found), ["alice", "one", "three", "two"])
        for one in found:
            self.assertEqual(one["damaged"] is None, one["box"] == "alice")
            if one["damaged"]:
                self.assertEqual(one["path"], os.path.join(self.box.mail, one["box"]))

    def test_a_box_that_was_asked_for_is_not_mixed_with_others_troubles(self):
        os.symlink(os.path.dirname(self.box.dir("alice")), os.path.join(self.box.mail, "linked"))
        id = self.send()
        self.assertEqual(self.run_one("messages", "--box", "alice")["id"], id)
        self.assertTrue(self.run_one("messages", "--box", "linked", rc=FAILED)["damaged"])

    def test_trouble_in_an_inbox_is_no_part_of_the_archive(self):
        os.rmdir(self.box.dir("bob"))
        os.symlink(self.box.dir("alice"), self.box.dir("bob"))
        self.run_program("messages", "--archive", rc=NOTHING)

    def test_nothing_is_written_through_a_link(self):
        elsewhere = os.path.join(self.box.root, "elsewhere")
        os.makedirs(elsewhere)
        self.box.add_swarm("dev", "carol", "dave")
        os.symlink(elsewhere, os.path.join(self.box.mail, "carol"))
        os.makedirs(os.path.join(self.box.mail, "dave"))
        os.symlink(elsewhere, self.box.dir("dave"))
        for to in ("carol", "dave"):
            for option in ([], ["--create"]):
                result = self.box.run("send", "--to", to, "--subject", "s", *option)
                self.assertIn(result.rc, (REFUSED, FAILED), str(result))
        os.rmdir(self.box.dir("alice", "archive"))
        os.symlink(elsewhere, self.box.dir("alice", "archive"))
        self.box.put("alice", message())
        self.run_program("archive", "MSG-000000000001", rc=FAILED)
        self.assertEqual(os.listdir(elsewhere), [])
        self.assertEqual(self.box.files("alice"), ["MSG-000000000001.json"])

    def test_an_archive_that_cannot_be_written_leaves_the_message_in_the_inbox(self):
        self.box.put("alice", message())
        os.rmdir(self.box.dir("alice", "archive"))
        open(self.box.dir("alice", "archive"), "w").close()
        before = self.box.snapshot()
        for args in (["archive", "MSG-000000000001"], [*MARK, "MSG-000000000001", "completed"]):
            self.assert_says(self.run_program(*args, rc=FAILED))
        self.assert_unchanged(before)

    def test_a_broadcast_reaches_all_or_nobody(self):
        self.box.add_swarm("dev", "alice", "bob", "carol")
        os.rmdir(self.box.dir("bob"))
        open(self.box.dir("bob"), "w").close()
        result = self.run_program("broadcast", "--swarm", "dev", "--subject", "s", "--body", "b",
                                  rc=FAILED)
        self.assert_says(result, "bob")
        self.assertEqual((result.out, self.box.files("alice"), self.box.files("carol")), ("", [], []))

    def test_a_full_disk_changes_nothing_and_leaves_nothing_behind(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        self.box.put("alice", message())
        before = self.box.snapshot()
        for args in (SEND, HANDOFF, ["reply", "MSG-000000000001", "--body", "b", "--from", "alice"],
                     [*MARK, "MSG-000000000001", "read"], ["archive", "MSG-000000000001"]):
            # The signal of the limit is ignored, so that only the write fails.
            result = self.box.run(*args, preexec_fn=limit, restore_signals=False)
            self.assertEqual(result.rc, FAILED, str(result))
            self.assert_says(result)
        self.assert_unchanged(before)

    @unittest.skipUnless(os.getuid(), "the superuser may do everything")
    def test_what_may_not_be_read_or_written_is_told(self):
        secret = self.box.put("alice", message())
        os.chmod(secret, 0)
        closed = os.path.dirname(self.box.dir("carol"))
        os.mkdir(closed)
        os.chmod(closed, 0)
        os.chmod(self.box.dir("bob"), 0o500)
        try:
            found = {one["box"]: one["damaged"] for one in self.run_json("messages")}
            self.assertIn("denied", found["alice"])
            self.assertIn("denied", found["carol"])
            self.assert_says(self.send(to="bob", rc=FAILED), "bob")
            self.assertEqual(os.listdir(self.box.dir("bob")), [])
        finally:
            os.chmod(closed, 0o700)
            os.chmod(self.box.dir("bob"), 0o700)

    def test_an_inbox_that_is_a_file_is_an_error_and_stays(self):
        self.box.add_swarm("dev", "carol")
        os.mkdir(os.path.join(self.box.mail, "carol"))
        with open(self.box.dir("carol"), "w") as file:
            file.write("precious")
        before = self.box.snapshot()
        self.assert_says(self.send(to="carol", rc=FAILED))
        self.assert_unchanged(before)



class Output(harness.MailboxCase):

    def test_output_that_cannot_be_written_is_an_error(self):
        for number in range(50):
            self.box.put("alice", message(f"MSG-{number:012x}", body="x" * 2000))
        for args in (["messages"], ["messages", "--json", "--bodies"], ["count", "alice"], ["formats"],
                     ["check", "alice", "--format", "markdown"], ["show", "MSG-000000000001"],
                     ["show", "MSG-000000000001", "--raw"], ["thread", "MSG-000000000001"],
                     ["--help"], ["--version"], ["send", "--help"]):
            with open("/dev/full", "wb") as full:
                result = self.box.run(*args, stdout=full)
            self.assertNotEqual(result.rc, DONE, args)
            self.assert_says(result)
            result = self.run_closed(args, 1)
            self.assertNotEqual(result.rc, DONE, args)

    def run_closed(self, args, *closed):
        """Runs the program without some of the standard streams."""
        line = " ".join(f"{number}>&-" if number else "<&-" for number in closed)
        process = subprocess.run(["sh", "-c", f'exec "$@" {line}', "sh", harness.PROGRAM, *args],
                                 env=self.box.env, cwd=self.box.root, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=harness.LIMIT_S)
        return harness.checked(harness.Result(args, process.returncode, process.stdout, process.stderr))

    def test_closed_streams_damage_nothing(self):
        self.box.put("alice", message())
        for closed in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)):
            for args in (["send", "--to", "bob", "--subject", "s", "--body", "b"],
                         ["send", "--to", "nobody", "--subject", "s"], ["messages", "--debug"],
                         ["mark", "MSG-000000000001", "nothing"], ["show", "zzz"],
                         ["send", "--to", "bob", "--subject", "s", "-"]):
                self.run_closed(args, *closed)
        found = self.listed()
        self.assertEqual({one["damaged"] for one in found.values()}, {None})
        for name in self.box.files("bob"):
            self.assertEqual(list(json.loads(self.box.read("bob", name))), FIELDS)
        with open(os.path.join(self.box.state, "swarmutt", "debug.log")) as log:
            for line in log:
                self.assertRegex(line, r"\A\d{4}-\d\d-\d\dT\S+Z \d+")

    def test_a_sent_message_whose_id_could_not_be_printed_is_not_called_failed(self):
        with open("/dev/full", "wb") as full:
            result = self.box.run(*SEND, stdout=full)
        self.assert_says(result)
        self.assertEqual(len(self.box.files("alice")), 1)
        self.assertEqual(result.rc, UNCONFIRMED, "4 would say that nothing was changed")

    def test_errors_are_one_sentence_on_standard_error(self):
        for args in (["show", "x"], ["send", "--to", "x\ny", "--subject", "s"], ["fl\ny"],
                     ["messages", "-S", "/no\nwhere"], [*SEND, "--payload", '{"a\n":}'],
                     ["mark", "a\nb", "read"], ["check", "a\nb"]):
            result = self.box.run(*args)
            self.assertNotEqual(result.rc, DONE)
            self.assertEqual(result.out, "")
            self.assert_says(result)


if __name__ == "__main__":
    harness.main()
