"""Lists of words in a sentence."""

from collections.abc import Iterable

from django.utils.text import get_text_list

ARABIC_AND = "\N{ARABIC LETTER WAW}"
"""Written as a prefix of the next word, without a space."""


def join_texts(texts: Iterable[str], word: str) -> str:
    """Return the texts with commas between, and `word` before the last."""
    listed = list(texts)
    joined = get_text_list(listed, word)
    if word != ARABIC_AND or len(listed) < 2:
        return joined
    last = listed[-1]
    return joined.removesuffix(f" {last}") + last
