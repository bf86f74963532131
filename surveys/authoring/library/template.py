from dataclasses import dataclass


@dataclass(frozen=True)
class QuestionTemplate:
    """A question ready to be asked; its texts are translated for respondents.

    `note` tells researchers why it is worded so, and `source` where the topic has been
    asked about with randomised answers, or by an established questionnaire.
    """

    name: str
    text: str
    note: str = ""
    source: str = ""
    choices: tuple[str, ...] = ()
