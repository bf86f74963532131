"""Numbers do not break across lines."""

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
def test_only_best_estimates_are_kept_on_one_line(message, kept):
    assert unbroken(message) == message.replace(
        kept, kept.replace(" ", "\N{NO-BREAK SPACE}")
    )
