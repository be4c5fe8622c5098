"""The manual pages and the help of the program, as the tests read them."""
import os
import re

import harness

PAGES = ("swarmutt.1", "swarmutt-config.5", "swarmutt-formats.5", "swarmutt-json.5",
         "swarmutt-query.7")


def page_path(name):
    return os.path.join(harness.SRC, "doc", name)


def read_page(name):
    with open(page_path(name), encoding="utf-8") as page:
        return page.read()


def commands_in(text):
    """Returns the commands that the help of the program lists."""
    listed = text.split("commands:\n", 1)[1].split("\n\n", 1)[0]
    return [line.split()[0] for line in listed.splitlines()]


def options_in(text):
    """Returns the long options that a help text lists, without their dashes."""
    return set(re.findall(r"^ +(?:-\w, |    )--([\w-]+)", text, re.M))
