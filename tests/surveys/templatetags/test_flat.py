from django.template import Context, Template

TEMPLATE = Template("{% load flat %}{% flat %}{{ html|safe }}{% endflat %}")


def flat(html):
    return TEMPLATE.render(Context({"html": html}))


def test_indentation_and_blank_lines_are_removed():
    assert flat("<p>\n    One <b>two</b>\n\n  three\n</p>") == (
        "<p>\nOne <b>two</b>\nthree\n</p>"
    )


def test_textareas_keep_their_whitespace():
    typed = '<textarea rows="2">\n  A list\n\n    of   things</textarea>'
    assert flat(f"<p>\n  {typed}\n  </p>") == f"<p>\n{typed}\n</p>"


def test_variables_stay_escaped():
    template = Template("{% load flat %}{% flat %}  {{ text }}{% endflat %}")
    assert template.render(Context({"text": "<b>"})) == "  &lt;b&gt;"
