from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from surveys.authoring.forms.survey import MAX_TEXT_LENGTH
from surveys.authoring.library import list_library, list_wordings, suggest_consent
from surveys.markdown import render_markdown
from surveys.models.languages import get_languages


class TextForm(forms.Form):
    """A text to preview, and the values that the suggested one is filled in with."""

    text = forms.CharField(max_length=MAX_TEXT_LENGTH, required=False, strip=False)
    title = forms.CharField(required=False)
    organiser = forms.CharField(required=False)
    contact = forms.CharField(required=False)
    language = forms.ChoiceField(choices=get_languages)


@require_POST
def texts(request: HttpRequest) -> HttpResponse:
    form = TextForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"errors": form.errors}, status=400)
    given = dict(form.cleaned_data)
    html = render_markdown(given.pop("text"))
    return JsonResponse({"html": html, "consent": suggest_consent(**given)})


@require_safe
def library_entries(request: HttpRequest) -> HttpResponse:
    context = {"fields": list(list_library()), "wordings": list_wordings()}
    return render(request, "surveys/authoring/_library_entries.html", context)
