"""Estimates how long a survey takes from the number of words shown."""

import math
from html.parser import HTMLParser

WORDS_A_MINUTE = 200
"""Adults silently read 238 words of plain English a minute (Brysbaert 2019, a review of
190 studies). Reading on screens, in other languages and with hesitation takes
longer."""

SECONDS_TO_CHOOSE = 5
"""Time to tick one answer and go on, after the question has been read."""

SECONDS_BY_HAND = 30
"""Time to toss, roll or draw before ticking the outcome."""

READ = {"welcome", "protection", "section", "question", "check"}
"""The screens that all respondents see."""

FOLDED = {"details", "noscript", "template", "script", "svg"}

UNSEEN = {"hidden", "data-unscripted"}
"""Attributes of elements that are invisible if scripts run."""

NEVER_CLOSED = {"input", "br", "link", "meta", "img", "hr"}


class Reader(HTMLParser):
    """Counts the words on the screens of a page, except collapsed or hidden ones."""

    def __init__(self) -> None:
        super().__init__()
        self.words = 0
        self.counts = [False]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in NEVER_CLOSED:
            return
        named = dict(attrs)
        if (screen := named.get("data-screen")) is not None:
            counts = screen in READ
        else:
            is_seen = tag not in FOLDED and UNSEEN.isdisjoint(named)
            counts = self.counts[-1] and is_seen
        self.counts.append(counts)

    def handle_endtag(self, tag: str) -> None:
        if tag not in NEVER_CLOSED and len(self.counts) > 1:
            self.counts.pop()

    def handle_data(self, data: str) -> None:
        if self.counts[-1]:
            self.words += len(data.split())


def count_words(page: str) -> int:
    """Return the number of words that a respondent reads before sending."""
    reader = Reader()
    reader.feed(page)
    return reader.words


def estimate_minutes(words: int, *, questions: int, is_by_hand: bool) -> int:
    seconds = SECONDS_TO_CHOOSE + (SECONDS_BY_HAND if is_by_hand else 0)
    return max(1, math.ceil(words / WORDS_A_MINUTE + questions * seconds / 60))
