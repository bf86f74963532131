"""Messages of the library are English unless an application translates them."""

from django.utils import translation

from candor import messages
from candor.files.table import FileError, parse_rows
from candor.messages import translatable


def test_message_placeholders_are_filled():
    inside = translatable("line %(line)s", line="2")
    text = translatable(
        "%(where)s: %(count)s of %(names)s", where=inside, count=1200, names="a"
    )
    assert messages.fill_placeholders(text) == "line 2: 1,200 of a"


def test_the_server_translates_messages_of_the_library():
    try:
        parse_rows("a\0b")
    except FileError as error:
        [problem] = error.kept
    assert (
        error_in("de", problem)
        == "Die Datei muss Text sein; sie enthält das Zeichen NUL"
    )
    assert error_in("en", problem) == messages.fill_placeholders(problem)


def error_in(language, problem):
    with translation.override(language):
        return str(problem)
