"""Differential privacy by experiment: a page of sliders and pictures for teaching.

Nothing is sent: `static/js/experiments/experiments.js` computes every number, and the
page shows the call of the library that gives the same one.
"""

# ruff: noqa: RUF001 - formulas have Greek letters and the sign of minus

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from config.landing import render_for_visitors

Words = str | Promise
Pairs = tuple[tuple[str, Words], ...]


@dataclass(frozen=True)
class Slider:
    """`only` names the queries that need it; a `power` is shown as 10^-value."""

    name: str
    label: Words
    low: float
    high: float
    step: float
    value: float
    only: str = ""
    power: bool = False


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """`numbers` and `legend` are labels of the script's numbers and shapes."""

    key: str
    title: Words
    text: Words
    formula: str
    source: str
    sliders: tuple[Slider, ...]
    numbers: Pairs
    legend: Pairs
    x: Words
    y: Words


EPSILON = Slider("epsilon", "ε", 0.05, 4, 0.05, 1)
DELTA = Slider("delta", "δ", 1, 12, 1, 6, power=True)

EXPERIMENTS = (
    Experiment(
        key="response",
        title=_("Randomised response: which chances are private?"),
        text=_(
            "The report is yes with chance p if the answer is yes, and with chance q "
            "if it is no. The shaded chances satisfy (ε, δ). A query without chance "
            "that is not constant is never private: some neighbours always have "
            "different results, so δ is 1 whatever ε is."
        ),
        formula="p ≤ e^ε q + δ,  q ≤ e^ε p + δ,  1 − p ≤ e^ε (1 − q) + δ,  "
        "1 − q ≤ e^ε (1 − p) + δ",
        source="Dwork & Roth 2014, definition 2.4; Kairouz, Oh & Viswanath 2016",
        sliders=(
            Slider("p", "p", 0, 1, 0.01, 0.75),
            Slider("q", "q", 0, 1, 0.01, 0.25),
            Slider("epsilon", "ε", 0.05, 4, 0.05, 1.1),
            Slider("delta", "δ", 0, 0.5, 0.01, 0),
        ),
        numbers=(
            ("isPrivate", _("(ε, δ) satisfied")),
            ("needed", _("smallest δ for this ε")),
            ("bestP", _("p that differs most from q")),
            ("bestQ", _("its q")),
        ),
        legend=(("area", _("satisfies (ε, δ)")), ("point", _("your p and q"))),
        x="q",
        y="p",
    ),
    Experiment(
        key="noise",
        title=_("Sensitivity and noise"),
        text=_(
            "Sensitivity is the most by which one person’s data can change a result. "
            "Noise is proportional to it. Values lie in a range of width M."
        ),
        formula="Laplace: √2 Δ₁/ε;  geometric: √(2q)/(1 − q), q = e^(−ε/Δ₁);  "
        "Gaussian: Φ(Δ₂/2σ − εσ/Δ₂) − e^ε Φ(−Δ₂/2σ − εσ/Δ₂) = δ",
        source="Dwork & Roth 2014, section 3.3; Ghosh, Roughgarden & Sundararajan "
        "2012; Balle & Wang 2018",
        sliders=(
            EPSILON,
            DELTA,
            Slider("width", "M", 1, 20, 1, 5, only="sum mean"),
            Slider("people", "n", 1, 200, 1, 20, only="mean"),
            Slider("queries", "d", 1, 50, 1, 10, only="counts"),
        ),
        numbers=(
            ("added", _("sensitivity Δ₁")),
            ("squared", _("sensitivity Δ₂")),
            ("laplace", _("standard deviation, Laplace")),
            ("geometric", _("standard deviation, geometric")),
            ("sigma", _("standard deviation σ, Gaussian")),
        ),
        legend=(
            ("line", "Laplace"),
            ("bar", _("geometric")),
            ("second", _("Gaussian (ε, δ)")),
        ),
        x=_("noise"),
        y=_("density or probability"),
    ),
    Experiment(
        key="maximum",
        title=_("Many noisy answers"),
        text=_(
            "Each of d counts gets Laplace noise with scale λ = 1/ε. Asking the same "
            "count d times and averaging costs d times ε; asking once with dε is more "
            "accurate. Of d different counts, the largest error grows slowly."
        ),
        formula="E max |Xᵢ| = λ (1 + 1/2 + … + 1/d) ≤ λ (ln d + 1);  "
        "P(max |Xᵢ| > λ ln(d/β)) ≤ β",
        source="Rényi 1953; Dwork & Roth 2014, theorem 3.8",
        sliders=(Slider("answers", "d", 1, 100, 1, 10), EPSILON),
        numbers=(
            ("expected", _("expected largest error")),
            ("simulated", _("mean of 2,000 simulations")),
            ("bound", _("bound λ (ln d + 1)")),
            ("tail", _("λ ln(d/β) for β = .05")),
            ("beyond", _("simulations beyond it")),
            ("total", _("ε of all together")),
            ("average", _("standard deviation of the average")),
            ("once", _("of one answer with dε")),
        ),
        legend=(
            ("bar", _("simulated")),
            ("line", _("expected")),
            ("second", _("bound")),
        ),
        x=_("largest error"),
        y=_("share of simulations"),
    ),
    Experiment(
        key="loss",
        title=_("The loss is a random variable"),
        text=_(
            "The loss is the logarithm of the ratio of two densities of the released "
            "number. With Laplace noise it never exceeds ε. With Gaussian noise "
            "P(loss ≤ ε) ≥ 1 − δ suffices for (ε, δ). The sensitivity is 1."
        ),
        formula="Laplace: −ε ≤ L ≤ ε, E L = ε − 1 + e^−ε;  "
        "Gaussian: L ~ N(1/(2σ²), 1/σ²)",
        source="Dwork & Roth 2014, section 3.5.1 and appendix A; Balle & Wang 2018",
        sliders=(EPSILON, Slider("sigma", "σ", 0.5, 10, 0.1, 3)),
        numbers=(
            ("within", _("P(loss ≤ ε), Gaussian")),
            ("beyond", _("P(loss > ε), Gaussian")),
            ("delta", _("smallest δ, Gaussian")),
            ("laplaceMean", _("expected loss, Laplace")),
            ("gaussianMean", _("expected loss, Gaussian")),
        ),
        legend=(("line", "Laplace"), ("second", _("Gaussian")), ("track", "ε")),
        x=_("loss"),
        y=_("probability of this loss or less"),
    ),
    Experiment(
        key="posterior",
        title=_("What a count reveals about one person"),
        text=_(
            "Each of n people has the property with the prior probability. Their "
            "number is released with geometric noise. Without this person’s data the "
            "prior stays; with them its odds change by e^ε = 1/q at most."
        ),
        formula="P(k) = (1 − q)/(1 + q) · q^|k|;  q = .6: .25, .15, .09, .054;  "
        "n = 2: .4 (.6 · .25 + .4 · .15)/.198 = .42424",
        source="Kasiviswanathan & Smith 2014",
        sliders=(
            Slider("q", "q", 0.05, 0.95, 0.05, 0.6),
            Slider("prior", _("prior"), 0.05, 0.95, 0.05, 0.4),
            Slider("people", "n", 1, 20, 1, 2),
            Slider("released", _("released"), -4, 24, 1, 1),
        ),
        numbers=(
            ("posterior", _("posterior with their data")),
            ("without", _("without their data")),
            ("lowest", _("at least")),
            ("highest", _("at most")),
            ("epsilon", "ε"),
        ),
        legend=(("bar", _("posterior")), ("line", _("prior")), ("second", _("limits"))),
        x=_("released number"),
        y=_("posterior"),
    ),
    Experiment(
        key="utility",
        title=_("Randomised response or Laplace noise?"),
        text=_(
            "Everyone protects one bit. Utility is 1/(standard deviation of the "
            "noise), per person. At the same ε randomised response has more of it."
        ),
        formula="(e^ε − 1)/e^(ε/2)  >  ε/√2",
        source="Kairouz, Oh & Viswanath 2016",
        sliders=(EPSILON,),
        numbers=(
            ("response", _("randomised response")),
            ("laplace", _("Laplace noise")),
            ("ratio", _("ratio")),
        ),
        legend=(
            ("line", _("randomised response")),
            ("second", _("Laplace noise")),
            ("track", _("your ε")),
        ),
        x="ε",
        y=_("utility"),
    ),
    Experiment(
        key="budget",
        title=_("One budget for many analyses"),
        text=_(
            "Basic composition adds ε. Zero-concentrated privacy (zCDP) adds ρ = ε²/2 "
            "and costs a small δ; it needs less ε from some number of analyses on."
        ),
        formula="k ε;  ρ + 2√(ρ ln(1/δ)), ρ = k ε²/2",
        source="Dwork & Roth 2014, theorem 3.14; Bun & Steinke 2016, propositions "
        "1.3 and 1.4",
        sliders=(
            Slider("analyses", "k", 1, 200, 1, 100),
            Slider("epsilon", "ε", 0.01, 1, 0.01, 0.1),
            DELTA,
        ),
        numbers=(
            ("basic", _("ε, basic")),
            ("zcdp", _("ε with δ, zCDP")),
            ("best", _("the smaller one")),
        ),
        legend=(("line", _("basic")), ("second", "zCDP"), ("track", _("your k"))),
        x=_("analyses"),
        y=_("ε of all together"),
    ),
)

QUERIES: tuple[tuple[str, Words, str, str], ...] = (
    ("count", _("a count"), "1", "1"),
    ("sum", _("sum of values"), "M", "M"),
    ("mean", _("mean of n values"), "M/n", "M/n"),
    ("histogram", _("histogram"), "2", "√2"),
    ("counts", _("d counts at once"), "d", "√d"),
)


@require_safe
def show_experiments(request: HttpRequest) -> HttpResponse:
    return render_for_visitors(
        request,
        "help/experiments.html",
        lambda: {"experiments": EXPERIMENTS, "queries": QUERIES},
    )
