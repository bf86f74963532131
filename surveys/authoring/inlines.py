from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import Script
from django.http import HttpRequest

from surveys.access import has_role
from surveys.authoring.forms.question import QuestionForm, QuestionFormSet
from surveys.models import Question, Role

MAX_POSTED_DIGITS = 5
"""The number of a question in an address has fewer digits: a form has 1,000 at most."""


class DraftsOnly:
    """Permissions: any researcher may write drafts; opened surveys can only be read.

    Visibility has been decided before: every query starts at `for_user`.
    """

    admin_site: admin.AdminSite

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.admin_site.has_permission(request)

    has_module_permission = has_view_permission

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_own = obj is None or (
            obj.is_draft and has_role(request.user, obj, Role.EDITOR)
        )
        return is_own and self.admin_site.has_permission(request)

    has_add_permission = has_change_permission

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_own = obj is None or has_role(request.user, obj, Role.OWNER)
        return is_own and self.has_change_permission(request, obj)


class QuestionInline(DraftsOnly, admin.StackedInline):  # type: ignore[type-arg]
    model = Question
    form = QuestionForm
    formset = QuestionFormSet
    template = "surveys/authoring/questions.html"

    class Media:
        # In place of Django's scripts, which renumber inputs when questions move.
        extend = False
        js = [
            Script("js/authoring/questions.js", type="module"),
            Script("js/authoring/library.js", type="module"),
            Script("js/authoring/ticks.js", type="module"),
            Script("js/authoring/hints.js", type="module"),
            Script("js/authoring/texts.js", type="module"),
            Script("js/authoring/families.js", type="module"),
            Script("js/planner/planner.js", type="module"),
        ]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Removing a question is editing; only deleting the draft needs its owner.
        return self.has_change_permission(request, obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Question]:
        return super().get_queryset(request).prefetch_related("choices")

    def get_extra(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> int:
        # Scripts add questions to the page; without them a link asks for another one.
        is_asked_for = "add" in request.GET or "template" in request.GET
        return 1 if obj is None or is_asked_for else 0

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        formset: Any = super().get_formset(request, obj, **kwargs)
        formset.template = request.GET.get("template", "")
        number = request.GET.get("question", "")
        is_number = (
            number.isascii() and number.isdigit() and len(number) < MAX_POSTED_DIGITS
        )
        formset.is_with_library = "library" in request.GET
        formset.opened = int(number) if is_number else None
        return formset
