"""Lead commands as a teammate's program in Node reads them, with the genuine lock."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import node_modules  # noqa: E402
from claude_case import ClaudeCase, entry  # noqa: E402
from harness import NOTHING, REFUSED  # noqa: E402

ODD = "\"q\" \\ / \t\x01\x7f e\u0301 \u2028 \U0001f600 </teammate-message> end"
RULES = ("--tool", "Bash", "--directory", "/src")


class OrderCase(ClaudeCase):

    def teammate(self, agent="alice", reject=None):
        options = () if reject is None else ("--reject", reject)
        return self.start_peer(
            node_modules.command("claude_teammate.js", *options, self.box.base, "demo", agent),
            node_modules.environment())

    def accept(self, peer, kind, **members):
        """Returns the next lead command that the teammate accepts, without a problem."""
        said = peer.next()
        self.assertEqual(said["problems"], [], said)
        self.assertEqual(said["message"]["type"], kind)
        for key, value in members.items():
            self.assertEqual(said["message"][key], value)
        return said["message"]


class TheCheck(OrderCase):
    """The teammate is strict: a lead command with any deviation is rejected."""

    GOOD = {"type": "shutdown_request", "requestId": "r", "from": "team-lead", "reason": "x",
            "timestamp": "2026-02-07T15:35:15.573Z"}

    def complaints(self, text, **envelope):
        fields = {"from": "team-lead", "text": text, "timestamp": self.GOOD["timestamp"],
                  "read": False}
        fields.update(envelope)
        self.box.put("alice", [{key: value for key, value in fields.items() if value is not None}])
        peer = self.teammate()
        said = peer.next()
        self.assertEqual(peer.finish(), [])
        return said["problems"]

    def test_what_is_right_passes(self):
        self.assertEqual(self.complaints(json.dumps(self.GOOD, separators=(",", ":"))), [])

    def test_what_is_wrong_does_not(self):
        def text(**changes):
            made = {key: value for key, value in {**self.GOOD, **changes}.items()
                    if value is not None}
            return json.dumps(made, separators=(",", ":"))

        moved = dict(reversed(self.GOOD.items()))
        for wrong in (text(requestId=None), text(requestId=7), text(requestId=""), text(extra=1),
                      text(timestamp="2026-02-07 15:35"), text(type="shutdown"), text(reason=5),
                      text()[:-1], text() + " ", json.dumps(moved, separators=(",", ":"))):
            with self.subTest(text=wrong):
                self.assertNotEqual(self.complaints(wrong), [])
        for envelope in ({"from": "user"}, {"summary": "s"}, {"color": "red"}, {"read": 0},
                         {"timestamp": None}):
            with self.subTest(envelope=envelope):
                self.assertNotEqual(self.complaints(text(), **envelope), [])


class Orders(OrderCase):

    def test_every_order_is_taken_for_what_it_is(self):
        peer = self.teammate()
        self.run_program("mode", "alice", "acceptEdits")
        self.accept(peer, "mode_set_request", mode="acceptEdits")
        self.run_program("assign", "alice", "--task", "3", "--subject", ODD, "--description",
                         ODD + "\n" + ODD)
        self.accept(peer, "task_assignment", taskId="3", subject=ODD,
                    description=ODD + "\n" + ODD)
        self.run_program("assign", "alice", "--task", "4", "--subject", "s")
        self.accept(peer, "task_assignment", description="")
        self.run_program("rules", "alice", *RULES, "--behavior", "deny")
        self.accept(peer, "team_permission_update", toolName="Bash", directoryPath="/src")
        self.run_program("rules", "alice", *RULES, "--behavior", "ask", "--rule", ODD, "--rule", "b")
        got = self.accept(peer, "team_permission_update")
        self.assertEqual(got["permissionUpdate"]["rules"],
                         [{"toolName": "Bash", "ruleContent": ODD},
                          {"toolName": "Bash", "ruleContent": "b"}])
        self.assertEqual(peer.finish(), [])
        self.assert_tidy("alice")

    def test_a_whole_team_gets_rules(self):
        peers = [self.teammate(name) for name in ("alice", "bob")]
        self.run_program("rules", "demo", *RULES, "--behavior", "allow", "--confirm", "demo")
        for peer in peers:
            self.accept(peer, "team_permission_update")
            self.assertEqual(peer.finish(), [])
        self.assert_tidy("alice", "bob")

    def test_orders_arrive_among_the_mail_of_others(self):
        self.box.put("alice", [entry(1, read=True)])
        peer = self.teammate()
        writer = self.start_node("append", "20", options=["--from", "bob", "--pause", "5"])
        ids = [self.run_program("mode", "alice", "plan", "--no-verify").out for _ in range(10)]
        writer.finish()
        said = peer.finish()
        orders = [one for one in said if one["message"]]
        self.assertEqual([one["problems"] for one in orders], [[]] * len(ids))
        self.assertEqual(len(set(ids)), 10)
        texts = [one["text"] for one in self.box.entries("alice")]
        self.assertEqual(sum("mode_set_request" in text for text in texts), 10)

    def test_a_teammate_that_stops(self):
        peer = self.teammate()
        result = self.run_program("shutdown", "alice", "--reason", ODD, "--wait", "60s")
        got = self.accept(peer, "shutdown_request", reason=ODD)
        self.assertEqual(result.lines, [f"{got['requestId']} alice", "approved"])
        self.assertEqual(peer.finish(), [])
        self.run_program("pending", "--all", rc=NOTHING)
        self.assertEqual(self.run_one("sent")["state"], "answered")

    def test_a_teammate_that_does_not(self):
        peer = self.teammate(reject="the tests still run")
        first, answer = self.run_json("shutdown", "alice", "--wait", "60s", rc=REFUSED)
        self.accept(peer, "shutdown_request", requestId=first["request_id"])
        self.assertEqual((answer["answer"], answer["reason"]), ("rejected", "the tests still run"))
        waits, = self.run_json("pending")
        self.assertEqual((waits["id"], waits["asked"]),
                         (answer["id"], "will not stop: the tests still run"))
        peer.finish()

    def test_what_is_shown_is_what_is_sent_but_for_its_time(self):
        shown = self.run_one("assign", "alice", "--task", "1", "--subject", "s", "--dry-run")
        self.assertFalse(os.path.exists(self.box.path("alice")))
        self.run_program("assign", "alice", "--task", "1", "--subject", "s")
        sent, = self.box.entries("alice")
        planned = json.loads(shown["bytes"])
        self.assertEqual(planned["text"].replace(planned["timestamp"], ""),
                         sent["text"].replace(sent["timestamp"], ""))
        self.assertEqual(list(planned), list(sent))


if __name__ == "__main__":
    node_modules.require()
    harness.main()
