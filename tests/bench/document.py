"""make bench-doc: copies the tables of the last make bench and make bench-peers between their
marker lines in doc/performance.md.
"""
import os
import sys

TABLES = ("bench", "bench-peers")


def between(text, name, table):
    """Returns the text with the table between the two lines named `name`."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    before, found, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        sys.exit(f"bench-doc: the page has no lines {begin.strip()} and {end.strip()}")
    return f"{before}{begin}\n{table.strip()}\n\n{end}{after}"


def main():
    build, page = sys.argv[1:]
    paths = {name: os.path.join(build, name + ".md") for name in TABLES}
    there = {name: path for name, path in paths.items() if os.path.exists(path)}
    if not there:
        sys.exit("bench-doc: there is no table yet; run make bench, make bench-peers or both")
    with open(page) as file:
        text = file.read()
    for name, path in there.items():
        with open(path) as file:
            text = between(text, name, file.read())
    with open(page + ".new", "w") as file:
        file.write(text)
    os.rename(page + ".new", page)
    print(f"{page} has the tables of {' and '.join(there)}.")


main()
