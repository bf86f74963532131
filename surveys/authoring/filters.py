"""What narrows the list of surveys down."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.models import Survey


class StateFilter(admin.SimpleListFilter):
    """Shows the surveys of one state, as a row of links above the list."""

    title = gettext_lazy("state")
    parameter_name = "state"
    template = "surveys/authoring/_state_filter.html"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(state.value, str(state.label)) for state in Survey.State]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Survey]
    ) -> QuerySet[Survey]:
        return queryset.filter(state=self.value()) if self.value() else queryset


class ArchivedFilter(admin.SimpleListFilter):
    """Leaves archived surveys out, or shows them alone."""

    title = gettext_lazy("archive")
    parameter_name = "archived"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", _("Archived"))]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Survey]
    ) -> QuerySet[Survey]:
        return queryset.filter(archived_on__isnull=self.value() != "1")
