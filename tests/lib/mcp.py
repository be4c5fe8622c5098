"""A client of the Model Context Protocol with access to every line, for the tests of the server."""
import json
import os
import select
import subprocess
import time

from processes import LIMIT_S, end_process

REVISIONS = "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"
REVISION = REVISIONS[-1]


KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_of(kind, value):
    if kind in ("integer", "number"):  # 1.0 is an integer, true is not
        return isinstance(value, (int, float)) and not isinstance(value, bool) and (
            kind == "number" or value == int(value))
    return isinstance(value, KINDS[kind])


def check_schema(schema, value, where="result"):
    """Asserts that a value conforms to a schema; members that it does not describe are errors, too."""
    known = {"type", "properties", "required", "items", "description", "additionalProperties"}
    if set(schema) - known:
        raise AssertionError(f"{where}: this check does not know {set(schema) - known}")
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_of(kind, value) for kind in kinds):
        raise AssertionError(f"{where}: {value!r} is not {kinds}")
    if isinstance(value, dict) and "properties" in schema:
        for name in set(schema["required"]) - set(value):
            raise AssertionError(f"{where} lacks {name}")
        for name, part in value.items():
            if name not in schema["properties"]:
                raise AssertionError(f"{where}: {name} is not described")
            check_schema(schema["properties"][name], part, f"{where}.{name}")
    if isinstance(value, list) and "items" in schema:
        for part in value:
            check_schema(schema["items"], part, f"{where}[]")


class Client:
    """A server process and its lines. `box` is a Home of the harness."""

    def __init__(self, box, *args, **more):
        self.process = box.popen("mcp", *args, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, **more)
        self.pending, self.number, self.notices, self.early = b"", 0, [], {}
        self.tools, self.schemas = {}, None

    def close(self):
        end_process(self.process)

    def put(self, line):
        data = line if isinstance(line, bytes) else json.dumps(line).encode()
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def line(self):
        """Returns the next line, unparsed."""
        end = time.monotonic() + LIMIT_S
        while b"\n" not in self.pending:
            if time.monotonic() > end:
                raise AssertionError("the server says nothing")
            if select.select([self.process.stdout], [], [], 0.5)[0]:
                piece = os.read(self.process.stdout.fileno(), 65536)
                if not piece:
                    raise AssertionError(f"the server ended: {self.process.stderr.read()!r}")
                self.pending += piece
        line, self.pending = self.pending.split(b"\n", 1)
        line.decode("ascii")
        return line

    def next(self):
        return json.loads(self.line())

    def exchange(self, line):
        self.put(line)
        return self.next()

    def begin(self, method, params=None, **more):
        """Sends a request without waiting for the answer; returns the id."""
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, **more}
        if params is not None:
            message["params"] = params
        self.put(message)
        return self.number

    def answer(self, number):
        """Returns the answer to that request; collects notifications in `notices`, and keeps other
        answers."""
        while number not in self.early:
            message = self.next()
            if "id" in message:
                self.early[message["id"]] = message
            else:
                self.notices.append(message)
        return self.early.pop(number)

    def ask(self, method, params=None):
        answer = self.answer(self.begin(method, params))
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']!r}")
        return answer["result"]

    def refused(self, method, params=None):
        """Returns the error of a call that must fail with one."""
        answer = self.answer(self.begin(method, params))
        if "error" not in answer:
            raise AssertionError(f"{method} is not refused: {answer!r}")
        return answer["error"]

    def initialize(self, revision=REVISION):
        result = self.ask("initialize", {"protocolVersion": revision, "capabilities": {},
                                         "clientInfo": {"name": "test", "version": "1"}})
        self.put({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def begin_call(self, tool, **arguments):
        number = self.begin("tools/call", {"name": tool, "arguments": arguments})
        self.tools[number] = tool
        return number

    def check_structure(self, number, result):
        """Asserts that the result conforms to the tool's schema."""
        if self.schemas is None:
            self.schemas = {one["name"]: one["outputSchema"]
                            for one in self.ask("tools/list")["tools"]}
        if number in self.tools and "structuredContent" in result:
            check_schema(self.schemas[self.tools[number]], result["structuredContent"])

    def result(self, number):
        """Returns the structured result of a call that must succeed."""
        answer = self.answer(number)
        if "error" in answer or answer["result"]["isError"]:
            raise AssertionError(f"it failed: {answer!r}")
        result = answer["result"]
        self.check_structure(number, result)
        if json.loads(result["content"][0]["text"]) != result["structuredContent"]:
            raise AssertionError(f"text and structure differ: {result!r}")
        return result["structuredContent"]

    def call(self, tool, **arguments):
        return self.result(self.begin_call(tool, **arguments))

    def fails(self, tool, **arguments):
        """Returns the sentence of a call that must fail."""
        number = self.begin_call(tool, **arguments)
        answer = self.answer(number)
        if "error" in answer or not answer["result"]["isError"]:
            raise AssertionError(f"{tool} does not fail: {answer!r}")
        self.check_structure(number, answer["result"])
        return answer["result"]["content"][0]["text"]

    def finish(self):
        """Ends the input; returns the exit code, the remaining output, and standard error."""
        out, err = self.process.communicate(timeout=LIMIT_S)
        return self.process.returncode, self.pending + out, err.decode()
