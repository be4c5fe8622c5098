"""Output: text from agents never reaches a terminal raw, and --json is plain ASCII."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from cleanliness import bad_characters  # noqa: E402
from harness import DONE, MARK, REFUSED, message  # noqa: E402

# Everything that moves the cursor, changes the terminal, reorders or hides text.
HOSTILE = "".join((
    "".join(map(chr, range(1, 0x20))), "\x7f", "".join(map(chr, range(0x80, 0xa0))),
    "\x1b[2J\x1b[31m\x1b]0;title\a\x1bP+q\x1b\\\x9b31m", "\u00ad\u061c\u180e",
    "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2028\u2029\u2060\u2061\u2064",
    "\u2066\u2067\u2068\u2069\u206a\u206f\ufeff\ufff9\ufffa\ufffb", "\ufe00\ufe0f\U000e0100",
    "\U000e0001\U000e0041\U000e007f", "\u115f\u1160\u3164\uffa0\u2800\u034f",
    "\ue000\uf8ff\U000f0000\U0010fffd", "\ufdd0\uffff\U0001ffff\U0010ffff", "\u0378", "\udfff\ud800"))
NAME = HOSTILE.encode("utf-8", "surrogatepass").replace(b"/", b"")[:200] + b"\xff\xc3"


class OutputCase(harness.MailboxCase):

    def put_hostile(self):
        """Writes hostile text to every field, file name and box name."""
        text = HOSTILE
        fields = dict(from_agent=text, subject=text, body="\0" + text, thread_id=text, reply_to=text,
                      swarm_name=text, payload={text: [text, {"\0": text}]},
                      context={text: text, "list": [text, {text: text}], "object": {text: 1}},
                      attachments=[text, 3], tags=[text])
        self.box.put("alice", message("MSG-000000000001", **fields))
        self.box.put("alice", message("MSG-" + text, **dict(fields, priority=4)),
                     name="MSG-000000000002.json")
        self.box.put("alice", message("MSG-000000000003", to_agent=text, priority=3))
        self.box.put("alice", message("MSG-000000000004", type=text), name="MSG-000000000004.json")
        self.box.put("bob", json.dumps(message("MSG-000000000005", subject=text, body=text),
                                       ensure_ascii=False).encode("utf-8", "surrogatepass"),
                     name="MSG-000000000005.json")
        inbox = os.fsencode(self.box.dir("alice"))
        with open(os.path.join(inbox, b"MSG-" + NAME + b".json"), "w") as file:
            json.dump(message("MSG-000000000006"), file)
        with open(os.path.join(inbox, b"MSG-x" + NAME + b".json"), "w") as file:
            file.write("{" + "x" * 10)
        os.utime(os.path.join(inbox, b"MSG-x" + NAME + b".json"), (1, 1))
        os.mkfifo(os.path.join(inbox, b"MSG-y" + NAME + b".json"))
        box = os.path.join(os.fsencode(self.box.mail), NAME)
        os.makedirs(os.path.join(box, b"inbox"))
        with open(os.path.join(box, b"inbox", b"MSG-000000000007.json"), "w") as file:
            json.dump(message("MSG-000000000007"), file)
        os.symlink("elsewhere", os.path.join(os.fsencode(self.box.mail), b"z" + NAME))

    LOOKS = [["messages"], ["messages", "--all", "--bodies"], ["check", "alice"],
             ["check", "alice", "--all", "--format", "text"],
             ["check", "alice", "--format", "markdown"], ["check", "alice", "--format", "prompt"],
             ["check", HOSTILE.encode("utf-8", "replace")], ["count", "alice"],
             ["show", "MSG-000000000003", "--format", "text"], ["thread", "MSG-000000000001"],
             ["show", "MSG-000000000004"], ["show", "MSG-x"], ["show", "MSG-y"], ["show", "MSG-"],
             ["show", b"z" + NAME], ["show", "MSG-000000000005", "--format", "markdown"]] + [
                 ["show", "MSG-000000000001", "--format", kind]
                 for kind in ("text", "markdown", "prompt")]

    ERRORS = [[b"show", NAME], [b"check", NAME], [b"thread", NAME], [NAME], [b"--" + NAME],
              [b"messages", b"-S", NAME], [b"messages", b"-S", b"a" + NAME + b":x"],
              [b"mark", NAME, b"read"], [b"mark", b"x", NAME], [b"archive", NAME],
              [b"messages", b"--limit", NAME], [b"mark", b"--all", NAME, b"read"],
              [b"messages", b"--box", NAME], [b"show", b"x", b"--format", NAME],
              [b"archive", b"MSG-x"], [b"archive", b"MSG-y"], [b"mark", b"MSG-", b"read"],
              [b"reply", b"MSG-000000000002", b"--body", b"b", b"--from", b".."],
              [b"send", b"--to", b"nobody" + NAME, b"--subject", b"s"],
              [b"send", b"--to", HOSTILE.encode("utf-8", "ignore"), b"--subject", b"s"],
              [b"send", b"--to", b"alice", b"--subject", b"s", b"--body-file", NAME],
              [b"send", b"--to", b"alice", b"--subject", b"s", b"--type", b"x\x1b[31m\xe2\x80\xae"],
              [b"send", b"--to", b"alice", b"--subject", b"s", b"--expires", b"\x1b[31m"],
              [b"send", b"--to", b"alice", b"--subject", b"s", b"--payload", b'{"\x1b[31m":1,"\x1b[31m":2}'],
              [b"send", b"--to", b"alice", b"--subject", b"s", b"--payload", b'{"\xe2\x80\xae":1,"\xe2\x80\xae":2}'],
              [b"broadcast", b"--swarm", b"x\x1b[31m", b"--subject", b"s", b"--body", b"b"],
              [b"send", b"--to", b"alice", b"--subject", b"s", b"x\x1b[31my"]]


class Cleaning(OutputCase):

    def test_in_text_formats_no_hostile_character_comes_through_a_pipe(self):
        self.put_hostile()
        for args in self.LOOKS:
            result = self.box.run(*args)
            self.assertEqual(bad_characters(result.stdout), [], args)
            self.assertEqual(bad_characters(result.stderr), [], args)
            self.assertTrue(result.stdout or result.stderr, args)

    def test_no_hostile_character_comes_to_a_terminal(self):
        self.put_hostile()
        for args in self.LOOKS:
            result = self.box.run_tty(*args)
            self.assertEqual(bad_characters(result.stdout), [], args)

    def test_a_terminal_in_the_c_locale_gets_nothing_but_ascii(self):
        self.put_hostile()
        self.box.put("bob", message("MSG-00000000000b", to_agent="bob", subject="caf\u00e9 \u65e5\u672c \U0001f600",
                                    from_agent="b\u00f6b", body="\u00fcber", tags=["\u00e9"]))
        for args in [*self.LOOKS, ["show", "MSG-00000000000b"], ["check", "bob", "--format", "markdown"]]:
            for env in ({"LC_ALL": "C"}, {"LC_ALL": "POSIX"}):
                result = self.box.run_tty(*args, env=env)
                self.assertEqual(bad_characters(result.stdout, ascii_only=True), [], args)
        self.assertIn(b"caf<U+00E9>", self.box.run_tty("show", "MSG-00000000000b",
                                                       env={"LC_ALL": "C"}).stdout)

    def test_errors_are_cleaned(self):
        self.put_hostile()
        for args in self.ERRORS:
            result = self.box.run(*args)
            self.assertNotEqual(result.rc, DONE, args)
            self.assertEqual(bad_characters(result.stderr), [], args)
            self.assertEqual(result.stdout, b"", args)
            for line in result.stderr.split(b"\n")[:-1]:  # unreadable files are named, too
                self.assertTrue(line.startswith(b"swarmutt: "), line)

    def test_errors_on_a_terminal_in_the_c_locale_are_ascii_whatever_standard_output_is(self):
        self.put_hostile()
        for args in [*self.ERRORS, ["show", "caf\u00e9"], ["check", "caf\u00e9"],
                     ["send", "--to", "caf\u00e9", "--subject", "s"]]:
            for tty in (("stdout", "stderr"), ("stderr",)):
                result = self.box.run_tty(*args, tty=tty, env={"LC_ALL": "C"})
                screen = result.stdout if "stdout" in tty else result.stderr
                self.assertEqual(bad_characters(screen, ascii_only=True), [], (args, tty))
                self.assertTrue(screen, args)

    def test_names_from_rosters_and_boxes_are_cleaned_in_errors(self):
        self.box.add_swarm("sw\x1b[31m\u202earm", "age\x1b]0;x\ant")
        self.box.add_box("b\x9bo\u202ex")
        for args in (["send", "--to", "age]0;xnt", "--subject", "s"],
                     ["send", "--to", "box", "--subject", "s"],
                     ["broadcast", "--swarm", "sw[31marm", "--subject", "s", "--body", "b"]):
            result = self.run_program(*args, rc=REFUSED)
            self.assertIn("near", result.err)
            self.assertEqual(bad_characters(result.stderr), [], args)

    def test_what_marking_prints_is_cleaned(self):
        for number in range(2):
            self.box.put("alice", message("MSG-\x1b[31m\u202e" + str(number)),
                         name=f"MSG-{number}.json")
        for args in ([*MARK, "alice/inbox/MSG-0.json", "read"], ["archive", "alice/inbox/MSG-0.json"],
                     [*MARK, "--all", "alice", "processing"]):
            self.assertEqual(bad_characters(self.run_program(*args).stdout), [], args)

    def test_what_is_left_out_is_made_visible(self):
        self.box.put("alice", message(body="a\x1bb\u202ec\x00d\x7fe\u200bf\x85g\ud800h", subject="x\ny\tz"))
        text = self.run_program("show", "MSG-000000000001").out
        self.assertIn("a^[b<U+202E>c^@d^?e<U+200B>f<U+0085>g\ufffdh", text)
        self.assertIn("x^Jy^Iz", text)

    def test_ordinary_text_of_every_script_comes_as_it_is(self):
        body = "caf\u00e9 e\u0301 \u65e5\u672c\u8a9e \u0440\u0443\u0441 \u03b5\u03bb \U0001f600 \u2013 \u201eq\u201c\n\ttab"
        self.box.put("alice", message(body=body))
        for kind in ("text", "markdown", "prompt"):
            self.assertIn(body, self.run_program("show", "MSG-000000000001", "--format", kind).out)
        self.assertIn(body.encode(), self.box.run_tty("show", "MSG-000000000001").stdout)

    def test_one_message_is_one_line_of_a_list(self):
        self.put_hostile()
        listed = self.run_program("messages").lines
        self.assertEqual(len(listed), len(self.run_json("messages")))

    def test_no_value_can_pass_for_a_line_of_the_head(self):
        forged = "x\nStatus    archived"
        self.box.put("alice", message(from_agent=forged, subject=forged, thread_id=forged, reply_to=forged,
                                      swarm_name=forged, tags=[forged, "y"]))
        head = self.run_program("show", "MSG-000000000001").out.split("\n\n")[0]
        self.assertEqual(head.count("\nStatus "), 1, head)


class Json(OutputCase):

    def test_json_is_ascii_with_one_object_a_line_whatever_the_text_is(self):
        self.put_hostile()
        for args in (["messages"], ["messages", "--all", "--bodies"], ["check", "alice"],
                     ["check", "alice", "--all"], ["show", "MSG-000000000001"], ["show", "MSG-x"],
                     ["show", "MSG-y"], ["thread", "MSG-000000000001"], ["count", "alice"], ["formats"],
                     [*MARK, "MSG-000000000001", "read"]):
            result = self.run_program("--json", *args)
            self.assertTrue(harness.parse_lines(result.stdout), args)
            self.assertEqual(bad_characters(result.stdout, ascii_only=True), [], args)
            self.assertNotIn(b"\t", result.stdout)

    def test_json_on_a_terminal_is_the_same(self):
        self.put_hostile()
        for env in ({}, {"LC_ALL": "C"}):
            screen = self.box.run_tty("messages", "--json", "--all", "--bodies", env=env,
                                      tty=("stdout",)).stdout
            piped = self.run_program("messages", "--json", "--all", "--bodies").stdout
            self.assertEqual(screen, piped)

    def test_json_keeps_every_character_of_the_values(self):
        self.put_hostile()
        one = self.run_one("show", "MSG-000000000001")
        text = HOSTILE
        self.assertEqual((one["from"], one["subject"], one["body"], one["thread"], one["reply_to"]),
                         (text, text, "\0" + text, text, text))
        self.assertEqual(one["payload"], {text: [text, {"\0": text}]})
        self.assertEqual(one["context"]["list"], [text, {text: text}])
        self.assertEqual((one["attachments"], one["tags"]), ([text, 3], [text]))

    def test_numbers_that_are_not_json_become_text(self):
        self.box.put("alice", message(payload={"a": float("nan"), "b": [float("inf"), float("-inf")],
                                               "c": "NaN", "d": 12345678901234567890123}))
        self.assertEqual(self.run_one("messages")["payload"],
                         {"a": "NaN", "b": ["Infinity", "-Infinity"], "c": "NaN",
                          "d": 12345678901234567890123})

    def test_odd_spacing_inside_values_does_not_break_the_line(self):
        text = json.dumps(message()).replace('"payload": {}', '"payload": {\r\n"a"\t:\n[ 1 ,\n2 ] }')
        self.box.put("alice", text.encode(), name="MSG-000000000001.json")
        self.assertEqual(self.run_one("messages")["payload"], {"a": [1, 2]})


class Raw(OutputCase):

    def test_raw_bytes_go_to_a_terminal_only_after_a_yes(self):
        data = json.dumps(message(body="\x1b[31m")).encode().replace(b"a subject", b"\x1b[2J\xff")
        self.box.put("alice", data, name="MSG-000000000001.json")
        result = self.box.run_tty("show", "MSG-000000000001", "--raw")
        self.assertEqual(result.rc, REFUSED)
        self.assertIn(b"--yes", result.stdout)
        self.assertNotIn(b"a body", result.stdout)
        self.assertEqual(bad_characters(result.stdout), [])
        result = self.box.run_tty("show", "MSG-000000000001", "--raw", "--yes")
        self.assertEqual((result.rc, result.stdout), (DONE, data))
        self.assertEqual(self.run_program("show", "MSG-000000000001", "--raw").stdout, data)
        result = self.box.run_tty("show", "MSG-000000000001", "--raw", tty=("stderr",))
        self.assertEqual((result.rc, result.stdout), (DONE, data))


if __name__ == "__main__":
    harness.main()
