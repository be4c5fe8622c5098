"""Runs the program as a user for whom file modes apply. The superuser may read everything."""
import os
import shutil
import subprocess

import harness

NOBODY = 65534


def drop_privileges(box):
    """Gives the box to nobody and makes it run the program as nobody, when the tests run as root.
    Copies the program into the box, since nobody may be unable to enter the build directory."""
    if os.geteuid() != 0:
        return
    program = os.path.join(box.root, "swarmutt")
    shutil.copy2(harness.PROGRAM, program)
    for where, dirs, names in os.walk(box.root):
        for name in [".", *dirs, *names]:
            os.chown(os.path.join(where, name), NOBODY, NOBODY, follow_symlinks=False)

    def popen(*args, env=None, cwd=None, **more):
        return subprocess.Popen([*box.starter, program, *box.source, *args], cwd=cwd or box.root,
                                env=dict(box.env, **(env or {})), user=NOBODY, group=NOBODY,
                                extra_groups=[], **more)
    box.popen = popen
