"""What a monitor asks: whether responses can be stored, and if not, why."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from respondents.storage.outages import answer_unavailable, outage


@require_safe
def health(_request: HttpRequest) -> HttpResponse:
    cause = outage.check()
    answer = JsonResponse({"database": cause or "ok"})
    if cause is None:
        return answer
    answer.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    return answer_unavailable(answer, cause, where="Health")
