"""flow: senders, recipients and waiting agents."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness  # noqa: E402
from harness import NOTHING, USAGE  # noqa: E402
from layouts import LayoutCase  # noqa: E402

NOW = {"SWARMUTT_NOW": "2026-02-07T16:00:00Z"}
IDLE = '{"type":"idle_notification","from":"bob","timestamp":"2026-02-07T15:50:00.000Z"}'
PLAN = ('{"type":"plan_approval_request","from":"bob","timestamp":"2026-02-07T14:00:00.000Z",'
        '"planFilePath":"p","planContent":"c","requestId":"plan-1"}')


class FlowCase(LayoutCase):
    def flow(self, *args, env=None, **more):
        more.setdefault("cwd", self.project)
        pairs = self.run_json("flow", *args, env=env or NOW, **more)
        return {(one["from"], one["to"]): one for one in pairs}

    def show(self, *args, env=None, **more):
        return self.run_program("flow", *args, cwd=self.project, env=env or NOW, **more)


class Flow(FlowCase):
    def setUp(self):
        super().setUp()
        at = "2026-02-07T{}.000Z".format
        self.claude(boxes=[
            ("bob", [self.entry("one", sender="team-lead", timestamp=at("15:00:00"), read=True),
                     self.entry("two", sender="team-lead", timestamp=at("15:30:00")),
                     self.entry("old", sender="team-lead", timestamp="2026-01-01T00:00:00.000Z")]),
            ("team-lead", [self.entry(IDLE, timestamp=at("15:50:00"), read=True),
                           self.entry(IDLE, timestamp=at("15:51:00")),
                           self.entry(PLAN, timestamp=at("14:00:00"))])])

    def test_pairs_are_counted_with_what_is_unread_and_the_longest_wait(self):
        pairs = self.flow()
        self.assertEqual(set(pairs), {("team-lead", "bob"), ("bob", "team-lead")})
        to_bob, to_lead = pairs["team-lead", "bob"], pairs["bob", "team-lead"]
        self.assertEqual([to_bob[key] for key in ("count", "unread", "idle", "open", "oldest_wait_s",
                                                  "last_at", "team")],
                         [2, 1, 0, 0, None, "2026-02-07T15:30:00Z", "dev"])
        self.assertEqual([to_lead[key] for key in ("count", "unread", "idle", "open",
                                                   "oldest_wait_s", "last_at")],
                         [1, 1, 2, 1, 7200, "2026-02-07T15:51:00Z"])

    def test_the_table(self):
        self.assertEqual(self.show().lines, [
            "last 1d: 3 messages (cells: all/unread), 2 unread, 1 open, 2 idle notices", "",
            "# team dev",
            "from            bob team-lead  sent  recv  idle",
            "bob               .       1/1     1     2     2",
            "team-lead       2/1         .     2     1     0",
            "waits   2h bob for team-lead (1 open)"])

    def test_since_says_how_far_back_but_who_waits_is_always_told(self):
        pairs = self.flow("--since", "60d")
        self.assertEqual(pairs["team-lead", "bob"]["count"], 3)
        pairs = self.flow("--since", "45m")
        self.assertEqual(pairs["team-lead", "bob"]["count"], 1)
        self.assertEqual((pairs["bob", "team-lead"]["count"],
                          pairs["bob", "team-lead"]["oldest_wait_s"]), (0, 7200))

    def test_a_quiet_day_shows_everything_and_says_so(self):
        late = {"SWARMUTT_NOW": "2026-03-07T16:00:00Z"}
        result = self.show(env=late)
        self.assert_says(result, "24 hours", "everything is counted")
        self.assertTrue(result.lines[0].startswith("all time: 4 messages"), result)
        self.assertEqual(self.flow("--since", "1h", env=late)["bob", "team-lead"]["count"], 0)

    def test_no_duration_is_a_mistake(self):
        self.assert_says(self.show("--since", "soon", rc=USAGE), "--since", "soon")


class Layouts(FlowCase):
    def test_nothing_at_all(self):
        self.claude()
        self.assert_says(self.show(rc=NOTHING), "no messages")

    def test_nothing_in_the_time_that_was_asked_for(self):
        self.claude(boxes=[("bob", [self.entry(sender="team-lead")])])
        self.assert_says(self.show("--since", "1s", rc=NOTHING), "1s")

    def test_adr_requests_wait_until_they_are_answered(self):
        self.adr(id="MSG-000000000001", from_agent="ann", to_agent="bob", type="request",
                 created_at="2026-02-07T10:00:00")
        self.assertEqual(self.flow()["ann", "bob"]["oldest_wait_s"], 6 * 3600)
        self.adr(id="MSG-000000000002", from_agent="bob", to_agent="ann", type="response",
                 reply_to="MSG-000000000001", created_at="2026-02-07T11:00:00")
        pairs = self.flow()
        self.assertIsNone(pairs["ann", "bob"]["oldest_wait_s"])
        self.assertEqual(pairs["bob", "ann"]["count"], 1)

    def test_openclaw_inbox_and_roo(self):
        self.openclaw(messages=[self.claw(1), self.claw(2, to="all", read=True)])
        self.inbox(messages=(0,))
        self.roo(architect="a text")
        result = self.run_json("flow", "--since", "9999d", cwd=self.project)
        self.assertEqual({(one["from"], one["to"], one["team"], one["count"], one["unread"])
                          for one in result},
                         {("tm1", "lead", "web", 1, 1), ("tm1", "all", "web", 1, 0),
                          ("pm", "coordinator", None, 1, 1), ("code", "architect", None, 1, 1)})
        shown = self.run_program("flow", "--since", "9999d", cwd=self.project).out
        for source in ("scheduler/inboxes\n", ".openclaw/teams, team web\n"):
            self.assertIn(source, shown)

    def test_hostile_names_are_cleaned(self):
        self.claude(boxes=[("bob", [self.entry(sender="a\x1b[31m\u202e")])])
        shown = self.show().out
        self.assertNotIn("\x1b", shown)
        self.assertIn("a^[[31m<U+202E>"[:6], shown)


if __name__ == "__main__":
    harness.main()
