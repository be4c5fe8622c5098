"""Real shells on a terminal of their own, for completing command lines in them."""
import os
import select
import shlex
import shutil
import subprocess
import time
import unittest

import harness
from processes import LIMIT_S, end_process

HOSTILE = ("evil $(touch TRAP)", "evil`touch TRAP`", "evil;touch TRAP", "evil 'q\" uote",
           "evil\\back*[x]?{a,b}", "evil&&touch TRAP|x>TRAP", "evil #!~$HOME")
HIDDEN = ("evil\nline", "evil\x1b[1mesc", "evil\ttab", "evil\u202ebidi", "evil\x07bell")
SCRIPTS = {"bash": "bash/swarmutt", "zsh": "zsh/_swarmutt", "fish": "fish/swarmutt.fish"}


def script_of(shell):
    return os.path.join(harness.SRC, "completions", SCRIPTS[shell])


def need(shell):
    """Returns the path of a shell, or skips the test."""
    path = shutil.which(shell)
    if not path:
        raise unittest.SkipTest(f"{shell} is not installed")
    return path


class Typed:
    """An interactive shell on a terminal. Its function `put` writes its arguments to a file."""

    STARTS = {
        "bash": ["--noprofile", "--norc", "-i"],
        "zsh": ["-f", "-i"],
    }
    SETUPS = {
        "bash": "PS1='READY''> '; bind 'set enable-bracketed-paste off' 'set bell-style none'; "
                "put() {{ printf '%s\\0' \"$@\" >{out}; echo PUT''ed; }}; . {script}",
        "zsh": "PS1='READY''> '; unsetopt zle_bracketed_paste beep 2>/dev/null; "
               "bindkey -e; fpath=({directory} $fpath); "
               "autoload -Uz compinit; compinit -u -D; "
               "put() {{ printf '%s\\0' \"$@\" >{out}; echo PUT''ed; }}",
    }

    def __init__(self, shell, box):
        self.out = os.path.join(box.root, "put")
        self.master, slave = harness.open_terminal()
        env = dict(box.env, TERM="dumb", PATH=box.bin + ":" + box.env["PATH"])
        self.process = subprocess.Popen([need(shell), *self.STARTS[shell]], stdin=slave,
                                        stdout=slave, stderr=slave, env=env, cwd=box.root,
                                        start_new_session=True)
        os.close(slave)
        self.seen = b""
        script = script_of(shell)
        self.type(self.SETUPS[shell].format(out=self.out, script=shlex.quote(script),
                                            directory=shlex.quote(os.path.dirname(script))) + "\n")
        self.wait_for(b"READY> ")

    def close(self):
        end_process(self.process)
        os.close(self.master)

    def type(self, text):
        os.write(self.master, text.encode())

    def read(self):
        if select.select([self.master], [], [], 0.05)[0]:
            try:
                self.seen += os.read(self.master, 65536)
            except OSError:
                raise AssertionError(f"the shell has ended: {self.seen!r}")

    def wait_for(self, what):
        end = time.monotonic() + LIMIT_S
        while what not in self.seen:
            if time.monotonic() > end:
                raise AssertionError(f"{what!r} is never seen in {self.seen!r}")
            self.read()
        self.seen = self.seen.split(what, 1)[1]

    def complete(self, line, seen):
        """Types the line and Tab, waits until `seen` is shown, and returns the words as the shell
        parses them."""
        self.type(line)
        self.wait_for(line[-1].encode())
        self.type("\t")
        self.wait_for(seen.encode())
        self.type("\x01put \n")
        self.wait_for(b"PUTed")
        self.wait_for(b"READY> ")
        with open(self.out, encoding="utf-8") as file:
            words = file.read().split("\0")[:-1]
        os.unlink(self.out)
        return words
