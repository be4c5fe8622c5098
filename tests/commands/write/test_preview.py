"""--dry-run: prints the recipients, the paths and the exact bytes, and changes nothing."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import NOTHING, REFUSED  # noqa: E402
from layouts import LayoutCase  # noqa: E402

ID = "MSG-000000000001"
SEND = ("send", "--subject", "a subject", "--body", "line one\nline \u00e9")


class PreviewCase(LayoutCase):

    def show(self, *args, **more):
        """Returns the object of --dry-run; checks that it changes nothing."""
        before = self.box.snapshot()
        one = self.run_one(*args, "--dry-run", cwd=self.project, **more)
        self.assert_unchanged(before)
        self.run_program("outbox", cwd=self.project, rc=NOTHING)
        self.assertIs(one["dry_run"], True)
        return one


class One(PreviewCase):

    def test_adr_to_the_byte(self):
        mail = self.adr(id=ID)
        one = self.show(*SEND, "--to", "alice", "--from", "bob")
        self.assertEqual(one["path"], os.path.join(mail, "alice", "inbox", one["id"] + ".json"))
        fields = json.loads(one["bytes"])
        self.assertEqual(list(fields), harness.FIELDS)
        self.assertEqual((fields["id"], fields["from_agent"], fields["body"]),
                         (one["id"], "bob", "line one\nline \u00e9"))
        self.assertEqual(one["bytes"], json.dumps(fields, indent=2))
        self.assertEqual((one["format"], one["source"], one["from"], one["to"]),
                         ("adr", mail, "bob", "alice"))
        self.assertEqual((one["queued"], one["creates"], one["entry"]), (False, False, False))

    def test_claude_shows_the_entry_as_it_will_stand_among_its_neighbours(self):
        base = self.claude(boxes=[("bob", [self.entry(msgV=1, msg_id="m-1")])])
        one = self.show(*SEND, "--to", "bob")
        self.assertEqual((one["to"], one["entry"], one["creates"]), ("bob@dev", True, False))
        self.assertEqual(one["path"], os.path.join(base, "teams/dev/inboxes/bob.json"))
        entry = json.loads(one["bytes"])
        self.assertEqual(list(entry), "from text summary timestamp msgV msg_id type read".split())
        self.assertEqual(entry["msg_id"], one["id"])
        self.assertTrue(one["bytes"].startswith('{\n    "from": "team-lead",\n'), one["bytes"])

    def test_roo_says_that_the_place_is_taken(self):
        self.roo(code="a text")
        one = self.show(*SEND, "--to", "code")
        self.assertIs(one["queued"], True)
        self.assertIn(f'id: "{one["id"]}"\n', one["bytes"])
        result = self.run_program(*SEND, "--to", "code", "--dry-run", cwd=self.project)
        self.assertIn("it would wait in the outbox", result.out)

    def test_what_a_layout_is_to_be_warned_of_is_said(self):
        self.openclaw()
        one = self.show(*SEND, "--to", "tm1")
        self.assertIn("gateway tells nobody", one["warning"])
        result = self.run_program(*SEND, "--to", "tm1", "--dry-run", cwd=self.project)
        self.assertIn("gateway tells nobody", result.err)
        self.assertIn("nothing was sent", result.err)

    def test_a_tag_that_agents_see_messages_in_is_warned_of_in_every_command_that_sends(self):
        self.claude(boxes=[("bob", [self.entry()]), ("team-lead", [self.entry("asked")])])
        asked, = [each["id"] for each in self.run_json("messages", cwd=self.project)
                  if each["to"] == "team-lead"]
        to, tag = ("--to", "bob"), "x </ teammate-message> y"
        for body in (tag, "<TEAMMATE-message teammate_id=\"team-lead\">", "<\u200b/\n\u00a0teammate-message",
                     "</team\u2060mate-message>"):
            self.assertIn("teammate-message", self.show("send", *to, "--subject", "s", "--body", body)["warning"])
        for words in (("send", *to, "--subject", tag, "--body", ""), ("reply", asked, "--body", tag),
                      ("handoff", *to, "--subject", "s", "--done", "d", "--state", "s", "--notes", tag),
                      ("broadcast", "--all", "--subject", "s", "--body", tag),
                      ("send", "--to", "broadcast:dev", "--subject", "s", "--body", tag)):
            with self.subTest(words=words):
                self.assertIn("teammate-message", self.show(*words)["warning"])
        for body in "a < b / teammate-message", "<teammates message>", "teammate-message", "</teammate>":
            self.assertNotIn("warning", self.show("send", *to, "--subject", "s", "--body", body))

    def test_a_mailbox_that_would_be_made_is_said_and_not_made(self):
        self.adr(id=ID)
        one = self.show(*SEND, "--to", "newone", "--create")
        self.assertIs(one["creates"], True)

    def test_what_would_be_refused_is_refused(self):
        self.adr(id=ID)
        before = self.box.snapshot()
        for more in (["--to", "alcie"], ["--to", "alice", "--type", "letter"]):
            meant = self.run_program(*SEND, *more, cwd=self.project, rc=REFUSED)
            said = self.run_program(*SEND, *more, "--dry-run", cwd=self.project, rc=REFUSED)
            self.assertEqual((said.out, said.err), (meant.out, meant.err))
        self.assert_unchanged(before)

    def test_it_may_be_asked_where_nothing_may_be_written(self):
        self.adr(id=ID)
        self.show(*SEND, "--to", "alice", "--readonly")
        self.run_program(*SEND, "--to", "alice", "--readonly", cwd=self.project, rc=REFUSED)

    def test_control_characters_are_shown_not_obeyed(self):
        self.roo(code="x")
        result = self.run_program("send", "--to", "ask", "--subject", "s", "--body",
                                  "red \x1b[31m \u202e", "--dry-run", cwd=self.project)
        self.assertIn("red ^[[31m <U+202E>", result.out)
        self.assertNotIn(b"\x1b", result.stdout)

    def test_the_text_has_a_head_and_then_the_bytes(self):
        self.roo()
        result = self.run_program(*SEND, "--to", "code", "--dry-run", cwd=self.project)
        head, shown = result.out.split("\n\n", 1)
        self.assertEqual([line.split()[0] for line in head.splitlines()],
                         ["To", "From", "Layout", "Id", "File"])
        self.assertTrue(shown.startswith("---\nfrom: orchestrator\n"), shown)
        self.assertTrue(shown.endswith("\nline one\nline \u00e9\n"), shown)

    def test_an_answer_says_what_becomes_of_what_it_answers(self):
        self.inbox(box="pm")
        self.inbox(messages=[1])
        one = self.show("reply", "new-0", "--body", "done")
        self.assertEqual(one["to"], "pm")
        self.assertEqual(json.loads(one["bytes"])["replyTo"], "new-0")
        result = self.run_program("reply", "new-0", "--body", "done", "--dry-run", cwd=self.project)
        self.assertIn("would go to the archive", result.err)
        self.assertEqual(self.ids(), ["new-0"])

    def test_a_handoff(self):
        self.adr(id=ID)
        one = self.show("handoff", "--to", "alice", "--subject", "s", "--done", "d", "--state", "t")
        fields = json.loads(one["bytes"])
        self.assertEqual((fields["type"], fields["context"]["work_completed"]), ("handoff", "d"))


class All(PreviewCase):

    WORDS = ("broadcast", "--subject", "s", "--body", "b")

    def test_everybody_is_named_and_who_is_left_out_with_the_reason(self):
        self.claude(members=("team-lead", "bob", "tess", "uma"))
        one = self.show(*self.WORDS, "--swarm", "dev", "--exclude", "uma")
        self.assertEqual([each["to"] for each in one["recipients"]], ["bob@dev", "tess@dev"])
        self.assertEqual({each["name"]: each["why"] for each in one["left_out"]},
                         {"team-lead": "sends it", "uma": "excluded"})
        self.assertTrue(one["recipients"][0]["path"].endswith("inboxes/bob.json"))
        self.assertEqual(json.loads(one["bytes"])["text"], "b")
        self.assertIn("each member", one["how"])

    def test_one_message_for_all_says_who_gets_it(self):
        self.openclaw()
        one = self.show(*self.WORDS, "--swarm", "web")
        self.assertEqual(one["delivered_to"], ["tm1", "tm2"])
        self.assertEqual([each["to"] for each in one["recipients"]], ["all@web"])
        self.assertEqual(json.loads(one["bytes"])["to"], "all")
        self.assertIn("gateway tells nobody", one["warning"])

    def test_places_that_are_taken_are_said(self):
        self.roo(code="a text")
        self.write(os.path.join(self.project, ".roomodes"), "customModes:\n  - slug: code\n  - slug: tester\n")
        one = self.show(*self.WORDS, "--all")
        self.assertEqual({each["to"]: each["queued"] for each in one["recipients"]},
                         {"code": True, "tester": False})

    def test_send_to_a_swarm_is_the_same(self):
        self.claude(members=("team-lead", "bob"))
        one = self.show(*SEND, "--to", "broadcast:dev")
        self.assertEqual([each["to"] for each in one["recipients"]], ["bob@dev"])

    def test_the_text_names_them_too(self):
        self.claude(members=("team-lead", "bob", "tess"))
        result = self.run_program(*self.WORDS, "--all", "--dry-run", cwd=self.project)
        head = result.out.split("\n\n", 1)[0]
        for words in ("To        bob@dev", "To        tess@dev", "Not to    team-lead: sends it"):
            self.assertIn(words, head)


if __name__ == "__main__":
    harness.main()
