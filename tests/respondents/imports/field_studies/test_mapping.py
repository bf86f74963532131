import pytest

from candor.files.table import FileError, parse_rows
from candor.mechanisms import build
from candor.mechanisms.draws import NOT_ASKED
from respondents.imports.field_studies.mapping import (
    MAX_OPTIONS,
    MISSING,
    NOT_THERE,
    Columns,
)
from respondents.imports.field_studies.rows import count_patterns
from surveys.files.definition import Definition, QuestionDefinition

COIN = build("coin")
CROSSWISE = build("crosswise", prevalence="1/4")


def asked(mechanism=COIN, **fields):
    return QuestionDefinition(
        **{
            "text": "Did you copy?",
            "mechanism": mechanism,
            "choices": None,
            "innocuous_question": "",
            **fields,
        }
    )


def columns(text, *questions, chosen=None, language="en"):
    study = Definition({"language": language}, questions or (asked(),))
    return Columns(study, parse_rows(text), chosen)


def meanings(found, number=1):
    return {value.cell: value.means for value in found.questions[number - 1].values}


class TestGuess:
    @pytest.mark.parametrize(
        "header",
        ["q1", "group/q1", "a/b/q1", "group-q1", "Did you copy?", "1. Did you copy?"],
    )
    def test_a_column_is_found_by_name_group_and_wording(self, header):
        found = columns(f"id,{header}\n1,yes\n2,no\n")
        assert found.questions[0].column == "1"
        assert found.is_readable
        assert found.left_out == ["id"]
        counts = count_patterns(found.make_definition(), found.table)
        assert counts == {b"\0": 1, b"\1": 1}

    def test_labels_of_an_export_are_read_before_its_codes(self):
        found = columns("q1,q1_label\n1,report: Yes\n2,report: No\n,\n")
        assert found.questions[0].column == "1"
        assert found.is_readable
        counts = count_patterns(found.make_definition(), found.table)
        assert counts == {b"\0": 1, b"\1": 1, bytes([NOT_ASKED]): 1}

    def test_a_name_that_two_groups_have_is_not_guessed(self):
        found = columns("a/q1,b/q1\nyes,no\n")
        assert found.questions[0].column == ""
        assert found.problems == ["Question 1: choose its column."]

    @pytest.mark.parametrize(
        ("cells", "means"),
        [
            (("1", "0"), ("yes", "no")),
            (("1.0", "0.0"), ("yes", "no")),
            (("1", "2"), ("yes", "no")),
            (("Y", "n"), ("yes", "no")),
            (("Ja", "NEIN"), ("yes", "no")),
            (("J", "N"), ("yes", "no")),
            (("1", "0", "2"), ("yes", "no", "")),
            (("yes", "NA", "maybe"), ("yes", MISSING, "")),
        ],
        ids=str,
    )
    def test_cells_are_guessed_from_labels_initials_and_numbers(self, cells, means):
        rows = "\n".join(cells)
        found = columns(f"q1\n{rows}\n", language="de")
        assert tuple(meanings(found).values()) == means

    def test_labels_are_certain_and_all_other_cells_are_guesses(self):
        assert columns("q1\nyes\nNo\n\n").is_readable
        assert not columns("q1\n1\n0\n").is_readable
        assert not columns("q1\ny\nn\n").is_readable
        assert not columns("q1\nyes\nperhaps\n").is_readable
        assert not columns("other\nyes\n").is_readable

    def test_an_ambiguous_label_is_not_guessed(self):
        # The table calls its first report "yes", which is worded "No" here.
        found = columns("q1\nyes\nno\n", asked(choices=("No", "Yes")))
        assert meanings(found) == {"yes": "", "no": ""}
        assert not found.is_readable

    def test_reports_that_are_not_answers_are_recognised_by_label(self):
        found = columns("q1\nsame\nVerschieden\nD\n", asked(CROSSWISE), language="de")
        assert meanings(found) == {
            "same": "same",
            "Verschieden": "different",
            "D": "different",
        }

    def test_decimals_are_left_out_and_shown_once(self):
        found = columns('id;q1\n1;"1,0"\n2;1\n3;0,0\n')
        assert meanings(found) == {"1": "yes", "0": "no"}
        assert [value.count for value in found.questions[0].values] == [2, 1]
        assert found.rewritten == ["0,0"]
        assert columns("q1\n1\n").rewritten == []

    def test_labels_of_an_exported_scale_are_its_values(self):
        grid = asked(build("grid", epsilon=1, points=3), scale={"low": 1, "high": 3})
        found = columns("q1_label\nreport: 1\nreport: 3\n", grid)
        assert meanings(found) == {"report: 1": "0", "report: 3": "2"}
        assert found.is_readable

    def test_a_number_on_a_scale_is_guessed_to_be_its_own_value(self):
        grid = build("grid", epsilon=1, points=3)
        found = columns("q1\n0\n1\n2\n", asked(grid))
        assert meanings(found) == {"0": "0", "1": "1", "2": "2"}
        assert not found.is_readable

    def test_the_suffix_of_a_column_name_does_not_match(self):
        assert columns("faq1,no_q1\nyes,no\n").questions[0].column == ""


class TestDescribedColumns:
    described = asked(column="a", codes={"1": "yes", "0": "no"})

    def test_described_codes_are_used_without_confirmation(self):
        found = columns("a\n1\n7\n", self.described)
        assert found.is_readable
        assert found.make_definition().questions == (self.described,)
        assert meanings(found) == {"1": "yes", "7": ""}

    def test_a_column_without_described_codes_needs_confirmation(self):
        found = columns("a,q1\n1,yes\n", asked(column="a"))
        assert found.questions[0].column == "0"
        assert not found.is_readable


class TestChoice:
    def chosen(self, **more):
        return {
            "column-1": "0",
            "cell-1-0-0": "no",
            "cell-1-0-1": MISSING,
            "confirmed-1-0": "1",
            **more,
        }

    def test_chosen_codes_take_precedence_over_guesses(self):
        found = columns("a\n1\n0\n1\n", chosen=self.chosen())
        assert found.problems == []
        counts = count_patterns(found.make_definition(), found.table)
        assert counts == {b"\1": 2, bytes([NOT_ASKED]): 1}

    @pytest.mark.parametrize(
        "cells", [("1", "2"), ("1", "0"), ("y", "n"), ("yes", "0")]
    )
    def test_choosing_a_column_does_not_confirm_its_codes(self, cells):
        rows = "\n".join(cells)
        chosen = {"column-1": "0"}
        problem = "Question 1: confirm what its codes mean."
        for more in ({}, {"cell-1-0-0": "no"}, {"confirmed-1-1": "1"}):
            found = columns(f"a\n{rows}\n", chosen=chosen | more)
            assert found.problems == [problem]
            assert not found.is_readable
        found = columns(f"a\n{rows}\n", chosen=chosen | {"confirmed-1-0": "1"})
        assert found.is_readable

    def test_a_label_with_a_changed_meaning_must_be_confirmed(self):
        chosen = {"column-1": "0", "cell-1-0-0": "no"}
        found = columns("a\nyes\n", chosen=chosen)
        assert found.problems == ["Question 1: confirm what its codes mean."]
        assert columns("a\nyes\n", chosen=chosen | {"confirmed-1-0": ""}).is_readable

    @pytest.mark.parametrize(
        ("chosen", "problem"),
        [
            ({}, "Question 1: choose its column."),
            ({"column-1": "9"}, "Question 1: choose its column."),
            ({"column-1": "-1"}, "Question 1: choose its column."),
            ({"column-1": "\N{SUPERSCRIPT TWO}"}, "Question 1: choose its column."),
            ({"column-1": "\N{ARABIC-INDIC DIGIT ZERO}"}, "choose its column."),
            ({"column-1": "1"}, "a column of at most 40 different cells"),
            ({"column-1": NOT_THERE}, "At least one question needs a column."),
            ({"column-1": "0", "cell-1-0-0": ""}, "say what “1” means."),
            ({"column-1": "0", "cell-1-0-0": "maybe"}, "say what “1” means."),
            ({"column-1": "0", "cell-1-0-0": "\0"}, "say what “1” means."),
        ],
        ids=str,
    )
    def test_missing_or_invalid_choices_are_reported(self, chosen, problem):
        rows = "".join(f"{number % 2},{number}\n" for number in range(1, 60))
        found = columns(f"a,id\n{rows}", chosen=chosen)
        assert any(problem in each for each in found.problems)

    def test_two_questions_do_not_read_one_column(self):
        chosen = {"column-1": "0", "column-2": "0"}
        found = columns("a,b\nyes,no\n", asked(), asked(), chosen=chosen)
        assert found.problems == ["Questions 1 and 2 read the same column."]

    def test_a_question_that_was_not_asked_is_left_out(self):
        chosen = {"column-1": NOT_THERE, "column-2": "0"}
        second = asked(text="Did you lend?")
        found = columns("a\nyes\n", asked(), second, chosen=chosen)
        assert [each.text for each in found.make_definition().questions] == [
            second.text
        ]

    def test_cells_of_another_column_are_guessed_again(self):
        chosen = self.chosen(**{"column-1": "1"})
        found = columns("a,b\n1,yes\n0,no\n", chosen=chosen)
        assert meanings(found) == {"yes": "yes", "no": "no"}


def test_too_many_columns_are_rejected():
    wide = ",".join(map(str, range(MAX_OPTIONS + 1)))
    with pytest.raises(FileError, match=r"20,001 columns"):
        _ = columns(f"{wide}\n{wide}\n").questions
