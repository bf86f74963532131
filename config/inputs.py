"""HTML of labels, inputs and errors, equal to that of Django's templates.

The page of a form has a hundred of them. Django renders three templates for each, which
took a fifth of the time of the form of 20 questions. tests/config/test_inputs.py
compares these functions with Django's templates.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.utils.formats import localize
from django.utils.html import conditional_escape, escape
from django.utils.safestring import SafeData

OPTION = "django/forms/widgets/select_option.html"


class Written(DjangoTemplates):
    def render(self, template_name: str, context: Any, request: Any = None) -> str:
        write = WRITTEN.get(template_name)
        text = write(context) if write else None
        if text is None:
            return super().render(template_name, context, request)
        return text.strip()


def to_html(value: Any) -> str:
    """Return what `{{ value }}` renders."""
    return conditional_escape(value if isinstance(value, str) else localize(value))


def to_raw_html(value: Any) -> str:
    """Return what `{{ value|stringformat:'s' }}` renders, without localised numbers."""
    return str(value) if isinstance(value, SafeData) else escape(str(value))


def render_attrs(given: Mapping[str, Any] | None) -> str:
    return "".join(
        f" {to_html(name)}"
        if value is True
        else f' {to_html(name)}="{to_raw_html(value)}"'
        for name, value in (given or {}).items()
        if value is not False
    )


def render_label(context: Any) -> str:
    text = to_html(context["label"])
    if not context["use_tag"]:
        return text
    tag = to_html(context["tag"])
    return f"<{tag}{render_attrs(context['attrs'])}>{text}</{tag}>"


def render_input(context: Any) -> str:
    widget = context["widget"]
    value = widget["value"]
    of_value = "" if value is None else f' value="{to_raw_html(value)}"'
    kind, name = to_html(widget["type"]), to_html(widget["name"])
    attrs = render_attrs(widget["attrs"])
    return f'<input type="{kind}" name="{name}"{of_value}{attrs}>'


def render_textarea(context: Any) -> str:
    widget = context["widget"]
    text = to_html(widget["value"]) if widget["value"] else ""
    start = (
        f'<textarea name="{to_html(widget["name"])}"{render_attrs(widget["attrs"])}>'
    )
    return f"{start}\n{text}</textarea>"


def render_select(context: Any) -> str | None:
    widget = context["widget"]
    groups = [(name, options) for name, options, _place in widget["optgroups"]]
    if any(option["template_name"] != OPTION for _, each in groups for option in each):
        return None
    start = f'<select name="{to_html(widget["name"])}"{render_attrs(widget["attrs"])}>'
    return f"{start}{''.join(render_options(groups))}\n</select>"


def render_options(groups: list[tuple[Any, list[Any]]]) -> Iterator[str]:
    for name, options in groups:
        yield f'\n  <optgroup label="{to_html(name)}">' if name else ""
        for option in options:
            start = f'<option value="{to_raw_html(option["value"])}"'
            rest = f"{render_attrs(option['attrs'])}>{to_html(option['label'])}"
            yield f"\n  {start}{rest}</option>\n"
        yield "\n  </optgroup>" if name else ""


def render_errors(context: Any) -> str | None:
    # Most inputs have no errors.
    return None if context["errors"] else ""


WRITTEN: Mapping[str, Callable[[Any], str | None]] = {
    "django/forms/label.html": render_label,
    "django/forms/widgets/text.html": render_input,
    "django/forms/widgets/number.html": render_input,
    "django/forms/widgets/hidden.html": render_input,
    "django/forms/widgets/date.html": render_input,
    "django/forms/widgets/checkbox.html": render_input,
    "django/forms/widgets/textarea.html": render_textarea,
    "django/forms/widgets/select.html": render_select,
    "django/forms/errors/list/default.html": render_errors,
}
