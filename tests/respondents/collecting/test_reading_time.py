"""How long a survey says it takes."""

from dataclasses import replace

import pytest

from respondents.collecting.pages import estimate_minutes
from respondents.collecting.reading_time import WORDS_A_MINUTE, count_words
from tests.respondents.rendered import render
from tests.surveys.tables import build_example, make_design

PAGE = """
<header>Not counted.</header>
<section data-screen="welcome"><p>Two words.<br></p><p hidden>Not counted.</p>
<noscript>Not counted.</noscript><input type="checkbox"></section>
<section data-screen="question" hidden><svg><text>No</text></svg>Three more words
<details><summary>Not</summary>counted</details></section>
<section data-screen="thanks" hidden>Not counted.</section>
"""


def test_only_text_that_everyone_reads_is_counted():
    assert count_words(PAGE) == 5


@pytest.mark.parametrize("mode", ["browser", "server", "hand"])
@pytest.mark.parametrize("questions", [1, 40])
def test_the_reading_time_assumes_200_words_per_minute(mode, questions):
    coin = build_example("coin")
    words = count_words(render(*[coin] * questions, mode=mode).html)
    text = estimate_minutes(design_of(coin, questions, mode))
    seconds = 5 if mode != "hand" else 35
    reckoned = words / WORDS_A_MINUTE + questions * seconds / 60
    assert reckoned <= text <= reckoned + 1


def design_of(mechanism, questions, mode):
    design = make_design(*[mechanism] * questions, mode=mode)
    return replace(design, language="en", slug="study-habits")
