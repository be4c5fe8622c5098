"""Team mailboxes with one JSON file per message, together with a Node program that uses the same
files."""
import json
import os
import stat
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import node_modules  # noqa: E402
from harness import DONE, FAILED, NOTHING, REFUSED  # noqa: E402
from processes import wait_for_staging  # noqa: E402

KEYS = ["messageId", "teamId", "from", "to", "message", "priority", "read", "createdAt"]
UUID4 = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
ODD_TEXT = "\"quoted\" back\\slash /slash tab\t bell\a e\u0301 \u20ac \U0001f600 end\n"
HOUR_MS = 3600 * 1000
LIMIT_MS = harness.LIMIT_S * 1000


class OpenClawCase(harness.ProgramCase):

    def setUp(self):
        self.box = harness.Home()
        self.addCleanup(self.box.close)
        self.teams = os.path.join(self.box.root, "openclaw", "teams")
        self.mailbox = os.path.join(self.teams, "web-dev", "mailbox")
        self.box.source = ("-S", "openclaw:" + self.teams)
        self.node("register", "web-dev", "agent:main:main", "tm1=active", "tm2=active",
                  "tm3=completed")

    def start_node(self, *words):
        return self.start_peer(node_modules.command("openclaw_peer.js", self.teams, *words))

    def node(self, *words):
        said, = self.start_node(*words).finish()
        return said

    def send(self, *args, to="tm1", subject="a subject", body="a body", rc=DONE):
        result = self.run_program("send", "--to", to, "--subject", subject, "--body", body, *args,
                                  rc=rc)
        return result.out.strip() if rc == DONE else result

    def path(self, id):
        return os.path.join(self.mailbox, id + ".json")

    def read(self, id):
        with open(self.path(id), "rb") as file:
            return file.read()

    def put(self, id, data, age=60):
        os.makedirs(self.mailbox, mode=0o700, exist_ok=True)
        if isinstance(data, dict):
            data = json.dumps(data, indent=2, ensure_ascii=False).encode() + b"\n"
        with open(self.path(id), "wb") as file:
            file.write(data)
        os.chmod(self.path(id), 0o600)
        os.utime(self.path(id), (time.time() - age,) * 2)
        return data

    def put_letter(self, number, **changes):
        letter = {"messageId": f"550e8400-e29b-41d4-a716-{number:012}", "teamId": "web-dev",
                  "from": "tm1", "to": "lead", "message": f"text {number}", "priority": "normal",
                  "read": False, "createdAt": int(time.time() * 1000) + number}
        letter.update(changes)
        letter = {key: value for key, value in letter.items() if value is not None}
        self.put(letter["messageId"], letter)
        return letter["messageId"]

    def statuses(self):
        return {one["id"]: one["status"] for one in self.run_json("messages", "--all")}


class ThePeer(OpenClawCase):
    """Checks the habits of the peer alone, which the rest of this file depends on."""

    def test_it_writes_private_files_and_finds_what_waits(self):
        letter = self.node("send", "web-dev", "tm1", "lead", "caf\u00e9")
        self.assertEqual(self.read(letter["messageId"]), json.dumps(
            letter, indent=2, ensure_ascii=False).encode() + b"\n")
        self.assertEqual(stat.S_IMODE(os.stat(self.path(letter["messageId"])).st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(self.mailbox).st_mode), 0o700)
        self.assertEqual(self.node("read", "web-dev", "lead"), [letter])
        self.node("mark", "web-dev", letter["messageId"])
        self.assertEqual(self.node("read", "web-dev", "lead"), [])
        self.assertEqual(len(self.node("read", "web-dev", "lead", "first")), 1)

    def test_its_generations_disagree_about_a_message_without_the_key(self):
        self.put_letter(1, read=None)
        self.assertEqual(self.node("read", "web-dev", "lead"), [])
        self.assertEqual(len(self.node("read", "web-dev", "lead", "first")), 1)

    def test_marking_what_was_removed_meanwhile_brings_it_back(self):
        id = self.put_letter(1)
        peer = self.start_node("mark", "web-dev", id, "wait")
        peer.next()
        os.unlink(self.path(id))
        peer.tell(b"go\n")
        peer.finish()
        self.assertTrue(os.path.exists(self.path(id)))


class WhatWeSend(OpenClawCase):

    def test_has_the_keys_the_order_the_modes_and_the_newline_of_the_peer(self):
        before = os.umask(0)
        try:
            began = int(time.time() * 1000)
            id = self.send(body=ODD_TEXT)
        finally:
            os.umask(before)
        self.assertRegex(id, rf"\A{UUID4}\Z")
        self.assertEqual(os.listdir(self.mailbox), [id + ".json"])
        self.assertEqual(stat.S_IMODE(os.stat(self.mailbox).st_mode), 0o700)
        self.assertEqual(stat.S_IMODE(os.stat(self.path(id)).st_mode), 0o600)
        data = self.read(id)
        letter = json.loads(data)
        self.assertEqual(list(letter), KEYS)
        self.assertEqual(data, json.dumps(letter, indent=2, ensure_ascii=False).encode() + b"\n")
        self.assertEqual((letter["messageId"], letter["teamId"], letter["from"], letter["to"]),
                         (id, "web-dev", "lead", "tm1"))
        self.assertEqual((letter["priority"], letter["read"]), ("normal", False))
        self.assertIs(type(letter["createdAt"]), int)
        self.assertLess(abs(letter["createdAt"] - began), LIMIT_MS)
        self.assertTrue(letter["message"].startswith("a subject\n"), letter)
        self.assertTrue(letter["message"].endswith(ODD_TEXT), letter)

    def test_is_read_by_both_generations_and_only_by_its_recipient(self):
        id = self.send("--priority", "urgent", to="tm2@web-dev")
        for generation in ([], ["first"]):
            letter, = self.node("read", "web-dev", "tm2", *generation)
            self.assertEqual((letter["messageId"], letter["priority"]), (id, "urgent"))
            self.assertEqual(self.node("read", "web-dev", "tm1", *generation), [])
        self.assertTrue(self.node("event", "web-dev", id)["text"]
                        .startswith("[URGENT] From lead: a subject"))

    def test_goes_only_to_somebody_in_the_registry(self):
        before = self.box.snapshot(self.teams)
        self.assert_says(self.send(to="tm9", rc=REFUSED), "tm9", "tm")
        self.assert_unchanged(before, self.teams)
        self.send("--as", "tm1", to="lead")
        self.assertEqual([one["from"] for one in self.node("read", "web-dev", "lead")], ["tm1"])

    def test_finds_the_registry_where_the_settings_say_and_the_mailbox_where_node_looks(self):
        elsewhere = os.path.join(self.box.root, "elsewhere")
        os.rename(self.teams, elsewhere)
        os.makedirs(self.teams)
        with open(os.path.join(os.path.dirname(self.teams), "openclaw.json"), "w") as file:
            json.dump({"gateway": {"teams": {"storage": {"basePath": elsewhere}}}}, file)
        self.send(to="tm1@web-dev")
        self.assertEqual(len(self.node("read", "web-dev", "tm1")), 1)
        self.assert_says(self.send(to="tm9@web-dev", rc=REFUSED), "tm9")

    def test_leaves_the_registry_alone(self):
        before = self.node("registry", "web-dev")
        self.send()
        self.assertEqual(self.node("registry", "web-dev"), before)

    def test_as_a_reply_goes_to_the_sender_and_names_what_it_answers(self):
        original = self.put_letter(1)
        self.run_program("reply", original, "--body", "yes")
        answer, = self.node("read", "web-dev", "tm1")
        self.assertTrue(answer["message"].startswith("Re " + original[:8] + ":"), answer)
        self.assertTrue(answer["message"].rstrip("\n").endswith("yes"), answer)

    def test_as_a_broadcast_is_one_file_to_all(self):
        said = self.run_json("broadcast", "--swarm", "web-dev", "--subject", "s", "--body", "stop")
        name, = os.listdir(self.mailbox)
        letter = json.loads(self.read(name[:-5]))
        self.assertEqual((letter["to"], list(letter), letter["read"]), ("all", KEYS, False))
        self.assertEqual([one["id"] for one in said], [letter["messageId"]])
        self.assertEqual(sorted(said[0]["delivered_to"]), ["tm1", "tm2"])
        for who in ("tm1", "tm2"):
            self.assertEqual(len(self.node("read", "web-dev", who)), 1)


class Marking(OpenClawCase):

    def test_changes_only_the_value_of_read(self):
        id = "550e8400-e29b-41d4-a716-446655440000"
        old = self.put(id, (
            '{"messageId": "%s","teamId":"web-dev",\n "from":"tm1", "to":"lead",'
            '"x":{"read":false}, "message":"caf\\u00e9 \\/ {\\"read\\":false}",'
            '"n": 12345678901234567890, "n": 1.0,\n'
            '"priority":"normal" ,"read" : false, "createdAt":%d}' % (id, time.time() * 1000)
        ).encode())
        self.assertEqual(len(self.node("read", "web-dev", "lead")), 1)
        self.run_program("mark", id, "read")
        self.assertEqual(self.read(id), old.replace(b'"read" : false', b'"read" : true'))
        self.assertEqual(stat.S_IMODE(os.stat(self.path(id)).st_mode), 0o600)
        self.assertEqual(self.node("read", "web-dev", "lead"), [])
        self.assertEqual(os.listdir(self.mailbox), [id + ".json"])

    def test_what_belongs_to_another_is_refused_and_unchanged(self):
        id = self.put_letter(1, to="tm1")
        before = self.box.snapshot(self.teams)
        self.run_program("mark", id, "read", rc=REFUSED)
        self.assert_unchanged(before, self.teams)
        self.run_program("mark", id, "read", "--as", "tm1")
        self.assertEqual(self.node("read", "web-dev", "tm1"), [])

    def test_a_broadcast_stays_unread_for_the_others(self):
        id = self.put_letter(1, to="all")
        before = self.box.snapshot(self.teams)
        result = self.box.run("mark", id, "read")
        self.assertIn(result.rc, (DONE, REFUSED), str(result))
        self.assert_unchanged(before, self.teams)
        self.assertEqual(len(self.node("read", "web-dev", "tm2")), 1)

    def test_a_message_without_the_key_is_shown_as_unread(self):
        without = self.put_letter(1, read=None)
        other = self.put_letter(2, read=True)
        self.assertEqual(self.statuses(), {without: "unread", other: "read"})

    def test_what_node_marked_is_read_for_us(self):
        id = self.node("send", "web-dev", "tm1", "lead", "hello")["messageId"]
        self.assertEqual(self.statuses(), {id: "unread"})
        self.node("mark", "web-dev", id)
        self.assertEqual(self.statuses(), {id: "read"})

    def test_a_peer_that_marks_at_the_same_time_and_we_agree(self):
        id = self.put_letter(1, extra="kept")
        peer = self.start_node("mark", "web-dev", id, "wait")
        self.assertEqual(peer.next(), {"loaded": True})
        self.run_program("mark", id, "read")
        peer.tell(b"go\n")
        self.assertEqual(peer.next(), {"marked": True})
        peer.finish()
        letter = json.loads(self.read(id))
        self.assertEqual((letter["read"], letter["extra"]), (True, "kept"))

    def test_a_file_that_is_removed_meanwhile_does_not_come_back(self):
        for number in range(1, 31):
            id = self.put_letter(number)
            ours = self.start("mark", id, "read")
            wait_for_staging(self.mailbox, ours)
            os.unlink(self.path(id))
            self.finish(ours, DONE, NOTHING, REFUSED, FAILED)
            self.assertFalse(os.path.exists(self.path(id)))


class Reading(OpenClawCase):

    def test_what_node_sends_is_listed_with_its_values(self):
        first = self.node("send", "web-dev", "tm1", "lead", "a line\n\nmore", "urgent")
        second = self.node("broadcast", "web-dev", "tm2", "to everybody")
        found = {one["id"]: one for one in self.run_json("messages", "--bodies")}
        one = found[first["messageId"]]
        self.assertEqual((one["from"], one["to"], one["subject"], one["priority"], one["status"]),
                         ("tm1", "lead", "a line", "urgent", "unread"))
        self.assertIn("more", one["body"])
        self.assertEqual(found[second["messageId"]]["to"], "all")

    def test_a_file_that_node_skips_is_shown_as_damaged_and_hides_no_other(self):
        self.put("550e8400-e29b-41d4-a716-446655440000", b'{"messageId": "550e')
        id = self.put_letter(1)
        found = self.run_json("messages")
        self.assertEqual([one["id"] for one in found if not one["damaged"]], [id])
        self.assertEqual(len(found), 2)
        self.assertEqual(len(self.node("read", "web-dev", "lead")), 1)


class Cleaning(OpenClawCase):

    def put_ages(self):
        """Writes messages of every kind; returns those that may be removed after a day."""
        now = int(time.time() * 1000)
        old, young = now - 25 * HOUR_MS, now - 23 * HOUR_MS
        goes = [self.put_letter(1, read=True, createdAt=old),
                self.put_letter(2, read=True, createdAt=now - 300 * HOUR_MS, to="tm1")]
        self.put_letter(3, read=False, createdAt=old)
        self.put_letter(4, read=None, createdAt=old)
        self.put_letter(5, read=True, createdAt=young)
        self.put_letter(6, read="true", createdAt=old)
        self.put_letter(7, read=True, createdAt=str(old))
        self.put_letter(8, read=True, createdAt=None)
        self.put_letter(9, read=True, createdAt=old + 0.5)
        self.put("notes", {"messageId": "notes", "to": "lead", "read": True, "createdAt": old})
        return goes

    def ids(self):
        return {name[:-5] for name in os.listdir(self.mailbox)}

    def test_removes_only_what_was_read_is_old_and_is_surely_a_message(self):
        goes = self.put_ages()
        before = self.ids()
        self.run_program("cleanup", "--dry-run")
        self.assertEqual(self.ids(), before)
        self.run_program("cleanup")
        self.assertEqual(before - self.ids(), set(goes))
        after = self.ids()
        self.box.run("cleanup")
        self.assertEqual(self.ids(), after)

    def test_removes_nothing_that_node_would_keep(self):
        self.put_ages()
        self.run_program("cleanup")
        ours = self.ids()
        self.put_ages()
        self.node("cleanup", "web-dev", "24")
        self.assertLessEqual(self.ids(), ours)

    def test_keeps_messages_as_long_as_the_settings_say_comments_and_all(self):
        with open(os.path.join(os.path.dirname(self.teams), "openclaw.json"), "w") as file:
            file.write("// settings\n{\n  gateway: { /* teams */ teams: { storage: "
                       "{ mailboxTTLHours: 48, }, }, },\n}\n")
        goes = self.put_ages()
        before = self.ids()
        self.run_program("cleanup")
        self.assertEqual(before - self.ids(), {goes[1]})


if __name__ == "__main__":
    node_modules.require()
    harness.main()
