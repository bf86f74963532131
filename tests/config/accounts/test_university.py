"""The login of a university by OpenID Connect, against a provider on this machine."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.test import Client

from config.env import university
from tests.config.accounts.test_login import LOGIN
from tests.config.accounts.test_second_factor import (
    fixed_totp_clock,
    give_code,
    is_in,
    shown,
    turn_on,
)
from tests.factories import make_user

__all__ = ["fixed_totp_clock"]

START = "/admin/oidc/university/login/"
ADDRESS = "Owner@uni.example"


class Provider(BaseHTTPRequestHandler):
    """Says of everybody who comes what `server.claims` says."""

    def do_GET(self):
        url = f"http://127.0.0.1:{self.server.server_port}"
        if "/.well-known/" in self.path:
            self.reply(
                {
                    "issuer": url,
                    "authorization_endpoint": f"{url}/authorize",
                    "token_endpoint": f"{url}/token",
                    "userinfo_endpoint": f"{url}/userinfo",
                    "jwks_uri": f"{url}/keys",
                    "token_endpoint_auth_methods_supported": ["client_secret_post"],
                }
            )
        else:
            self.reply(self.server.claims)

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        self.server.tokens_for.append(parse_qs(self.rfile.read(length).decode()))
        self.reply({"access_token": "token", "token_type": "Bearer"})

    def reply(self, content):
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def provider(settings):
    with HTTPServer(("127.0.0.1", 0), Provider) as server:
        server.claims = {"sub": "1", "email": ADDRESS, "email_verified": True}
        server.tokens_for = []
        settings.SOCIALACCOUNT_PROVIDERS = {
            "openid_connect": {
                "OAUTH_PKCE_ENABLED": True,
                "APPS": [
                    {
                        "provider_id": "university",
                        "name": "Example University",
                        "client_id": "candor",
                        "secret": "secret",
                        "settings": {
                            "server_url": f"http://127.0.0.1:{server.server_port}"
                        },
                    }
                ],
            }
        }
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def researcher(db):
    user = make_user(email=ADDRESS)
    user.set_unusable_password()
    user.save()
    return user


def log_in(client, query=""):
    """Go to the university and come back; return the page that answers."""
    away = client.get(START + query)
    sent = parse_qs(urlsplit(away.headers["Location"]).query)
    assert sent["code_challenge_method"] == ["S256"]
    back = {"code": "code", "state": sent["state"][0]}
    return client.get(f"{START}callback/", back, follow=True)


def test_a_verified_university_address_logs_in(client, provider, researcher):
    page = client.get(LOGIN).content.decode()
    assert "Log in with Example University" in page
    assert f'href="{START}?process=login"' in page
    log_in(client, "?process=login&next=/admin/surveys/survey/")
    assert is_in(client)
    assert client.session["_auth_user_id"] == str(researcher.pk)
    [sent] = provider.tokens_for
    assert sent["code_verifier"]


def test_no_data_of_the_university_account_is_stored(client, provider, researcher):
    before = list(User.objects.values("password", "email", "username"))
    log_in(client)
    assert is_in(client)
    assert not SocialAccount.objects.exists()
    assert not EmailAddress.objects.exists()
    assert list(User.objects.values("password", "email", "username")) == before


@pytest.mark.parametrize(
    "claims",
    [
        {"email_verified": False},
        {"email_verified": None},
        {"email": "stranger@uni.example"},
        {"email": ""},
    ],
)
def test_unverified_or_unknown_addresses_are_rejected(
    client, provider, researcher, claims
):
    provider.claims.update(claims)
    page = log_in(client).content.decode()
    assert "No account has your university" in page
    assert not is_in(client)
    assert User.objects.count() == 1


@pytest.mark.parametrize("change", [{"is_active": False}, {"is_staff": False}])
def test_a_deactivated_account_stays_deactivated(client, provider, researcher, change):
    User.objects.update(**change)
    log_in(client)
    User.objects.update(is_active=True, is_staff=True)
    assert not is_in(client)


def test_an_address_shared_by_two_accounts_is_rejected(client, provider, researcher):
    make_user("second", email=ADDRESS.lower())
    log_in(client)
    assert not is_in(client)


def test_university_login_asks_for_the_second_factor(client, provider, db):
    turn_on(Client(), make_user(email=ADDRESS))
    log_in(client)
    assert not is_in(client)
    give_code(client, shown())
    assert is_in(client)


def test_a_session_cannot_connect_a_foreign_account(client, provider, researcher):
    """A link could make someone's browser connect the account of its writer."""
    client.force_login(researcher)
    assert log_in(client, "?process=connect").status_code == 401
    assert not SocialAccount.objects.exists()


def test_an_unsolicited_callback_is_rejected(client, provider, researcher):
    answer = client.get(f"{START}callback/", {"code": "code", "state": "x"})
    assert answer.status_code == 401
    assert "reported an error" in answer.content.decode()
    assert not is_in(client)


def test_university_login_is_absent_without_configuration(client, db):
    assert "oidc" not in client.get(LOGIN).content.decode()
    assert client.get(START).status_code == 404


def test_the_settings_are_those_of_the_provider(monkeypatch):
    assert university() == []
    monkeypatch.setenv("OIDC_URL", "https://login.uni.example")
    monkeypatch.setenv("OIDC_CLIENT_ID", "candor")
    monkeypatch.setenv("OIDC_CLIENT_SECRET", "secret")
    [found] = university()
    assert found["settings"] == {
        "server_url": "https://login.uni.example",
        "verified_email": False,
    }
