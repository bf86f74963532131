import pytest

from surveys.lists import ARABIC_AND, join_texts


@pytest.mark.parametrize(
    ("texts", "word", "joined"),
    [
        ([], "and", ""),
        (["a"], "and", "a"),
        (["a", "b", "c"], "and", "a, b and c"),
        (["a"], ARABIC_AND, "a"),
        (["24", "25"], ARABIC_AND, f"24 {ARABIC_AND}25"),
        (["24", "25"], f"x{ARABIC_AND}", f"24 x{ARABIC_AND} 25"),
    ],
)
def test_the_last_list_item_follows_the_conjunction(texts, word, joined):
    assert join_texts(texts, word) == joined
