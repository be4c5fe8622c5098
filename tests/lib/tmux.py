"""A private tmux for the tests: a real terminal that runs the program, with keys typed and the
screen read from outside. It has its own socket in its own directory, reads no configuration, and no
other server is ever ended."""
import os
import shutil
import subprocess
import tempfile
import time
import unittest

from processes import LIMIT_S

FLAGS = {"alternate": "alternate_on", "mouse": "mouse_any_flag", "cursor": "cursor_flag",
         "keypad": "keypad_flag", "cursor_keys": "keypad_cursor_flag", "wrap": "wrap_flag",
         "insert": "insert_flag", "origin": "origin_flag"}
PATIENCE_S = LIMIT_S * max(1, int(os.environ.get("SWARMUTT_PATIENCE") or 1))


class Tmux:
    """One window with one pane that runs a command: several words as they are, one word by a shell.
    Without a command it is that shell, at its prompt. Close it when done."""

    def __init__(self, command=("/bin/sh",), env=None, cwd=None, rows=24, cols=80):
        if not shutil.which("tmux"):
            raise unittest.SkipTest("there is no tmux here")
        self.root = tempfile.mkdtemp(prefix="swarmutt-tmux-")
        kept = {key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH") if key in os.environ}
        # The server passes its own environment on to the command.
        self.env = dict(kept, HOME=self.root, LC_ALL="C.UTF-8", TZ="UTC", PS1="$ ", ENV="",
                        **(env or {}))
        self.env.update(TMUX_TMPDIR=self.root, SHELL="/bin/sh")
        self.env.pop("TMUX", None)
        self.socket = "swarmutt"  # the directory makes the socket's path unique
        try:
            self.run("new-session", "-d", "-x", str(cols), "-y", str(rows), "-s", "test",
                     *(("-c", cwd) if cwd else ()), *command, ";",
                     "set-option", "-g", "remain-on-exit", "on", ";",
                     "set-option", "-g", "status", "off", ";",
                     "set-option", "-g", "escape-time", "0")
            self.resize(rows, cols)
        except BaseException:
            self.close()
            raise

    def run(self, *args):
        """Runs a tmux command; returns its output."""
        done = subprocess.run(["tmux", "-L", self.socket, "-f", os.devnull, *args], env=self.env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=LIMIT_S)
        if done.returncode:
            raise AssertionError(f"tmux {args!r}: {done.stderr.decode()}")
        return done.stdout.decode("utf-8")

    def ask(self, form):
        return self.run("display-message", "-p", "-t", "test", form).rstrip("\n")

    def send_keys(self, *keys):
        """Sends keys by tmux's names: Enter, Escape, C-d, M-b, Up, or single characters."""
        self.run("send-keys", "-t", "test", *keys)

    def type(self, text):
        """Types the text literally."""
        self.run("send-keys", "-t", "test", "-l", "--", text)

    def paste(self, text):
        """Pastes text, in brackets if the program has enabled them."""
        self.run("set-buffer", "-b", "pasted", "--", text)
        self.run("paste-buffer", "-p", "-d", "-b", "pasted", "-t", "test")

    def capture(self, attributes=False):
        """Returns the lines of the screen, without blanks at their ends; with attributes, colours
        are included as escape sequences."""
        text = self.run("capture-pane", "-p", *(("-e",) if attributes else ()), "-t", "test")
        return [line.rstrip() for line in text.split("\n")]

    def flags(self):
        """Returns the modes of the terminal, by the names in FLAGS."""
        values = self.ask(" ".join("#{%s}" % name for name in FLAGS.values())).split(" ")
        return dict(zip(FLAGS, (value == "1" for value in values)))

    def cursor(self):
        """Row and column, from 0."""
        y, x = self.ask("#{cursor_y} #{cursor_x}").split(" ")
        return int(y), int(x)

    def resize(self, rows, cols):
        self.run("resize-window", "-t", "test", "-x", str(cols), "-y", str(rows))

    def dead(self):
        """Returns the command's exit code, or its signal as a negative; None while it runs."""
        dead, status, signal = self.ask("#{pane_dead} #{pane_dead_status} "
                                        "#{pane_dead_signal}").split(" ")
        if signal:
            return -int(signal)
        if dead == "1" and not status:
            # tmux learns the status late, and sometimes only when another of its children ends.
            self.run("run-shell", "true")
        return int(status) if status else None

    def wait_until(self, what, test):
        """Checks the screen again until the test holds; fails with the last screen."""
        end = time.monotonic() + PATIENCE_S
        while not test():
            if time.monotonic() > end:
                screen = "\n".join(self.capture())
                raise AssertionError(f"{what}: never, within {PATIENCE_S} s\n{screen}")
            time.sleep(0.01)

    def wait_for(self, text):
        self.wait_until(f"the screen shows {text!r}",
                        lambda: any(text in line for line in self.capture()))

    def wait_gone(self, text):
        self.wait_until(f"the screen shows no {text!r}",
                        lambda: not any(text in line for line in self.capture()))

    def wait_dead(self):
        self.wait_until("the command ends", lambda: self.dead() is not None)
        return self.dead()

    def close(self):
        """Ends this private server, with all processes in it."""
        if not self.root:
            return
        subprocess.run(["tmux", "-L", self.socket, "-f", os.devnull, "kill-server"], env=self.env,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=LIMIT_S)
        shutil.rmtree(self.root, ignore_errors=True)
        self.root = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
