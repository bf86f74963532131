"""The pages of one survey's results, and of planning any survey, in the admin."""

from django.urls import URLPattern, path

from estimation import (
    chart_views,
    compare_views,
    monitor_views,
    plan_views,
    publish_views,
    views,
)
from estimation.export_views import estimates, export, export_file, export_reports
from estimation.import_views import import_study
from estimation.opening import opening


def get_urls() -> list[URLPattern]:
    """Return the pages; the admin's site adds the survey's id and asks for a login."""
    return [
        path("open/", opening, name="surveys_survey_open"),
        path("monitor/", monitor_views.monitor, name="estimation_monitor"),
        path(
            "monitor/numbers/",
            monitor_views.numbers,
            name="estimation_monitor_numbers",
        ),
        path("results/", views.results, name="estimation_results"),
        path(
            "results/<int:position>/chart.<slug:file_format>",
            chart_views.chart,
            name="estimation_chart",
        ),
        path(
            "results/overview.<slug:file_format>",
            chart_views.overview,
            name="estimation_overview",
        ),
        path("results/compare/", compare_views.compare_page, name="estimation_compare"),
        path(
            "results/compare.csv",
            compare_views.compare_csv,
            name="estimation_compare_csv",
        ),
        path(
            "results/compare.<slug:file_format>",
            compare_views.compare_chart,
            name="estimation_compare_chart",
        ),
        path("publish/", publish_views.publish, name="estimation_publish"),
        path("publish/switch/", publish_views.switch, name="estimation_publish_switch"),
        path(
            "publish/preview/",
            publish_views.preview,
            name="estimation_publish_preview",
        ),
        path(
            "publish/preview/overview.svg",
            publish_views.preview_overview,
            name="estimation_publish_overview",
        ),
        path(
            "publish/preview/<int:position>.svg",
            publish_views.preview_chart,
            name="estimation_publish_chart",
        ),
        path(
            "publish/preview/estimates.csv",
            publish_views.preview_csv,
            name="estimation_publish_csv",
        ),
        path("results/estimates.csv", estimates, name="estimation_csv"),
        path("export/", export, name="estimation_export"),
        path("export/files/<str:name>", export_file, name="estimation_export_file"),
        path(
            "export/reports/<str:name>",
            export_reports,
            name="estimation_export_reports",
        ),
    ]


def get_shared_urls() -> list[URLPattern]:
    """Return the pages of no survey in particular, below the place of all surveys."""
    return [
        path("survey/import/", import_study, name="estimation_import"),
        path("plan/", plan_views.plan, name="estimation_plan"),
        path("plan/margin.svg", plan_views.plan_chart, name="estimation_plan_chart"),
    ]
