"""The screens in a terminal without a viewer: sends keys, and keeps the output."""
import fcntl
import os
import select
import struct
import subprocess
import termios
import time

import harness

QUIT = b"Q"


class Screens:
    """The program in a terminal that is only written to and read from."""

    def __init__(self, case, size=(24, 80), env=None, words=()):
        self.master, slave = harness.open_terminal()
        self.resize(*size, fd=slave)
        whole = {key: value for key, value in
                 {"TERM": "xterm-256color", **case.box.env, **(env or {})}.items()
                 if value is not None}
        self.process = subprocess.Popen([*case.box.starter, harness.PROGRAM, *words], env=whole, cwd=case.project,
                                        stdin=slave, stdout=slave, stderr=slave,
                                        preexec_fn=lambda: self.take(slave))
        os.close(slave)
        case.addCleanup(self.close)
        self.seen = b""

    @staticmethod
    def take(slave):
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    def resize(self, rows, cols, fd=None):
        fcntl.ioctl(self.master if fd is None else fd, termios.TIOCSWINSZ,
                    struct.pack("HHHH", rows, cols, 0, 0))

    def type(self, keys):
        os.write(self.master, keys)

    def look(self, seconds):
        """Reads the output until then; returns false if the program has ended."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            piece = os.read(self.master, 65536)
        except OSError:
            return False
        self.seen += piece
        return bool(piece)

    def wait(self, *texts):
        """Waits until one of these was written."""
        end = time.monotonic() + harness.LIMIT_S
        while not any(text in self.seen for text in texts):
            if not self.look(0.1) or time.monotonic() > end:
                raise AssertionError(f"it never wrote any of {texts}: {self.seen!r}")

    def end(self):
        """Returns the exit code."""
        end = time.monotonic() + harness.LIMIT_S
        while self.look(0.1):
            if time.monotonic() > end:
                raise AssertionError(f"it does not end: {self.seen[-2000:]!r}")
        return self.process.wait(harness.LIMIT_S)

    def close(self):
        os.close(self.master)
        harness.end_process(self.process)
