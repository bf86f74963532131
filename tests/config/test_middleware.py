import gzip

import pytest
from django.contrib import messages
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.urls import path

from tests.factories import make_user
from tests.respondents.headers import check_policies


def answer(request):
    get_token(request)  # as a form with a token does: it asks for a cookie
    return HttpResponse(f"user: {getattr(request, 'user', 'nobody asks')}")


def long(request):
    return HttpResponse("long " * 1000)


def file(request):
    named = {"Content-Disposition": 'attachment; filename="links.csv"'}
    return HttpResponse("long " * 1000, headers=named)


def message(request):
    messages.success(request, "An e-mail to colleague@example.org was sent.")
    return answer(request)


def shown(request):
    return HttpResponse(map(str, messages.get_messages(request)))


urlpatterns = [
    path("admin/message/", message),
    path("admin/shown/", shown),
    path("s/long/", long),
    path("r/long/", long),
    path("admin/long/", long),
    path("admin/file/", file),
    path("s/any/", answer),
    path("r/any/", answer),
    path("how-it-works/", answer),
    path("what-we-store/", answer),
    path("admin/any/", answer),
]

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


@pytest.fixture
def researcher(client):
    client.force_login(make_user("owner"))
    return client


FOR_RESPONDENTS = ["/s/any/", "/r/any/", "/how-it-works/", "/what-we-store/"]


@pytest.mark.parametrize("page", FOR_RESPONDENTS)
def test_respondent_pages_have_no_session_even_for_researchers(researcher, page):
    # The cookies' path keeps them away already; this holds without it.
    assert researcher.get(page).content == b"user: nobody asks"
    assert researcher.get("/admin/any/").content == b"user: owner"


def test_only_researchers_need_a_csrf_token(client):
    client.handler.enforce_csrf_checks = True

    assert client.post("/s/any/").status_code == 200
    assert client.post("/admin/any/").status_code == 403


@pytest.mark.parametrize("page", ["/admin/any/", "/nowhere/"])
def test_every_page_carries_the_policies(client, page):
    check_policies(client.get(page))


def test_passkeys_are_allowed_on_researcher_pages_only(client):
    feature = "publickey-credentials-get"
    researchers = client.get("/admin/login/")["Permissions-Policy"]
    assert f"{feature}=(self)" in researchers.split(", ")
    for page in FOR_RESPONDENTS:
        assert f"{feature}=()" in client.get(page)["Permissions-Policy"].split(", ")


def test_static_files_omit_document_policies(client, settings):
    """Together they would be a tenth of a first visit, which has a limit in bytes."""
    response = client.get(f"{settings.STATIC_URL}nowhere.js")
    assert "Permissions-Policy" not in response
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"
    for name in ("js/collecting/leave.js", "css/respondents.css"):
        file = client.get(f"{settings.STATIC_URL}{name}")
        file.close()
        assert file.status_code == 200
        assert "Content-Security-Policy" not in file
    for name in ("img/candor.svg", "nowhere.js"):
        document = client.get(f"{settings.STATIC_URL}{name}")
        document.close()
        assert "default-src 'none'" in document["Content-Security-Policy"]


def test_only_researchers_get_a_cookie(client):
    assert not any(client.get(page).cookies for page in FOR_RESPONDENTS)
    assert client.get("/admin/any/").cookies.keys() == {"csrftoken"}


def test_no_cookie_of_a_researcher_goes_to_respondents_pages(researcher, settings):
    """Neither one that is set, nor one that is deleted at another path only."""
    set_here = researcher.get("/admin/message/")
    assert set_here.cookies.keys() == {"messages", "csrftoken"}
    shown = researcher.get("/admin/shown/")
    assert shown.cookies["messages"]["max-age"] == 0
    for answer in (set_here, shown):
        paths = {each["path"] for each in answer.cookies.values()}
        assert paths == {settings.RESEARCHERS_PATH}


def test_only_researcher_pages_are_compressed_and_no_files(client):
    accepted = {"accept-encoding": "gzip, deflate, br"}
    pages = ("/admin/long/", "/admin/file/", "/s/long/", "/r/long/")
    sent = {page: client.get(page, headers=accepted) for page in pages}
    compressed = sent["/admin/long/"]
    assert compressed["Content-Encoding"] == "gzip"
    assert gzip.decompress(compressed.content) == b"long " * 1000
    assert "Accept-Encoding" in compressed["Vary"]
    for page in pages[1:]:
        assert "Content-Encoding" not in sent[page]
        assert sent[page].content == b"long " * 1000
