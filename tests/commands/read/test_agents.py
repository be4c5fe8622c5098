"""agents: agents that wait, that may be stuck and that work, from the files of two layouts."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness  # noqa: E402
from harness import DONE, NOTHING, USAGE, message  # noqa: E402
from layouts import FrozenCase, UUID, ago  # noqa: E402

MS_NOW = 1770480000000  # layouts.NOW, as OpenClaw writes it


class AgentsCase(FrozenCase):
    def table(self, *args, rc=DONE, **more):
        return self.do("agents", *args, rc=rc, **more)

    def rows(self, *args, **more):
        return {one["agent"]: one for one in super().rows("agents", *args, **more)}

    def on_terminal(self, columns, *args):
        """Returns the output on a terminal of that width."""
        result = self.box.run_tty(*args, tty=("stdout",), size=(24, columns), cwd=self.project)
        self.assertEqual(result.rc, DONE, str(result))
        return result.lines

    def config(self, text):
        return self.write(os.path.join(self.box.home, "config", "swarmutt", "config"), text)

    def put_adr(self, number, sender, to, minutes, box=None, **fields):
        one = message(f"MSG-{number:012d}", from_agent=sender, to_agent=to,
                      created_at=ago(minutes, ""), **fields)
        where = os.path.join(self.project, "workspace", "mailboxes",
                             (box or to).replace("/", "_"), "inbox")
        self.write(os.path.join(where, one["id"] + ".json"), one)


class TeamCase(AgentsCase):
    """A team of Claude Code, at work."""

    def said(self, sender, minutes, text, read=False, **more):
        text = text if isinstance(text, str) else json.dumps(text)
        return self.entry(text, sender, read, timestamp=ago(minutes), **more)

    def idle(self, sender, minutes, **more):
        return self.said(sender, minutes, {"type": "idle_notification", "from": sender,
                                           "timestamp": ago(minutes), "idleReason": "available",
                                           **more})

    def permission(self, sender, minutes):
        return self.said(sender, minutes, {
            "type": "permission_request", "request_id": "perm-1-abc", "agent_id": sender,
            "tool_name": "Bash", "tool_use_id": "t", "description": "d",
            "input": {"command": "rm -rf build/"}, "permission_suggestions": []})

    def setUp(self):
        super().setUp()
        self.base = self.claude(members=("team-lead", "tester-2", "infra-4", "w1", "My Agent.v2",
                                         "new"), boxes=(
            ("team-lead", [
                self.said("infra-4", 19, "no disk left"),
                self.permission("tester-2", 2),
                self.said("w1", 3, "on it"),
                self.idle("My Agent.v2", 14, summary="[to w1] please look"),
                self.said("gone", 100, {"type": "shutdown_approved", "requestId": "s",
                                        "from": "gone", "timestamp": ago(100)})]),
            ("infra-4", [self.said("team-lead", 17, "free some"),
                         self.said("team-lead", 4, "hello?")]),
            ("My-Agent-v2", [self.said("team-lead", 40, "do it", read=True)]),
            ("w1", [self.said("My Agent.v2", 15, "please look", read=True)]),
            ("phantom", [self.said("team-lead", 50, "are you there?")])))
        self.write(os.path.join(self.base, "tasks", "dev", "21.json"),
                   {"id": "21", "subject": "parser.c", "owner": "w1", "status": "in_progress"})


class Claude(TeamCase):
    def test_the_table_tells_who_needs_what(self):
        found = self.table()
        ask = self.rows()["tester-2"]["evidence"]
        short = next(word for word in found.out.split() if word.endswith(":")
                     and ask.startswith(word[:-1]))
        self.assertEqual(found.lines, [
            " 7 agents   stuck 1  waits-you 1  working 1  idle 2  gone 2",
            " STATE      AGENT        HEARD UNREAD OLDEST  WHY",
            f"!WAITS-YOU  tester-2        2m      0      -  perm {short} Bash: rm -rf build/, 2m",
            "!STUCK?     infra-4        19m      2    17m  silent 19m, 2 unread since 17m; last: "
            "\"no disk left\"",
            " WORKING    w1              3m      0      -  task 21: parser.c",
            " IDLE       My Agent.v2    14m      0      -  idle since 14m; wrote to w1: "
            "\"please look\"",
            " IDLE       new              -      0      -  never heard, nothing waits",
            " GONE       gone            1h      0      -  shut down 1h ago",
            " GONE       phantom          -      1    50m  on no roster, never heard; 1 unread "
            "will not be read"])

    def test_the_id_in_a_sentence_is_one_that_show_takes(self):
        why = self.rows()["tester-2"]["why"]
        shown = self.run_one("show", why.split()[1].rstrip(":"), cwd=self.project)
        self.assertEqual(shown["from"], "tester-2")

    def test_json_has_all_that_is_known(self):
        rows = self.rows()
        tester = rows["tester-2"]
        self.assertEqual((tester["state"], tester["waiting_on"], tester["waiting_s"]),
                         ("WAITS-YOU", "team-lead", 120))
        infra = rows["infra-4"]
        self.assertEqual((infra["state"], infra["heard_at"], infra["unread"],
                          infra["oldest_unread_at"], infra["waiting_on"], infra["waiting_s"]),
                         ("STUCK?", "2026-02-07T15:41:00Z", 2, "2026-02-07T15:43:00Z", None, None))
        self.assertEqual((infra["team"], infra["format"], infra["source"], infra["circle"]),
                         ("dev", "claude", self.base, None))
        self.assertEqual(rows["My Agent.v2"]["boxes"], ["My Agent.v2", "My-Agent-v2"])
        self.assertEqual([rows[name]["on_roster"] for name in ("new", "phantom")], [True, False])
        self.assertEqual([rows[name]["spoke"] for name in ("new", "gone")], [False, True])

    def test_agents_can_be_named_in_any_spelling(self):
        found = self.table("My-Agent-v2", "new@dev")
        self.assertEqual([line.split()[0] for line in found.lines[2:]], ["IDLE", "IDLE"])
        self.assertEqual(found.lines[0], " 2 agents   idle 2")
        result = self.table("infra-5", rc=NOTHING)
        self.assert_says(result, 'no agent is called "infra-5"; near: "infra-4"')

    def test_another_identity_sees_the_lead_as_an_agent(self):
        rows = self.rows("--as", "user")
        self.assertIn("team-lead", rows)
        self.assertEqual(rows["team-lead"]["unread"], 5)
        self.assertEqual(rows["tester-2"]["state"], "WAITS")

    def test_nothing_that_agents_say_is_obeyed(self):
        self.claude(boxes=(("team-lead", [self.said("e\x1b[31mvil", 1, "\x1b]0;x\x07 text")]),))
        result = self.box.run_tty("agents", tty=("stdout",))
        self.assertNotIn(b"\x1b", result.stdout)
        self.assertIn('e^[[31mvil', result.out)
        self.assertIn('last: "^[]0;x^G text" 1m ago', result.out)

    def test_lines_are_cut_to_the_width_of_the_terminal(self):
        lines = self.on_terminal(60, "agents")
        self.assertEqual(lines[1], " STATE      AGENT        HEARD UNREAD OLDEST  WHY")
        self.assertEqual(lines[3], "!STUCK?     infra-4        19m      2    17m  silent 19m, 2~")
        self.assertEqual(max(map(len, lines)), 60)


    def test_a_narrow_terminal_leaves_room_for_the_reason(self):
        self.write(os.path.join(self.project, "swarms", "ops", "agents", "architect.md"), "x")
        self.write(os.path.join(self.project, "swarms", "dev", "agents", "infra-4.md"), "x")
        os.makedirs(os.path.join(self.project, "workspace", "mailboxes"))
        wide = self.on_terminal(120, "agents")
        self.assertRegex(wide[1], "^ STATE      AGENT  +SOURCE  HEARD ")
        self.assertIn("ops/architect", "".join(wide))
        lines = self.on_terminal(80, "agents")
        self.assertEqual(lines[1], " STATE      AGENT        HEARD UNREAD OLDEST  WHY")
        names = [line[1:].split()[1] for line in lines[2:]]
        self.assertIn("architect", names)
        self.assertEqual(sorted(name for name in names if "infra-4" in name),
                         ["dev/infra-4", "infra-4@dev"])
        self.write(os.path.join(self.project, "swarms", "dev", "agents", "long-" * 9 + ".md"), "x")
        lines = self.on_terminal(80, "agents")
        self.assertEqual(lines[1].index("HEARD"), len(" STATE      ") + 18 + 2)


class Limits(TeamCase):
    def test_limits_are_set_for_all_or_for_one_source(self):
        self.config("[stuck]\nsilent = 20m\n")
        self.assertEqual(self.rows()["infra-4"]["state"], "WORKING")
        self.config(f"[stuck]\nsilent = 20m\n[source here]\npath = {self.base}\n"
                    "stuck.silent = 18m\n")
        self.assertEqual(self.rows()["infra-4"]["state"], "STUCK?")

    def test_a_config_that_makes_no_sense_is_named(self):
        path = self.config("[stuck]\nsilnt = 20m\n")
        result = self.table(rc=USAGE)
        self.assert_says(result, f"{path}: line 2: ", '"silnt"; near: "silent"')

    def test_the_config_is_never_touched(self):
        self.config("[stuck]\nsilent = 20m\n")
        before = self.box.snapshot(os.path.join(self.box.home, "config"))
        self.table()
        self.assert_unchanged(before, os.path.join(self.box.home, "config"))


class Adr(AgentsCase):
    def setUp(self):
        super().setUp()
        for swarm, stem in (("dev", "architect"), ("dev", "tester"), ("ops", "tester")):
            self.write(os.path.join(self.project, "swarms", swarm, "agents", stem + ".md"), "x")
        self.put_adr(1, "user", "architect", 30, type="notification", subject="one")
        self.put_adr(2, "user", "dev/architect", 25, type="notification", subject="two")
        self.put_adr(3, "dev/architect", "dev/tester", 12, subject="which port?", status="read")
        self.put_adr(4, "dev/tester", "ops/tester", 11, subject="ask them", status="read")
        self.put_adr(5, "ops/tester", "dev/tester", 10, subject="why?", status="read")
        self.put_adr(6, "user", "tester", 45, type="notification", subject="both",
                     status="processing", read_at=ago(40, ""))
        self.put_adr(7, "coo", "user", 5, type="escalation", subject="Escalation: budget")

    def test_an_agent_with_two_mailboxes_is_one_row(self):
        row = self.rows("architect")["architect"]
        self.assertEqual((row["team"], row["unread"], sorted(row["boxes"])),
                         ("dev", 2, ["architect", "dev/architect", "dev_architect"]))

    def test_the_table_tells_swarms_circles_and_names_that_two_swarms_have(self):
        self.assertEqual(self.table().lines, [
            " 5 agents   stuck 4  waits-you 1",
            " STATE      AGENT          HEARD UNREAD OLDEST  WHY",
            "!WAITS-YOU  coo               5m      0      -  escalation MSG-000000000007: "
            "budget, 5m",
            "!STUCK?     tester             -      0      -  at work on MSG-000000000006 since 40m "
            "(when it was read): \"both\"",
            "!STUCK?     dev/architect    12m      2    30m  wrote 12m ago, but leaves 2 unread "
            "since 30m",
            "!STUCK?     dev/tester       11m      0      -  waits in a circle: tester -> "
            "tester@ops -> tester",
            "!STUCK?     ops/tester       10m      0      -  waits in a circle: tester@dev -> "
            "tester -> tester@dev"])

    def test_json_tells_the_circle(self):
        rows = self.run_json("agents", cwd=self.project)
        self.assertEqual([one["circle"] for one in rows if one["circle"]],
                         [["tester", "tester"]] * 2)


class Others(AgentsCase):
    def test_nobody_is_a_remark_and_exit_1(self):
        os.makedirs(os.path.join(self.project, "workspace", "mailboxes"))
        self.assert_says(self.table(rc=NOTHING), "no agents here")

    def test_several_sources_are_told_apart(self):
        self.put_adr(1, "bob", "user", 1, subject="hi")
        self.roo(code="read this")
        self.assertEqual(self.table().lines, [
            " 2 agents   stuck 1  waits-you 1",
            " STATE      AGENT  SOURCE  HEARD UNREAD OLDEST  WHY",
            "!WAITS-YOU  bob    adr        1m      0      -  question MSG-: hi, 1m",
            "!STUCK?     code   roo      215d      1   215d  silent 215d, 1 unread since 215d; "
            "last: \"read this\""])

    def test_openclaw_mail_that_does_not_say_whether_it_was_read_makes_nobody_stuck(self):
        """The gateway's published code never writes "read"."""
        def claw(number, sender, to, minutes, **more):
            one = self.claw(number, to=to, createdAt=MS_NOW - minutes * 60000, **more)
            del one["read"]
            return {**one, "from": sender}
        self.openclaw(messages=[claw(1, "lead", "tm1", 90, message="please rebase"),
                                claw(2, "lead", "tm2", 80, message="please test"),
                                claw(3, "tm1", "lead", 2, message="rebased")])
        rows = self.rows()
        self.assertEqual((rows["tm1"]["state"], rows["tm1"]["unread"],
                          rows["tm1"]["oldest_unread_at"]), ("WORKING", 0, None))
        self.assertNotEqual(rows["tm2"]["state"], "STUCK?", rows["tm2"])
        pairs = {(one["from"], one["to"]): one["unread"]
                 for one in self.run_json("flow", "--since", "9d", cwd=self.project)}
        self.assertEqual(pairs, {("lead", "tm1"): 0, ("lead", "tm2"): 0, ("tm1", "lead"): 0})
        self.assertEqual(self.ids("is:unread"), [UUID + "3"])  # new for the person until it is opened
        self.run_program("show", UUID + "3", cwd=self.project)
        self.run_json("messages", "is:unread", rc=NOTHING, cwd=self.project)

    def test_mail_that_waits_for_a_place_is_told(self):
        self.roo(tester="first")
        self.run_program("send", "--to", "tester", "--subject", "s", "--body", "b",
                         cwd=self.project)
        env = {"SWARMUTT_NOW": "2100-01-01T00:00:00Z"}
        self.assertIn("1 message for it queued since", self.rows(env=env)["tester"]["why"])


if __name__ == "__main__":
    harness.main()
