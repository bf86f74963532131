"""The researchers' site: Django's admin with Candor's pages."""

from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import Group
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.translation import gettext, gettext_lazy

from config.accounts import invite, second_factor
from config.accounts.forms import OwnPasswordForm
from config.accounts.second_factor import lacks_factor
from config.refusals import withhold
from estimation.pages import urls as estimation
from respondents.distribution import urls as distribution
from respondents.imports import urls as imports
from respondents.least_responses import TooFewResponsesError
from surveys.authoring import urls as authoring
from surveys.models import Survey

# Pages of each package for researchers, below the admin.
PAGES = {
    "surveys/survey/<int:survey_id>/": [
        *authoring.of_a_survey,
        *invite.of_a_survey,
        *distribution.of_a_survey,
        *imports.of_a_survey,
        *estimation.of_a_survey,
    ],
    "surveys/invitation/<int:invitee_id>/": invite.of_an_invitation,
    "auth/user/<int:user_id>/second-factor/": second_factor.of_a_colleague,
    "surveys/": [
        *authoring.of_no_survey,
        *imports.of_no_survey,
        *estimation.of_no_survey,
    ],
}

ALLOWED_WITHOUT_FACTOR = ("password_change", "password_change_done", "logout")
"""Pages open to users who still have to set up the required second factor."""


def add_frame(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the admin's frame, for pages outside the admin."""
    match = request.resolver_match
    is_for_researchers = request.path_info.startswith(settings.RESEARCHERS_PATH)
    if match is None or match.namespace or not is_for_researchers:
        return {}
    return admin.site.each_context(request)


class CandorAdminSite(admin.AdminSite):
    site_header = "Candor"
    site_title = "Candor"
    site_url = None
    index_title = gettext_lazy("Your surveys")
    enable_nav_sidebar = False
    empty_value_display = "\N{EM DASH}"

    def register(
        self, model_or_iterable: Any, admin_class: Any = None, **options: Any
    ) -> None:
        is_one = isinstance(model_or_iterable, type)
        for model in [model_or_iterable] if is_one else model_or_iterable:
            # Keys and recovery codes must not be shown.
            is_secret = model._meta.app_label in {"account", "mfa", "socialaccount"}
            # Groups and permissions do not affect access to surveys.
            if model is not Group and not is_secret:
                super().register(model, admin_class, **options)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        inner = super().admin_view(view, cacheable)

        @wraps(inner)
        def require_factor(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            place = request.resolver_match
            is_free = place is not None and place.url_name in ALLOWED_WITHOUT_FACTOR
            if lacks_factor(request.user) and not is_free:
                return redirect("mfa_index")
            try:
                return inner(request, *args, **kwargs)
            except TooFewResponsesError as too_few:
                return withhold(request, too_few)

        return require_factor

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        change = PasswordChangeView.as_view(
            form_class=OwnPasswordForm,
            success_url=reverse("admin:password_change_done"),
            title=gettext("Change your password"),
            extra_context={**self.each_context(request), **(extra_context or {})},
        )
        return change(request)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        for_researchers = [
            path(
                f"{place}{page.pattern}", self.admin_view(page.callback), name=page.name
            )
            for place, pages in PAGES.items()
            for page in pages
        ]
        # Django's redirect to an object's public page does not check its owner.
        inherited = [
            page
            for page in super().get_urls()
            if getattr(page, "name", None) != "view_on_site"
        ]
        return [*for_researchers, *inherited]

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        context = {
            "invitations": invite.list_invitations(request.user),
            **(extra_context or {}),
        }
        mine = Survey.objects.for_user(request.user).listed()
        if not mine.exists():
            return super().index(request, context)
        of_others = mine.exclude(owner=request.user.pk)
        is_all = request.user.is_superuser and of_others.exists()
        title = gettext("Surveys of all researchers") if is_all else self.index_title
        surveys = self.get_model_admin(Survey)
        return surveys.changelist_view(request, {"title": title, **context})
