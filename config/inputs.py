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


def shown(value: Any) -> str:
    """Return what `{{ value }}` does."""
    return conditional_escape(value if isinstance(value, str) else localize(value))


def quoted(value: Any) -> str:
    """Return what `{{ value|stringformat:'s' }}` does: numbers in no language."""
    return str(value) if isinstance(value, SafeData) else escape(str(value))


def attributes(given: Mapping[str, Any] | None) -> str:
    return "".join(
        f" {shown(name)}" if value is True else f' {shown(name)}="{quoted(value)}"'
        for name, value in (given or {}).items()
        if value is not False
    )


def label(context: Any) -> str:
    text = shown(context["label"])
    if not context["use_tag"]:
        return text
    tag = shown(context["tag"])
    return f"<{tag}{attributes(context['attrs'])}>{text}</{tag}>"


def written_input(context: Any) -> str:
    widget = context["widget"]
    value = widget["value"]
    held = "" if value is None else f' value="{quoted(value)}"'
    kind, name = shown(widget["type"]), shown(widget["name"])
    return f'<input type="{kind}" name="{name}"{held}{attributes(widget["attrs"])}>'


def textarea(context: Any) -> str:
    widget = context["widget"]
    text = shown(widget["value"]) if widget["value"] else ""
    start = f'<textarea name="{shown(widget["name"])}"{attributes(widget["attrs"])}>'
    return f"{start}\n{text}</textarea>"


def select(context: Any) -> str | None:
    widget = context["widget"]
    groups = [(name, options) for name, options, _place in widget["optgroups"]]
    if any(each["template_name"] != OPTION for _, some in groups for each in some):
        return None
    start = f'<select name="{shown(widget["name"])}"{attributes(widget["attrs"])}>'
    return f"{start}{''.join(options_of(groups))}\n</select>"


def options_of(groups: list[tuple[Any, list[Any]]]) -> Iterator[str]:
    for name, options in groups:
        yield f'\n  <optgroup label="{shown(name)}">' if name else ""
        for option in options:
            start = f'<option value="{quoted(option["value"])}"'
            held = f"{attributes(option['attrs'])}>{shown(option['label'])}"
            yield f"\n  {start}{held}</option>\n"
        yield "\n  </optgroup>" if name else ""


def errors(context: Any) -> str | None:
    # The most by far are of inputs in order.
    return None if context["errors"] else ""


WRITTEN: Mapping[str, Callable[[Any], str | None]] = {
    "django/forms/label.html": label,
    "django/forms/widgets/text.html": written_input,
    "django/forms/widgets/number.html": written_input,
    "django/forms/widgets/hidden.html": written_input,
    "django/forms/widgets/date.html": written_input,
    "django/forms/widgets/checkbox.html": written_input,
    "django/forms/widgets/textarea.html": textarea,
    "django/forms/widgets/select.html": select,
    "django/forms/errors/list/default.html": errors,
}
