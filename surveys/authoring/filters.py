"""Filters of the list of surveys."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.models import Survey
from surveys.numbers import format_integer

MODE_NAMES = {
    Survey.Mode.BROWSER: gettext_lazy("Browser"),
    Survey.Mode.SERVER: gettext_lazy("Server"),
    Survey.Mode.HAND: gettext_lazy("By hand"),
}


class LinksFilter(admin.SimpleListFilter):
    template = "surveys/authoring/_filter.html"
    heading: Promise
    parameter_name: str

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Survey]
    ) -> QuerySet[Survey]:
        chosen = self.value()
        return queryset.filter(**{self.parameter_name: chosen}) if chosen else queryset


class FurtherFilter(LinksFilter):
    """A filter below the first one; "All" is offered only if a value is chosen."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        everything, *others = super().choices(changelist)
        yield from [everything, *others] if self.value() else others


class StateFilter(LinksFilter):
    title = gettext_lazy("state")
    heading = gettext_lazy("Surveys by state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(state.value, str(state.label)) for state in Survey.State]

    def choices(self, changelist: Any) -> Iterator[Any]:
        in_all_states = changelist.get_queryset(
            self.request, exclude_parameters=self.expected_parameters()
        )
        states = in_all_states.order_by().values("state").annotate(count=Count("pk"))
        counts = dict(states.values_list("state", "count"))
        numbers = [sum(counts.values()), *map(counts.get, Survey.State.values)]
        chosen = super().choices(changelist)
        for choice, number in zip(chosen, numbers, strict=True):
            yield choice | {"count": format_integer(number or 0)}


class ModeFilter(FurtherFilter):
    title = gettext_lazy("mode")
    heading = gettext_lazy("Surveys by mode")
    parameter_name = "mode"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(mode.value, str(name)) for mode, name in MODE_NAMES.items()]


class OwnerFilter(FurtherFilter):
    """Filters by owner; offered only if the visible surveys have several owners."""

    title = gettext_lazy("owner")
    heading = gettext_lazy("Surveys by owner")
    parameter_name = "owner"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        seen = Survey.objects.for_user(request.user).listed()
        owners = User.objects.filter(pk__in=seen.values("owner")).order_by("username")
        found = [(str(owner.pk), owner.get_username()) for owner in owners]
        return found if len(found) > 1 else []

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Survey]
    ) -> QuerySet[Survey]:
        chosen = self.value()
        if not chosen:
            return queryset
        is_known = chosen in {key for key, _name in self.lookup_choices}
        return queryset.filter(owner=int(chosen)) if is_known else queryset.none()


class ArchivedFilter(admin.SimpleListFilter):
    title = gettext_lazy("archive")
    parameter_name = "archived"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", _("Archived"))]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Survey]
    ) -> QuerySet[Survey]:
        return queryset.filter(archived_on__isnull=self.value() != "1")
