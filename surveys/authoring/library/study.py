from django.utils.translation import gettext_lazy as for_researchers
from django.utils.translation import gettext_noop

from surveys.authoring.library.template import QuestionTemplate

TEMPLATES = (
    QuestionTemplate(
        "exam-cheating",
        gettext_noop(
            "In the past 12 months, have you used a forbidden aid in an examination?"
        ),
        for_researchers(
            "It says what was done. “Cheated” would mean something else to everybody."
        ),
        "Scheers & Dayton 1987, Research in Higher Education 26:61",
    ),
    QuestionTemplate(
        "copying",
        gettext_noop(
            "In the past 12 months, have you copied from another person in an "
            "examination?"
        ),
        source="Fox & Meijer 2008, Applied Psychological Measurement 32:595",
    ),
    QuestionTemplate(
        "plagiarism",
        gettext_noop(
            "In the past 12 months, have you handed in a text with passages from "
            "elsewhere without naming the source?"
        ),
        source="Jann, Jerke & Krumpal 2012, Public Opinion Quarterly 76:32",
    ),
    QuestionTemplate(
        "bought-work",
        gettext_noop(
            "During your studies, have you handed in a paper that somebody else was "
            "paid to write?"
        ),
        for_researchers("Rare: plan for many respondents."),
        "Newton 2018, Frontiers in Education 3:67",
    ),
    QuestionTemplate(
        "generated-text",
        gettext_noop(
            "In this semester, have you handed in text written by an AI program as "
            "your own?"
        ),
        for_researchers("Say in the introduction which use is allowed."),
    ),
    QuestionTemplate(
        "stimulants",
        gettext_noop(
            "In the past 12 months, have you taken a prescription drug to study "
            "better, without a prescription for it?"
        ),
        source="Dietz et al. 2013, Pharmacotherapy 33:44",
    ),
    QuestionTemplate(
        "made-up-data",
        gettext_noop("In the past 3 years, have you made up data in your research?"),
        for_researchers(
            "Very rare: a direct comparison needs thousands of respondents."
        ),
        "Fanelli 2009, PLoS ONE 4:e5738",
    ),
    QuestionTemplate(
        "stopping-early",
        gettext_noop(
            "In the past 3 years, have you collected more data after looking whether "
            "the results were significant?"
        ),
        for_researchers("It asks for what was done, and lets the reader judge it."),
        "John, Loewenstein & Prelec 2012, Psychological Science 23:524",
    ),
    QuestionTemplate(
        "left-out-results",
        gettext_noop(
            "In the past 3 years, how often have you left out a result because it "
            "spoke against what you expected?"
        ),
        for_researchers(
            "Three steps are enough: more answers need many more respondents."
        ),
        "John, Loewenstein & Prelec 2012, Psychological Science 23:524",
        choices=(
            gettext_noop("At no time"),
            gettext_noop("Once"),
            gettext_noop("More than once"),
            gettext_noop("Prefer not to answer"),
        ),
    ),
)
