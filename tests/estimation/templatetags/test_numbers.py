"""Findings on narrow screens."""

import pytest

from estimation.templatetags.numbers import unbroken


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("(best estimate 43 %) answered Yes", "(best estimate 43 %)"),
        (
            "7 to 27 points more (95 % interval; best estimate +10)",
            "best estimate +10)",
        ),
        ("Yes (a word of a questionnaire that is too long for a phone)", ""),
    ],
)
def test_a_best_estimate_stays_on_one_line_and_no_more_does(message, kept):
    assert unbroken(message) == message.replace(
        kept, kept.replace(" ", "\N{NO-BREAK SPACE}")
    )
