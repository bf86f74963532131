"""Tokens of one-time links, which can be read aloud, typed and checked.

A token has 28 characters of Crockford's base 32, in groups of four. 25 are random; the
last three are check characters, computed from them and the survey's design. So the page
detects a link that is mistyped, truncated or of another survey, without a request.
static/js/collecting/invitation.js does the same; both read tests/vectors/tokens.json.

References
----------
D. Crockford, Base 32, https://www.crockford.com/base32.html: it does not use I, L, O
and U, and reads I and L as 1 and O as 0.
"""

import hashlib
import re
import secrets

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

RANDOM_CHARACTERS = 25
"""125 random bits: a link cannot be found by trying."""

CHECK_CHARACTERS = 3
"""15 bits: one of 32,768 mistakes in the random characters is not detected; such a
token is then refused as unknown. A mistake in these three is always detected."""

CHARACTERS = RANDOM_CHARACTERS + CHECK_CHARACTERS

GROUP = 4

TOKEN_LENGTH = CHARACTERS + CHARACTERS // GROUP - 1
"""Characters of a token with the hyphens between its groups, as it is sent."""

OLD_TOKEN_LENGTH = 22
"""Old tokens are 16 random bytes in URL-safe base64, without check characters. They
remain valid."""

AMBIGUOUS = str.maketrans("oil", "011")

# Listed one by one, because Python and browsers define white space differently.
BETWEEN = re.compile("[ \u00a0\u2010-\u2015\u2212-]")
WHOLE = re.compile(rf"[0-9A-TV-Za-tv-z]{{{CHARACTERS}}}")
OLD = re.compile(rf"[A-Za-z0-9_-]{{{OLD_TOKEN_LENGTH}}}")

# A part of a token, as long as an old one. One in 10**12 old tokens matches it.
PIECE = re.compile("[A]{0,4}(?:-[A]{4}){3,4}(?:-[A]{0,4})?".replace("A", ALPHABET))


def make_token(digest: str) -> str:
    # 256 is a multiple of 32, so each character is as likely as any other.
    drawn = secrets.token_bytes(RANDOM_CHARACTERS)
    token = "".join(ALPHABET[byte % len(ALPHABET)] for byte in drawn)
    return group_characters(token + compute_check(token, digest))


def read_token(text: str) -> str:
    """Return the token in a typed text in its standard form, or "" if there is none.

    Case, spaces, hyphens and the choice between ambiguous characters do not matter. An
    old token must match exactly.
    """
    characters = BETWEEN.sub("", text)
    if WHOLE.fullmatch(characters):
        return group_characters(characters.lower().translate(AMBIGUOUS))
    return text if OLD.fullmatch(text) and not PIECE.fullmatch(text) else ""


def fits(token: str, digest: str) -> bool:
    """Return whether `token`, as `read_token` returns it, can belong to this survey.

    Old tokens have no check characters and always can.
    """
    if len(token) == OLD_TOKEN_LENGTH:
        return True
    characters = token.replace("-", "")
    random, check = characters[:RANDOM_CHARACTERS], characters[RANDOM_CHARACTERS:]
    return check == compute_check(random, digest)


def compute_check(random: str, digest: str) -> str:
    """Return the check characters: the first 15 bits of SHA-256."""
    named = f"candor one-time link {digest} {random}"
    first = int.from_bytes(hashlib.sha256(named.encode()).digest()[:2], "big") >> 1
    return "".join(ALPHABET[first >> shift & 31] for shift in (10, 5, 0))


def group_characters(characters: str) -> str:
    starts = range(0, len(characters), GROUP)
    return "-".join(characters[start : start + GROUP] for start in starts)
