from django.template import Context, Template

TEMPLATE = Template("{% load flat %}{% flat %}{{ html|safe }}{% endflat %}")


def flat(html):
    return TEMPLATE.render(Context({"html": html}))


def test_indented_lines_begin_where_they_end():
    assert flat("<p>\n    One <b>two</b>\n\n  three\n</p>") == (
        "<p>\nOne <b>two</b>\nthree\n</p>"
    )


def test_what_was_typed_keeps_its_spaces():
    typed = '<textarea rows="2">\n  A list\n\n    of   things</textarea>'
    assert flat(f"<p>\n  {typed}\n  </p>") == f"<p>\n{typed}\n</p>"


def test_what_a_variable_holds_stays_escaped():
    template = Template("{% load flat %}{% flat %}  {{ text }}{% endflat %}")
    assert template.render(Context({"text": "<b>"})) == "  &lt;b&gt;"
