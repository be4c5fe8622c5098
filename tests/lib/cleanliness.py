"""What must not be in anything that is printed. It does not share a line with the cleaning that it
watches over."""
import unicodedata

HIDDEN = set("\u115f\u1160\u3164\uffa0\u2800\u034f")


def bad_characters(data, ascii_only=False, lines=True):
    """What in the output must not be there."""
    text = data.decode("ascii" if ascii_only else "utf-8", "surrogateescape")
    allowed = {"\n", "\t"} if lines else set()
    return sorted({char for char in text if char not in allowed and (
        unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or char in HIDDEN
        or 0xfe00 <= ord(char) <= 0xfe0f or 0xe0100 <= ord(char) <= 0xe01ef)})
