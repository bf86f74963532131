"""The key holder's page, opened from a disk, and the sender of respondents' pages.

What one program makes the other one reads: keys, paper copies, batches and results.
"""

import re

import pytest
from playwright.sync_api import expect

from candor.keys import Opened, PrivateKey, PublicKey, open_batch
from candor.mechanisms.draws import DrawnGroup
from scripts.key_holder import PAGE, SEAL
from tests.candor.keys.holders import (
    ANOTHER_DIGEST,
    ANOTHER_KEY,
    DIGEST,
    KEY,
    PASSPHRASE,
    PUBLIC,
    VECTOR,
    make_batch,
    seal,
)

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

SCRIPT = "/static/js/collecting/seal.js"
MAX_BYTES = 4_000

SEAL_VECTOR = """
async ([script, { pkEm, skEm, pkRm, info, aad, pt }]) => {
  const { seal } = await import(script);
  const bytes = (hex) => Uint8Array.from(hex.match(/../g), (each) => `0x${each}`);
  const url = (hex) => btoa(String.fromCharCode(...bytes(hex)))
    .replace(/[+]/g, "-").replace(/[/]/g, "_").replace(/=/g, "");
  const kind = { name: "ECDH", namedCurve: "P-256" };
  const [x, y] = [url(pkEm.slice(2, 66)), url(pkEm.slice(66))];
  const point = { kty: "EC", crv: "P-256", x, y };
  const load = (jwk, use) => crypto.subtle.importKey("jwk", jwk, kind, true, use);
  const pair = {
    privateKey: await load({ ...point, d: url(skEm) }, ["deriveBits"]),
    publicKey: await load(point, []),
  };
  return [...await seal(bytes(pkRm), bytes(info), bytes(pt), pair, bytes(aad))];
}
"""

SEAL_REPORT = """
async ([script, point, digest, pattern]) => {
  const { seal, canSeal } = await import(script);
  if (!canSeal()) throw new Error("no Web Crypto");
  const info = new TextEncoder().encode(digest);
  return [...await seal(Uint8Array.from(point), info, Uint8Array.from(pattern))];
}
"""


@pytest.fixture
def sender(page, site):
    page.goto(f"{site.url}{SCRIPT}")
    return page


def test_the_sender_reproduces_the_standard_test_vector(sender):
    sealed = bytes(sender.evaluate(SEAL_VECTOR, [SCRIPT, VECTOR]))
    assert sealed.hex() == VECTOR["pkEm"] + VECTOR["ct"]
    assert len(SEAL.read_bytes()) <= MAX_BYTES


def test_the_library_opens_what_a_browser_seals(sender):
    for pattern in (b"\0", b"\1\2", bytes(200)):
        given = [SCRIPT, [*PUBLIC.sealing], DIGEST, [*pattern]]
        first, second = (bytes(sender.evaluate(SEAL_REPORT, given)) for _ in range(2))
        assert KEY.open(first, DIGEST) == KEY.open(second, DIGEST) == pattern
        assert len(first) == len(seal(pattern)[0])
        assert first[:65] != second[:65]
        assert KEY.open(first, ANOTHER_DIGEST) is None
        assert ANOTHER_KEY.open(first, DIGEST) is None


@pytest.fixture
def holder(page):
    """The page as a clerk opens it; it must neither complain nor load anything."""
    console_messages = []
    page.on("console", lambda message: console_messages.append(message.text))
    page.on("pageerror", lambda error: console_messages.append(str(error)))
    loaded = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(PAGE.as_uri())
    yield page
    assert console_messages == []
    assert [url for url in loaded if not url.startswith(("file:", "blob:"))] == []


def fill(page, form, fields):
    for name, value in fields.items():
        field = page.locator(f"#{form} [name={name}]")
        if isinstance(value, bytes):
            file = {"name": name, "mimeType": "text/plain", "buffer": value}
            field.set_input_files(file)
        elif value is True:
            field.check()
        else:
            field.fill(value)


def send(page, form, **fields):
    """Fill in a form and return its output, once it is there."""
    fill(page, form, fields)
    page.click(f"#{form} button:not([type])")
    output = page.locator(f"#{form} output")
    expect(output).not_to_contain_text("Please wait")
    expect(output).not_to_be_empty()
    return output


def save(page, output, ending):
    with page.expect_download() as download:
        output.locator(f"a[download$='{ending}']").click()
    return download.value.path().read_bytes()


OPENS = {"key": KEY.write(PASSPHRASE), "passphrase": PASSPHRASE}
NEW = {"passphrase": PASSPHRASE, "again": PASSPHRASE}


def test_the_library_reads_keys_made_by_the_page(holder):
    named = {"holder": "Büro für Ethik", "contact": "+49 30 1234"}
    output = send(holder, "make", **named, **NEW)
    key = PrivateKey.read(save(holder, output, ".key"), PASSPHRASE)
    public = PublicKey.read(save(holder, output, ".public.json"))
    assert public == key.publish(**named)
    assert f"Fingerprint: {public.fingerprint}" in output.inner_text()
    assert PrivateKey.from_paper(output.inner_text()) == key


def test_the_page_shows_the_fingerprint_of_a_public_key(holder):
    shown = send(holder, "show", public=PUBLIC.write()).inner_text()
    assert shown.split("\n\n") == [
        "Ethics Office (ethics@example.org)",
        f"Fingerprint: {PUBLIC.fingerprint}",
    ]
    forged = PUBLIC.write().replace(PUBLIC.fingerprint.encode(), b"0000")
    shown = send(holder, "show", public=forged).inner_text()
    assert shown == "The fingerprint in this file is that of another key."


def test_paper_keys_convert_between_page_and_library(holder):
    written = KEY.write(PASSPHRASE)
    shown = send(holder, "copy", key=written, passphrase=PASSPHRASE).inner_text()
    assert PrivateKey.from_paper(shown) == KEY
    # Only the copy is printed.
    holder.emulate_media(media="print")
    seen = holder.locator("body").inner_text().split()
    assert seen[:5] == ["Copy", "of", "the", "key", PUBLIC.fingerprint.split()[0]]
    assert seen[-1] == "away."
    holder.emulate_media(media="screen")

    restore = {"public": PUBLIC.write(), **NEW}
    lines = KEY.to_paper().splitlines()
    lines[2] = lines[2][:-1] + ("1" if lines[2][-1] == "0" else "0")
    for wrong, said in (
        ("\n".join(lines), "Line 3 of the paper copy has a typing error."),
        (ANOTHER_KEY.to_paper(), "The paper copy is that of another key."),
    ):
        shown = send(holder, "restore", lines=wrong, **restore).inner_text()
        assert shown == said
    lines = KEY.to_paper().lower().replace(" ", "  ")
    output = send(holder, "restore", lines=lines, **restore)
    assert PrivateKey.read(save(holder, output, ".key"), PASSPHRASE) == KEY


def attacked():
    """Return a batch with everything that has to be refused."""
    good = seal([0, 1], [0, 1], [1, 2], [1, 0])
    altered = good[0][:-1] + bytes([good[0][-1] ^ 1])
    foreign = seal([0, 1], digest=ANOTHER_DIGEST)
    other = ANOTHER_KEY.publish(holder="x", contact="x")
    refused = [good[1], altered, *foreign, *seal([0, 1], public=other)]
    return make_batch([*good, *refused, *seal([0, 3], [0, 255], [0], [0, 0, 0])])


DRAWN = make_batch(
    seal([0, 1, 255], [0, 255, 1], [0, 1, 1], [255, 0, 1], [0, 255, 255]),
    reports=((0, 1),) * 3,
    draws=(DrawnGroup(asked=1, questions=(2, 3)),),
)


@pytest.mark.parametrize(
    ("batch", "said"),
    [
        (attacked(), "4 of 12 reports counted; 1 refused: doubled"),
        (make_batch(attacked().sealed, tables=((1,), (2,))), "4 of 12 reports counted"),
        (DRAWN, "2 of 5 reports counted"),
    ],
)
def test_the_page_opens_a_batch_exactly_as_the_library_does(holder, batch, said):
    output = send(holder, "open", batch=batch.write(), **OPENS)
    assert said in output.inner_text()
    result = save(holder, output, ".json")
    assert result == open_batch(KEY, batch).write(KEY)
    assert Opened.read(result, key=PUBLIC, batch=batch).accepted == int(said[0])


def test_the_page_opens_a_survey_once(holder):
    """Until the result is saved, the same batch can be opened again."""
    batch = make_batch(seal([0, 1], [1, 1]))
    less = make_batch(batch.sealed[:1])
    output = send(holder, "open", batch=batch.write(), **OPENS)
    expect(output).to_contain_text("2 of 2 reports counted")
    holder.reload()
    refused = "This survey was opened before."
    assert send(holder, "open", batch=less.write(), **OPENS).inner_text() == refused
    output = send(holder, "open", batch=batch.write(), **OPENS)
    save(holder, output, ".json")
    holder.reload()
    assert send(holder, "open", batch=batch.write(), **OPENS).inner_text() == refused


def test_the_page_rejects_wrong_passphrases_and_foreign_batches(holder):
    batch = make_batch(seal([0, 1]))
    written = batch.write()
    cases = {
        "Wrong passphrase": {"passphrase": "another passphrase"},
        "which is not yours": {
            "batch": make_batch(batch.sealed, fingerprint="0000").write()
        },
        "combined": {"tables": True},
        "No report of this batch can be opened": {
            "batch": make_batch(batch.sealed, digest=ANOTHER_DIGEST).write()
        },
        "states 1 reports and has 0": {
            "batch": re.sub(rb'("sealed":\[)[^]]+', rb"\1", written)
        },
        "questions that it lacks": {
            "batch": written.replace(b'"tables":[[1,2]]', b'"tables":[[2,1]]')
        },
        "or it is damaged": {"batch": b"{}"},
        # Nothing of this was an opening.
        "1 of 1 reports counted": {},
    }
    for message, fields in cases.items():
        holder.reload()
        output = send(holder, "open", **{"batch": written, **OPENS, **fields})
        expect(output).to_contain_text(message)
