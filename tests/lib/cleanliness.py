"""Finds characters that must not be printed. Shares no code with the sanitizing that it checks."""
import unicodedata

HIDDEN = set("\u115f\u1160\u3164\uffa0\u2800\u034f")


def bad_characters(data, ascii_only=False, lines=True):
    """Returns the forbidden characters of the output."""
    text = data.decode("ascii" if ascii_only else "utf-8", "surrogateescape")
    allowed = {"\n", "\t"} if lines else set()
    return sorted({char for char in text if char not in allowed and (
        unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or char in HIDDEN
        or 0xfe00 <= ord(char) <= 0xfe0f or 0xe0100 <= ord(char) <= 0xe01ef)})
