"""Texts to start from: sensitive questions, and a consent text.

The sentences are ours; only topics have sources. A test holds them to the hints that
researchers get for their own questions.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as for_researchers
from django.utils.translation import gettext_noop


@dataclass(frozen=True)
class QuestionTemplate:
    """A question ready to be asked; its texts are translated for respondents.

    `note` explains its wording to researchers, and `source` says where the topic has
    been asked about with randomised answers, or by an established questionnaire.
    """

    name: str
    text: str
    note: str | Promise = ""
    source: str = ""
    choices: tuple[str, ...] = ()


HOW_OFTEN = (
    gettext_noop("At no time"),
    gettext_noop("Once"),
    gettext_noop("More than once"),
    gettext_noop("Prefer not to answer"),
)
FEW_ANSWERS = for_researchers("More answers would need many more respondents.")

HEALTH = (
    QuestionTemplate(
        "illegal-drugs",
        gettext_noop("In the past 12 months, have you used an illegal drug?"),
        for_researchers(
            "Name the drugs in the introduction if your country's law is unclear."
        ),
        "Goodstadt & Gruson 1975, "
        "Journal of the American Statistical Association 70:814",
    ),
    QuestionTemplate(
        "prescription-drugs",
        gettext_noop(
            "In the past 12 months, have you taken a prescription medicine that was "
            "prescribed for someone else?"
        ),
    ),
    QuestionTemplate(
        "heavy-drinking",
        gettext_noop(
            "In the past 30 days, have you had more than five alcoholic drinks on one "
            "occasion?"
        ),
        for_researchers("Say in the introduction what one drink is."),
        "Saunders et al. 1993, Addiction 88:791 (AUDIT)",
    ),
    QuestionTemplate(
        "abortion",
        gettext_noop("Have you ever had an abortion?"),
        for_researchers(
            "Ask only those who could have had one, so that the share has a meaning."
        ),
        "Abernathy, Greenberg & Horvitz 1970, Demography 7:19",
    ),
    QuestionTemplate(
        "partner-violence",
        gettext_noop("In the past 12 months, has a partner hit you?"),
        for_researchers("Give the number of a helpline."),
        "Moshagen, Musch & Erdfelder 2012, Behavior Research Methods 44:222",
    ),
    QuestionTemplate(
        "suicidal-thoughts",
        gettext_noop("In the past 12 months, have you thought about ending your life?"),
        for_researchers(
            "Give the number of a helpline before the question and on the last page."
        ),
    ),
    QuestionTemplate(
        "doping",
        gettext_noop(
            "In the past 12 months, have you used a substance that is banned in your "
            "sport?"
        ),
        for_researchers("Name the list of banned substances that counts."),
        "Ulrich et al. 2018, Sports Medicine 48:211",
    ),
    QuestionTemplate(
        "hand-washing",
        gettext_noop(
            "Did you wash your hands with soap every time you came home in the past "
            "7 days?"
        ),
        for_researchers("Few people admit to No here."),
        "Mieth et al. 2021, BMC Public Health 21:12",
    ),
    QuestionTemplate(
        "unprotected-sex",
        gettext_noop(
            "In the past 12 months, how often have you had sex with a new partner "
            "without a condom?"
        ),
        FEW_ANSWERS,
        choices=HOW_OFTEN,
    ),
)


WORK = (
    QuestionTemplate(
        "theft-from-employer",
        gettext_noop(
            "In the past 12 months, have you taken anything worth more than 10 euros "
            "from your employer without permission?"
        ),
        for_researchers("Set the amount and the currency."),
        "Wimbush & Dalton 1997, Journal of Applied Psychology 82:756",
    ),
    QuestionTemplate(
        "sick-leave",
        gettext_noop(
            "In the past 12 months, have you reported sick while you were well enough "
            "to work?"
        ),
    ),
    QuestionTemplate(
        "working-while-ill",
        gettext_noop(
            "In the past 12 months, have you gone to work although you were so ill "
            "that you should have stayed at home?"
        ),
        source="Aronsson, Gustafsson & Dallner 2000, "
        "Journal of Epidemiology and Community Health 54:502",
    ),
    QuestionTemplate(
        "bullying",
        gettext_noop(
            "In the past 6 months, have you been ridiculed at work at least once a "
            "week?"
        ),
        source="Einarsen, Hoel & Notelaers 2009, Work & Stress 23:24",
    ),
    QuestionTemplate(
        "sexual-harassment",
        gettext_noop(
            "In the past 12 months, has anyone at work touched you in a sexual way "
            "against your will?"
        ),
        for_researchers("Say where help can be found."),
    ),
    QuestionTemplate(
        "reported-hours",
        gettext_noop(
            "In the past 3 months, have you reported more working hours than you had "
            "worked?"
        ),
    ),
    QuestionTemplate(
        "safety-rule",
        gettext_noop("In the past 30 days, have you broken a safety rule at work?"),
        for_researchers("Name one rule if the results are to change something."),
    ),
    QuestionTemplate(
        "expenses",
        gettext_noop(
            "In the past 12 months, have you claimed more expenses than you had paid?"
        ),
    ),
    QuestionTemplate(
        "hidden-mistake",
        gettext_noop(
            "In the past 12 months, have you kept a mistake at work secret that could "
            "have harmed someone?"
        ),
        for_researchers("In hospitals, name whom it could have harmed: “a patient”."),
    ),
)


STUDY = (
    QuestionTemplate(
        "exam-cheating",
        gettext_noop(
            "In the past 12 months, have you used a forbidden aid in an examination?"
        ),
        source="Scheers & Dayton 1987, Research in Higher Education 26:61",
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
            "During your studies, have you handed in a paper that someone else was "
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
        source="John, Loewenstein & Prelec 2012, Psychological Science 23:524",
    ),
    QuestionTemplate(
        "left-out-results",
        gettext_noop(
            "In the past 3 years, how often have you left out a result because it "
            "spoke against what you expected?"
        ),
        FEW_ANSWERS,
        "John, Loewenstein & Prelec 2012, Psychological Science 23:524",
        choices=HOW_OFTEN,
    ),
)


CONDUCT = (
    QuestionTemplate(
        "tax",
        gettext_noop(
            "In your last tax return, did you leave out income that you had to declare?"
        ),
        source="Houston & Tran 2001, Advances in Taxation 13:69",
    ),
    QuestionTemplate(
        "undeclared-work",
        gettext_noop(
            "In the past 12 months, have you been paid for work that was hidden from "
            "the tax office?"
        ),
        for_researchers("Say whether small favours among neighbours count."),
    ),
    QuestionTemplate(
        "benefits",
        gettext_noop(
            "In the past 12 months, have you received a benefit while keeping back "
            "income from the office that pays it?"
        ),
        for_researchers("Ask only people who receive one."),
        "van der Heijden et al. 2000, Sociological Methods & Research 28:505",
    ),
    QuestionTemplate(
        "drink-driving",
        gettext_noop(
            "In the past 12 months, have you driven a car after drinking more alcohol "
            "than the law allows?"
        ),
        for_researchers("Name the limit in the introduction."),
        "Locander, Sudman & Bradburn 1976, "
        "Journal of the American Statistical Association 71:269",
    ),
    QuestionTemplate(
        "voting",
        gettext_noop("Did you vote in the last national election?"),
        for_researchers("Few people admit to No here. Name the day of the election."),
        "Holbrook & Krosnick 2010, Public Opinion Quarterly 74:328",
    ),
    QuestionTemplate(
        "bribe",
        gettext_noop(
            "In the past 12 months, have you given an official something of value to "
            "get a service?"
        ),
    ),
    QuestionTemplate(
        "hunting",
        gettext_noop(
            "In the past 12 months, have you killed a wild animal that is protected "
            "by law?"
        ),
        for_researchers("Name the animals in the words that people use for them."),
        "St John et al. 2012, Proceedings of the Royal Society B 279:804",
    ),
    QuestionTemplate(
        "shoplifting",
        gettext_noop(
            "In the past 12 months, have you taken something from a shop without "
            "paying?"
        ),
    ),
    QuestionTemplate(
        "affair",
        gettext_noop(
            "During your present relationship, have you had sex with someone other "
            "than your partner?"
        ),
        for_researchers("Ask only people in a relationship."),
    ),
    QuestionTemplate(
        "neighbours",
        gettext_noop(
            "Would you mind today if a family of another religion moved in next door?"
        ),
        source="Krumpal 2012, Social Science Research 41:1387",
    ),
)


FIELDS = {
    "health": (for_researchers("Health"), HEALTH),
    "work": (for_researchers("Work"), WORK),
    "study": (for_researchers("Study and research"), STUDY),
    "conduct": (for_researchers("Conduct"), CONDUCT),
}


@dataclass(frozen=True)
class Wording:
    """A template in one language."""

    text: str
    choices: tuple[str, ...]


def translate_template(template: QuestionTemplate, language: str) -> Wording:
    with translation.override(language):
        return Wording(
            _(template.text), tuple(_(choice) for choice in template.choices)
        )


def list_library() -> Iterator[dict[str, Any]]:
    """Yield each field with its templates, in every language of respondents."""
    for name, (title, templates) in FIELDS.items():
        entries = [
            {
                "key": f"{name}.{template.name}",
                "template": template,
                "wordings": {
                    language: translate_template(template, language)
                    for language, _name in settings.LANGUAGES
                },
            }
            for template in templates
        ]
        yield {"name": name, "title": title, "entries": entries}


def list_wordings() -> dict[str, Any]:
    """Return what static/js/authoring/library.js fills in, by key and language."""
    return {
        entry["key"]: {
            language: asdict(wording) for language, wording in entry["wordings"].items()
        }
        for field in list_library()
        for entry in field["entries"]
    }


def find_template(key: str) -> QuestionTemplate | None:
    """Return the template that an address like ?template=health.doping names."""
    field, _dot, name = key.partition(".")
    _title, templates = FIELDS.get(field, ("", ()))
    return next((each for each in templates if each.name == name), None)


def suggest_consent(*, title: str, organiser: str, contact: str, language: str) -> str:
    """Return a text in Markdown; what Candor promises stands above it on the page.

    What has not been typed yet appears in brackets, to be seen and filled in.
    """
    with translation.override(language):
        given = {
            "title": title.strip() or _("[title]"),
            "organiser": organiser.strip() or _("[who runs it]"),
            "contact": contact.strip() or _("[contact]"),
        }
        text = (
            _(
                "I take part in “%(title)s” because I want to. The survey is run by "
                "%(organiser)s.\n"
                "\n"
                "- I am 18 or older.\n"
                "- I have read why these questions are asked, and could ask before: "
                "%(contact)s.\n"
                "- If I do not take part, or stop, this has no consequences for me.\n"
                "- %(organiser)s may publish shares of the whole group.\n"
            )
            % given
        )
        return text.strip()
