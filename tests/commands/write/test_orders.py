"""Lead commands: shutdown, mode, assign, rules and escalate, in every layout."""
import json
import os
import re
import select
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import DONE, NOTHING, REFUSED, USAGE, message  # noqa: E402
from layouts import LayoutCase  # noqa: E402

STOP = ("Please finish what you are doing, leave your work so that others can go on from it, and "
        "stop.")
ANSWER = "Answer this message: that you stop, or why you cannot."
TASK = ("assign", "bob", "--task", "3", "--subject", "Write tests")
RULES = ("--tool", "Bash", "--directory", "/src")
ESCALATE = ("escalate", "--title", "Build blocked", "--reason", "blocked")


def stringify(value):
    """Returns the value of JSON.stringify(value)."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def today():
    return time.strftime("ESC-%Y%m%d-", time.gmtime())


class OrderCase(LayoutCase):

    def order(self, *args, verify=False, **more):
        more.setdefault("cwd", self.project)
        return self.run_program(*args, *(() if verify else ("--no-verify",)), **more)

    def order_json(self, *args, **more):
        more.setdefault("cwd", self.project)
        return self.run_one(*args, "--no-verify", **more)

    def refuse(self, *args, says=(), rc=REFUSED, **more):
        """Asserts a refusal in one sentence, without a write."""
        before = self.box.snapshot()
        result = self.order(*args, rc=rc, **more)
        self.assert_says(result, *says)
        self.assertEqual(result.out, "")
        self.assert_unchanged(before)
        return result

    def show(self, *args, **more):
        """Returns the output of --dry-run; checks that it changes nothing."""
        before = self.box.snapshot()
        one = self.run_one(*args, "--dry-run", cwd=self.project, **more)
        self.assert_unchanged(before)
        self.assertIs(one["dry_run"], True)
        return one


class ClaudeCase(OrderCase):
    members = ("team-lead", "bob", "ann")

    def setUp(self):
        super().setUp()
        self.base = self.claude(members=self.members)

    def path(self, name):
        return os.path.join(self.base, "teams", "dev", "inboxes", name + ".json")

    def entries(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def got(self, name="bob"):
        """Returns the text of the only entry of an inbox, whose bytes must be those that Node would
        write."""
        with open(self.path(name), "rb") as file:
            data = file.read()
        entry, = json.loads(data)
        self.assertEqual(data.decode(), json.dumps([entry], indent=2, ensure_ascii=False))
        self.assertEqual(list(entry), ["from", "text", "timestamp", "read"])
        self.assertEqual((entry["from"], entry["read"]), ("team-lead", False))
        self.assertRegex(entry["timestamp"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\Z")
        text = json.loads(entry["text"])
        self.assertEqual(entry["text"], stringify(text))
        if "timestamp" in text:
            self.assertEqual(text["timestamp"], entry["timestamp"])
        return text

    def say(self, name, text, sender, seconds=1):
        """Writes as an agent's program to `name`, dated that long after the present."""
        when = time.time() + seconds
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(when)) + f".{int(when * 1000) % 1000:03}Z"
        entries = self.entries(name) if os.path.exists(self.path(name)) else []
        entries.append({"from": sender, "text": json.dumps(dict(text, timestamp=stamp)),
                        "timestamp": stamp, "read": False})
        self.write(self.path(name), entries)

    def answer(self, request, sender="bob", reason=None, **more):
        kind = "shutdown_rejected" if reason is not None else "shutdown_approved"
        text = {"type": kind, "requestId": request, "from": sender}
        if reason is not None:
            text["reason"] = reason
        self.say("team-lead", text, sender, **more)


class Claude(ClaudeCase):

    def test_a_shutdown_prints_its_request_and_its_agent(self):
        before = int(time.time() * 1000)
        result = self.order("shutdown", "bob", "--reason", 'All "done" \u00e9\nnow')
        after = int(time.time() * 1000)
        request, to = result.out.split()
        self.assertEqual((to, result.err), ("bob", ""))
        match = re.fullmatch(r"shutdown-(\d+)@bob", request)
        self.assertTrue(before <= int(match[1]) <= after, request)
        text = self.got()
        self.assertEqual(list(text.items())[:-1], [
            ("type", "shutdown_request"), ("requestId", request), ("from", "team-lead"),
            ("reason", 'All "done" \u00e9\nnow')])
        self.assertEqual(list(text)[-1], "timestamp")

    def test_the_log_says_what_the_terms_of_an_order_are(self):
        self.order("shutdown", "bob", "--reason", "the disk is full")
        self.order("mode", "ann", "plan")
        self.assertIn("    terms:    reason: the disk is full", self.run_program("log").lines)
        whole = self.run_program("log", "--long").out
        self.assertIn("    reason:\n    | the disk is full\n", whole)
        self.assertIn("    mode:     plan\n", whole)
        self.assertNotIn("rules:", whole)
        terms = [one["terms"] for one in self.run_json("log") if one["event"] == "intent"]
        self.assertEqual(terms, [{"feedback": "the disk is full"}, {"mode": "plan"}])

    def test_a_shutdown_without_a_reason_has_no_such_key(self):
        one = self.order_json("shutdown", "bob@dev")
        self.assertEqual(list(one), ["v", "request_id", "to", "id"])
        self.assertEqual(one["to"], "bob@dev")
        text = self.got()
        self.assertEqual(list(text), ["type", "requestId", "from", "timestamp"])
        self.assertEqual(text["requestId"], one["request_id"])
        found, = self.run_json("messages", "--box", "bob", cwd=self.project)
        self.assertEqual(found["id"], one["id"])

    def test_a_mode_is_set(self):
        self.assertEqual(list(self.order_json("mode", "bob", "acceptEdits")), ["v", "id", "to"])
        self.assertEqual(list(self.got().items()), [
            ("type", "mode_set_request"), ("mode", "acceptEdits"), ("from", "team-lead")])

    def test_manual_is_another_word_for_default(self):
        self.order("mode", "bob", "manual")
        self.assertEqual(self.got()["mode"], "default")

    def test_a_mode_that_is_not_there_is_refused_with_the_near_ones(self):
        self.refuse("mode", "bob", "acceptedits", says=['no mode is called "acceptedits"',
                                                        'near: "acceptEdits"', "bypassPermissions"])
        self.refuse("mode", "bob", "", says=['no mode is called ""'])

    def test_a_task_is_assigned(self):
        self.order(*TASK, "--description", "All\tof them")
        self.assertEqual(list(self.got().items())[:-1], [
            ("type", "task_assignment"), ("taskId", "3"), ("subject", "Write tests"),
            ("description", "All\tof them"), ("assignedBy", "team-lead")])
        self.assertEqual(list(self.got())[-1], "timestamp")

    def test_the_description_of_a_task_may_be_read(self):
        path = self.write(os.path.join(self.project, "text"), "from a file\n")
        self.order(*TASK, "-", input="typed\n")
        self.assertEqual(self.got()["description"], "typed\n")
        os.unlink(self.path("bob"))
        self.order(*TASK, "--body-file", path)
        self.assertEqual(self.got()["description"], "from a file\n")
        os.unlink(self.path("bob"))
        self.order(*TASK)
        self.assertEqual(self.got()["description"], "")

    def test_a_task_is_described_once(self):
        self.refuse(*TASK, "--description", "x", "-", rc=USAGE, says=["only one of"])
        self.refuse(*TASK, "x", rc=USAGE, says=['does not take "x"'])
        self.refuse("assign", "bob", "--task", "3", rc=USAGE, says=["needs --subject"])
        self.refuse("assign", "bob", "--subject", "s", rc=USAGE, says=["needs --task"])
        self.refuse("assign", "bob", "--task", "", "--subject", "s", says=['"taskId" is empty'])

    def test_rules_go_to_every_teammate(self):
        result = self.order("rules", "dev", *RULES, "--rule", "ls:*", "--rule", "cat:*",
                            "--behavior", "deny")
        self.assertEqual((len(set(result.lines)), result.err), (2, ""))
        for name in "bob", "ann":
            text = self.got(name)
            self.assertEqual(stringify(text), stringify({
                "type": "team_permission_update",
                "permissionUpdate": {
                    "type": "addRules",
                    "rules": [{"toolName": "Bash", "ruleContent": "ls:*"},
                              {"toolName": "Bash", "ruleContent": "cat:*"}],
                    "behavior": "deny", "destination": "session"},
                "directoryPath": "/src", "toolName": "Bash"}))
        self.assertFalse(os.path.exists(self.path("team-lead")))

    def test_rules_go_to_one_agent(self):
        one = self.order_json("rules", "bob", *RULES, "--behavior", "allow")
        self.assertEqual(one["to"], "bob")
        self.assertEqual(self.got()["permissionUpdate"]["rules"], [{"toolName": "Bash"}])
        self.assertFalse(os.path.exists(self.path("ann")))

    def test_the_lead_gets_no_rules_whatever_it_is_called(self):
        self.write(os.path.join(self.base, "teams", "dev", "config.json"), {
            "name": "dev", "leadAgentId": "boss@dev",
            "members": [{"name": name, "agentId": f"{name}@dev"} for name in ("boss", "bob")]})
        self.order("rules", "dev", *RULES, "--behavior", "ask")
        self.assertEqual(os.listdir(os.path.dirname(self.path("bob"))), ["bob.json"])
        self.refuse("rules", "boss", *RULES, "--behavior", "ask", says=["leads the team"])
        self.refuse("shutdown", "boss", says=["leads the team"])

    def test_rules_need_all_their_parts(self):
        for missing in "tool", "behavior", "directory":
            args = [word for name, value in (("tool", "Bash"), ("behavior", "ask"),
                                             ("directory", "/src"))
                    if name != missing for word in (f"--{name}", value)]
            self.refuse("rules", "dev", *args, rc=USAGE, says=[f"needs --{missing}"])
        self.refuse("rules", "dev", *RULES, "--behavior", "maybe",
                    says=['"behavior" is "maybe", not allow, deny or ask'])
        self.refuse("rules", "dve", *RULES, "--behavior", "ask", says=['"dve"'])

    def test_an_envelope_has_no_colour_even_if_the_lead_has_one(self):
        self.write(os.path.join(self.base, "teams", "dev", "config.json"), {
            "name": "dev", "leadAgentId": "team-lead@dev",
            "members": [{"name": "team-lead", "agentId": "team-lead@dev", "color": "red"},
                        {"name": "bob", "agentId": "bob@dev", "color": "blue"}]})
        self.order("mode", "bob", "plan")
        self.got()

    def test_newer_inboxes_get_newer_entries(self):
        self.write(self.path("bob"), [self.entry(msgV=1, msg_id="m-1")])
        one = self.order_json("shutdown", "bob")
        entry = self.entries("bob")[-1]
        self.assertEqual(list(entry), "from text timestamp msgV msg_id type read".split())
        self.assertEqual(entry["msg_id"], one["id"])

    def test_an_order_is_shown_before_it_is_sent(self):
        for args in (("shutdown", "bob", "--reason", "r"), ("mode", "bob", "plan"), TASK,
                     ("rules", "bob", *RULES, "--behavior", "allow")):
            with self.subTest(args=args):
                one = self.show(*args)
                self.assertEqual((one["path"], one["to"]), (self.path("bob"), "bob@dev"))
                entry = json.loads(one["bytes"])
                self.assertEqual(list(entry), ["from", "text", "timestamp", "read"])
                self.assertEqual(entry["from"], "team-lead")
                self.show(*args, "--readonly")

    def test_a_team_is_shown_with_who_gets_it_and_who_does_not(self):
        one = self.show("rules", "dev", *RULES, "--behavior", "allow")
        self.assertEqual([each["to"] for each in one["recipients"]], ["ann@dev", "bob@dev"])
        self.assertEqual([each["name"] for each in one["left_out"]], ["team-lead"])

    def test_nothing_is_ordered_where_only_reading_is_allowed(self):
        for args in (("shutdown", "bob"), ("mode", "bob", "plan"), TASK,
                     ("rules", "bob", *RULES, "--behavior", "ask"), (*ESCALATE, "--level", "coo")):
            self.refuse(*args, "--readonly", says=["--readonly was given"])

    def test_an_escalation_has_no_place_here(self):
        self.refuse(*ESCALATE, "--level", "coo", says=["Claude Code teams has no way to escalate"])

    def test_who_gets_it_has_to_be_somebody_else_whom_others_know(self):
        for args in (("shutdown",), ("mode",), ("assign",), ("rules",)):
            more = {"mode": ("plan",), "assign": TASK[2:],
                    "rules": (*RULES, "--behavior", "ask")}.get(args[0], ())
            self.refuse(*args, "bbo", *more, says=['"bbo" has no mailbox', 'near: "bob"'])
            self.refuse(*args, "team-lead", *more, says=['"team-lead" is you'])
            unknown = self.refuse(*args, "bob@vde", *more, says=['there is no team "vde"'])
            self.assertNotIn("--create", unknown.err)

    def test_only_the_lead_orders_and_the_person_does_in_its_name(self):
        self.refuse("shutdown", "bob", "--as", "ann",
                    says=['only who leads the team orders this, and you are "ann" here'])
        self.refuse("rules", "dev", "--as", "ann", *RULES, "--behavior", "ask", says=["only who"])
        result = self.order("shutdown", "bob", "--as", "user")
        self.assertIn('in the name of "team-lead"', result.err)
        self.assertEqual(self.got()["from"], "team-lead")

    def test_an_agent_with_an_odd_name_is_named_as_it_is_called(self):
        self.claude(members=("team-lead", "My Bot"))
        request = self.order("shutdown", "My Bot").out
        self.assertRegex(request, r"\Ashutdown-\d+@My Bot My Bot\n\Z")
        self.assertEqual(os.listdir(os.path.dirname(self.path("bob"))), ["My-Bot.json"])

    def test_names_do_not_reach_a_terminal_as_they_are(self):
        self.claude(members=("team-lead", "b\x1b[31m"))
        screen = self.box.run_tty("shutdown", "b\x1b[31m", "--no-verify", cwd=self.project)
        self.assertNotIn(b"\x1b", screen.stdout)
        self.assertIn(b"^[[31m", screen.stdout)


class Unguarded(ClaudeCase):
    """Commands that remove all protection."""

    def type(self, *args, answers, typed_ahead=b""):
        """Runs at a terminal, and types the answer to the question."""
        master, slave = harness.open_terminal()
        os.write(master, typed_ahead)
        process = self.box.popen(*args, "--no-verify", cwd=self.project, stdin=slave,
                                 stdout=subprocess.PIPE, stderr=slave)
        self.addCleanup(harness.end_process, process)
        os.close(slave)
        screen = b""
        while not screen.endswith(b": "):
            if not select.select([master], [], [], harness.LIMIT_S)[0]:
                self.fail(f"nothing is asked: {screen!r}")
            try:
                screen += os.read(master, 4096)
            except OSError:
                break
        for answer in answers:
            os.write(master, answer)
        out, _ = process.communicate(timeout=harness.LIMIT_S)
        os.close(master)
        return process.returncode, out.decode(), screen.decode()

    def test_without_a_terminal_it_has_to_be_said_twice(self):
        for mode in "bypassPermissions", "dontAsk":
            self.refuse("mode", "bob", mode, says=[mode, '"bob"', "--confirm bob"])
            self.refuse("mode", "bob", mode, "--confirm", "ann", says=['--confirm names "ann"'])
            self.refuse("mode", "bob", mode, "--confirm", "", says=['--confirm names ""'])
            self.order("mode", "bob", mode, "--confirm", "bob")
            self.assertEqual(self.got()["mode"], mode)
            os.unlink(self.path("bob"))

    def test_the_other_modes_are_set_at_once(self):
        for mode in "default", "acceptEdits", "plan", "auto", "delegate":
            self.order("mode", "bob", mode)
            self.assertEqual(self.got()["mode"], mode)
            os.unlink(self.path("bob"))

    def test_it_is_shown_without_a_question(self):
        self.show("mode", "bob", "dontAsk")
        self.show("rules", "dev", *RULES, "--behavior", "allow")

    def test_at_a_terminal_the_name_is_typed(self):
        code, out, screen = self.type("mode", "bob", "dontAsk", answers=[b"bob\n"])
        self.assertEqual(code, DONE, screen)
        self.assertIn('"bob" will act without asking anybody', screen)
        self.assertTrue(out)
        self.assertEqual(self.got()["mode"], "dontAsk")

    def test_any_other_answer_sends_nothing(self):
        for answer in b"y\n", b"\n", b"Bob\n", b"bob \n", b"\x04", b"ann\n":
            code, out, screen = self.type("mode", "bob", "dontAsk", answers=[answer])
            self.assertEqual((code, out), (REFUSED, ""), screen)
            self.assertFalse(os.path.exists(self.path("bob")))

    def test_what_was_typed_ahead_is_no_answer(self):
        code, out, screen = self.type("mode", "bob", "dontAsk", answers=[b"\n"],
                                      typed_ahead=b"bob\n")
        self.assertEqual((code, out), (REFUSED, ""), screen)
        self.assertFalse(os.path.exists(self.path("bob")))

    def test_to_allow_a_whole_team_something_is_confirmed(self):
        allow = ("rules", "dev", *RULES, "--behavior", "allow")
        self.refuse(*allow, says=['all 2 teammates of "dev"', "--confirm dev"])
        self.refuse(*allow, "--confirm", "bob", says=['--confirm names "bob"'])
        code, out, screen = self.type(*allow, answers=[b"dev\n"])
        self.assertEqual((code, len(out.splitlines())), (DONE, 2), screen)
        for name in "bob", "ann":
            self.assertEqual(self.got(name)["permissionUpdate"]["behavior"], "allow")
            os.unlink(self.path(name))
        self.assertEqual(len(self.order(*allow, "--confirm", "dev").lines), 2)


class Following(ClaudeCase):
    """The progress of a shutdown."""

    def stop(self, name="bob"):
        one = self.order_json("shutdown", name, "--reason", "enough")
        return one["request_id"], one["id"]

    def pending(self, *args):
        result = self.box.run("pending", "--json", *args, cwd=self.project)
        self.assertIn(result.rc, (DONE, NOTHING), str(result))
        return [(one["kind"], one["agent"], one["asked"])
                for one in harness.parse_lines(result.stdout)]

    def sent(self, id):
        return self.run_one("sent", id, cwd=self.project)

    def test_it_waits_on_the_agent(self):
        self.stop()
        self.assertEqual(self.pending(), [])
        self.assertEqual(self.pending("--all"), [("shutdown", "team-lead", "enough")])

    def test_an_approval_settles_it(self):
        request, id = self.stop()
        self.answer(request)
        self.assertEqual(self.pending("--all"), [])
        one = self.sent(id)
        self.assertEqual((one["state"], one["problem"]), ("answered", None))
        agents = {one["agent"]: one["state"] for one in self.run_json("agents", cwd=self.project)}
        self.assertEqual(agents["bob"], "GONE")

    def test_an_approval_of_somebody_else_settles_nothing(self):
        request, id = self.stop()
        self.answer(request, sender="ann")
        self.assertEqual(self.pending("--all"), [("shutdown", "team-lead", "enough")])
        self.assertEqual(self.sent(id)["state"], "delivered")

    def test_a_rejection_shows_its_reason_until_it_is_read(self):
        request, id = self.stop()
        self.answer(request, reason="the tests still run")
        self.assertEqual(self.pending(),
                         [("shutdown", "bob", "will not stop: the tests still run")])
        lines = self.run_program("pending", cwd=self.project).lines
        self.assertRegex(lines[0], r"bob STOP    will not stop: the tests still run  inbox-\w+")
        one = self.sent(id)
        self.assertEqual((one["state"], one["problem"]),
                         ("answered", "Shutdown rejected: the tests still run"))
        for command in ("sent",), ("sent", id), ("thread", request):
            self.assertIn("the tests still run", self.run_program(*command, cwd=self.project).out)
        agents = {one["agent"]: one["state"] for one in self.run_json("agents", cwd=self.project)}
        self.assertNotEqual(agents["bob"], "WAITS-YOU")
        self.run_program("messages", "is:waiting", cwd=self.project, rc=NOTHING)
        self.run_program("show", one["answer"], cwd=self.project)
        self.assertEqual(self.pending(), [])

    def test_a_rejection_is_done_with_when_it_is_archived_or_asked_again(self):
        request, id = self.stop()
        self.answer(request, reason="busy")
        self.run_program("archive", self.sent(id)["answer"], cwd=self.project)
        self.assertEqual(self.pending(), [])
        request, _ = self.stop("ann")
        self.answer(request, sender="ann", reason="busy", seconds=0)
        self.assertEqual(self.pending(), [("shutdown", "ann", "will not stop: busy")])
        self.stop("ann")
        self.assertEqual(self.pending(), [])

    def start_waiting(self, *args):
        """Starts the program, which waits for an answer; returns it with its first line."""
        self.box.source = ("-S", "claude:" + self.base)
        process = self.start("shutdown", "bob", "--no-verify", "--wait", "60s", *args)
        return process, process.stdout.readline().decode()

    def test_the_answer_is_waited_for(self):
        for reason, code, said in (None, DONE, "approved\n"), \
                ("not \x1b[1mnow\nlater", REFUSED, "rejected: not ^[[1mnow^Jlater\n"):
            process, line = self.start_waiting()
            request, to = line.split()
            self.assertEqual(to, "bob")
            self.answer(request, sender="ann", reason="not mine to say")
            self.answer("shutdown-1@bob", reason="another request")
            self.answer(request, reason=reason)
            self.assertEqual(self.finish(process, code).out, said)
            for name in "bob", "team-lead":
                os.unlink(self.path(name))

    def test_programs_are_told_the_answer_in_a_line(self):
        process, line = self.start_waiting("--json")
        request = json.loads(line)["request_id"]
        self.answer(request, reason="busy")
        answer, = harness.parse_lines(self.finish(process, REFUSED).stdout)
        found, = self.run_json("messages", "--box", "team-lead")
        self.assertEqual(list(answer.items()), [
            ("v", 1), ("request_id", request), ("answer", "rejected"), ("reason", "busy"),
            ("id", found["id"])])

    def test_without_an_answer_it_ends_when_the_time_is_up(self):
        result = self.order("shutdown", "bob", "--wait", "0s", rc=NOTHING)
        self.assert_says(result, '"bob" has not answered yet')
        self.assertRegex(result.out, r"\Ashutdown-\d+@bob bob\n\Z")
        self.refuse("shutdown", "bob", "--wait", "soon", rc=USAGE, says=["--wait takes a duration"])
        self.show("shutdown", "bob", "--wait", "1h")


class Words(OrderCase):
    """Layouts whose programs have no lead commands."""

    OTHERS = (("mode", "plan"), ("assign", *TASK[2:]), ("rules", *RULES, "--behavior", "ask"))

    def refuse_others(self, name, layout):
        for verb, *more in self.OTHERS:
            self.refuse(verb, name, *more, says=[f"the layout {layout} has no way to"])

    def stop(self, name, layout, *args, reason="over"):
        more = ("--reason", reason) if reason else ()
        result = self.order("shutdown", name, *more, *args)
        self.assertIn(f"in the layout {layout} this is a custom for people and models: no program "
                      "enforces it", result.err)
        id, to = result.out.split()
        self.assertEqual(to, name)
        return id

    def waits(self, *args):
        result = self.box.run("pending", "--all", "--json", *args, cwd=self.project)
        return [(one["kind"], one["to"]) for one in harness.parse_lines(result.stdout)]

    def test_openclaw(self):
        base = self.openclaw()
        id = self.stop("tm1", "OpenClaw teams")
        path = os.path.join(base, "teams", "web", "mailbox", id + ".json")
        data = self.read(path).decode()
        fields = json.loads(data)
        self.assertEqual(data, json.dumps(fields, indent=2) + "\n")
        self.assertEqual(list(fields.items())[1:-1], [
            ("teamId", "web"), ("from", "lead"), ("to", "tm1"),
            ("message", f"Shutdown requested: over\n\n{STOP}\n\nReason: over\n\n{ANSWER}"),
            ("priority", "normal"), ("read", False)])
        self.assertEqual(self.waits(), [("shutdown", "tm1")])
        self.order("reply", id, "--as", "tm1", "--body", "I stop")
        self.assertEqual(self.waits(), [])
        self.refuse_others("tm1", "OpenClaw teams")
        self.refuse("shutdown", "lead", says=['"lead" is you'])
        self.refuse("shutdown", "tm9", says=['"tm9" has no mailbox'])

    def test_agent_inbox(self):
        root = self.inbox()
        self.inbox(box="workers")
        id = self.stop("workers", "Agent Inbox")
        name, = [one for one in os.listdir(os.path.join(root, "workers")) if one != "archive"]
        data = self.read(os.path.join(root, "workers", name)).decode()
        fields = json.loads(data)
        self.assertEqual(data, json.dumps(fields, indent=2) + "\n")
        self.assertEqual(list(fields), "id timestamp from to subject content conversationId "
                                       "requiresResponse".split())
        self.assertEqual(
            (fields["id"], fields["from"], fields["to"], fields["subject"], fields["content"],
             fields["requiresResponse"]),
            (id, "coordinator", "workers", "Shutdown requested: over",
             f"{STOP}\n\nReason: over\n\n{ANSWER}", True))
        self.assertEqual(self.waits(), [("shutdown", "workers")])
        self.refuse_others("workers", "Agent Inbox")
        self.refuse("shutdown", "coordinator", says=['"coordinator" is you'])

    def test_adr(self):
        mail = self.adr(id="MSG-00000000000a", to_agent="bob", from_agent="alice",
                        type="notification")
        id = self.stop("bob", "ADR-003", reason=None)
        data = self.read(os.path.join(mail, "bob", "inbox", id + ".json")).decode()
        fields = json.loads(data)
        self.assertEqual(data, json.dumps(fields, indent=2))
        self.assertEqual(fields, message(
            id=id, from_agent="user", to_agent="bob", type="request",
            subject="Shutdown requested", body=f"{STOP}\n\n{ANSWER}",
            payload={"x_protocol": "shutdown"}, created_at=fields["created_at"]))
        self.assertEqual(list(fields), harness.FIELDS)
        self.assertEqual(self.waits(), [("shutdown", "bob")])
        one = self.order_json("shutdown", "bob")
        self.assertIsNone(one["request_id"])
        self.refuse_others("bob", "ADR-003")
        self.refuse("shutdown", "user", says=['"user" is you'])

    def test_roo(self):
        base = self.roo(code="a text")
        self.write(os.path.join(base, ".roomodes"), "customModes:\n  - slug: tester\n")
        id = self.stop("tester", "Roo mailbox")
        data = self.read(os.path.join(base, ".roo", "mailbox", "to-tester.md")).decode()
        stamp = re.search(r'timestamp: "(.*?)"', data)[1]
        self.assertEqual(data, f'---\nfrom: orchestrator\ntimestamp: "{stamp}"\nid: "{id}"\n---\n\n'
                               f"**Shutdown requested: over**\n\n{STOP}\n\nReason: over\n\n"
                               f"{ANSWER}\n")
        self.assertIn(("shutdown", "tester"), self.waits())
        self.refuse_others("tester", "Roo mailbox")
        one = self.order_json("shutdown", "code")
        self.assertIs(one["queued"], True)

    def test_nobody_waits_for_a_program_that_is_not_there(self):
        self.openclaw()
        before = self.box.snapshot()
        result = self.order("shutdown", "tm1", "--wait", "1s", rc=REFUSED)
        self.assertIn("no program answers in the layout OpenClaw teams", result.err)
        self.assert_unchanged(before)

    def test_it_is_shown_with_what_it_is_worth(self):
        self.openclaw()
        result = self.order("shutdown", "tm1", "--dry-run")
        self.assertIn("no program enforces it", result.err)
        self.assertIn("Shutdown requested", result.out)

    def test_where_the_layout_that_is_named_has_no_way_it_is_refused_though_another_has(self):
        self.claude()
        mail = self.adr(id="MSG-00000000000a", to_agent="bob", from_agent="alice")
        self.refuse("-S", "adr:" + mail, "mode", "bob", "plan", says=["has no way to"])
        self.refuse("-S", "adr:" + mail, "rules", "dev", *RULES, "--behavior", "deny", says=['"dev"'])

    def test_a_team_that_two_sources_have_is_told_apart_by_its_source(self):
        near = self.claude(members=("team-lead", "bob"))
        far = self.claude(base=os.path.join(self.box.root, "far"), members=("team-lead", "ann"))
        rules = ("rules", "dev", *RULES, "--behavior", "deny")
        both = ("-S", "claude:" + near, "-S", "claude:" + far)
        self.refuse(*both, *rules, says=["several sources have a team", "--source"])
        self.order("-S", "claude:" + far, *rules)
        self.assertTrue(os.path.exists(os.path.join(far, "teams/dev/inboxes/ann.json")))
        self.assertFalse(os.path.exists(os.path.join(near, "teams/dev/inboxes/bob.json")))

    def test_who_is_known_in_two_layouts_gets_what_only_one_can_hold(self):
        self.adr(id="MSG-00000000000a", to_agent="bob", from_agent="alice")
        base = self.claude()
        self.order("mode", "bob", "plan")
        with open(os.path.join(base, "teams", "dev", "inboxes", "bob.json")) as file:
            self.assertEqual(len(json.load(file)), 1)
        self.refuse("shutdown", "bob", says=["known in 2 sources", "--source"])


class Escalating(OrderCase):

    def setUp(self):
        super().setUp()
        self.mail = self.adr(id="MSG-00000000000a", to_agent="bob", from_agent="alice",
                             type="notification")

    def got(self, name):
        inbox = os.path.join(self.mail, name, "inbox")
        return {one["payload"].get("escalation_id"): one for one in
                (json.loads(self.read(os.path.join(inbox, file))) for file in os.listdir(inbox))}

    def test_to_the_coo_as_python_writes_it(self):
        one = self.order_json(*ESCALATE, "--level", "coo", "--as", "alice", "--priority", "urgent",
                              "--body", "No disk \u00e9.")
        self.assertEqual(list(one), ["v", "escalation_id", "to", "id"])
        self.assertRegex(one["escalation_id"], r"\AESC-\d{8}-0001\Z")
        data = self.read(os.path.join(self.mail, "coo", "inbox", one["id"] + ".json")).decode()
        fields = json.loads(data)
        self.assertEqual(data, json.dumps(fields, indent=2))
        self.assertEqual(fields, message(
            id=one["id"], from_agent="alice", to_agent="coo", type="escalation", priority=4,
            subject="Escalation: Build blocked", body="No disk \u00e9.",
            payload={"escalation_id": one["escalation_id"], "reason": "blocked"},
            created_at=fields["created_at"]))
        self.assertEqual(list(fields), harness.FIELDS)
        self.assertEqual(list(fields["payload"]), ["escalation_id", "reason"])

    def test_to_the_ceo_from_the_coo_with_high_priority(self):
        result = self.order(*ESCALATE, "--level", "ceo", "--id", "ESC-20260103-0007")
        self.assertEqual((result.out, result.err), ("ESC-20260103-0007 user\n", ""))
        fields = self.got("user")["ESC-20260103-0007"]
        self.assertEqual((fields["from_agent"], fields["to_agent"], fields["subject"],
                          fields["body"], fields["priority"], fields["tags"]),
                         ("coo", "user", "CEO Escalation: Build blocked", "blocked", 3, []))
        waiting, = self.run_json("pending", cwd=self.project)
        self.assertEqual((waiting["kind"], waiting["agent"]), ("escalation", "coo"))

    def test_a_new_id_follows_the_highest_that_any_message_of_the_day_speaks_of(self):
        if today() != time.strftime("ESC-%Y%m%d-", time.gmtime(time.time() + 60)):
            self.skipTest("the day ends")
        day = today()
        self.adr(id="MSG-00000000000b", to_agent="bob", body=f"see {day}0004", type="notification")
        self.adr(id="MSG-00000000000c", to_agent="bob", type="handoff",
                 context={"related_escalations": [day + "0011"]})
        self.adr(id="MSG-00000000000d", to_agent="bob", body="ESC-20200101-9000 " + day + "12345678",
                 type="notification")
        self.write(os.path.join(self.mail, "bob", "archive", "MSG-00000000000e.json"),
                   message(id="MSG-00000000000e", to_agent="bob", status="archived",
                           type="escalation", payload={"escalation_id": day + "0009"}))
        self.assertEqual(self.order(*ESCALATE, "--level", "coo").out, f"{day}0012 coo\n")
        self.assertEqual(self.order(*ESCALATE, "--level", "ceo").out, f"{day}0013 user\n")

    def test_the_text_may_be_read(self):
        self.order(*ESCALATE, "--level", "coo", "--id", "ESC-20260103-0001", "-", input="typed\n")
        self.assertEqual(self.got("coo")["ESC-20260103-0001"]["body"], "typed\n")

    def test_somebody_else_may_get_it(self):
        self.order(*ESCALATE, "--level", "coo", "--to", "bob", "--id", "ESC-20260103-0001")
        self.assertIn("ESC-20260103-0001", self.got("bob"))
        self.refuse(*ESCALATE, "--level", "coo", "--to", "bbo", says=['"bbo" has no mailbox'])

    def test_what_makes_no_sense_is_refused(self):
        self.refuse(*ESCALATE, "--level", "cto", rc=USAGE, says=["--level takes coo or ceo"])
        self.refuse(*ESCALATE, rc=USAGE, says=["needs --level"])
        self.refuse("escalate", "--level", "coo", "--title", "t", rc=USAGE, says=["needs --reason"])
        self.refuse("escalate", "--level", "coo", "--title", " ", "--reason", "r",
                    says=["needs a title"])
        self.refuse(*ESCALATE, "--level", "coo", "--id", "ESC-1", says=['"ESC-1" is no id'])
        self.refuse(*ESCALATE, "--level", "ceo", "--priority", "low", rc=USAGE, says=["high"])
        self.refuse(*ESCALATE, "--level", "coo", "x", rc=USAGE, says=['does not take "x"'])
        self.refuse(*ESCALATE, "--level", "coo", "--as", "coo", says=['"coo" is you'])

    def test_it_is_shown_before_it_is_sent(self):
        one = self.show(*ESCALATE, "--level", "coo")
        self.assertEqual(json.loads(one["bytes"])["type"], "escalation")
        self.assertEqual((one["to"], one["creates"]), ("coo", True))


class EscalatingElsewhere(OrderCase):

    def test_agent_inbox_has_a_type_for_it(self):
        root = self.inbox()
        self.inbox(box="person-manager")
        self.refuse(*ESCALATE, "--level", "coo", says=['"coo"', "--to"])
        self.assertEqual(sorted(os.listdir(root)), ["coordinator", "person-manager"])
        result = self.order(*ESCALATE, "--level", "coo", "--to", "person-manager", "--id",
                            "ESC-20260103-0001", "--body", "No disk.")
        self.assertEqual(result.out, "ESC-20260103-0001 person-manager\n")
        self.assertIn("no program enforces it", result.err)
        name, = [one for one in os.listdir(os.path.join(root, "person-manager"))
                 if one != "archive"]
        fields = json.loads(self.read(os.path.join(root, "person-manager", name)))
        self.assertEqual((fields["type"], fields["subject"], fields["content"]),
                         ("escalation", "Escalation: Build blocked",
                          "No disk.\n\nEscalation: ESC-20260103-0001\nReason: blocked"))

    def test_the_others_have_none(self):
        self.openclaw()
        self.refuse(*ESCALATE, "--level", "ceo", says=["OpenClaw teams has no way to escalate"])
        self.roo(code="x")
        self.refuse(*ESCALATE, "--level", "ceo", says=["none of the 2 mailbox trees"])

    def test_among_several_layouts_it_goes_where_it_has_a_place(self):
        self.claude()
        mail = self.adr(id="MSG-00000000000a", to_agent="bob", from_agent="alice")
        self.order(*ESCALATE, "--level", "ceo")
        self.assertEqual(len(os.listdir(os.path.join(mail, "user", "inbox"))), 1)


if __name__ == "__main__":
    harness.main()
