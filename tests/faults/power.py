"""Computes what a power cut may leave of the storage calls of a process, after any number of them.

Replays the journal of storage.c on nodes: files and directories, each with its part that is safely
on disk and the changes since its last sync. Any of these changes may be on disk. Bytes may be
missing, cut short, or zeros where the file has grown; any of the changes to the names in a
directory may be missing, independently of the others, since only a sync of that directory orders
them. Two things are assumed: a rename never leaves neither name, and an overwritten sector is the
old or the new one. No known file system loses more than this.
"""
import collections
import os
import random
import shutil

EXCHANGE = 2  # of renameat2()
SECTOR = 512
Name = collections.namedtuple("Name", "op directory name node")  # node: None when the name was removed
Call = collections.namedtuple("Call", "word said rest")


class Node:
    """A file or a directory. The changes in `loose` may not be on disk."""

    def __init__(self, is_dir, synced=b"", times=None, mode=0o644):
        self.is_dir, self.synced, self.times, self.mode = is_dir, {} if is_dir else synced, times, mode
        self.loose = []

    def full(self):
        """Returns the content as processes see it."""
        return self.names(self.loose) if self.is_dir else self.bytes(self.loose)

    def names(self, changes):
        entries = dict(self.synced)
        for one in changes:
            if one.node:
                entries[one.name] = one.node
            else:
                entries.pop(one.name, None)
        return entries

    def bytes(self, changes):
        data = bytearray(self.synced)
        for offset, piece in changes:
            if piece is None:  # truncated, or grown
                data = data[:offset] + bytes(max(0, offset - len(data)))
            else:
                data += bytes(max(0, offset - len(data)))
                data[offset:offset + len(piece)] = piece
        return bytes(data)

    def sync(self):
        self.synced, self.loose = self.full(), []


def read_journal(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            word, said, *rest = line.rstrip("\n").split("\t")
            yield Call(word, int(said), rest)


class Disk:
    """Everything below a directory at the start, all of it on disk; then the calls in order."""

    def __init__(self, top):
        self.top, self.nodes, self.ops = top, {}, 0
        self.left = {}  # for renames between directories: the change that removes the old name
        self.arrived = set()  # those whose new name is safely on disk
        self.root = self.scan(top)

    def scan(self, path):
        st = os.lstat(path)
        if os.path.isdir(path):
            node = Node(True, mode=st.st_mode & 0o7777)
            node.synced = {name: self.scan(os.path.join(path, name)) for name in os.listdir(path)}
        else:
            with open(path, "rb") as file:
                node = Node(False, file.read(), (st.st_atime_ns, st.st_mtime_ns), st.st_mode & 0o7777)
        self.nodes[str(st.st_ino)] = node
        return node

    def apply(self, call):
        self.ops += 1
        getattr(self, "on_" + call.word)(*call.rest)

    def put(self, directory, name, node):
        self.nodes[directory].loose.append(Name(self.ops, directory, name, node))

    def entry(self, directory, name):
        return self.nodes[directory].full()[name]

    def make(self, directory, name, inode, is_dir):
        self.nodes[inode] = Node(is_dir, mode=0o755 if is_dir else 0o644)
        self.put(directory, name, self.nodes[inode])

    def on_create(self, directory, name, inode):
        self.make(directory, name, inode, False)

    def on_mkdir(self, directory, name, inode):
        self.make(directory, name, inode, True)

    def on_unlink(self, directory, name):
        self.put(directory, name, None)

    def on_link(self, directory, name, to, new_name):
        self.put(to, new_name, self.entry(directory, name))

    def on_rename(self, directory, name, to, new_name, flags):
        node = self.entry(directory, name)
        other = self.entry(to, new_name) if int(flags) & EXCHANGE else None
        self.put(to, new_name, node)
        self.put(directory, name, other)
        if to != directory:
            self.left[self.ops] = self.nodes[directory].loose[-1]

    def on_write(self, inode, offset, digits):
        node = self.nodes[inode]
        node.loose.append((int(offset), bytes.fromhex(digits)))
        node.times = None

    def on_size(self, inode, size):
        self.nodes[inode].loose.append((int(size), None))

    def on_sync(self, inode):
        node = self.nodes[inode]
        if node.is_dir:
            self.arrived |= {one.op for one in node.loose if self.left.get(one.op) is one}
        node.sync()


class Cut:
    """One possible power cut: the choice of the loose changes that are on disk."""

    def __init__(self, name, names, bytes):
        self.name, self.names, self.bytes = name, names, bytes

    def entries(self, disk, node):
        """Returns the names that are left in a directory. A rename within it is done or not; a
        rename between two directories removes the old name only once the new one is there."""
        kept = {}
        for one in node.loose:
            if one.op not in kept:
                left = disk.left.get(one.op)
                kept[one.op] = self.names(one) or (
                    one.op in disk.arrived or bool(left and one.node and self.names(left)))
        return node.names([one for one in node.loose if kept[one.op]])

    def walk(self, disk, node, path):
        """Yields what is left of the node and of all below: path, node, and bytes if it is a file."""
        yield path, node, None if node.is_dir else self.bytes(node)
        if node.is_dir:
            for name, child in sorted(self.entries(disk, node).items()):
                yield from self.walk(disk, child, os.path.join(path, name))

    def left(self, disk, tops):
        """Yields what is left of these directories."""
        for top in tops:
            node = disk.root
            for part in os.path.relpath(top, disk.top).split(os.sep):
                node = node and self.entries(disk, node).get(part)
            if node:
                yield from self.walk(disk, node, top)


def restart(left, tops):
    """Makes these directories what is left of them."""
    for top in tops:
        shutil.rmtree(top, ignore_errors=True)
    seen = {}
    for path, node, data in left:
        if node.is_dir:
            os.makedirs(path)
        elif node in seen:  # a file with two names
            os.link(seen[node], path)
            continue
        else:
            with open(path, "wb") as file:
                file.write(data)
            seen[node] = path
            if node.times and not node.loose:
                os.utime(path, ns=node.times)
        os.chmod(path, node.mode)


def synced_only():
    return Cut("nothing but what was synced", lambda one: False, lambda node: node.synced)


def names_only():
    return Cut("all names, and no bytes but what was synced", lambda one: True,
               lambda node: node.synced)


def grown():
    """Cuts so that names and sizes are on disk and the bytes are zeros, as file systems with
    delayed allocation do."""
    return Cut("all names and sizes, and zeros for bytes", lambda one: True, lambda node: node.bytes(
        [(offset, piece and bytes(len(piece))) for offset, piece in node.loose]))


def cut_piece(size, offset, piece, dice):
    """Cuts a piece anywhere; but where the file had bytes before, a sector is the old or the new
    one."""
    end = offset + dice.randrange(len(piece))
    if end < size:
        end -= end % SECTOR
    return offset, piece[:max(0, end - offset)]


def by_chance(seed):
    """Keeps each change to a name and each piece of bytes at random."""
    share = random.Random(seed).choice((0.1, 0.5, 0.9))

    def names(one):
        return random.Random(f"{seed} {one.op} {one.directory}").random() < share

    def bytes(node):
        some = random.Random(f"{seed} {node.loose[0][:1] if node.loose else 0} {len(node.loose)}")
        kept = [change for change in node.loose if some.random() < share]
        if kept and kept[-1][1] and some.random() < 0.5:  # cut in the middle
            kept[-1] = cut_piece(len(node.bytes(kept[:-1])), *kept[-1], some)
        return node.bytes(kept)
    return Cut(f"by chance, seed {seed}", names, bytes)


FIXED = (synced_only, names_only, grown)
