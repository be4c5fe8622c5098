"""What a power cut may leave of the storage calls of a process, after any number of them.

The journal of storage.c is replayed on nodes: files and directories, each with what is on disk for sure
and what has happened to it since its last sync. Of the latter anything may be on disk. Bytes may be
missing, cut short, or zeros where the file has grown; of what happened to the names in a directory
any part may be missing, each for itself, since nothing orders them but a sync of that directory. Only two
things are taken for granted: a rename is never torn apart such that neither name is left, and a sector that is
written over is the old or the new one. This is harder than any file system is known to be.
"""
import collections
import os
import random
import shutil

EXCHANGE = 2  # of renameat2()
SECTOR = 512
Name = collections.namedtuple("Name", "op directory name node")  # node: None when it is gone
Call = collections.namedtuple("Call", "word said rest")


class Node:
    """A file or a directory. What is in `loose` is not on disk for sure."""

    def __init__(self, is_dir, synced=b"", times=None, mode=0o644):
        self.is_dir, self.synced, self.times, self.mode = is_dir, {} if is_dir else synced, times, mode
        self.loose = []

    def full(self):
        """As processes see it."""
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
    """Everything beneath a directory as it is now, all of it on disk; then call after call."""

    def __init__(self, top):
        self.top, self.nodes, self.ops = top, {}, 0
        self.left = {}  # of renames between directories: the change that takes the old name away
        self.arrived = set()  # those of which that is on disk for sure
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
    """One way in which the power may go: what of the loose things is on disk."""

    def __init__(self, name, names, bytes):
        self.name, self.names, self.bytes = name, names, bytes

    def entries(self, disk, node):
        """The names that are left in a directory. A rename within it is there or not; of one between
        two directories the old name does not go before the new one is there."""
        kept = {}
        for one in node.loose:
            if one.op not in kept:
                left = disk.left.get(one.op)
                kept[one.op] = self.names(one) or (
                    one.op in disk.arrived or bool(left and one.node and self.names(left)))
        return node.names([one for one in node.loose if kept[one.op]])

    def walk(self, disk, node, path):
        """What is left of it, and of all beneath: path, node, and bytes if it is a file."""
        yield path, node, None if node.is_dir else self.bytes(node)
        if node.is_dir:
            for name, child in sorted(self.entries(disk, node).items()):
                yield from self.walk(disk, child, os.path.join(path, name))

    def left(self, disk, tops):
        """What is left of these directories."""
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
    """Names and sizes are there, bytes are zeros: as file systems do that delay them."""
    return Cut("all names and sizes, and zeros for bytes", lambda one: True, lambda node: node.bytes(
        [(offset, piece and bytes(len(piece))) for offset, piece in node.loose]))


def cut_piece(size, offset, piece, dice):
    """Up to anywhere in it; but where the file had bytes before, a sector is the old or the new one."""
    end = offset + dice.randrange(len(piece))
    if end < size:
        end -= end % SECTOR
    return offset, piece[:max(0, end - offset)]


def by_chance(seed):
    """Each change to a name and each piece of bytes is there or not."""
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
