"""Read the file of a survey or of a field study, and list all errors at once."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError

from candor.files.table import FileError
from candor.mechanisms import Family, Mechanism, ParameterError, load_families
from candor.mechanisms.composition import MAX_QUESTIONS
from candor.mechanisms.parameters import shown
from candor.mechanisms.scale import Scale, ScaleError
from surveys.files.definition import (
    FORMAT,
    PLAN_FIELDS,
    QUESTION_FIELDS,
    QUESTION_KEYS,
    STUDY_KEYS,
    SURVEY_FIELDS,
    SURVEY_KEYS,
    TRANSLATIONS,
    Definition,
    QuestionDefinition,
)
from surveys.files.values import (
    FileProblem,
    describe_field,
    is_storable,
    parse_json,
    read_value,
)
from surveys.models import Choice, Question, Survey
from surveys.models.languages import get_languages
from surveys.models.question import find_label_problem
from surveys.models.translations import CHOICES, QUESTION_TEXTS, SURVEY_TEXTS
from surveys.sentence import Sentence, make_sentence

ALWAYS_MISSING = frozenset(["", "NA"])
"""Cells without a report: empty, or as R writes them."""


FILLED_IN_LATER = {"slug", "organiser"}
"""Texts that a draft, and so its file, may lack."""


def read_definition(text: str) -> Definition:
    """Return the survey that a JSON text describes.

    Raises
    ------
    FileError
        With every problem: the place, what is allowed there, and the value received.
    """
    return Reader().read(text)


def read_parsed(parsed: object) -> Definition:
    """Return the survey in a result of `parse_json`; errors as above."""
    return Reader().read_parsed(parsed)


def read_study(text: str) -> Definition:
    """Return the field study that a JSON text describes; errors as above."""
    return StudyReader().read(text)


def read_asked(text: str) -> Definition:
    """Return the questions of a field study, from any file that can become a draft."""
    return AskedReader().read(text)


class Reader:
    fields: tuple[str, ...] = SURVEY_FIELDS
    needed = frozenset[str]()
    """Fields that are required although they have a default."""
    allowed_questions = make_sentence("a list of at most %(most)s", most=MAX_QUESTIONS)

    def __init__(self) -> None:
        self.problems: list[FileProblem] = []
        self.languages: list[str] = []
        """The languages of the survey other than the main one."""

    def read(self, text: str) -> Definition:
        return self.read_parsed(parse_json(text))

    def read_parsed(self, parsed: object) -> Definition:
        definition = self.read_survey(parsed)
        if self.problems or definition is None:
            raise FileError(self.problems)
        return definition

    def refuse(self, place: str, allowed: Sentence | str, value: object) -> None:
        """Add the problem that `value` is not what is `allowed` there."""
        text = make_sentence(
            "must be %(allowed)s; got %(value)s", allowed=allowed, value=shown(value)
        )
        self.problems.append(FileProblem(place, text))

    def read_survey(self, parsed: object) -> Definition | None:
        if not isinstance(parsed, dict):
            self.refuse("the file", make_sentence("one object"), parsed)
            return None
        self.check_keys(parsed, SURVEY_KEYS, "the file")
        if parsed.get("format", FORMAT) != FORMAT:
            self.refuse("format", str(FORMAT), parsed["format"])
        fields = {
            name: self.read_field(Survey, parsed, name, place="")
            for name in self.fields
        }
        main = fields.get("language")
        known = [code for code, _name in get_languages() if code != main]
        fields[TRANSLATIONS] = self.read_translations(
            Survey, parsed.get(TRANSLATIONS), known, TRANSLATIONS
        )
        if fields.get("closes_at_target") and parsed.get("target") is None:
            self.refuse(
                "closes_at_target",
                make_sentence("false where %(key)s is null", key="target"),
                True,
            )
        if fields.get("shares_to_beat") and fields.get("pinned_method") == "bayes":
            allowed = make_sentence(
                "feldman-cousins or pratt where there are shares to beat"
            )
            self.refuse("pinned_method", allowed, "bayes")
        questions = parsed.get("questions", [])
        if not isinstance(questions, list) or not self.accepts(len(questions)):
            self.refuse("questions", self.allowed_questions, questions)
            return None
        self.languages = sorted(fields[TRANSLATIONS])
        read = [
            self.read_question(question, f"questions[{number}]")
            for number, question in enumerate(questions)
        ]
        return Definition(fields, tuple(question for question in read if question))

    def accepts(self, questions: int) -> bool:
        return questions <= MAX_QUESTIONS

    def read_question(self, parsed: object, place: str) -> QuestionDefinition | None:
        if not isinstance(parsed, dict):
            self.refuse(place, make_sentence("an object"), parsed)
            return None
        self.check_keys(parsed, (*QUESTION_KEYS, *STUDY_KEYS), place)
        fields = {
            name: self.read_field(Question, parsed, name, place=f"{place}.")
            for name in QUESTION_FIELDS
        }
        family = load_families().get(fields.pop("family") or "")
        presentation = {name: fields.pop(name) for name in Question.PRESENTATION}
        choices = self.read_choices(parsed.get("choices"), f"{place}.choices")
        given = parsed.get("parameters", {})
        if not isinstance(given, dict):
            self.refuse(f"{place}.parameters", make_sentence("an object"), given)
            return None
        mechanism = family and self.read_mechanism(family, given, choices, place)
        if not (family and mechanism):
            return None
        scale = self.read_scale(
            parsed.get("scale"), family, mechanism, f"{place}.scale"
        )
        more = self.read_study_keys(parsed, mechanism, place)
        translations = self.read_translations(
            Question,
            parsed.get(TRANSLATIONS),
            self.languages,
            f"{place}.{TRANSLATIONS}",
            answers=len(mechanism.answers),
        )
        return QuestionDefinition(
            **fields,
            mechanism=mechanism,
            choices=choices,
            scale=scale,
            presentation=presentation,
            translations=translations,
            **more,
        )

    def read_translations(
        self,
        model: type[Survey] | type[Question],
        given: object,
        languages: Sequence[str],
        place: str,
        *,
        answers: int = 0,
    ) -> dict[str, dict[str, Any]]:
        """Return the texts by language; for a question also labels of its answers."""
        if given is None:
            return {}
        if not isinstance(given, dict):
            self.refuse(place, make_sentence("an object"), given)
            return {}
        self.check_keys(given, tuple(languages), place)
        names = SURVEY_TEXTS if model is Survey else QUESTION_TEXTS
        more = () if model is Survey else (CHOICES,)
        read: dict[str, dict[str, Any]] = {}
        for language in sorted(given.keys() & set(languages)):
            texts, where = given[language], f"{place}.{language}"
            if not isinstance(texts, dict):
                self.refuse(where, make_sentence("an object"), texts)
                continue
            self.check_keys(texts, (*names, *more), where)
            read[language] = {
                name: self.read_field(model, texts, name, place=f"{where}.")
                for name in names
                if name in texts
            }
            if model is Question and CHOICES in texts:
                read[language][CHOICES] = self.read_translated_choices(
                    texts[CHOICES], f"{where}.{CHOICES}", answers
                )
        return read

    def read_translated_choices(
        self, given: object, place: str, answers: int
    ) -> list[str] | None:
        labels = self.read_choices(given, place)
        if labels is None or len(labels) != answers:
            allowed = make_sentence("a list of %(number)s", number=answers)
            self.refuse(place, allowed, given)
        return labels

    def read_scale(
        self, given: object, family: Family, mechanism: Mechanism, place: str
    ) -> dict[str, str] | None:
        if given is None:
            return None
        if not family.is_scale:
            self.refuse(
                place, make_sentence("left out of a question that is no scale"), given
            )
            return None
        if not isinstance(given, dict):
            self.refuse(
                place, make_sentence("an object such as {low: 0, high: 10}"), given
            )
            return None
        self.check_keys(given, ("low", "high"), place)
        try:
            return Scale.of(given, mechanism.points).to_dict()
        except ScaleError:
            allowed = make_sentence("two numbers, low below high, up to 10**9")
            self.refuse(place, allowed, given)
            return None

    def read_study_keys(
        self, parsed: Mapping[str, object], mechanism: Mechanism, place: str
    ) -> dict[str, Any]:
        return {}

    def read_mechanism(
        self,
        family: Family,
        given: Mapping[str, object],
        choices: list[str] | None,
        place: str,
    ) -> Mechanism | None:
        """Return the mechanism; check parameters singly and together, then choices."""
        counted = family.counted(len(choices)) if choices else {}
        given = {**counted, **given}
        before = len(self.problems)
        names = [parameter.name for parameter in family.parameters]
        self.check_keys(given, tuple(names), f"{place}.parameters")
        for parameter in family.parameters:
            try:
                parameter.parse(given.get(parameter.name))
            except ParameterError as error:
                named = f"{place}.parameters.{parameter.name}"
                self.refuse(named, error.allowed, error.value)
        if len(self.problems) > before:
            return None
        try:
            mechanism = family.build(**given)
        except ParameterError as error:
            self.refuse(f"{place}.parameters", error.allowed, error.value)
            return None
        answers = len(mechanism.answers)
        if choices is not None and len(choices) != answers:
            self.refuse(
                f"{place}.choices",
                make_sentence("a list of %(number)s", number=answers),
                choices,
            )
        return mechanism

    def read_choices(self, given: object, place: str) -> list[str] | None:
        if given is None:
            return None
        if not isinstance(given, list):
            self.refuse(place, make_sentence("a list of texts"), given)
            return None
        label = Choice._meta.get_field("label")
        for number, each in enumerate(given):
            self.read_value(label, each, f"{place}[{number}]")
        if all(isinstance(each, str) for each in given) and (
            problem := find_label_problem(given)
        ):
            text = Sentence("%(problem)s", {"problem": problem})
            self.problems.append(FileProblem(place, text, ": "))
        return given

    def read_field(
        self,
        model: type[Survey] | type[Question],
        parsed: Mapping[str, object],
        name: str,
        *,
        place: str,
    ) -> Any:
        field: Any = model._meta.get_field(name)
        if name not in self.needed:
            if name not in parsed and (field.has_default() or field.blank):
                return field.get_default()
            if name in FILLED_IN_LATER and parsed.get(name) in (None, ""):
                return ""
        return self.read_value(field, parsed.get(name), f"{place}{name}")

    def read_value(self, field: Any, given: object, place: str) -> Any:
        if not is_storable(given):
            self.refuse(place, make_sentence("Unicode text without NUL"), given)
            return None
        try:
            return read_value(field, given)
        except ValidationError:
            self.refuse(place, describe_field(field), given)
            return None

    def check_keys(
        self, parsed: Mapping[str, object], keys: tuple[str, ...], place: str
    ) -> None:
        known = ", ".join(keys) or make_sentence("none")
        for key in parsed:
            if key not in keys:
                text = make_sentence(
                    "known keys are %(keys)s; got %(key)s", keys=known, key=shown(key)
                )
                self.problems.append(FileProblem(place, text, ": "))


class StudyReader(Reader):
    """A reader of surveys carried out by hand, and of where their reports are."""

    fields = tuple(name for name in SURVEY_FIELDS if name not in PLAN_FIELDS)
    needed = frozenset(["slug", "organiser", "family"])
    allowed_questions = make_sentence(
        "a list of one or more, at most %(most)s", most=MAX_QUESTIONS
    )
    needs_columns = True

    def accepts(self, questions: int) -> bool:
        return 1 <= questions <= MAX_QUESTIONS

    def read_survey(self, parsed: object) -> Definition | None:
        if isinstance(parsed, dict):
            # Field studies use a coin, a die or cards, also if the file omits the mode.
            parsed = {"mode": Survey.Mode.HAND.value, **parsed}
        study = super().read_survey(parsed)
        if study and study.fields["mode"] not in {None, Survey.Mode.HAND}:
            self.refuse("mode", make_sentence("hand or left out"), study.fields["mode"])
        if study and not self.problems:
            self.problems += find_repeated_columns(study.questions)
        return study

    def read_study_keys(
        self, parsed: Mapping[str, object], mechanism: Mechanism, place: str
    ) -> dict[str, Any]:
        column, codes = parsed.get("column"), parsed.get("codes")
        missing = parsed.get("missing", [])
        if not self.needs_columns:
            column = parsed.get("column", "")
        if not isinstance(column, str):
            self.refuse(f"{place}.column", make_sentence("a text"), column)
        texts = missing if isinstance(missing, list) else []
        texts = [each for each in texts if isinstance(each, str)]
        if texts != missing:
            self.refuse(f"{place}.missing", make_sentence("a list of texts"), missing)
        if not self.needs_columns and "codes" not in parsed:
            codes = {}
        elif not (isinstance(codes, dict) and codes) or any(
            code not in mechanism.reports for code in codes.values()
        ):
            text = make_sentence(
                "must map cells to %(reports)s; got %(value)s",
                reports=" or ".join(mechanism.reports),
                value=shown(codes),
            )
            self.problems.append(FileProblem(f"{place}.codes", text))
            codes = {}
        cells = ALWAYS_MISSING.union(texts)
        if both := cells & set(codes):
            text = make_sentence(
                "%(cell)s is both a code and missing", cell=shown(min(both))
            )
            self.problems.append(FileProblem(place, text, ": "))
        return {"column": column, "codes": codes, "missing": cells}


class AskedReader(StudyReader):
    """A reader of all files of `Reader`, as studies that were carried out by hand."""

    needed = frozenset(["organiser"])
    needs_columns = False

    def read_survey(self, parsed: object) -> Definition | None:
        if isinstance(parsed, dict) and parsed.get("mode") in Survey.Mode.values:
            parsed = {**parsed, "mode": Survey.Mode.HAND.value}
        return super().read_survey(parsed)


def find_repeated_columns(
    questions: Sequence[QuestionDefinition],
) -> Iterator[FileProblem]:
    """Yield a problem for each question whose column an earlier one has."""
    first: dict[str, int] = {}
    for number, question in enumerate(questions):
        other = first.setdefault(question.column, number)
        if other != number and question.column:
            text = make_sentence(
                "must be its own; %(column)s holds the reports of question %(other)s",
                column=shown(question.column),
                other=other + 1,
            )
            yield FileProblem(f"questions[{number}].column", text)
