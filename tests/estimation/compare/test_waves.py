import xml.etree.ElementTree as ET
from datetime import date

import pytest

from estimation.presentation.charts.waves import WavesChart, draw_waves
from estimation.presentation.comparison import WavesPanel
from estimation.rows.groups import GroupResult
from estimation.rows.independent_samples import find_other_surveys
from estimation.rows.waves import Wave, find_waves, read_waves
from surveys.design import get_design
from surveys.models import Survey
from surveys.versions import SameQuestion
from tests.estimation.pages import get
from tests.estimation.results_of import result_of
from tests.factories import make_survey, make_user

OPTIONS = {"confidence_level": 0.95, "method": "pratt"}
SVG = "{http://www.w3.org/2000/svg}"


def make_wave(number, yes, *, year=None, questions=("coin",), **fields):
    rest = len(questions) - 1
    counts = {b"\1" + bytes(rest): 100 - yes, bytes(rest + 1): yes}
    survey = make_survey(
        questions,
        slug=f"wave-{number}",
        title=f"Wave {number}",
        counts=counts,
        **fields,
    )
    survey.opened_on = date(year or 2020 + number, 3, 1)
    return survey


def make_shown(number, share):
    group = GroupResult(
        label=f"Wave {number}",
        size=100,
        is_counted=True,
        is_shown=True,
        mean=None,
        rows=result_of(share, 100 - share).rows,
    )
    return Wave(group, date(2020 + number, 3, 1))


def chart_of(*shares):
    shown = (make_shown(*each) for each in enumerate(shares, start=1))
    return WavesChart(tuple(shown), "1. Did you?")


class TestDrawing:
    def test_each_wave_has_its_interval_and_estimate(self):
        chart = chart_of(40, 50, 60)
        drawn = draw_waves(chart)
        bars = [line for line in drawn.lines if line.title]
        assert [each.title.split(" · ")[0] for each in bars] == [
            "Wave 1 (1 March 2021)", "Wave 2 (1 March 2022)", "Wave 3 (1 March 2023)",
        ]  # fmt: skip
        assert all(each.x == each.to_x and each.height > 0 for each in bars)
        # The mark of the legend, then one for each wave, each higher than the last.
        _key, *marks = drawn.marks
        heights = [mark.y for mark in marks]
        assert heights == sorted(heights, reverse=True)
        for bar, mark in zip(bars, marks, strict=True):
            assert bar.y < mark.y < bar.to_y

    def test_lines_join_the_estimates(self):
        drawn = draw_waves(chart_of(40, 60))
        (joined,) = [
            line for line in drawn.lines if line.colour == "accent" and line.height < 0
        ]
        _key, first, second = drawn.marks
        assert (joined.x, joined.y) == (first.x, first.y)
        assert (joined.to_x, joined.to_y) == (second.x, pytest.approx(second.y))

    def test_lines_skip_waves_without_an_estimate(self):
        drawn = draw_waves(chart_of(40, 99, 60))
        assert [each for each in drawn.lines if each.height < 0] == []


@pytest.mark.django_db
class TestReading:
    def test_waves_are_in_the_order_of_opening(self):
        later = make_wave(1, 60, year=2025)
        earlier = make_wave(2, 40, year=2024)
        same = SameQuestion(1, 1)
        found = read_waves([(later, same), (earlier, same)], **OPTIONS)
        assert [each.group.label for each in found.shown] == ["Wave 2", "Wave 1"]
        assert [each.opened.year for each in found.shown] == [2024, 2025]

    def test_small_waves_are_left_out(self):
        small = make_survey(["coin"], slug="small", title="Small", counts={b"\0": 29})
        same = SameQuestion(1, 1)
        found = read_waves([(make_wave(1, 60), same), (small, same)], **OPTIONS)
        assert [each.group.label for each in found.shown] == ["Wave 1"]
        assert WavesPanel.of(found) is None

    def test_only_identically_worded_questions_form_waves(self):
        first = make_wave(1, 60, questions=("coin", "direct"))
        second = make_wave(2, 60, questions=("die",))
        make_wave(3, 60, questions=(("k_ary", {"epsilon": 1, "choices": 3}),))
        others = find_other_surveys(first.owner, first, get_design(first).questions)
        found = find_waves(first, 1, others.all)
        assert found == [(second, SameQuestion(1, 1))]
        assert find_waves(first, 2, others.all) == []


@pytest.mark.django_db
class TestPage:
    @pytest.fixture
    def waves(self):
        return [make_wave(number, 30 + 10 * number) for number in (1, 2, 3)]

    def get(self, client, name, *path, slug="wave-1", **query):
        survey = Survey.objects.get(slug=slug)
        return get(client, name, survey, *path, **{"first": 1, "second": 1, **query})

    def test_groups_of_one_survey_have_no_wave_chart(self, client, waves):
        make_survey(["coin", "direct"], slug="groups")
        query = {"slug": "groups", "second": 2}
        page = self.get(client, "compare", **query).content.decode()
        assert "Over time" not in page
        answer = self.get(client, "compare_chart", "svg", **query, waves="on")
        assert answer.status_code == 404

    def test_the_wave_chart_can_be_downloaded(self, client, waves):
        query = {"other": waves[1].pk, "waves": "on"}
        answer = self.get(client, "compare_chart", "svg", **query)
        root = ET.fromstring(answer.content)  # noqa: S314
        titles = {each.text for each in root.iter(f"{SVG}title")}
        assert sum("Wave" in each for each in titles) == 3
        answer = self.get(client, "compare_chart", "pdf", **query)
        assert "wave-1-waves.pdf" in answer["Content-Disposition"]

    def test_surveys_of_strangers_are_not_used_as_waves(self, client, waves):
        stranger = make_user("stranger")
        make_wave(4, 60, owner=stranger)
        page = self.get(client, "compare", other=waves[1].pk).content.decode()
        assert "Wave 4" not in page
