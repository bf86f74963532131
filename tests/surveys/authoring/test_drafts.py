"""What is posted of questions, put into the order in which formsets read it."""

from django.http import QueryDict

from surveys.authoring.drafts import match_stored_questions


def sent(total, **fields):
    posted = QueryDict(mutable=True)
    posted["title"] = "A"
    posted["questions-TOTAL_FORMS"] = str(total)
    posted["questions-INITIAL_FORMS"] = "0"
    for name, value in fields.items():
        number, _, field = name[1:].partition("_")
        posted[f"questions-{number}-{field}"] = value
    return posted


def read(posted, stored):
    told = match_stored_questions(posted, "questions", stored)
    return [
        (
            told[f"questions-{place}-id"],
            told[f"questions-{place}-text"],
            told[f"questions-{place}-sent_as"],
        )
        for place in range(int(told["questions-TOTAL_FORMS"]))
    ], int(told["questions-INITIAL_FORMS"])


def test_a_question_saved_under_a_later_number_comes_before_a_new_one():
    posted = sent(
        3, n0_id="7", n0_text="a", n1_id="", n1_text="b", n2_id="9", n2_text="c"
    )
    assert read(posted, {7, 9}) == (
        [("7", "a", "0"), ("9", "c", "2"), ("", "b", "1")],
        2,
    )


def test_the_text_of_a_deleted_question_makes_a_new_one():
    posted = sent(2, n0_id="7", n0_text="a", n1_id="9", n1_text="c")
    assert read(posted, {9}) == ([("9", "c", "1"), ("", "a", "0")], 1)


def test_what_was_to_be_deleted_and_is_gone_is_left_out():
    posted = sent(1, n0_id="7", n0_text="a", n0_DELETE="on")
    assert read(posted, set()) == ([], 0)


def test_a_key_counts_once_and_only_where_it_is_of_this_survey():
    posted = sent(
        3, n0_id="7", n0_text="a", n1_id="7", n1_text="b", n2_id="x", n2_text="c"
    )
    assert read(posted, {7}) == ([("7", "a", "0"), ("", "b", "1"), ("", "c", "2")], 1)


def test_numbers_beyond_the_total_are_no_questions():
    posted = sent(1, n0_id="", n0_text="a", n1_id="", n1_text="b")
    assert read(posted, set())[0] == [("", "a", "0")]


def test_what_names_no_number_of_questions_is_left_to_django():
    for total in ("", "-1", "x", "99999"):
        posted = sent(total, n0_id="7", n0_text="a")
        assert match_stored_questions(posted, "questions", {7}) == posted


def test_other_inputs_and_the_blank_question_stay():
    posted = sent(0)
    posted["questions-__prefix__-text"] = "blank"
    told = match_stored_questions(posted, "questions", ())
    assert (told["title"], told["questions-__prefix__-text"]) == ("A", "blank")
