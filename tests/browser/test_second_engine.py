"""Firefox, as Debian ships it: every mode, a link, sealed reports and their key."""

import json
import shutil
import time

import pytest

from respondents.models import Response
from respondents.storage.invitations import Invitation
from scripts.key_holder import PAGE
from tests.browser.marionette import Firefox, MarionetteError
from tests.browser.steps import MAX_ITERATIONS, NEXT, WAYS, make_survey_of
from tests.browser.test_key_holder import SCRIPT, SEAL_REPORT
from tests.candor.keys.holders import DIGEST, KEY, PASSPHRASE, PUBLIC

pytestmark = pytest.mark.browser

# A step may go from under the pointer while a page is loading or turned over.
FLEETING = {"element not interactable", "no such element", "stale element reference"}
PAUSE_SECONDS = 0.05
PATIENCE_SECONDS = 120


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.fail("No Firefox: apt-get install -y firefox-esr")
    firefox = Firefox(program, tmp_path_factory.mktemp("firefox"))
    yield firefox
    firefox.quit()


def walk(firefox):
    """Go from the welcome to the thanks; return how many clicks it took."""
    clicks = 0
    deadline = time.monotonic() + PATIENCE_SECONDS
    while clicks < MAX_ITERATIONS and time.monotonic() < deadline:
        try:
            step = firefox.run(NEXT)
            if step == "thanks":
                return clicks
            if step:
                firefox.click(step)
                clicks += 1
                continue
        except MarionetteError as error:
            if error.kind not in FLEETING:
                raise
        time.sleep(PAUSE_SECONDS)
    raise AssertionError(firefox.run("() => document.body.innerText"))


def test_firefox_completes_every_mode_and_a_one_time_link(firefox, site):
    """One test, since starting Firefox takes longer than answering."""
    for mode, access in WAYS:
        survey, path = make_survey_of(mode, access)
        firefox.go(site.url + path)
        assert walk(firefox) >= 4, "consent, two answers, and send"
        [response] = Response.objects.filter(survey=survey)
        assert len(bytes(response.pattern)) == 2
        assert Invitation.objects.filter(spent=False).count() == 0


RESTORE = """
async ([publicKey, lines, passphrase]) => {
  const { elements } = document.getElementById("restore");
  const files = new DataTransfer();
  files.items.add(new File([publicKey], "public.json"));
  elements.public.files = files.files;
  elements.lines.value = lines;
  elements.passphrase.value = elements.again.value = passphrase;
  elements.public.form.requestSubmit();
  const output = document.querySelector("#restore output");
  const isBusy = () => /^$|wait/.test(output.textContent);
  while (isBusy()) await new Promise((done) => setTimeout(done, 50));
  return output.textContent;
}
"""


def test_firefox_seals_a_report_and_restores_a_key_from_paper(firefox, site):
    """Firefox cannot import a P-256 key without its public part."""

    def run(function, *given):
        return firefox.run(f"() => ({function})({json.dumps(given)})")

    firefox.go(f"{site.url}{SCRIPT}")
    sealed = run(SEAL_REPORT, SCRIPT, [*PUBLIC.sealing], DIGEST, [0, 1])
    assert KEY.open(bytes(sealed), DIGEST) == b"\0\1"
    firefox.go(PAGE.as_uri())
    written = PUBLIC.write().decode()
    restored = run(RESTORE, written, KEY.to_paper(), PASSPHRASE)
    assert restored == f"Save key-{PUBLIC.fingerprint[:4]}.key"
