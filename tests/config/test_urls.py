"""What a browser asks for by itself is answered, and tells nobody apart."""

import logging

from django.templatetags.static import static


def test_the_icon_is_found_where_browsers_look_unasked(client, caplog):
    with caplog.at_level(logging.WARNING):
        answer = client.get("/favicon.ico")
    assert (answer.status_code, answer["Location"]) == (302, static("img/candor.svg"))
    assert not answer.cookies
    assert not caplog.records
