"""Processes that run next to the one under test, and waiting for a state between two calls."""
import contextlib
import json
import os
import select
import signal
import subprocess
import threading
import time

LIMIT_S = 60  # a run that takes longer hangs

# A background process of a shell ignores ^C, and one under nohup a hangup; so would all processes
# that are started here.
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


class Peer:
    """Another program that runs next to ours and reports its actions, one JSON value per line."""

    def __init__(self, command, env, cwd):
        self.process = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.pending = b""

    def next(self):
        """Returns the next value, waiting for it."""
        end = time.monotonic() + LIMIT_S
        while b"\n" not in self.pending:
            if time.monotonic() > end:
                raise AssertionError(f"{self.process.args!r} says nothing")
            if select.select([self.process.stdout], [], [], 0.5)[0]:
                piece = os.read(self.process.stdout.fileno(), 65536)
                if not piece:
                    raise AssertionError(f"{self.process.args!r} ended: "
                                         f"{self.process.stderr.read()!r}")
                self.pending += piece
        line, self.pending = self.pending.split(b"\n", 1)
        return json.loads(line)

    def tell(self, line):
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def finish(self, rc=0, limit=LIMIT_S):
        """Ends its input, waits for its end, and returns all values since the last next()."""
        out, err = self.process.communicate(timeout=limit)
        if self.process.returncode != rc:
            raise AssertionError(f"{self.process.args!r} ended with {self.process.returncode}: "
                                 f"{out!r} {err!r}")
        return [json.loads(line) for line in (self.pending + out).splitlines()]

    def close(self):
        end_process(self.process)


def wait_for_staging(directory, process):
    """Returns as soon as the process has a temporary file there, or has ended: the time until its
    rename is the time to interfere."""
    while process.poll() is None:
        if any(name.endswith(".tmp") for name in os.listdir(directory)):
            return


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return {int(child) for child in file.read().split()}


def opened_by(pid):
    """Returns the paths of all open files of a process; none when it has ended."""
    found = set()
    with contextlib.suppress(OSError):
        for number in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                found.add(os.readlink(f"/proc/{pid}/fd/{number}"))
    return found


def can_trace():
    """True if calls can be made to fail here: some containers forbid tracing."""
    with contextlib.suppress(OSError):
        return subprocess.run(["strace", "-f", "-o", os.devnull, "-e", "inject=fsync:error=EIO",
                               "true"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0
    return False


def end_process(process):
    """Kills the process in any state and waits for it."""
    if process.poll() is None:
        process.kill()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()
    process.wait()


def run_together(*works):
    """Runs functions at the same time; raises the first failure."""
    problems = []

    def guarded(work):
        try:
            work()
        except BaseException as problem:
            problems.append(problem)

    running = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if problems:
        raise problems[0]
