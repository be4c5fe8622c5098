"""protocol compose: texts for agents' programs, as those programs would write them."""
import glob
import json
import os
import re
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import DONE, FAILED, REFUSED, USAGE  # noqa: E402

SAMPLES = os.path.join(os.environ.get("SWARMUTT_SHARED")
                       or os.path.join(harness.SRC, "..", "shared"), "samples")
TIME = "2026-02-07T15:35:15.573Z"
STAMP = ["--timestamp", TIME]
ID = ["--request-id", "r-1"]

OPTIONS = {
    "request_id": "request-id", "requestId": "request-id", "from": "from", "timestamp": "timestamp",
    "idleReason": "idle-reason", "summary": "summary", "completedTaskId": "completed-task",
    "completedStatus": "completed-status", "failureReason": "failure", "agent_id": "agent",
    "tool_name": "tool", "toolName": "tool", "tool_use_id": "tool-use-id",
    "description": "description", "input": "input", "updated_input": "input",
    "permission_suggestions": "suggestions", "permission_updates": "updates", "error": "error",
    "workerId": "worker-id", "workerName": "worker", "workerColor": "color", "host": "host",
    "createdAt": "created", "planFilePath": "path", "planContent": "plan", "feedback": "feedback",
    "permissionMode": "mode", "mode": "mode", "reason": "reason", "paneId": "pane",
    "backendType": "backend", "taskId": "task", "subject": "subject", "assignedBy": "by",
    "behavior": "behavior", "directoryPath": "directory"}

VERDICTS = {"approved": ("--reject", "--approve"), "allow": ("--deny", "--allow")}


def stringify(value):
    """Returns the value of JSON.stringify(value), except for odd numbers."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def options_for(message):
    """Returns the options that make this message."""
    args = []
    for key, value in message.items():
        if key in ("hostPattern", "permissionUpdate", "response"):
            args += options_for({name: one for name, one in value.items() if name != "type"})
            if key == "response" and "updated_input" not in value:
                args.append("--allow")
        elif key == "rules":
            for rule in value:
                args += ["--rule", rule["ruleContent"]]
        elif key in ("approved", "allow"):
            args.append(VERDICTS[key][value])
        elif key not in ("type", "subtype", "destination"):
            text = value if isinstance(value, str) else stringify(value)
            args.append(f"--{OPTIONS[key]}={text}")
    return args


ODD = "\"q\" \\ \b\f\n\r\t\x01\x7f é \u2028 \U0001f600 </x>"
INPUT = {"command": "ls", "10": [1, {"a": None}], "é": ODD, "big": 12345678901234567890}
UPDATES = [{"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "ls:*"}],
            "behavior": "allow", "destination": "localSettings", "new": 1}]
FULL = [
    {"type": "idle_notification", "from": "w", "timestamp": TIME, "idleReason": "interrupted",
     "summary": ODD, "completedTaskId": "3", "completedStatus": "resolved", "failureReason": ODD},
    {"type": "permission_request", "request_id": ODD, "agent_id": "w", "tool_name": "Bash",
     "tool_use_id": "toolu_1", "description": ODD, "input": INPUT,
     "permission_suggestions": UPDATES},
    {"type": "permission_response", "request_id": "r", "subtype": "success",
     "response": {"updated_input": INPUT, "permission_updates": UPDATES}},
    {"type": "permission_response", "request_id": "r", "subtype": "error", "error": ODD},
    {"type": "sandbox_permission_request", "requestId": "r", "workerId": "w@demo",
     "workerName": "w", "workerColor": "blue", "hostPattern": {"host": "example.org"},
     "createdAt": 1794785047047},
    {"type": "sandbox_permission_response", "requestId": "r", "host": "example.org", "allow": False,
     "timestamp": TIME},
    {"type": "plan_approval_request", "from": "w", "timestamp": TIME, "planFilePath": "/p.md",
     "planContent": ODD, "requestId": "r"},
    {"type": "plan_approval_response", "requestId": "r", "approved": True, "timestamp": TIME,
     "permissionMode": "acceptEdits"},
    {"type": "plan_approval_response", "requestId": "r", "approved": False, "feedback": ODD,
     "timestamp": TIME},
    {"type": "shutdown_request", "requestId": "r", "from": "l", "reason": ODD, "timestamp": TIME},
    {"type": "shutdown_approved", "requestId": "r", "from": "w", "timestamp": TIME, "paneId": "%1",
     "backendType": "tmux"},
    {"type": "shutdown_rejected", "requestId": "r", "from": "w", "reason": "", "timestamp": TIME},
    {"type": "task_assignment", "taskId": "3", "subject": ODD, "description": ODD,
     "assignedBy": "l", "timestamp": TIME},
    {"type": "team_permission_update",
     "permissionUpdate": {"type": "addRules", "rules": [{"toolName": "Edit", "ruleContent": ODD},
                                                        {"toolName": "Edit", "ruleContent": "b"}],
                          "behavior": "ask", "destination": "session"},
     "directoryPath": "/src", "toolName": "Edit"},
    {"type": "mode_set_request", "mode": "delegate", "from": "l"},
]


class ProtocolCase(harness.MailboxCase):

    def compose(self, *args, **more):
        return self.run_program("protocol", "compose", *args, cwd="/", **more)

    def made(self, *args, **more):
        """Returns the message as a dictionary; its text is one line."""
        out = self.compose(*args, **more).out
        self.assertEqual(out.count("\n"), 1, out)
        return json.loads(out)


class Composing(ProtocolCase):

    def test_every_kind_is_written_as_node_writes_it(self):
        for message in FULL:
            with self.subTest(kind=message["type"]):
                result = self.compose(message["type"], *options_for(message))
                self.assertEqual(result.out, stringify(message) + "\n")
                self.assertEqual(result.err, "")

    def test_kinds_may_be_written_with_dashes(self):
        for message in FULL:
            result = self.compose(message["type"].replace("_", "-"), *options_for(message))
            self.assertEqual(result.out, stringify(message) + "\n")

    def test_texts_in_the_samples_are_made_again_byte_for_byte(self):
        found = glob.glob(os.path.join(SAMPLES, "claude*", "teams", "*", "inboxes", "*.json"))
        if not found:
            self.skipTest(f"{SAMPLES}/claude* is not there")
        kinds = set()
        for path in found:
            with open(path, encoding="utf-8") as file:
                texts = [entry["text"] for entry in json.load(file)]
            for text in texts:
                if text.startswith("{"):
                    message = json.loads(text)
                    kinds.add(message["type"])
                    args = options_for(message)
                    self.assertEqual(self.compose(message["type"], *args).out, text + "\n", path)
        self.assertEqual(kinds, {message["type"] for message in FULL})

    def test_json_output_carries_kind_text_and_recipient(self):
        result = self.compose("mode-set-request", "--mode", "plan", "--to", "wörker", "--json")
        text = '{"type":"mode_set_request","mode":"plan","from":"team-lead"}'
        self.assertEqual(result.out, json.dumps(
            {"v": 1, "kind": "mode_set_request", "text": text, "to": "wörker"},
            separators=(",", ":")) + "\n")
        one = self.run_one("protocol", "compose", "mode_set_request", "--mode", "plan")
        self.assertIsNone(one["to"])

    def test_an_input_is_copied_byte_for_byte(self):
        raw = '{ "b": 12345678901234567890, "a":1.0,"\\u00e9" : "\\/", "10":1e-07, "a":2}'
        result = self.compose("permission_response", *ID, "--input", f" {raw}\n")
        self.assertEqual(result.out, '{"type":"permission_response","request_id":"r-1","subtype":'
                                     '"success","response":{"updated_input":' + raw
                                     + ',"permission_updates":[]}}\n')

    def test_what_reaches_a_terminal_is_cleaned(self):
        args = ["protocol", "compose", "shutdown_request", "--to", "b", *ID, "--reason",
                "\u202e\x9b\x7f"]
        screen = self.box.run_tty(*args, tty=("stdout",)).stdout.decode()
        self.assertIn("<U+202E>", screen)
        for char in "\u202e\x9b\x7f":
            self.assertNotIn(char, screen)
            self.assertIn(char, self.run_program(*args).out)


class Defaults(ProtocolCase):

    def test_the_sender_is_the_lead_unless_something_else_is_said(self):
        args = ["mode_set_request", "--mode", "auto"]
        self.assertEqual(self.made(*args)["from"], "team-lead")
        self.assertEqual(self.made(*args, "--as", "user")["from"], "user")
        self.assertEqual(self.made(*args, "--as", "user", "--from", "bob")["from"], "bob")

    def test_the_sender_stands_for_who_assigns_and_who_asks(self):
        made = self.made("task_assignment", "--task", "1", "--subject", "s", "--description", "d",
                         "--as", "bob")
        self.assertEqual(made["assignedBy"], "bob")
        made = self.made("permission_request", "--from", "bob", "--tool", "T", "--tool-use-id", "u",
                         "--description", "d", "--input", "{}")
        self.assertEqual(made["agent_id"], "bob")
        self.assertEqual(made["permission_suggestions"], [])
        made = self.made("sandbox_permission_request", "--from", "bob", "--team", "demo",
                         "--host", "h")
        self.assertEqual([made["workerName"], made["workerId"]], ["bob", "bob@demo"])

    def test_times_are_now_in_the_form_of_the_agents(self):
        before = time.time() * 1000 - 1
        made = self.made("shutdown_request", "--to", "bob")
        asked = self.made("sandbox_permission_request", "--worker-id", "w@t", "--host", "h")
        after = time.time() * 1000 + 1
        self.assertRegex(made["timestamp"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\Z")
        match = re.fullmatch(r"shutdown-(\d+)@bob", made["requestId"])
        self.assertTrue(before <= int(match[1]) <= after, made)
        self.assertTrue(before <= asked["createdAt"] <= after, asked)

    def test_a_time_in_another_form_is_written_in_that_of_the_agents(self):
        for given, want in (("2026-02-07T16:35:15.5+01:00", "2026-02-07T15:35:15.500Z"),
                            ("2026-02-07T15:35:15", "2026-02-07T15:35:15.000Z")):
            made = self.made("shutdown_request", "--to", "bob", "--timestamp", given)
            self.assertEqual(made["timestamp"], want)

    def test_a_new_request_gets_an_id(self):
        made = self.made("shutdown_request", "--to", "bob", *STAMP)
        self.assertEqual(made["requestId"], "shutdown-1770478515573@bob")
        made = self.made("plan_approval_request", "--from", "bob", "--team", "demo", "--plan", "p",
                         "--path", "", *STAMP)
        self.assertEqual(made["requestId"], "plan_approval-1770478515573@bob@demo")
        args = ["permission_request", "--tool", "T", "--tool-use-id", "u", "--description", "d",
                "--input", "{}"]
        ids = {self.made(*args)["request_id"] for _ in range(3)}
        self.assertEqual(len(ids), 3)
        for one in ids:
            self.assertRegex(one, r"\Aperm-\d{13}-[0-9a-z]{7}\Z")
        made = self.made("sandbox_permission_request", "--worker-id", "w@t", "--host", "h")
        self.assertRegex(made["requestId"], r"\Asandbox-\d{13}-[0-9a-z]{7}\Z")

    def test_an_approval_names_the_default_mode_and_a_rejection_none(self):
        made = self.made("plan_approval_response", *ID, "--approve", *STAMP)
        self.assertEqual(list(made),
                         ["type", "requestId", "approved", "timestamp", "permissionMode"])
        self.assertEqual(made["permissionMode"], "default")
        made = self.made("plan_approval_response", *ID, "--reject", *STAMP)
        self.assertEqual(list(made), ["type", "requestId", "approved", "timestamp"])

    def test_feedback_to_an_approval_is_written_with_a_warning(self):
        result = self.compose("plan_approval_response", *ID, "--approve", "--feedback", "f")
        self.assertEqual(json.loads(result.out)["feedback"], "f")
        self.assert_says(result, "approval")

    def test_a_permission_is_granted_with_allow_and_denied_with_deny(self):
        made = self.made("permission_response", *ID, "--allow")
        self.assertEqual(made["response"], {"permission_updates": []})
        made = self.made("permission_response", *ID, "--deny")
        self.assertEqual([made["subtype"], made["error"]], ["error", "Permission denied"])
        made = self.made("permission_response", *ID, "--deny", "--error", "no")
        self.assertEqual(made["error"], "no")

    def test_a_tool_without_rules_is_a_rule_without_content(self):
        made = self.made("team_permission_update", "--tool", "Edit", "--behavior", "deny",
                         "--directory", "/")
        self.assertEqual(made["permissionUpdate"]["rules"], [{"toolName": "Edit"}])

    def test_a_plan_comes_from_a_file_or_standard_input(self):
        path = os.path.join(self.box.root, "plan.md")
        with open(path, "wb") as file:
            file.write("# Plän\n".encode() * 20000)
        args = ["plan_approval_request", *ID]
        made = self.made(*args, "--plan-file", path)
        self.assertEqual([made["planFilePath"], made["planContent"]], [path, "# Plän\n" * 20000])
        made = self.made(*args, "--plan-file", path, "--path", "/else")
        self.assertEqual(made["planFilePath"], "/else")
        made = self.made(*args, "--plan-file", "-", "--path", "/p", input="a plan")
        self.assertEqual(made["planContent"], "a plan")


class Errors(ProtocolCase):

    def refused(self, rc, *args, words=()):
        result = self.compose(*args, rc=rc)
        self.assertEqual(result.out, "")
        self.assert_says(result, *words)

    def test_what_a_kind_needs_is_named_by_its_option(self):
        for needed, args in (
                ("--request-id", ["plan_approval_response", "--approve"]),
                ("--request-id", ["shutdown_approved"]), ("--request-id", ["shutdown_rejected"]),
                ("--request-id", ["permission_response", "--deny"]),
                ("--request-id", ["sandbox_permission_response", "--allow", "--host", "h"]),
                ("--to or --request-id", ["shutdown_request"]),
                ("--team or --request-id", ["plan_approval_request", "--plan", "p", "--path", "x"]),
                ("--approve or --reject", ["plan_approval_response", *ID]),
                ("--allow or --deny", ["sandbox_permission_response", *ID, "--host", "h"]),
                ("--allow, --input, --deny or --error", ["permission_response", *ID]),
                ("--allow, --input, --deny or --error",
                 ["permission_response", *ID, "--updates", "[]"]),
                ("--reason", ["shutdown_rejected", *ID]), ("--mode", ["mode_set_request"]),
                ("--task", ["task_assignment"]), ("--subject", ["task_assignment", "--task", "1"]),
                ("--tool", ["team_permission_update", "--behavior", "ask", "--directory", "/"]),
                ("--behavior", ["team_permission_update", "--tool", "T", "--directory", "/"]),
                ("--directory", ["team_permission_update", "--tool", "T", "--behavior", "ask"]),
                ("--plan or --plan-file", ["plan_approval_request", *ID, "--path", "p"]),
                ("--path", ["plan_approval_request", *ID, "--plan", "p"]),
                ("--host", ["sandbox_permission_request", "--worker-id", "i"]),
                ("--worker-id", ["sandbox_permission_request", "--host", "h"]),
                ("--input", ["permission_request", "--tool", "T", "--tool-use-id", "u",
                             "--description", "d"])):
            with self.subTest(args=args):
                self.refused(USAGE, *args, words=[f"a {args[0]} needs ", needed])

    def test_a_command_line_that_makes_no_sense_is_a_usage_error(self):
        mode = ["mode_set_request", "--mode", "plan"]
        grant = ["permission_response", *ID]
        for args in (
                [*mode, "--reason", "r"], [*mode, *ID], [*mode, "--timestamp", TIME],
                [*mode, "--allow"], [*mode, "--rule", "r"], [*mode, "--team", "t"],
                [*mode, "--to", ""], [*mode, "--fly"], [*mode, "extra"],
                ["shutdown_request", "--to", "b", "--timestamp", "soon"],
                ["shutdown_request", "--to", "b", "--timestamp", ""],
                ["plan_approval_response", *ID, "--approve", "--reject"],
                ["sandbox_permission_response", *ID, "--host", "h", "--allow", "--reject"],
                [*grant, "--allow", "--deny"], [*grant, "--allow", "--error", "e"],
                [*grant, "--input", "{}", "--error", "e"], [*grant, "--input", "{}", "--deny"],
                [*grant, "--input", "{"], [*grant, "--input", "[]"], [*grant, "--input", ""],
                [*grant, "--input", '{"a":NaN}'], [*grant, "--input", "{},1"],
                [*grant, "--allow", "--updates", "{}"], [*grant, "--allow", "--updates", "[1,]"],
                ["plan_approval_request", *ID, "--plan", "a", "--plan-file", "b"]):
            with self.subTest(args=args):
                self.refused(USAGE, *args)
        for args in ([], ["compose"], ["parse", "mode_set_request"], ["compose", ""]):
            self.assertEqual(self.box.run("protocol", *args).rc, USAGE, args)

    def test_a_kind_that_is_not_there_is_a_usage_error_with_the_nearest_ones(self):
        self.refused(USAGE, "shutdown-requst", words=['"shutdown-requst"', '"shutdown_request"'])
        self.refused(USAGE, "shutdown_response", words=["no kind of message"])

    def test_words_that_no_agent_knows_are_refused(self):
        self.refused(REFUSED, "mode_set_request", "--mode", "manual",
                     words=['"manual"', 'alias of "default"'])
        self.refused(REFUSED, "mode_set_request", "--mode", "Plan", words=['"Plan"', "acceptEdits"])
        self.refused(REFUSED, "plan_approval_response", *ID, "--approve", "--mode", "yolo",
                     words=['"yolo"', "dontAsk"])
        self.refused(REFUSED, "idle_notification", "--idle-reason", "tired", words=["interrupted"])
        self.refused(REFUSED, "idle_notification", "--completed-status", "done", words=["blocked"])
        self.refused(REFUSED, "team_permission_update", "--tool", "T", "--directory", "/",
                     "--behavior", "maybe", words=["allow, deny or ask"])

    def test_empty_names_and_ids_are_refused(self):
        self.refused(REFUSED, "shutdown_approved", "--request-id", "",
                     words=['"requestId" is empty'])
        self.refused(REFUSED, "mode_set_request", "--mode", "plan", "--from", "", words=['"from"'])

    def test_a_time_of_creation_must_be_whole_milliseconds(self):
        for value in ("soon", "1.5", "-1", "1e3", "", "007", '"1"', "1 "):
            self.refused(REFUSED, "sandbox_permission_request", "--worker-id", "i", "--host", "h",
                         f"--created={value}", words=['"createdAt"'])

    def test_a_plan_that_cannot_be_read_is_an_error(self):
        missing = os.path.join(self.box.root, "missing")
        self.refused(FAILED, "plan_approval_request", *ID, "--plan-file", missing, words=[missing])
        self.refused(FAILED, "plan_approval_request", *ID, "--plan-file", self.box.root)
        result = self.compose("plan_approval_request", *ID, "--plan-file", "-", "--path", "p",
                              input=b"\xff", rc=REFUSED)
        self.assert_says(result, '"planContent" is not UTF-8')

    def test_nothing_is_written_anywhere(self):
        before = self.box.snapshot()
        self.run_program("protocol", "compose", "mode_set_request", "--mode", "plan", "--readonly",
                         rc=DONE)
        self.assert_unchanged(before)


if __name__ == "__main__":
    harness.main()
