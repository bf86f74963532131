"""URLs of researchers' pages; the site requires a login."""

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

of_a_survey = [
    path("open/", planner.opening, name="surveys_survey_open"),
    path("monitor/", monitor.monitor, name="estimation_monitor"),
    path("monitor/numbers/", monitor.numbers, name="estimation_monitor_numbers"),
    path("results/", results.results, name="estimation_results"),
    path(
        "results/<int:position>/chart.<slug:file_format>",
        results.chart,
        name="estimation_chart",
    ),
    path(
        "results/overview.<slug:file_format>",
        results.chart,
        name="estimation_overview",
    ),
    path("results/compare/", compare.compare_page, name="estimation_compare"),
    path("results/compare.csv", compare.compare_csv, name="estimation_compare_csv"),
    path(
        "results/compare.<slug:file_format>",
        compare.compare_chart,
        name="estimation_compare_chart",
    ),
    path("results/weighted/", weighting.weighted, name="estimation_weighted"),
    path(
        "results/weighted.csv", weighting.weighted_csv, name="estimation_weighted_csv"
    ),
    path(
        "results/regression/", regression.regression_page, name="estimation_regression"
    ),
    path(
        "results/regression.csv",
        regression.regression_csv,
        name="estimation_regression_csv",
    ),
    path("results/estimates.csv", exports.export_file, name="estimation_csv"),
    path("export/", exports.export, name="estimation_export"),
    path("export/all.zip", exports.export_all, name="estimation_export_all"),
    path("export/xlsform.xlsx", exports.xlsform, name="estimation_xlsform"),
    path("export/files/<str:name>", exports.export_file, name="estimation_export_file"),
    path(
        "export/reports/<str:name>",
        exports.export_reports,
        name="estimation_export_reports",
    ),
    path("tokens/", tokens.tokens, name="estimation_tokens"),
    path("publish/", publish.publish, name="estimation_publish"),
    path("publish/count/", publish.count, name="estimation_publish_count"),
    path("publish/switch/", publish.switch, name="estimation_publish_switch"),
    path("publish/preview/", publish.preview, name="estimation_publish_preview"),
    path(
        "publish/preview/overview.svg",
        publishing.chart,
        name="estimation_publish_overview",
    ),
    path(
        "publish/preview/<int:position>.svg",
        publishing.chart,
        name="estimation_publish_chart",
    ),
    path(
        "publish/preview/estimates.csv",
        publishing.estimates,
        name="estimation_publish_csv",
    ),
]

of_no_survey = [
    path("plan/", planner.plan, name="estimation_plan"),
    path("plan/margin.svg", planner.plan_chart, name="estimation_plan_chart"),
    path("survey/import/", studies.import_study, name="estimation_import"),
    path(
        "survey/regression/",
        regression.regression_of_file,
        name="estimation_regression_file",
    ),
]
