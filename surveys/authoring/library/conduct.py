from django.utils.translation import gettext_lazy as for_researchers
from django.utils.translation import gettext_noop

from surveys.authoring.library.template import QuestionTemplate

TEMPLATES = (
    QuestionTemplate(
        "tax",
        gettext_noop(
            "In your last tax return, did you leave out income that you had to declare?"
        ),
        for_researchers("The last return is a period that everybody knows."),
        "Houston & Tran 2001, Advances in Taxation 13:69",
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
        for_researchers(
            "Here it is Yes that people like to give. Name the day of the election."
        ),
        "Holbrook & Krosnick 2010, Public Opinion Quarterly 74:328",
    ),
    QuestionTemplate(
        "bribe",
        gettext_noop(
            "In the past 12 months, have you given an official something of value to "
            "get a service?"
        ),
        for_researchers(
            "“Bribe” is left out: many would call it a fee or a thank-you."
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
        for_researchers("It names what was done, which covers the self-service till."),
    ),
    QuestionTemplate(
        "affair",
        gettext_noop(
            "During your present relationship, have you had sex with somebody other "
            "than your partner?"
        ),
        for_researchers("Ask only people in a relationship."),
    ),
    QuestionTemplate(
        "neighbours",
        gettext_noop(
            "Would you mind today if a family of another religion moved in next door?"
        ),
        for_researchers(
            "An attitude: it asks for one situation instead of an opinion."
        ),
        "Krumpal 2012, Social Science Research 41:1387",
    ),
)
