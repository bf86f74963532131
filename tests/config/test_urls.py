"""Automatic requests of browsers are answered without identifying anyone."""

import logging
import re
from pathlib import Path
from urllib.parse import unquote

from django.contrib.staticfiles import finders
from django.templatetags.static import static


def test_the_icon_is_served_at_the_default_address(client, caplog):
    with caplog.at_level(logging.WARNING):
        answer = client.get("/favicon.ico")
    assert (answer.status_code, answer["Location"]) == (302, static("img/candor.svg"))
    assert not answer.cookies
    assert not caplog.records


def test_respondent_pages_inline_their_icon(client):
    page = client.get("/how-it-works/").content.decode()
    [address] = re.findall(r'<link rel="icon"\s+href="([^"]+)"', page)
    drawn = unquote(address.removeprefix("data:image/svg+xml,")).replace("'", '"')
    file = Path(finders.find("img/candor.svg"))
    assert drawn.strip() == file.read_text("utf-8").strip()
