#!/usr/bin/env python3
"""The screens restore the terminal however they end: in a shell in tmux, its modes, its settings
and its handling of pasted text are as they were before the program.

Also tests the program when its terminal vanishes."""
import fcntl
import os
import pty
import select
import shlex
import signal
import struct
import sys
import termios
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import is_program, message, poll_until  # noqa: E402
from processes import LIMIT_S  # noqa: E402
from tmux import Tmux  # noqa: E402

ENDING = ("TERM", "HUP", "INT", "QUIT", "SEGV", "ABRT", "BUS")
FOOT = 23
# An editor that reports its start and waits for a line. Like real editors, it restores the terminal
# when it is asked to end.
EDITOR = """#!/bin/sh
stty -echo
trap 'stty echo; exit 1' HUP TERM
printf 'EDITING\\n'
read line
stty echo
printf '%s\\n' "$line" >> "$1"
"""


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(word) for word in file.read().split()]


def state(pid):
    """Returns one letter: R, S, T; Z for a process that has ended, whoever its parent is."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"


class ScreensCase(harness.MailboxCase):

    def setUp(self):
        super().setUp()
        self.box.put("alice", message(subject="the first subject"))
        self.editor = os.path.join(self.box.root, "editor")
        with open(self.editor, "w") as file:
            file.write(EDITOR)
        os.chmod(self.editor, 0o755)
        self.command = f"{shlex.quote(harness.PROGRAM)} --source adr:{self.box.mail} --as alice"

    def environment(self):
        own = ("HOME", "LC_ALL", "TZ", "PATH", "LD_LIBRARY_PATH")
        env = {key: value for key, value in self.box.env.items() if key not in own}
        # A sanitizer's own handlers come before the program's, and do not restore terminals.
        env["ASAN_OPTIONS"] += ":handle_segv=0:handle_abort=0:handle_sigbus=0"
        return dict(env, EDITOR=self.editor, VISUAL="", SWARMUTT_NOW="2026-01-03T15:00:00Z")


class Shell:
    """A shell in tmux that runs the program."""

    def __init__(self, case):
        self.case = case
        self.tmux = Tmux(("/bin/sh", "-i"), env=case.environment(), cwd=case.box.root)
        case.addCleanup(self.tmux.close)
        self.pid = int(self.tmux.ask("#{pane_pid}"))
        self.count = 0
        self.run("ulimit -c 0")
        self.before = self.look()

    def run(self, line):
        """Runs one line to its end."""
        self.count += 1
        done = f"done-{self.count}"
        self.tmux.type(f"{line}; echo done-$(({self.count}+0))\n")
        # With the modes of a stopped program the line may begin anywhere, and be wrapped.
        self.tmux.wait_until(f"the shell says {done}", lambda: done in "".join(self.tmux.capture()))

    def settings(self):
        self.run("stty -g > settings")
        with open(os.path.join(self.case.box.root, "settings")) as file:
            return file.read()

    def pasted(self):
        """Returns the input that a program gets for pasted text."""
        path = os.path.join(self.case.box.root, "pasted")
        self.tmux.type("echo reading; cat > pasted; echo read\n")
        self.tmux.wait_for("reading")
        self.tmux.paste("two words\n")
        self.tmux.wait_for("two words")
        self.tmux.send_keys("C-d")
        self.tmux.wait_until("cat ends", lambda: "read" in self.tmux.capture())
        with open(path) as file:
            return file.read()

    def look(self):
        """Returns all properties of the terminal that a program can change."""
        self.run("clear")
        return {"flags": self.tmux.flags(), "settings": self.settings(), "pasted": self.pasted()}

    def start(self):
        self.tmux.type(self.case.command + "\n")
        self.tmux.wait_for("the first subject")
        self.tmux.wait_for("watch ok")
        self.program = children(self.pid)[0]
        return self

    def wait_gone(self):
        """Waits until the program has ended or stopped and the shell is back."""
        self.tmux.wait_until("the program ends", lambda: state(self.program) in "ZT")
        self.run("echo ended-$?")

    def signal(self, name):
        os.kill(self.program, getattr(signal, "SIG" + name))

    def check(self, what):
        now = self.look()
        for key, value in self.before.items():
            self.case.assertEqual(now[key], value, f"{what}: {key}")


class GivenBackCase(ScreensCase):

    def open_list(self, shell):
        pass

    def open_form(self, shell):
        shell.tmux.type("m")
        shell.tmux.wait_for("Subject")
        shell.tmux.type("bob")
        shell.tmux.wait_for("[bob")

    def open_editor(self, shell):
        self.open_form(shell)
        shell.tmux.send_keys("C-e")
        shell.tmux.wait_for("EDITING")
        shell.tmux.wait_until("the editor has the terminal", lambda: not all(map(is_program, children(shell.program))))

    def set_mouse(self, shell, on):
        if on:
            shell.tmux.type("%")
        shell.tmux.wait_until("the mouse is on or off", lambda: shell.tmux.flags()["mouse"] == on)

    def end_by_signals(self, opening, mouse, names):
        shell = Shell(self)
        for name in names:
            shell.start()
            self.assertTrue(shell.tmux.flags()["alternate"])
            self.set_mouse(shell, mouse)
            opening(shell)
            shell.signal(name)
            shell.wait_gone()
            shell.tmux.wait_for(f"ended-{128 + getattr(signal, 'SIG' + name)}")
            shell.check(f"SIG{name}")

    def test_it_is_after_quitting(self):
        shell = Shell(self)
        for mouse in (False, True):
            shell.start()
            self.set_mouse(shell, mouse)
            shell.tmux.type("Q")
            shell.wait_gone()
            shell.tmux.wait_for("ended-0")
            shell.check("Q")

    def test_it_is_after_a_signal_in_the_list(self):
        self.end_by_signals(self.open_list, False, ENDING)

    def test_it_is_after_a_signal_with_the_mouse_in_use(self):
        self.end_by_signals(self.open_list, True, ENDING)

    def test_it_is_after_a_signal_in_a_form(self):
        self.end_by_signals(self.open_form, True, ENDING)

    def test_it_is_after_a_signal_while_an_editor_has_it(self):
        """Keys that send signals are the editor's: we ignore INT and QUIT then."""
        names = [name for name in ENDING if name not in ("INT", "QUIT")]
        self.end_by_signals(self.open_editor, True, names)

    def test_it_is_while_the_program_is_stopped_and_taken_again_afterwards(self):
        shell = Shell(self)
        for opening in (self.open_list, self.open_form):
            for stop in ("keys", "TSTP"):
                shell.start()
                self.set_mouse(shell, True)
                opening(shell)
                shown = shell.tmux.capture()
                if stop == "keys":
                    shell.tmux.send_keys("C-z")
                else:
                    shell.signal(stop)
                shell.wait_gone()
                shell.check(stop)
                self.go_on(shell, shown)
                self.leave(shell)

    def go_on(self, shell, shown):
        """Continues the program: the foot may have another sentence, and the titles count a draft
        that was saved since."""
        shell.tmux.type("fg\n")
        shell.tmux.wait_until("the screen is as it was",
                              lambda: shell.tmux.capture()[1:FOOT] == shown[1:FOOT])
        shell.tmux.wait_until("it has the terminal", lambda: shell.tmux.flags()["alternate"]
                              and shell.tmux.flags()["mouse"])

    def leave(self, shell):
        """Leaves the program; checks before that keys are read one by one and without echo."""
        if any("Subject" in line for line in shell.tmux.capture()):
            shell.tmux.type("by")
            shell.tmux.wait_for("[bobby")
            shell.tmux.send_keys("C-o")
            shell.tmux.wait_gone("Subject")
        shell.tmux.type("2")
        shell.tmux.wait_for("2Agents*")
        shell.tmux.type("Q")
        shell.wait_gone()
        shell.check("after it went on")

    def test_one_that_was_stopped_without_asking_has_its_terminal_again_when_it_goes_on(self):
        """SIGSTOP leaves no time to restore the terminal; the shell gets it unchanged."""
        shell = Shell(self).start()
        self.set_mouse(shell, True)
        shown = shell.tmux.capture()
        shell.signal("STOP")
        shell.wait_gone()
        shell.run("stty sane; tput rmcup; clear")
        self.go_on(shell, shown)
        self.leave(shell)

    def test_one_that_goes_on_in_the_background_leaves_the_shell_alone(self):
        shell = Shell(self).start()
        self.set_mouse(shell, True)
        shown = shell.tmux.capture()
        shell.signal("TSTP")
        shell.wait_gone()
        shell.signal("CONT")
        shell.tmux.wait_until("it stops again", lambda: state(shell.program) == "T")
        shell.check("in the background")
        self.go_on(shell, shown)
        self.leave(shell)

    def test_an_editor_can_be_stopped_with_the_program_and_goes_on_with_it(self):
        shell = Shell(self).start()
        self.open_editor(shell)
        shell.tmux.send_keys("C-z")
        shell.wait_gone()
        shell.tmux.type("fg\n")
        shell.tmux.wait_until("it runs", lambda: state(shell.program) == "S")
        shell.tmux.type("a line of the editor\n")
        shell.tmux.wait_for("a line of the editor")
        shell.tmux.wait_for("Subject")
        shell.tmux.send_keys("C-o")
        shell.tmux.wait_gone("Subject")
        self.leave(shell)

    def test_it_is_after_each_of_many_starts(self):
        """Sends signals while the program is just starting or just ending."""
        shell = Shell(self)
        for i in range(12):
            shell.tmux.type(self.command + "\n")
            # Before that it is a fork of a shell, which does not handle TERM.
            shell.tmux.wait_until("it runs", lambda: any(map(is_program, children(shell.pid))))
            shell.program = children(shell.pid)[0]
            time.sleep(i * 0.002)  # at any moment of its start: each must work
            shell.signal("TERM")
            shell.wait_gone()
        shell.check("at the start")


class VanishedCase(ScreensCase):

    def start(self, *, hangup):
        """Starts the program with a terminal of its own, like a window; `hangup`: a closed window
        sends the signal."""
        pid, master = pty.fork()
        if pid == 0:
            if not hangup:
                signal.signal(signal.SIGHUP, signal.SIG_IGN)
            os.chdir(self.box.root)
            env = dict(self.box.env, TERM="xterm-256color", **self.environment())
            os.execve("/bin/sh", ["sh", "-c", "exec " + self.command], env)
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.addCleanup(self.end, pid)
        self.master, self.seen = master, b""
        return pid

    def end(self, pid):
        if state(pid) not in "Z":
            os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(pid, 0)
        except ChildProcessError:
            pass

    def wait_for(self, text):
        end = time.monotonic() + LIMIT_S
        while text not in self.seen:
            self.assertLess(time.monotonic(), end, self.seen)
            if select.select([self.master], [], [], 0.5)[0]:
                self.seen += os.read(self.master, 65536)

    def test_it_ends_when_its_terminal_is_gone(self):
        for hangup in (True, False):
            with self.subTest(hangup=hangup):
                pid = self.start(hangup=hangup)
                self.wait_for(b"the first subject")
                os.close(self.master)
                self.assertTrue(poll_until(lambda: state(pid) == "Z"), "it goes on without one")
                self.end(pid)

    def test_what_was_typed_is_kept_when_its_terminal_is_gone(self):
        for hangup in (True, False):
            with self.subTest(hangup=hangup):
                pid = self.start(hangup=hangup)
                self.wait_for(b"the first subject")
                os.write(self.master, b"m")
                self.wait_for(b"Subject")
                os.write(self.master, b"bob\ttyped-last")
                self.wait_for(b"typed-last")
                os.close(self.master)
                self.assertTrue(poll_until(lambda: state(pid) == "Z"), "it goes on without one")
                self.end(pid)
                self.start(hangup=True)
                self.wait_for(b"the first subject")
                os.write(self.master, b"R")
                self.wait_for(b"typed-last")
                os.write(self.master, b"\033x")
                self.wait_for(b"(y/n)")
                os.write(self.master, b"y")
                self.wait_for(b"thrown away")
                os.close(self.master)


if __name__ == "__main__":
    harness.main()
