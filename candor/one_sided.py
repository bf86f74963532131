"""The one-sided test of a share, from counts of reports."""

from collections.abc import Mapping

from candor.intervals import DEFAULT_METHOD
from candor.intervals.one_sided import ONE_SIDED_METHODS, OneSidedTest
from candor.mechanisms import Mechanism
from candor.mechanisms.parameters import check_choice
from candor.sample import read_dichotomy
from candor.validation import SHARE


def one_sided_p_value(
    mechanism: Mechanism,
    counts: Mapping[str, int],
    *,
    bound: float,
    answer: str | None = None,
    is_above: bool = True,
    method: str = DEFAULT_METHOD,
) -> float:
    """Return the p-value of "the share of an answer is the bound or less".

    It is at most alpha if and only if the two-sided interval by the same method at
    level 1 - alpha lies above the bound.

    Parameters
    ----------
    mechanism : Mechanism
        With as many reports as answers.
    counts : mapping of str to int
        How many respondents sent each report, 0 or more; reports left out count 0. The
        total is in [1, 10**9].
    bound : float
        A share in [0, 1].
    answer : str, optional
        One of the mechanism's answers, by default the first.
    is_above : bool
        Whether the claim is that the share is above the bound. If False, the p-value is
        that of "the share is the bound or more".
    method : str
        One of `candor.intervals.one_sided.ONE_SIDED_METHODS`.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range, or other answers of
        the mechanism send the reports of this answer with different chances.

    References
    ----------
    Feldman & Cousins 1998, Physical Review D 57:3873.

    Examples
    --------
    Two coins, 40 yes of 100: the 95 % interval begins at .11416.

    >>> import candor
    >>> coin, counts = candor.mechanism("coin"), {"yes": 40, "no": 60}
    >>> for bound in (0.11, 0.12):
    ...     print(f"{candor.one_sided_p_value(coin, counts, bound=bound):.4f}")
    0.0399
    0.0526
    """
    x, n, dichotomy = read_dichotomy(mechanism, counts, answer)
    if n < 1:
        raise ValueError("counts must have at least one report; got none")
    share = SHARE.check("bound", bound)
    if not isinstance(is_above, bool):
        raise TypeError(f"is_above must be True or False; got {is_above!r}")
    check_choice("method", method, ONE_SIDED_METHODS)
    channel = dichotomy.channel
    if not is_above:
        x, share, channel = n - x, 1 - share, channel.mirrored
    if share == 1:
        return 1.0
    test = OneSidedTest(
        channel=channel, bound=channel.report_chance(share), method=method
    )
    return float(test.p_values(x, n))
