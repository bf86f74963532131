"""What other parts do with a sealed survey: files, commands, tests of a draft."""

from collections import Counter

import pytest
from django.core.management import CommandError, call_command

from candor.files.table import FileError
from respondents.distribution import rehearsal
from respondents.distribution.sealed_reports import read_batch, store_result
from respondents.imports.archives.merge import merge, read_sites
from respondents.imports.archives.write import write_archive
from respondents.imports.simulation import simulate as simulation
from respondents.imports.simulation.simulate import simulate
from respondents.models import Response, SealedPattern, close
from tests.factories import make_responses
from tests.respondents.distribution.test_sealed_reports import PATTERNS, fill, page_of
from tests.sealed import make_sealed_survey, open_file, seal

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey():
    return make_sealed_survey()


def test_simulated_reports_are_sealed_with_the_public_key(survey):
    simulate(survey, 12, {"q1": "0.2", "q2": "0.2"})
    assert {len(bytes(each.pattern)) for each in Response.objects.all()} == {83}
    close(survey)

    opened = store_result(survey, open_file(read_batch(survey).write()))

    assert opened.accepted == 12


def test_a_rehearsal_opens_reports_with_its_own_key():
    draft = make_sealed_survey(opened=False)
    test = rehearsal.start(draft)
    assert test.holder.holder == "Ethics Office"
    assert test.holder.fingerprint != draft.holder.fingerprint
    assert not rehearsal.is_outdated(test, draft)

    key = test.holder
    make_responses(test, seal(test, b"\0\1", b"\1\1", holder=key))
    make_responses(test, [bytes(83)])
    simulation.fill(test, 5, {"q1": "0.2", "q2": "0.2"})

    assert rehearsal.count_responses(test) == 7
    assert not test.awaits_opening
    draft.holder_key = ""
    draft.save()
    assert rehearsal.is_outdated(test, draft)


def test_archives_wait_for_the_opening_and_are_merged_after_it(survey, tmp_path):
    fill(survey)
    with pytest.raises(FileError, match="is sealed: Ethics Office opens"):
        write_archive(survey, tmp_path / "early")

    store_result(survey, open_file(read_batch(survey).write()))
    write_archive(survey, tmp_path / "site")
    sites = read_sites([tmp_path / "site"])
    merged = merge("merged", sites, survey.owner)

    assert SealedPattern.objects.counts(merged) == Counter(PATTERNS)
    assert not merged.awaits_opening
    assert merged.holder.fingerprint == survey.holder.fingerprint


def test_commands_and_public_pages_show_nothing_before_opening(survey, client):
    fill(survey)

    with pytest.raises(CommandError, match="is sealed: Ethics Office opens"):
        call_command("archive", survey.slug, "unused")
    client.force_login(survey.owner)
    page = client.get(page_of(survey, "publish/")).content.decode()
    assert "The key holder has not opened the reports." in page
