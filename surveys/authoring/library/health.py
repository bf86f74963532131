from django.utils.translation import gettext_lazy as for_researchers
from django.utils.translation import gettext_noop

from surveys.authoring.library.template import QuestionTemplate

TEMPLATES = (
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
        for_researchers("One act and one period; it asks for no reason."),
    ),
    QuestionTemplate(
        "heavy-drinking",
        gettext_noop(
            "In the past 30 days, have you had more than five alcoholic drinks on one "
            "occasion?"
        ),
        for_researchers(
            "A number instead of “a lot”. Say in the introduction what one drink is."
        ),
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
        for_researchers(
            "One act instead of the word “violence”. Give the number of a helpline."
        ),
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
        for_researchers(
            "Here it is a Yes that people like to give: few will admit to No."
        ),
        "Mieth et al. 2021, BMC Public Health 21:12",
    ),
    QuestionTemplate(
        "unprotected-sex",
        gettext_noop(
            "In the past 12 months, how often have you had sex with a new partner "
            "without a condom?"
        ),
        for_researchers(
            "Three steps are enough: more answers need many more respondents."
        ),
        choices=(
            gettext_noop("At no time"),
            gettext_noop("Once"),
            gettext_noop("More than once"),
            gettext_noop("Prefer not to answer"),
        ),
    ),
)
