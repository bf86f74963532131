from django.utils.translation import gettext_lazy as for_researchers
from django.utils.translation import gettext_noop

from surveys.authoring.library.template import QuestionTemplate

TEMPLATES = (
    QuestionTemplate(
        "theft-from-employer",
        gettext_noop(
            "In the past 12 months, have you taken anything worth more than 10 euros "
            "from your employer without permission?"
        ),
        for_researchers(
            "A limit in money keeps pens out. Set the amount and the currency."
        ),
        "Wimbush & Dalton 1997, Journal of Applied Psychology 82:756",
    ),
    QuestionTemplate(
        "sick-leave",
        gettext_noop(
            "In the past 12 months, have you reported sick while you were well enough "
            "to work?"
        ),
        for_researchers("It describes the act and leaves out words that blame."),
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
        for_researchers("One act with a number, instead of the word “bullying”."),
        "Einarsen, Hoel & Notelaers 2009, Work & Stress 23:24",
    ),
    QuestionTemplate(
        "sexual-harassment",
        gettext_noop(
            "In the past 12 months, has anybody at work touched you in a sexual way "
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
        for_researchers("A short period, since people forget."),
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
        for_researchers("It needs no word like “wrongly”: the act says it."),
    ),
    QuestionTemplate(
        "hidden-mistake",
        gettext_noop(
            "In the past 12 months, have you kept a mistake at work secret that could "
            "have harmed somebody?"
        ),
        for_researchers("In hospitals, name whom it could have harmed: “a patient”."),
    ),
)
