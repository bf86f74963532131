from dataclasses import dataclass

from django.utils.functional import Promise


@dataclass(frozen=True)
class QuestionTemplate:
    """A question ready to be asked; its texts are translated for respondents.

    `note` tells researchers why it is worded so, and `source` where the topic has been
    asked about with randomised answers, or by an established questionnaire.
    """

    name: str
    text: str
    note: str | Promise = ""
    source: str = ""
    choices: tuple[str, ...] = ()
