"""The manual pages as the tests read them."""
import os

import harness

PAGES = ("swarmutt.1", "swarmutt-config.5", "swarmutt-formats.5", "swarmutt-json.5",
         "swarmutt-query.7")


def page_path(name):
    return os.path.join(harness.SRC, "doc", name)


def read_page(name):
    with open(page_path(name), encoding="utf-8") as page:
        return page.read()
