"""What the planner says of all questions together, in plain words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from estimation.planner.words import Words
from surveys.words.explanations import TotalProtection


def total_words(total: TotalProtection, *, questions: int, large: int) -> Words:
    """Return what all reports of one person give away together, and how grave it is."""
    words = {"times": total.times, "epsilon": total.epsilon, "large": large}
    if not questions:
        level, title = "note", _("No question yet.")
        sentence = _("Add a question to see what all of them protect together.")
    elif total.is_infinite:
        level, title = "danger", _("Not protected.")
        sentence = _(
            "At least one question is asked directly: what is stored for it is the "
            "answer itself."
        )
    elif total.is_large:
        level, title = "warning", _("Weak protection.")
        sentence = _(
            "All reports of one person together shift the odds of an answer up to "
            "%(times)s times. Above a total of %(large)s, ask fewer questions or "
            "choose stronger mechanisms."
        )
    else:
        level, title = "good", _("Below the warning line of %(large)s.")
        sentence = _(
            "All reports of one person together shift the odds of an answer %(times)s "
            "times at most."
        )
    counted = ngettext("%s question", "%s questions", questions) % questions
    return {
        "level": level,
        "title": title % words,
        "sentence": sentence % words,
        "questions": counted,
    }


def status(survey: Words) -> str:
    """Return the figures of the whole survey in a breath, for who cannot see them."""
    told = _("Total epsilon %(epsilon)s.") % survey
    if not survey.get("precision"):
        return told
    precise = _("Margin of error %(margin)s %(with)s.") % survey["precision"]
    return f"{told} {precise}"
