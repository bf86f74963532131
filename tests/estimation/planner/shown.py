"""What the planner's panels show, read from the HTML."""

from django.test.html import Element, parse_html


def planner_in(html):
    """Everything that is shown: the panels of questions and survey, and the errors."""
    page = parse_html(html)
    return {
        "questions": [
            question_in(panel) for panel in having(page, "class", "plan-panel")
        ],
        "survey": survey_in(page),
        "errors": [
            {
                "field": attributes(each)["data-field"],
                "message": text(each),
                "questions": numbers(each),
            }
            for each in having(page, "data-field")
        ],
    }


def question_in(panel):
    error, *caution = having(panel, "class", "plan-error")
    return {
        "numbers": numbers(panel),
        "strength": attributes(panel)["data-strength"],
        "error": visible(error),
        "caution": "".join(visible(each) for each in caution),
        "figures": figures_in(panel),
        "read": read_in(panel),
        "facts": {
            text(label): text(value)
            for facts in having(panel, "class", "plan-facts")
            for label, value in zip(named(facts, "dt"), named(facts, "dd"), strict=True)
        },
        "chances": chances(panel),
    }


def survey_in(page):
    """What the gauge and the planner show of the whole survey."""
    gauge, planner = first(page, "data-summary"), first(page, "data-planner")
    total = gauge and first(gauge, "data-level")
    if not total:
        return None
    (number,), (verdict,) = named(total, "strong"), named(total, "span")
    (plot,) = having(planner, "class", "plan-plot")
    remedies = having(gauge, "class", "remedy")
    return {
        "epsilon": text(number).removeprefix("ε "),
        "verdict": text(verdict),
        "level": attributes(total)["data-level"],
        "tier": int(attributes(total)["data-tier"]),
        "pin": float(attributes(having(gauge, "class", "gauge-pin")[0])["x"]),
        "facts": {
            text(name): text(value)
            for name, value in zip(named(gauge, "dt"), named(gauge, "dd"), strict=True)
        },
        "remedy": " ".join(
            text(each) for remedy in remedies for each in named(remedy, "p")
        ),
        "read": read_in(planner),
        "plot": plot_in(plot),
        "status": text(first(gauge, "data-status")),
    }


def figures_in(panel):
    """{name: (number with its unit, note)}."""
    found = {}
    for listed in having(panel, "class", "plan-figures"):
        message = named(listed, "dd")
        for name, number, note in zip(
            named(listed, "dt"), message[::2], message[1::2], strict=True
        ):
            found[text(name)] = (text(number), text(note))
    return found


def read_in(panel):
    for quote in named(panel, "blockquote"):
        conclusion = " ".join(text(each) for each in named(quote, "strong"))
        return {
            "language": attributes(quote)["lang"],
            "sentences": text(quote).removesuffix(conclusion).strip(),
            "conclusion": conclusion,
        }
    return None


def plot_in(plot):
    if "hidden" in attributes(plot):
        return None
    (chart,) = having(plot, "class", "chart")
    (body,) = named(plot, "tbody")
    return {
        "name": text(having(plot, "class", "plan-key-own")[0]),
        "labels": [text(each) for each in named(chart, "text")],
        "alternative": attributes(chart)["aria-label"],
        "rows": [
            [text(cell) for cell in row.children if isinstance(cell, Element)]
            for row in named(body, "tr")
        ],
    }


def chances(panel):
    """{answer: chances}, as the exact chances are listed."""
    return {
        text(answer): [text(cell) for cell in named(row, "td")]
        for body in named(panel, "tbody")
        for row in named(body, "tr")
        for answer in named(row, "th")
    }


def numbers(element):
    return [int(number) for number in attributes(element)["data-numbers"].split()]


def visible(element):
    return "" if "hidden" in attributes(element) else text(element)


def all_in(element):
    for child in element.children:
        if isinstance(child, Element):
            yield child
            yield from all_in(child)


def named(element, name):
    return [each for each in all_in(element) if each.name == name]


def having(element, attribute, word=None):
    return [
        each
        for each in all_in(element)
        if attribute in attributes(each)
        and (word is None or word in attributes(each)[attribute].split())
    ]


def first(element, attribute):
    return next(iter(having(element, attribute)), None)


def attributes(element):
    return dict(element.attributes)


def text(element):
    """Its words, with every space as one that breaks lines."""
    message = "".join(
        f" {text(child)} " if isinstance(child, Element) else child
        for child in element.children
    )
    return " ".join(message.split())
