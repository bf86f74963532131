"""URLs of researchers' pages; the site requires a login."""

from collections.abc import Callable

from django.http.response import HttpResponseBase
from django.urls import path

from estimation.pages import (
    compare,
    exports,
    monitor,
    regression,
    results,
    studies,
    tokens,
    weighting,
)
from estimation.pages.planner import views as planner
from estimation.pages.publishing import publish
from estimation.pages.publishing import views as publishing

Page = tuple[str, Callable[..., HttpResponseBase]]

OF_A_SURVEY: dict[str, Page] = {
    "surveys_survey_open": ("open/", planner.opening),
    "estimation_monitor": ("monitor/", monitor.monitor),
    "estimation_monitor_numbers": ("monitor/numbers/", monitor.numbers),
    "estimation_results": ("results/", results.results),
    "estimation_chart": (
        "results/<int:position>/chart.<slug:file_format>",
        results.chart,
    ),
    "estimation_overview": ("results/overview.<slug:file_format>", results.chart),
    "estimation_compare": ("results/compare/", compare.compare_page),
    "estimation_compare_csv": ("results/compare.csv", compare.compare_csv),
    "estimation_compare_chart": (
        "results/compare.<slug:file_format>",
        compare.compare_chart,
    ),
    "estimation_weighted": ("results/weighted/", weighting.weighted),
    "estimation_weighted_csv": ("results/weighted.csv", weighting.weighted_csv),
    "estimation_regression": ("results/regression/", regression.regression_page),
    "estimation_regression_csv": ("results/regression.csv", regression.regression_csv),
    "estimation_csv": ("results/estimates.csv", exports.export_file),
    "estimation_export": ("export/", exports.export),
    "estimation_export_all": ("export/all.zip", exports.export_all),
    "estimation_xlsform": ("export/xlsform.xlsx", exports.xlsform),
    "estimation_export_file": ("export/files/<str:name>", exports.export_file),
    "estimation_export_reports": ("export/reports/<str:name>", exports.export_reports),
    "estimation_tokens": ("tokens/", tokens.tokens),
    "estimation_publish": ("publish/", publish.publish),
    "estimation_publish_count": ("publish/count/", publish.count),
    "estimation_publish_switch": ("publish/switch/", publish.switch),
    "estimation_publish_preview": ("publish/preview/", publish.preview),
    "estimation_publish_overview": ("publish/preview/overview.svg", publishing.chart),
    "estimation_publish_chart": (
        "publish/preview/<int:position>.svg",
        publishing.chart,
    ),
    "estimation_publish_csv": ("publish/preview/estimates.csv", publishing.estimates),
}

OF_NO_SURVEY: dict[str, Page] = {
    "estimation_plan": ("plan/", planner.plan),
    "estimation_plan_chart": ("plan/margin.svg", planner.plan_chart),
    "estimation_import": ("survey/import/", studies.import_study),
    "estimation_regression_file": ("survey/regression/", regression.regression_of_file),
}

of_a_survey, of_no_survey = (
    [path(route, view, name=name) for name, (route, view) in pages.items()]
    for pages in (OF_A_SURVEY, OF_NO_SURVEY)
)
