"""The key holder's page has the respondents' script and a policy for it alone."""

from scripts.key_holder import PAGE, SEAL, fill


def test_the_page_has_the_current_script_and_hashes():
    page = PAGE.read_text("utf-8")
    assert fill(page) == page, "python -m scripts.key_holder"
    assert SEAL.read_text("utf-8") in page


def test_a_changed_script_has_another_hash():
    page = PAGE.read_text("utf-8")
    changed = fill(page.replace("</script>", "// changed\n</script>"))
    assert changed.replace("// changed\n", "") != page
