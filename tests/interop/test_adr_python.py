"""The ADR-003 layout together with a Python program that uses the same files, in both directions."""
import json
import os
import re
import sys
import time
from datetime import datetime, timedelta, timezone

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from adr_peer import Letter, Peer  # noqa: E402
from harness import MARK, NOTHING, REFUSED, Mailbox, message, without  # noqa: E402

# Zones like those of Europe and America, written out so that no zone files are needed; one east of
# both with half an hour, and one that is always ahead of UTC by more than half a day.
ZONES = ("UTC", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "IST-5:30", "TOT-13")
NAIVE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?")
ODD_TEXT = ("plain, \"quoted\", back\\slash, /slash, tab\t, bell\a, escape\x1b[31m, delete\x7f, "
            "e\u0301 \u00fc \u20ac \u2028 \u202e \ufeff \U0001f600 \U0010ffff \u0085 \x00 end\r\n")
ODD_PAYLOAD = {"int": 123456789012345678901234567890, "float": 1.0, "small": 1e-07, "big": 1e+22,
               "none": None, "yes": True, "no": False, "empty": [{}, [], ""], "minus": -0.5,
               "nan": float("nan"), "inf": [float("inf"), float("-inf")],
               "\u00e9\U0001f600": {"deep": [1, [2, [3, {"x": ODD_TEXT}]]]}}


class PeerCase(harness.MailboxCase):
    """A test whose Python side is in the same time zone as the program."""

    def setUp(self):
        super().setUp()
        self.set_zone("UTC")

    def set_zone(self, zone):
        os.environ["TZ"] = self.box.env["TZ"] = zone
        time.tzset()

    def peer(self):
        """Returns a Python program that starts now and loads all files."""
        return Peer(self.box.root)

    def stored(self, id, agent="alice", part="inbox"):
        return json.loads(self.box.read(agent, id, part))

    def as_peer_writes(self, fields, write, before=()):
        """Returns the bytes of a message that write(peer) makes a Peer send at the time and with
        the id of these fields, in a tree of its own that holds the files `before`."""
        other = Mailbox()
        self.addCleanup(other.close)
        for agent, earlier in before:
            other.put(agent, earlier)
        peer = Peer(other.root, now=lambda: datetime.fromisoformat(fields["created_at"]),
                    new_id=lambda: fields["id"])
        letter = write(peer)
        return other.read(letter.to_agent, letter.id)

    def assert_form(self, data):
        """Asserts that the bytes have the form of the layout's own writer."""
        fields = json.loads(data)
        self.assertEqual(list(fields), harness.FIELDS)
        self.assertEqual(data, json.dumps(fields, indent=2).encode("ascii"))
        for name in ("created_at", "expires_at", "read_at", "completed_at"):
            if fields[name] is not None:
                self.assertTrue(NAIVE.fullmatch(fields[name]), fields[name])
        return fields


class WhatWeWrite(PeerCase):

    def test_a_message_with_every_option_has_the_bytes_the_peer_writes(self):
        self.box.add_box("dev/carol")
        first = message("MSG-00000000000a", from_agent="alice", to_agent="bob")
        self.box.put("bob", first)
        body = os.path.join(self.box.root, "body")
        with open(body, "w", newline="") as file:
            file.write(ODD_TEXT)
        for kind in ("request", "response", "notification", "handoff", "escalation"):
            for number, word in enumerate(("low", "normal", "high", "urgent"), 1):
                id = self.send("--from", "dev/\u00e4lice", "--body-file", body, "--type", kind,
                               "--priority", word, "--tag", "one", "--tag", "t\u00fc \"2\"",
                               "--attach", "a/b.c", "--attach", "\U0001f4ce.txt", "--payload",
                               json.dumps(ODD_PAYLOAD, ensure_ascii=False), "--context",
                               '{"k" :[ ] , "n":{"m":null}}', "--expires", "2h", "--thread", "T-1",
                               "--reply-to", first["id"], "--swarm", "dev",
                               to="dev/carol", subject="s\u00fcbject \U0001f600\t\"x\"")
                data = self.box.read("dev/carol", id)
                fields = self.assert_form(data)
                expires = datetime.fromisoformat(fields["expires_at"])
                self.assertEqual(data, self.as_peer_writes(fields, lambda peer: peer.send(
                    "dev/\u00e4lice", "dev/carol", "s\u00fcbject \U0001f600\t\"x\"", ODD_TEXT,
                    type=kind, priority=number, tags=["one", "t\u00fc \"2\""],
                    attachments=["a/b.c", "\U0001f4ce.txt"], payload=ODD_PAYLOAD,
                    context={"k": [], "n": {"m": None}}, expires_at=expires, thread_id="T-1",
                    reply_to=first["id"], swarm_name="dev")))
                created = datetime.fromisoformat(fields["created_at"])
                self.assertLess(abs(expires - created - timedelta(hours=2)), timedelta(minutes=1))

    def test_a_message_with_no_option_has_the_bytes_the_peer_writes(self):
        id = self.send(subject="")
        data = self.box.read("alice", id)
        fields = self.assert_form(data)
        self.assertEqual(data, self.as_peer_writes(fields, lambda peer: peer.send(
            "user", "alice", "", "")))
        self.assertRegex(id, r"\AMSG-[0-9a-f]{12}\Z")
        self.assertFalse(data.endswith(b"\n"))

    def test_empty_objects_and_lists_given_as_options_are_written_as_the_peer_does(self):
        id = self.send("--payload", " { } ", "--context", "{}", "--body", "x")
        data = self.box.read("alice", id)
        self.assertEqual(data, self.as_peer_writes(self.assert_form(data), lambda peer: peer.send(
            "user", "alice", "a subject", "x", payload={}, context={})))

    def test_an_answer_option_joins_the_thread_as_the_peer_does(self):
        for thread in (None, "", "THREAD-7"):
            first = message("MSG-00000000000b", to_agent="bob", thread_id=thread)
            self.box.put("bob", first)
            id = self.send("--reply-to", first["id"], "--body", "x")
            data = self.box.read("alice", id)
            self.assertEqual(data, self.as_peer_writes(self.assert_form(data), lambda peer:
                             peer.send("user", "alice", "a subject", "x", reply_to=first["id"]),
                             before=[("bob", first)]))
        id = self.send("--reply-to", "MSG-nobodyknows", "--body", "x")
        self.assertEqual(self.stored(id)["reply_to"], "MSG-nobodyknows")
        self.assertIsNone(self.stored(id)["thread_id"])

    def test_an_answer_has_the_bytes_the_peer_writes(self):
        for number, (thread, swarm) in enumerate(((None, None), ("T", "dev"), ("", ""))):
            first = message(f"MSG-00000000000{number}", thread_id=thread, swarm_name=swarm,
                            subject="Re: caf\u00e9 \U0001f600", priority=number + 2,
                            type="notification")
            self.box.put("alice", first)
            result = self.run_program("reply", first["id"], "--from", "alice", "--body", ODD_TEXT
                                      .replace("\0", ""), "--payload", '{"verdict":"no","n":3}')
            id = result.out.strip()
            data = self.box.read("bob", id)
            fields = self.assert_form(data)
            self.assertEqual(data, self.as_peer_writes(fields, lambda peer: peer.reply(
                first["id"], "alice", ODD_TEXT.replace("\0", ""), {"verdict": "no", "n": 3}),
                before=[("alice", first)]))
            self.assertEqual(fields["subject"], "Re: Re: caf\u00e9 \U0001f600")
            self.assertEqual(fields["thread_id"], thread or first["id"])

    def test_an_answer_to_an_answer_stays_in_the_thread(self):
        first = self.send("--from", "bob", "--body", "one")
        second = self.run_program("reply", first, "--from", "alice", "--body", "two").out.strip()
        third = self.run_program("reply", second, "--from", "bob", "--body", "three").out.strip()
        self.assertEqual(self.stored(third)["thread_id"], first)
        self.assertEqual(self.stored(third)["reply_to"], second)
        self.assertEqual([letter.id for letter in self.peer().thread(first)], [first, second, third])

    def test_a_handoff_with_every_field_has_the_bytes_the_peer_writes(self):
        given = dict(work_completed="d\u00f6ne \"all\"", files_modified=["m1", "m 2"],
                     files_created=["c1"], current_state="st\u00e4te\nline two",
                     state_file="workspace/STATE.md", next_steps=["n1", "n2", "n3"],
                     blockers=["b1"], dependencies=["d1", "d2"],
                     related_escalations=["ESC-20260103-0001"], job_id="job-123", notes="a note\n")
        options = ["--done", given["work_completed"], "--state", given["current_state"],
                   "--state-file", given["state_file"], "--job", given["job_id"],
                   "--notes", given["notes"], "--additional-notes", "and more\n"]
        for option, name in (("--next", "next_steps"), ("--blocker", "blockers"),
                             ("--modified", "files_modified"), ("--created", "files_created"),
                             ("--dependency", "dependencies"),
                             ("--escalation", "related_escalations")):
            for item in given[name]:
                options += [option, item]
        id = self.run_program("handoff", "--to", "alice", "--from", "dev/arch", "--subject", "take",
                              "--priority", "urgent", "--swarm", "dev", *options).out.strip()
        data = self.box.read("alice", id)
        fields = self.assert_form(data)
        self.assertEqual(data, self.as_peer_writes(fields, lambda peer: peer.handoff(
            "dev/arch", "alice", "take", priority=4, swarm_name="dev", extra_notes="and more\n",
            **given)))
        self.assertEqual(fields["context"], given)
        self.assertEqual(fields["attachments"], ["m1", "m 2", "c1"])

    def test_a_handoff_with_the_least_has_the_bytes_the_peer_writes(self):
        id = self.run_program("handoff", "--to", "alice", "--subject", "s", "--done", "d",
                              "--state", "").out.strip()
        data = self.box.read("alice", id)
        self.assertEqual(data, self.as_peer_writes(self.assert_form(data), lambda peer:
                         peer.handoff("user", "alice", "s", work_completed="d", current_state="")))

    def test_messages_carry_no_zone_and_the_peer_can_compare_them(self):
        for zone in ZONES:
            self.set_zone(zone)
            before = datetime.now()
            sent = self.send("--expires", "1d", "--body", "x")
            answered = self.run_program("reply", sent, "--from", "alice", "--body", "y").out.strip()
            after = datetime.now()
            for agent, id in (("alice", sent), ("user", answered)):
                fields = self.assert_form(self.box.read(agent, id))
                created = datetime.fromisoformat(fields["created_at"])
                self.assertLessEqual(before, created + timedelta(seconds=1), zone)
                self.assertLessEqual(created, after + timedelta(seconds=1), zone)
            peer = self.peer()
            peer.send("bob", "alice", "from the peer", "", expires_at=after + timedelta(hours=1))
            self.assertEqual(len(peer.check("alice")), 2, zone)
            marked = self.send("--expires", "1d")
            self.run_program(*MARK, marked, "read")
            kept = self.send()
            self.run_program(*MARK, kept, "completed", "--keep")
            put_away = self.send()
            self.run_program("archive", put_away)
            for id, part in ((marked, "inbox"), (kept, "inbox"), (put_away, "archive")):
                fields = self.assert_form(self.box.read("alice", id, part))
                for name in ("read_at", "completed_at"):
                    if fields[name]:
                        done = datetime.fromisoformat(fields[name])
                        self.assertLessEqual(before, done + timedelta(seconds=1), zone)
            self.assertEqual(len(self.peer().check("alice", unread_only=False)), 4, zone)
            for agent in ("alice", "bob", "user"):
                for name in self.box.files(agent):
                    os.unlink(os.path.join(self.box.dir(agent), name))

    def test_files_get_the_mode_that_the_umask_leaves(self):
        for mask, mode in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
            before = os.umask(mask)
            try:
                id = self.send(to="alice")
            finally:
                os.umask(before)
            path = os.path.join(self.box.dir("alice"), id + ".json")
            self.assertEqual(os.stat(path).st_mode & 0o777, mode)


class WhatThePeerSees(PeerCase):

    def test_the_loader_lists_what_we_sent_with_equal_values(self):
        payload = without(ODD_PAYLOAD, "nan")  # which equals nothing, not even itself
        sent = self.send("--body", "b\u00f6dy\n", "--from", "bob", "--priority", "urgent", "--type",
                         "escalation", "--payload", json.dumps(payload), "--tag", "x", "--swarm",
                         "dev", "--context", '{"a":[1]}', "--attach", "f")
        handed = self.run_program("handoff", "--to", "alice", "--subject", "h", "--done", "d",
                                  "--state", "s", "--next", "n").out.strip()
        answered = self.run_program("reply", sent, "--from", "alice", "--body", "yes").out.strip()
        peer = self.peer()
        self.assertEqual(peer.skipped, {})
        self.assertEqual([letter.id for letter in peer.check("alice")], [sent, handed])
        letter = peer.letters[sent]
        self.assertEqual((letter.from_agent, letter.to_agent, letter.subject, letter.body),
                         ("bob", "alice", "a subject", "b\u00f6dy\n"))
        self.assertEqual((letter.type, letter.priority, letter.status), ("escalation", 4, "unread"))
        self.assertEqual(letter.payload, payload)
        self.assertEqual((letter.context, letter.attachments, letter.tags, letter.swarm_name),
                         ({"a": [1]}, ["f"], ["x"], "dev"))
        self.assertEqual(peer.letters[handed].context["next_steps"], ["n"])
        self.assertEqual(peer.letters[answered].reply_to, sent)
        self.assertEqual(peer.letters[answered].to_agent, "bob")

    def test_the_peer_goes_on_with_what_we_marked(self):
        read = self.send()
        self.run_program(*MARK, read, "read")
        peer = self.peer()
        self.assertEqual(peer.letters[read].status, "read")
        peer.processing(read)
        self.assertEqual(self.listed()[read]["status"], "processing")
        peer.completed(read)
        self.assertEqual(self.listed()[read]["status"], "archived")
        self.assertEqual(self.stored(read, part="archive")["read_at"],
                         peer.letters[read].read_at.isoformat())

    def test_an_archived_message_is_gone_from_the_inbox_and_says_so(self):
        for command in (["archive"], [*MARK, "completed"]):
            id = self.send("--body", "text")
            before = self.stored(id)
            self.run_program(command[0], id, *command[1:])
            self.assertEqual(self.box.files("alice"), [])
            data = self.box.read("alice", id, "archive")
            fields = self.assert_form(data)
            self.assertEqual(fields["status"], "archived")
            archived = Letter.from_file(fields)
            if command == ["archive"]:
                self.assertIsNone(fields["completed_at"])
            else:
                self.assertTrue(NAIVE.fullmatch(fields["completed_at"]))
                self.assertGreaterEqual(archived.completed_at, archived.created_at)
            self.assertEqual(without(fields, "status", "completed_at"),
                             without(before, "status", "completed_at"))
            self.assertNotIn(id, self.peer().letters)

    def test_a_kept_message_is_completed_for_the_peer_and_stays(self):
        id = self.send()
        self.run_program(*MARK, id, "completed", "--keep")
        letter = self.peer().letters[id]
        self.assertEqual(letter.status, "completed")
        self.assertIsNotNone(letter.completed_at)
        self.assertEqual(self.box.files("alice", "archive"), [])

    def test_a_failed_message_is_failed_for_the_peer_and_stays(self):
        id = self.send()
        self.run_program(*MARK, id, "failed")
        self.assertEqual(self.peer().letters[id].status, "failed")
        self.assertEqual(self.box.files("alice"), [id + ".json"])


class WhatThePeerWrote(PeerCase):

    def shown(self, letter):
        """Returns the expected --json output of a message that the peer wrote."""
        def portable(value):
            if isinstance(value, float) and (value != value or abs(value) == float("inf")):
                return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
            if isinstance(value, dict):
                return {key: portable(item) for key, item in value.items()}
            return [portable(item) for item in value] if isinstance(value, list) else value

        def instant(when):
            return when and when.astimezone(timezone.utc)

        fields = letter.fields()
        words = {1: "low", 2: "normal", 3: "high", 4: "urgent"}
        return dict(v=1, id=letter.id, source=self.box.mail, format="adr",
                    box=letter.to_agent.replace("/", "_"), to=letter.to_agent,
                    subject=letter.subject, body=letter.body, type=letter.type,
                    priority=words[letter.priority], status=letter.status,
                    created_at=instant(letter.created_at), read_at=instant(letter.read_at),
                    completed_at=instant(letter.completed_at),
                    expires_at=instant(letter.expires_at), thread=letter.thread_id,
                    reply_to=letter.reply_to, context=portable(letter.context),
                    requires_response=letter.type in ("request", "handoff", "escalation"),
                    attachments=fields["attachments"], tags=fields["tags"],
                    payload=portable(letter.payload), protocol=None, damaged=None,
                    **{"from": letter.from_agent})

    def assert_shown(self, letters):
        found = self.listed("--bodies")
        self.assertEqual(set(found), {letter.id for letter in letters})
        for letter in letters:
            one = found[letter.id]
            part = "archive" if letter.status == "archived" else "inbox"
            self.assertEqual(one.pop("path"), os.path.join(self.box.dir(letter.to_agent, part),
                                                           letter.id + ".json"))
            for name in ("created_at", "read_at", "completed_at", "expires_at"):
                if one[name] is not None:
                    self.assertRegex(one[name], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\Z")
                    second, _, fraction = one[name][:-1].partition(".")
                    one[name] = datetime.fromisoformat(f"{second}.{fraction:0<6}+00:00")
            self.assertEqual(one, self.shown(letter))

    def test_every_kind_of_value_is_shown_as_it_is(self):
        for zone in ZONES:
            self.set_zone(zone)
            peer = self.peer()
            letters = [
                peer.send("bob", "alice", "plain", "text"),
                peer.send("d\u00e9v/\U0001f600", "alice", ODD_TEXT, ODD_TEXT * 3, payload=ODD_PAYLOAD,
                          type="escalation", priority=4, context={"c": ODD_PAYLOAD, ODD_TEXT: 1},
                          attachments=[ODD_TEXT], tags=[ODD_TEXT, ""], swarm_name="",
                          thread_id=ODD_TEXT, reply_to="MSG-\u00e9"),
                peer.send("bob", "alice", "lone \ud83d surrogate \udc00", "\udfff", priority=1),
                peer.handoff("dev/arch", "dev/impl", "take it", work_completed="all",
                             next_steps=["one", "two"], priority=3),
                peer.send("bob", "alice", "later", "", type="notification",
                          expires_at=datetime(2099, 12, 31, 23, 59, 59)),
            ]
            letters.append(peer.reply(letters[3].id, "dev/impl", "ok", {"n": 1}))
            peer.read(letters[0].id)
            peer.processing(letters[1].id)
            peer.completed(letters[3].id)
            peer.completed(letters[4].id, archive=False)
            self.assert_shown(letters)
            for letter in letters:
                for part in ("inbox", "archive"):
                    path = os.path.join(self.box.dir(letter.to_agent, part), letter.id + ".json")
                    if os.path.exists(path):
                        os.unlink(path)

    def test_times_around_a_change_of_the_clocks_are_the_instants_the_peer_means(self):
        self.set_zone("EST5EDT,M3.2.0,M11.1.0")
        peer = self.peer()
        letters = []
        for text in ("2026-03-08T00:30:00", "2026-03-08T01:59:59.999999", "2026-03-08T03:00:00",
                     "2026-03-08T23:59:59", "2026-11-01T00:59:59", "2026-11-01T02:00:00.000001",
                     "2026-11-01T23:30:00", "2026-01-01T00:00:00", "2026-07-01T12:00:00",
                     "1999-12-31T23:59:59.500000", "2038-01-19T03:14:08"):
            peer.now = lambda: datetime.fromisoformat(text)
            letters.append(peer.send("bob", "alice", text, ""))
            written = datetime.fromisoformat(text).timestamp() + 86400  # no file is older than that
            os.utime(os.path.join(self.box.dir("alice"), letters[-1].id + ".json"),
                     (written, written))
        self.assert_shown(letters)

    def test_the_swarms_members_who_were_written_to_at_once_are_all_listed(self):
        self.box.add_swarm("dev", "alice", "bob", "carol", "_template")
        peer = self.peer()
        peer.send("coo", "broadcast:dev", "all hands", "now", tags=["t"], thread_id="T")
        copies = [letter for letter in peer.letters.values() if ":" not in letter.to_agent]
        self.assertEqual(len(copies), 3)
        self.assert_shown(copies)

    def test_what_the_loader_skips_is_damaged_and_the_rest_is_not(self):
        whole = message()
        odd = [
            {"priority": 2.0}, {"priority": 1e0}, {"priority": True}, {"priority": "high"},
            {"priority": 5}, {"priority": 0}, {"priority": 2.5}, {"priority": None},
            {"priority": False}, {"type": "memo"}, {"type": "Request"}, {"type": None},
            {"status": "done"}, {"status": "UNREAD"}, {"status": None}, {"payload": None},
            {"tags": None}, {"context": None}, {"attachments": None}, {"expires_at": ""},
            {"read_at": ""}, {"swarm_name": None}, {"thread_id": ""}, {"created_at": ""},
            {"created_at": None}, {"created_at": 1767450600}, {"created_at": "yesterday"},
            {"created_at": "2026-02-30T00:00:00"}, {"created_at": "2026-01-03T25:00:00"},
            {"created_at": "2026-01-03T14:30:00EST"}, {"created_at": "2026-01-03T14:30:00 UTC"},
            {"created_at": " 2026-01-03T14:30:00"}, {"created_at": "2026-01-03T14:30:00\n"},
            {"created_at": "2026-01-03T14:30:00."}, {"created_at": "2026-1-3T14:30:00"},
            {"created_at": "2026-01-03"}, {"created_at": "2026-01-03T14"},
            {"created_at": "2026-01-03T14:30"}, {"created_at": "2026-01-03 14:30:00"},
            {"created_at": "2026-01-03_14:30:00"}, {"created_at": "2026-01-03T14:30:00.123"},
            {"created_at": "0001-01-01T00:00:00"}, {"created_at": "9999-12-31T23:59:59.999999"},
            {"created_at": "0000-01-01T00:00:00"}, {"created_at": "2026-01-03T14:30:00+02:00"},
            {"expires_at": "soon"}, {"read_at": "x"},
            {"completed_at": "x"}, {"completed_at": "2026-01-03T14:30:60"},
            *({name: value} for name in harness.FIELDS if name != "id"
              for value in (None, 7, 0, True, False, [], ["x"], {}, {"a": 1})),
        ]
        for number, changes in enumerate(odd):
            self.box.put("alice", dict(whole, id=f"MSG-{number:012x}", **changes))
        for number, name in enumerate(harness.FIELDS, len(odd)):
            odd.append(f"without {name}")
            self.box.put("alice", without(dict(whole, id=f"MSG-{number:012x}"), name),
                         name=f"MSG-{number:012x}.json")
        peer = self.peer()
        skipped = {os.path.basename(path) for path in peer.skipped}
        found = {os.path.basename(one["path"]): one for one in self.run_json("messages")}
        self.assertEqual(len(found), len(odd))
        for number, changes in enumerate(odd):
            name = f"MSG-{number:012x}.json"
            with self.subTest(changes=changes):
                self.assertEqual(found[name]["damaged"] is not None, name in skipped,
                                 f"damaged: {found[name]['damaged']}")

    def test_a_value_that_means_none_is_none(self):
        self.box.put("alice", message(expires_at="", read_at="", payload=None, tags=None,
                                      context=None, attachments=None))
        one = self.run_one("messages")
        for name in ("expires_at", "read_at", "payload", "tags", "context", "attachments"):
            self.assertIsNone(one[name])
        self.assertIsNone(one["damaged"])


# Files that no writer of the layout makes, but that load: only three values in them may change.
ODD_FILES = {
    "indented by four": lambda f: json.dumps(f, indent=4),
    "on one line": lambda f: json.dumps(f),
    "without blanks": lambda f: json.dumps(f, separators=(",", ":")) + "\n\n",
    "with CRLF": lambda f: json.dumps(f, indent=2).replace("\n", "\r\n") + "\r\n",
    "with tabs": lambda f: "\t" + json.dumps(f, indent="\t") + "\t",
    "in raw UTF-8": lambda f: json.dumps(f, indent=2, ensure_ascii=False),
    "in another order": lambda f: json.dumps(dict(reversed(f.items())), indent=2),
    "with more keys": lambda f: json.dumps(dict({"x_first": [1, {"status": "unread"}]}, **f,
                                                x_last={"read_at": None}), indent=2),
    "with keys twice": lambda f: json.dumps(f, indent=2).replace(
        '"payload"', '"status": "failed",\n  "read_at":"never",   "payload"'),
    "with an escaped key": lambda f: json.dumps(f, indent=2).replace('"status"', '"st\\u0061tus"'),
    "with odd numbers": lambda f: json.dumps(f, indent=2).replace(
        '"payload": {}', '"payload": {"a": NaN, "b":-Infinity, "c":12345678901234567890,\n\n'
                         '"d": 1.50, "e": 1E5, "f": -0, "status": "unread", "\\/": "\\u00E9"}'),
    "without a status": lambda f: json.dumps(without(f, "status"), indent=2),
    "without times": lambda f: json.dumps(without(f, "read_at", "completed_at"), indent=1),
    "without all three": lambda f: json.dumps(without(f, "status", "read_at", "completed_at")),
    "with blanks everywhere": lambda f: json.dumps(f, separators=(" ,\n ", "\n : ")),
}


def split_states(data):
    """Cuts a file into the text around the values of status, read_at and completed_at, and these
    values.

    Independent of any parser: these are top-level keys, whose values contain no quotes or braces;
    of a key that occurs twice the last one counts, and only that may change.
    """
    text, values = data.decode(), {}
    for name, spelling in (("status", r"st(?:a|\\u0061)tus"), ("read_at", "read_at"),
                           ("completed_at", "completed_at")):
        depth, depths, quoted, escaped = 0, [], False, False
        for char in text:
            if quoted:
                quoted = escaped or char != '"'
                escaped = char == "\\" and not escaped
            elif char == '"':
                quoted = True
            elif char in "{[":
                depth += 1
            elif char in "}]":
                depth -= 1
            depths.append(depth)
        hits = [hit for hit in re.finditer(rf'"{spelling}"\s*:\s*(null|"[^"]*")', text)
                if depths[hit.start()] == 1]
        if hits:
            start, end = hits[-1].span(1)
            values[name] = text[start:end]
            text = text[:start] + f"<{name}>" + text[end:]
    return text, values


class WhatWeLeaveAlone(PeerCase):

    def check_change(self, label, make, state, expected, part="inbox"):
        fields = message(body="caf\u00e9 \U0001f600 \"status\": \"unread\"", tags=["t"],
                         context={"status": "unread", "read_at": None})
        original = make(fields).encode()
        path = self.box.put("alice", original, name=fields["id"] + ".json")
        os.chmod(path, 0o640)
        self.run_program(*MARK, fields["id"], *state)
        changed = self.box.read("alice", fields["id"], part)
        before, old = split_states(original)
        after, new = split_states(changed)
        for name in expected:
            self.assertIn(name, new, label)
            self.assertNotEqual(new[name], old.get(name), label)
            if name not in old:  # added after the last value; nothing else moved
                added = re.search(rf',?\s*"{name}"\s*:\s*<{name}>', after)
                self.assertIsNotNone(added, after)
                after = after[:added.start()] + after[added.end():]
        self.assertEqual(after, before, label)
        for name in set(old) - set(expected):
            self.assertEqual(new[name], old[name], label)
        loaded = Letter.from_file(json.loads(changed))
        self.assertEqual(loaded.status, expected["status"], label)
        for name in set(expected) - {"status"}:
            self.assertIsNotNone(getattr(loaded, name), label)
        if part == "inbox":
            mode = os.stat(os.path.join(self.box.dir("alice"), fields["id"] + ".json")).st_mode
            self.assertEqual(mode & 0o777, 0o640)
        os.unlink(os.path.join(self.box.dir("alice", part), fields["id"] + ".json"))

    def test_marking_read_changes_two_values_and_no_other_byte(self):
        for label, make in ODD_FILES.items():
            with self.subTest(label):
                self.check_change(label, make, ["read"], {"status": "read", "read_at": True})

    def test_marking_processing_changes_one_value_and_no_other_byte(self):
        for label, make in ODD_FILES.items():
            with self.subTest(label):
                self.check_change(label, make, ["processing"], {"status": "processing"})

    def test_marking_failed_changes_one_value_and_no_other_byte(self):
        for label, make in ODD_FILES.items():
            with self.subTest(label):
                self.check_change(label, make, ["failed"], {"status": "failed"})

    def test_completing_changes_two_values_and_no_other_byte(self):
        for label, make in ODD_FILES.items():
            with self.subTest(label):
                self.check_change(label, make, ["completed", "--keep"],
                                  {"status": "completed", "completed_at": True})

    def test_completing_and_archiving_changes_two_values_and_no_other_byte(self):
        for label, make in ODD_FILES.items():
            with self.subTest(label):
                self.check_change(label, make, ["completed"],
                                  {"status": "archived", "completed_at": True}, part="archive")

    def test_a_whole_life_keeps_every_other_byte(self):
        fields = message(payload={"n": 12345678901234567890})
        original = json.dumps(fields, indent=3).encode()
        self.box.put("alice", original, name=fields["id"] + ".json")
        for state in ("read", "processing", "failed", "processing", "completed"):
            self.run_program(*MARK, fields["id"], state)
        after = self.box.read("alice", fields["id"], "archive")
        self.assertEqual(split_states(after)[0], split_states(original)[0])

    def test_looking_writes_nothing(self):
        for number, make in enumerate(ODD_FILES.values()):
            self.box.put("alice", make(message(f"MSG-{number:012x}")).encode(),
                         name=f"MSG-{number:012x}.json")
        before = self.box.snapshot()
        self.run_program("messages", "--all")
        self.run_program("check", "alice", "--all", "--format", "markdown")
        self.run_program("show", "MSG-000000000003")
        self.run_program("show", "MSG-000000000003", "--raw")
        self.run_program("thread", "MSG-000000000003")
        self.run_program("count", "alice")
        self.run_program("formats")
        self.assert_unchanged(before)

    def test_raw_shows_the_bytes_of_the_file(self):
        for label, make in ODD_FILES.items():
            data = make(message()).encode()
            self.box.put("alice", data, name="MSG-000000000001.json")
            self.assertEqual(self.run_program("show", "MSG-000000000001", "--raw").stdout, data, label)


class Views(PeerCase):

    def assert_markdown(self, letter):
        result = self.run_program("show", letter.id, "--format", "markdown")
        self.assertEqual(result.out, letter.markdown() + "\n")

    def test_markdown_is_the_text_the_peer_gives_its_agents(self):
        peer = self.peer()
        for letter in (
                peer.send("bob", "alice", "plain", "one\ntwo\n\n\tthree\n"),
                peer.send("bob", "alice", "low", "", priority=1),
                peer.send("b\u00f6b/x", "alice", "h\u00efgh", "", priority=3, thread_id="T-1"),
                peer.send("bob", "alice", "urgent  ", "\u65e5\u672c\u8a9e \U0001f600", priority=4,
                          swarm_name="dev", type="escalation"),
                peer.send("bob", "alice", "", "no subject"),
                peer.send("bob", "alice", "", "no subject", priority=4),
                peer.send("bob", "alice", "with all", "body", payload={
                    "n": 1.0, "list": [], "deep": {"a": [1, {"b": None}], "\u00e9": "\x1b\u2028"},
                    "no": {}},
                    context={"none": None, "yes": True, "number": 3, "float": 1.5, "text": "t\u00e9xt",
                             "list": ["a", 1, None, True, "b"], "empty": [], "blank": ""},
                    attachments=["a.txt", "b c.txt"], tags=["x"]),
                peer.send("bob", "alice", "s", "```json\n# not a heading\n```"),
                peer.handoff("dev/arch", "alice", "handed over", work_completed="d",
                             current_state="s"),
                peer.handoff("dev/arch", "alice", "handed over", work_completed="d",
                             current_state="s", next_steps=["1", "2"], blockers=["b"],
                             files_modified=["f"], state_file="S.md", job_id="J", notes="n",
                             extra_notes="more", swarm_name="dev", priority=3)):
            with self.subTest(letter.subject):
                self.assert_markdown(letter)

    def test_markdown_of_a_subject_that_starts_with_blanks_is_the_peers(self):
        self.assert_markdown(self.peer().send("bob", "alice", "  indented", "x", priority=4))

    def put_markdown(self, number=1, **fields):
        """Writes a message that the peer has not written; returns the peer's reading of it."""
        one = message(f"MSG-{number:012x}", **fields)
        self.box.put("alice", one)
        return one["id"], self.peer().letters[one["id"]].markdown()

    def test_markdown_in_a_pipe_has_every_character_that_can_be_seen(self):
        for number, text in enumerate((
                "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f 1\ufe0f\u20e3 \U0001f44d\U0001f3fd",
                "e\u0301\u0302\u0303\u0304\u0305\u0306", "\u0301 alone", "\u0e33 \ua9d0 \uff9e",
                "\u3000wide\u00a0blank", "\u00e9\u65e5\U00020000")):
            id, markdown = self.put_markdown(number, subject=text, body=text + "\n" + text,
                                             context={"k": text}, attachments=[text])
            result = self.run_program("show", id, "--format", "markdown")
            self.assertEqual((result.out, result.err), (markdown + "\n", ""))

    def test_markdown_in_a_pipe_counts_what_it_writes_out(self):
        id, markdown = self.put_markdown(
            subject="a\u202eb", body="\x1b[31m\u200b\n\ttab", from_agent="c\x07", payload={"a": 1})
        result = self.run_program("show", id, "--format", "markdown")
        self.assertEqual(result.out, markdown.replace("\u202e", "<U+202E>").replace(
            "\x1b", "^[").replace("\u200b", "<U+200B>").replace("\x07", "^G") + "\n")
        self.assert_says(result, "4 characters")
        self.put_markdown(2, subject="x\u2060")
        self.assert_says(self.run_program("check", "alice", "--format", "markdown"), "5 characters")

    def test_markdown_strips_the_blanks_that_the_peer_strips(self):
        for number, blank in enumerate("\u00a0 \u3000 \u2003 \u202f \u1680".split(" ")):
            for mark in (2, 4):
                id, markdown = self.put_markdown(number * 5 + mark, subject=f"x {blank}{blank} ",
                                                 priority=mark)
                result = self.run_program("show", id, "--format", "markdown")
                self.assertEqual(result.out, markdown + "\n")

    def test_markdown_of_what_loads_though_it_is_of_another_type_is_the_peers(self):
        for number, fields in enumerate((
                {"subject": None}, {"subject": 7}, {"from_agent": None}, {"from_agent": True},
                {"thread_id": 7}, {"thread_id": 0}, {"swarm_name": ["a", 1.0]}, {"swarm_name": []},
                {"payload": [1, {"a": "x"}, "\u00e9"]}, {"payload": "text"}, {"payload": 1.50},
                {"payload": True}, {"payload": []}, {"payload": 0}, {"payload": ""},
                {"created_at": "2026-01-03T14:30:00+02:00"}, {"created_at": "2999-01-03T14:30:00"},
                {"created_at": "2026-01-03"}, {"created_at": "20260103T143059"},
                {"created_at": "2026-01-03T23:59:59.999999-11:30"},
                {"payload": {"a": 1e5, "b": 1.10, "c": -0.0, "d": 1e-7, "e": 123456789012345680.0}},
                {"context": {"a": 1e16, "b": 1e22, "c": 0.1, "d": 5e-324, "e": [1.0, 2.50]}})):
            id, markdown = self.put_markdown(number, **fields)
            result = self.run_program("show", id, "--format", "markdown")
            self.assertEqual(result.out, markdown + "\n", fields)

    def test_markdown_of_numbers_that_no_python_wrote_is_the_peers(self):
        text = json.dumps(message(payload={"x": "PAYLOAD"}, context={"y": "CONTEXT"}))
        numbers = "[1E5, 1.50, -0, -0.0, 1e400, 12345678901234567890, 0.10e1, 1e-5, 123456.7e10]"
        text = text.replace('"PAYLOAD"', numbers).replace('"CONTEXT"', numbers)
        self.box.put("alice", text.encode(), name="MSG-000000000001.json")
        letter = self.peer().letters["MSG-000000000001"]
        self.assert_markdown(letter)

    def test_markdown_of_values_inside_a_context_is_the_peers(self):
        peer = self.peer()
        self.assert_markdown(peer.send("bob", "alice", "s", "x", context={
            "nan": float("nan"), "infinite": float("-inf"), "list": [float("inf")]}))
        self.assert_markdown(peer.send("bob", "alice", "s", "x", context={
            "object": {"a": 1, "b": [True, None], "c": "it's"}, "list": [["x", 1.0], {"y": []}],
            "empty": {}}))

    def test_markdown_of_a_text_in_quotes_writes_out_what_the_peer_writes_out(self):
        odd = ("\u00a0 \u3000 \u2003 \u202f \u1680 \u2028 \u2029 \u0085 \u009b \u00ad \u200b \u202e "
               "\ufeff \ue000 \u0378 \ufffe \U000e0041 \U0010ffff \u00e9 e\u0301 \u3042 \U0001f600")
        id, markdown = self.put_markdown(context={"k": {odd: odd}, "l": [[odd]]},
                                         attachments=[{"x": odd}])
        result = self.run_program("show", id, "--format", "markdown")
        self.assertEqual((result.out, result.err), (markdown + "\n", ""))

    def test_markdown_in_other_zones_shows_the_time_that_was_written(self):
        for zone in ZONES:
            self.set_zone(zone)
            letter = self.peer().send("bob", "alice", zone, "x")
            self.assert_markdown(letter)

    def test_a_check_in_markdown_is_the_messages_in_the_order_of_the_peer(self):
        peer = self.peer()
        for number, priority in enumerate((1, 4, 2, 3, 4, 2)):
            peer.send("bob", "alice", f"number {number}", f"body {number}", priority=priority)
        one = self.run_program("check", "alice", "--format", "markdown", "--min-priority", "urgent")
        texts = [letter.markdown() for letter in peer.check("alice", min_priority=4)]
        self.assertEqual(one.out, "\n\n".join(texts) + "\n")
        every = self.run_program("check", "alice", "--format", "markdown").out
        places = [every.index(f"number {number}") for number in (1, 4, 3, 2, 5, 0)]
        self.assertEqual(places, sorted(places))

    def test_a_check_of_one_message_in_markdown_is_its_text_and_a_newline(self):
        letter = self.peer().handoff("dev/arch", "alice", "only one", work_completed="w",
                                     current_state="c")
        self.assertIsNone(letter.context["job_id"])
        result = self.run_program("check", "alice", "--format", "markdown")
        self.assertEqual(result.out, letter.markdown() + "\n")

    def test_the_prompt_block_is_the_peers(self):
        peer = self.peer()
        for number in range(7):
            peer.send("bob", "alice", f"number {number}", "\u00e9\U0001f600x\n" * (90 * number),
                      priority=4 - number % 2)
        peer.send("bob", "alice", "not important", "x")
        peer.send("bob", "alice", "exactly", "y" * 500, priority=4)
        waiting = peer.check("alice", min_priority=3)
        result = self.run_program("check", "alice", "--format", "prompt")
        self.assertEqual(result.out, peer.prompt(waiting))
        for count in (1, 2):
            for letter in waiting[count:]:
                peer.completed(letter.id)
            result = self.run_program("check", "alice", "--format", "prompt")
            self.assertEqual(result.out, peer.prompt(peer.check("alice", min_priority=3)))

    def test_what_waits_is_what_the_peer_finds_waiting(self):
        peer = self.peer()
        self.box.add_box("dev/alice")
        moment = datetime(2026, 1, 1)
        for number in range(40):
            peer.now = lambda: moment + timedelta(seconds=number * 7919 % 37, microseconds=number)
            letter = peer.send("bob", ("alice", "dev/alice", "dev_alice", "bob")[number % 4],
                               f"number {number}", "", priority=number * 3 % 4 + 1,
                               type=("request", "notification", "handoff")[number % 3],
                               expires_at=(None, datetime(2020, 1, 1), datetime(2090, 1, 1))[
                                   number * 5 % 3])
            if number % 5 == 4:
                peer.read(letter.id)
        peer.now = datetime.now
        for agent in ("alice", "dev/alice", "dev_alice", "bob"):
            counts = self.run_one("count", agent)
            self.assertEqual(without(counts, "v", "unreadable"), peer.pending(agent))
            for options, filters in (((), {}), (("--all",), {"unread_only": False}),
                                     (("--type", "handoff", "--type", "request"),
                                      {"types": ["handoff", "request"]}),
                                     (("--min-priority", "high"), {"min_priority": 3})):
                wanted = [letter.id for letter in peer.check(agent, **filters)]
                found = self.run_json("check", agent, *options, rc=0 if wanted else NOTHING)
                self.assertEqual([one["id"] for one in found], wanted, (agent, options))

    def test_a_thread_is_what_the_peer_finds_in_it(self):
        peer = self.peer()
        first = peer.send("bob", "alice", "topic", "1")
        second = peer.reply(first.id, "alice", "2")
        third = peer.reply(second.id, "bob", "3")
        named = [peer.send("bob", "alice", "apart", "x", thread_id="TOPIC-1") for _ in range(2)]
        peer.send("bob", "alice", "alone", "")
        for id, start in ((first.id, first.id), (first.id, second.id), (first.id, third.id),
                          ("TOPIC-1", "TOPIC-1"), ("TOPIC-1", named[0].id)):
            wanted = [letter.id for letter in peer.thread(id)]
            self.assertEqual([one["id"] for one in self.run_json("thread", start)], wanted)
        self.assertEqual(len(wanted), 2)
        peer.completed(first.id)
        self.run_program("archive", third.id)
        self.assertEqual([one["id"] for one in self.run_json("thread", second.id)],
                         [first.id, second.id, third.id], "archived messages belong to it")

    def test_a_thread_through_reply_to_alone_is_found(self):
        self.box.put("alice", message("MSG-00000000000a"))
        self.box.put("alice", message("MSG-00000000000b", reply_to="MSG-00000000000a",
                                      created_at="2026-01-03T14:31:00"))
        self.assertEqual([one["id"] for one in self.run_json("thread", "MSG-00000000000b")],
                         ["MSG-00000000000a", "MSG-00000000000b"])


class Broadcasts(PeerCase):

    agents = ()

    def setUp(self):
        super().setUp()
        self.box.add_swarm("dev", "alice", "bob", "carol", "_template", "_notes")
        self.box.add_swarm("ops", "dave", "bob")

    def broadcast(self, *args, command=("broadcast", "--swarm", "dev"), rc=0):
        """Broadcasts and returns the stored fields by recipient."""
        before = self.box.snapshot(self.box.mail)
        result = self.run_program(*command, "--subject", "all", *args, rc=rc)
        found = {}
        for path in set(self.box.snapshot(self.box.mail)) - set(before):
            if path.endswith(b".json"):
                with open(path, "rb") as file:
                    data = file.read()
                fields = self.assert_form(data)
                self.assertNotIn(fields["to_agent"], found)
                self.assertEqual(os.fsdecode(path), os.path.join(
                    self.box.dir(fields["to_agent"]), fields["id"] + ".json"))
                found[fields["to_agent"]] = fields
        self.assertEqual(sorted(result.lines), sorted(fields["id"] for fields in found.values()))
        self.assertEqual(len(set(result.lines)), len(result.lines))
        return found

    def test_each_copy_has_the_bytes_the_peer_writes(self):
        found = self.broadcast("--from", "coo", "--body", ODD_TEXT.replace("\0", ""),
                               "--priority", "urgent")
        self.assertEqual(set(found), {"alice", "bob", "carol"})
        for agent, fields in found.items():
            other = Mailbox()
            self.addCleanup(other.close)
            other.add_swarm("dev", agent)
            peer = Peer(other.root, now=lambda: datetime.fromisoformat(fields["created_at"]),
                        new_id=lambda: fields["id"])
            peer.broadcast("coo", "dev", "all", ODD_TEXT.replace("\0", ""), priority=4)
            self.assertEqual(self.box.read(agent, fields["id"]), other.read(agent, fields["id"]))
        self.assertEqual(found["bob"]["tags"], ["broadcast", "swarm:dev"])
        self.assertEqual(found["bob"]["type"], "notification")
        self.assertEqual(found["bob"]["swarm_name"], "dev")

    def test_the_peer_and_we_reach_the_same_agents(self):
        for sender in ("coo", "alice", "carol"):
            peer = self.peer()
            theirs = {letter.to_agent for letter in peer.broadcast(sender, "dev", "s", "b")}
            self.assertEqual(set(self.broadcast("--from", sender, "--body", "b")), theirs)

    def test_the_sender_is_left_out_by_either_name(self):
        for sender in ("alice", "dev/alice"):
            self.assertEqual(set(self.broadcast("--from", sender, "--body", "b")), {"bob", "carol"})
        self.assertEqual(set(self.broadcast("--as", "bob", "--body", "b")), {"alice", "carol"})
        self.assertEqual(set(self.broadcast("--from", "ops/alice", "--body", "b")),
                         {"alice", "bob", "carol"})

    def test_the_excluded_are_left_out_by_either_name(self):
        self.assertEqual(set(self.broadcast("--body", "b", "--exclude", "dev/bob", "--exclude",
                                            "carol")), {"alice"})

    def test_sending_to_a_swarm_is_broadcasting(self):
        one = self.broadcast("--from", "dev/alice", "--body", "b")
        other = self.broadcast("--from", "dev/alice", "--body", "b",
                               command=("send", "--to", "broadcast:dev"))
        self.assertEqual(set(one), set(other))
        for agent in one:
            self.assertEqual(without(one[agent], "id", "created_at"),
                             without(other[agent], "id", "created_at"))

    def test_all_means_every_member_of_every_swarm_once(self):
        found = self.broadcast("--from", "dave", "--body", "b", command=("broadcast", "--all"))
        self.assertEqual(set(found), {"alice", "bob", "carol"})
        self.assertEqual(found["carol"]["swarm_name"], "dev")

    def test_the_sender_is_left_out_by_the_name_of_any_swarm_it_is_in(self):
        for sender in ("dev/bob", "ops/bob"):
            found = self.broadcast("--from", sender, "--body", "b", command=("broadcast", "--all"))
            self.assertEqual(set(found), {"alice", "carol", "dave"}, sender)
            found = self.broadcast("--body", "b", "--exclude", sender, command=("broadcast", "--all"))
            self.assertEqual(set(found), {"alice", "carol", "dave"}, sender)

    def test_a_member_whose_name_is_not_utf8_sees_its_copy_or_none_is_sent(self):
        agents = os.fsencode(os.path.join(self.box.swarms, "odd", "agents"))
        os.makedirs(agents)
        open(os.path.join(agents, b"caf\xe9.md"), "w").close()
        result = self.box.run("broadcast", "--swarm", "odd", "--subject", "s", "--body", "b")
        peer = self.peer()
        if result.rc == REFUSED:
            self.assertEqual(peer.letters, {})
        else:
            self.assertEqual([letter.id for letter in peer.check(peer.members("odd")[0])],
                             [result.out.strip()])

    def test_the_peer_sees_the_copies(self):
        found = self.broadcast("--from", "coo", "--body", "b")
        peer = self.peer()
        self.assertEqual(peer.skipped, {})
        for agent, fields in found.items():
            self.assertEqual([letter.id for letter in peer.check(agent)], [fields["id"]])

    def test_a_swarm_without_anybody_left_or_unknown_sends_nothing(self):
        before = self.box.snapshot()
        for args, rc in ((["--swarm", "dev", "--exclude", "alice", "--exclude", "bob", "--exclude",
                           "carol"], NOTHING), (["--swarm", "devv"], REFUSED)):
            result = self.run_program("broadcast", *args, "--subject", "s", "--body", "b", rc=rc)
            self.assertEqual(result.out, "")
        self.assert_says(result, "\"dev\"")
        self.run_program("send", "--to", "broadcast:devv", "--subject", "s", rc=REFUSED)
        self.assert_unchanged(before)


class Resurrected(PeerCase):
    """A Python program that was running while we archived restores its own copy."""

    def resurrect(self, step):
        id = self.send("--body", "text", "--payload", '{"n":1}')
        peer = self.peer()
        self.run_program("archive", id)
        getattr(peer, step)(id)
        self.assertEqual(self.box.files("alice"), [id + ".json"])
        self.assertEqual(self.box.files("alice", "archive"), [id + ".json"])
        return id

    def test_it_is_shown_once_and_flagged_and_archiving_again_cleans_up(self):
        for step in ("read", "processing"):
            id = self.resurrect(step)
            archived = self.box.read("alice", id, "archive")
            for options in (("--all",), (), ("--archive",), ("--all", "--bodies")):
                found = self.run_json("messages", *options)
                self.assertEqual([one["id"] for one in found], [id], options)
                self.assertEqual(found[0]["status"], "archived", options)
                self.assertEqual(len(found[0]["flags"]), 1, options)
                self.assertEqual(list(found[0])[-1], "flags")
            self.assertEqual(self.run_one("show", id)["flags"], found[0]["flags"])
            self.run_program("check", "alice", rc=NOTHING)
            self.assertEqual(self.run_one("count", "alice")["total"], 0)
            self.run_program("archive", id)
            self.assertEqual(self.box.files("alice"), [])
            self.assertEqual(self.box.read("alice", id, "archive"), archived)
            self.assertNotIn("flags", self.run_one("messages", "--archive"))
            os.unlink(os.path.join(self.box.dir("alice", "archive"), id + ".json"))

    def test_a_double_is_found_although_another_box_has_the_id_too(self):
        id = self.resurrect("processing")
        for agent in ("aaron", "zoe"):  # listed before and after, in any order
            self.box.put(agent, message(id, to_agent=agent, from_agent="elsewhere"))
        found = self.run_json("messages", "--all")
        self.assertEqual(sorted(one["box"] for one in found), ["aaron", "alice", "zoe"])
        for one in found:
            self.assertEqual("flags" in one, one["box"] == "alice", one)

    def test_each_of_the_two_files_can_be_named_by_its_path(self):
        id = self.resurrect("processing")
        for part in ("inbox", "archive"):
            path = os.path.join(self.box.dir("alice", part), id + ".json")
            self.assertEqual(self.run_program("show", path, "--raw").stdout,
                             self.box.read("alice", id, part))

    def test_a_different_message_under_the_same_name_is_not_lost(self):
        id = self.send("--body", "the first")
        self.run_program("archive", id)
        self.box.put("alice", message(id, body="the second"))
        self.run_program("archive", id)
        bodies = {json.loads(self.box.read("alice", name, "archive"))["body"]
                  for name in self.box.files("alice", "archive")}
        self.assertEqual(bodies, {"the first", "the second"})
        self.assertEqual(self.box.files("alice"), [])


class ForeignTimes(PeerCase):

    def test_a_zoned_time_is_listed_and_flagged(self):
        for number, changes in enumerate((
                {"created_at": "2026-01-03T14:30:00Z"}, {"created_at": "2026-01-03T16:30:00+02:00"},
                {"expires_at": "2096-01-03T14:30:00+00:00"})):
            id = f"MSG-{number:012x}"
            self.box.put("alice", message(id, **changes))
            one = self.listed()[id]
            self.assertIsNone(one["damaged"])
            self.assertEqual(len(one["flags"]), 1)
            self.assertIn("zone", one["flags"][0])
            if "created_at" in changes:
                self.assertEqual(one["created_at"], "2026-01-03T14:30:00Z")
        with self.assertRaises(TypeError):
            self.peer().check("alice")

    def test_marking_it_does_not_change_the_zoned_time(self):
        self.box.put("alice", message(created_at="2026-01-03T14:30:00Z"))
        self.run_program(*MARK, "MSG-000000000001", "read")
        fields = self.stored("MSG-000000000001")
        self.assertEqual(fields["created_at"], "2026-01-03T14:30:00Z")
        self.assertTrue(NAIVE.fullmatch(fields["read_at"]))

    def test_an_ordinary_message_has_no_flags(self):
        id = self.send()
        self.assertNotIn("flags", self.listed()[id])


if __name__ == "__main__":
    harness.main()
