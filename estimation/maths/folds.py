"""One of several answers against all others: a question of yes or no again."""

from surveys.mechanisms import Mechanism
from surveys.mechanisms.table import truth_and_other

OTHERS = "others"
"""Every other answer, and every report of one."""


def one_against_the_rest(mechanism: Mechanism) -> Mechanism:
    """Return the 2 x 2 table that the share of one answer is estimated by.

    Where the truth has one chance p and every other report one smaller chance q, the
    reports of an answer are binomial with p and q, whatever the other answers are
    (Wang et al. 2017, USENIX Security, "pure" protocols). What such a table says of
    one answer holds for each of them.

    Parameters
    ----------
    mechanism : Mechanism
        With two answers and two reports, which is returned as it is; or with as many
        reports as answers, all treated alike.

    Raises
    ------
    TypeError, ValueError
        Where it is no mechanism, or not one of these.

    Examples
    --------
    >>> from surveys.mechanisms import build
    >>> one_against_the_rest(build("k_ary", epsilon="1/2", choices=3)).reports
    ('1', 'others')
    """
    if not isinstance(mechanism, Mechanism):
        raise TypeError(f"mechanism must be a Mechanism; got {mechanism!r}")
    shape = (len(mechanism.answers), len(mechanism.reports))
    if shape == (2, 2):
        return mechanism
    alike = truth_and_other(mechanism.weights)
    if alike is None:
        raise ValueError(
            "mechanism must have 2 answers and 2 reports, or treat all answers alike, "
            f"to be planned with; got {shape[0]} answers and {shape[1]} reports"
        )
    truth, other = alike
    first = mechanism.answers[0]
    return Mechanism(
        family=mechanism.family,
        parameters=mechanism.parameters,
        answers=(first, OTHERS),
        reports=(first, OTHERS),
        weights=((truth, mechanism.total - truth), (other, mechanism.total - other)),
    )
