"""A peer that replaces a file or directory with a link and restores it, as fast as it can: PATH
TARGET. Prints "ready" once both have been there, and ends with its input."""
import contextlib
import ctypes
import os
import select
import sys

HERE, NO_REPLACE, EXCHANGE = -100, 1, 2


class Swapper:

    def __init__(self, path, target):
        self.path, self.link, self.target = path, path + ".swap", target
        self.libc = ctypes.CDLL(None, use_errno=True)

    def rename(self, old, new, flags):
        """Renames atomically, so that the name always exists."""
        return self.libc.renameat2(HERE, os.fsencode(old), HERE, os.fsencode(new), flags) == 0

    def turn(self):
        """Moves the link to the name, in exchange for the entry or for nothing, and moves it away
        again."""
        if not os.path.islink(self.link):
            with contextlib.suppress(OSError):
                os.symlink(self.target, self.link)
        for flags in (EXCHANGE, NO_REPLACE):
            if self.rename(self.link, self.path, flags):
                break
        self.restore()

    def restore(self):
        if os.path.islink(self.path):
            self.rename(self.path, self.link, EXCHANGE if os.path.lexists(self.link) else NO_REPLACE)


def main():
    swapper, rounds = Swapper(*sys.argv[1:]), 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        swapper.turn()
        rounds += 1
        if rounds == 1:
            print('"ready"', flush=True)
    swapper.restore()
    print(rounds, flush=True)


if __name__ == "__main__":
    main()
