"""Tokens of one-time links: read aloud, typed and checked before anything is asked.

A token has 28 characters of Crockford's base 32, in groups of four: 25 are random, the
last three follow from them and from the design of the survey. So a link that is
mistyped, cut or another survey's is noticed in the page, without a request.
Twin of static/js/collecting/invitation.js; both read tests/vectors/tokens.json.

References
----------
D. Crockford, Base 32, https://www.crockford.com/base32.html: no I, L, O and U, and who
reads I or L for 1 and O for 0 is understood.
"""

import hashlib
import re
import secrets

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

RANDOM_CHARACTERS = 25
"""125 random bits: a link cannot be found by trying."""

CHECK_CHARACTERS = 3
"""15 bits: of 32,768 mistakes among the random characters one passes unnoticed, and is
then refused as no link of the survey. A mistake in these three never passes."""

CHARACTERS = RANDOM_CHARACTERS + CHECK_CHARACTERS

GROUP = 4

TOKEN_LENGTH = CHARACTERS + CHARACTERS // GROUP - 1
"""Characters of a token with the hyphens between its groups, as it is sent."""

OLD_TOKEN_LENGTH = 22
"""The first tokens were 16 random bytes in URL-safe base64, without a check. Those that
were handed out stay good."""

AMBIGUOUS = str.maketrans("oil", "011")

# Named one by one: what Python and browsers call a space differs.
BETWEEN = re.compile("[ \u00a0\u2010-\u2015\u2212-]")
WHOLE = re.compile(rf"[0-9A-TV-Za-tv-z]{{{CHARACTERS}}}")
OLD = re.compile(rf"[A-Za-z0-9_-]{{{OLD_TOKEN_LENGTH}}}")

# A piece of a token, as long as an old one. Of 10**12 old ones one looks like it.
PIECE = re.compile("[A]{0,4}(?:-[A]{4}){3,4}(?:-[A]{0,4})?".replace("A", ALPHABET))


def make_token(digest: str) -> str:
    # 256 is a multiple of 32, so each character is as likely as any other.
    drawn = secrets.token_bytes(RANDOM_CHARACTERS)
    token = "".join(ALPHABET[byte % len(ALPHABET)] for byte in drawn)
    return group_characters(token + compute_check(token, digest))


def read_token(text: str) -> str:
    """Return the token that is meant by what was typed; nothing where none is.

    Case, spaces, hyphens and look-alikes make no difference. An old token is taken
    letter by letter.
    """
    characters = BETWEEN.sub("", text)
    if WHOLE.fullmatch(characters):
        return group_characters(characters.lower().translate(AMBIGUOUS))
    return text if OLD.fullmatch(text) and not PIECE.fullmatch(text) else ""


def fits(token: str, digest: str) -> bool:
    """Whether `token`, as `read_token` returns it, can be one of this survey's.

    Old tokens say nothing about it.
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
