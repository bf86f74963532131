from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from surveys.authoring.forms.survey import LONGEST_TEXT
from surveys.authoring.library import list_library, list_wordings, suggest_consent
from surveys.authoring.pages import render_page
from surveys.markdown import render_markdown
from surveys.models.languages import get_languages
from surveys.numbers import format_integer

EXAMPLES = (
    "We ask **everyone** in *this* school.",
    "- one thing\n- another",
    "1. first\n2. second",
    "> as the law says",
    "Read [about us](https://example.org) or write to <us@example.org>.",
)


class TextForm(forms.Form):
    """A text to show, and what the suggested one is filled in with."""

    text = forms.CharField(max_length=LONGEST_TEXT, required=False, strip=False)
    title = forms.CharField(required=False)
    organiser = forms.CharField(required=False)
    contact = forms.CharField(required=False)
    language = forms.ChoiceField(choices=get_languages)


def texts(request: HttpRequest) -> HttpResponse:
    """Show how to format texts; for scripts, format one and suggest one."""
    if request.method == "POST":
        form = TextForm(request.POST)
        if not form.is_valid():
            return JsonResponse({"errors": form.errors}, status=400)
        given = dict(form.cleaned_data)
        html = render_markdown(given.pop("text"))
        return JsonResponse({"html": html, "consent": suggest_consent(**given)})
    return render_page(
        request,
        None,
        "surveys/authoring/texts.html",
        title=_("Texts that respondents read"),
        examples=[(typed, render_markdown(str(typed))) for typed in EXAMPLES],
        suggestions=[
            (
                language,
                name,
                suggest_consent(title="", organiser="", contact="", language=language),
            )
            for language, name in settings.LANGUAGES
        ],
        most=format_integer(LONGEST_TEXT),
    )


@require_safe
def library_entries(request: HttpRequest) -> HttpResponse:
    """Show the library as the form of a survey includes it."""
    context = {"fields": list(list_library()), "wordings": list_wordings()}
    return render(request, "surveys/authoring/_library_entries.html", context)
