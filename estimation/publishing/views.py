"""Published results, for everybody: no login, no session, no cookie."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from estimation.publishing import pages as public_pages
from estimation.publishing.published import find_published
from estimation.results.charts import as_response
from estimation.results.forms import DrawingForm
from estimation.results.views import refuse


@require_safe
def results(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a researcher chose to publish."""
    published = find_published(token)
    if published is None:
        return public_pages.not_found()
    base = published.publication.get_absolute_url()
    return HttpResponse(public_pages.page(published, base=base, is_preview=False))


@require_safe
def chart(request: HttpRequest, token: str, number: int) -> HttpResponse:
    """Draw one shown question."""
    published, form = find_published(token), DrawingForm(request.GET.dict())
    if published is None:
        return public_pages.not_found()
    if not form.is_valid():
        return refuse(form)
    drawn = public_pages.chart(published, number, form.cleaned_data)
    if drawn is None:
        return public_pages.not_found()
    return as_response(request, drawn, "svg", published.survey.slug)


@require_safe
def overview(request: HttpRequest, token: str) -> HttpResponse:
    """Draw all shown questions."""
    published, form = find_published(token), DrawingForm(request.GET.dict())
    if published is None:
        return public_pages.not_found()
    if not form.is_valid():
        return refuse(form)
    drawn = public_pages.overview(published, form.cleaned_data)
    return as_response(request, drawn, "svg", published.survey.slug)


@require_safe
def estimates(request: HttpRequest, token: str) -> HttpResponse:
    """Hand out the shown estimates as CSV."""
    published = find_published(token)
    if published is None:
        return public_pages.not_found()
    name = f"{published.survey.slug}-published.csv"
    return HttpResponse(
        published.as_csv(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
