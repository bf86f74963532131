"""Functions of the programs for R and pandas that find an interval, by method.

Each takes a count of n reports and the chances a and b of a report that is counted,
given the answer and given another one; it returns two chances of such a report.
"""

WALD_PANDAS = '''\
def limits(count, n, a, b):
    """Wald: the chances within z standard errors of the rate."""
    rate = count / n
    half = norm.isf((1 - level) / 2) * np.sqrt(rate * (1 - rate) / n)
    return rate - half, rate + half'''

WALD_R = """\
# Wald: the chances within z standard errors of the rate.
limits <- function(count, n, a, b) {
  rate <- count / n
  half <- qnorm((1 - level) / 2, lower.tail = FALSE) * sqrt(rate * (1 - rate) / n)
  c(rate - half, rate + half)
}"""

WILSON_PANDAS = '''\
def limits(count, n, a, b):
    """Wilson 1927: the chances that a score test does not reject."""
    z = norm.isf((1 - level) / 2)
    middle = count + z**2 / 2
    spread = z * np.sqrt(count * (n - count) / n + z**2 / 4)
    return (middle - spread) / (n + z**2), (middle + spread) / (n + z**2)'''

WILSON_R = """\
# Wilson 1927: the chances that a score test does not reject.
limits <- function(count, n, a, b) {
  z <- qnorm((1 - level) / 2, lower.tail = FALSE)
  middle <- count + z^2 / 2
  spread <- z * sqrt(count * (n - count) / n + z^2 / 4)
  c(middle - spread, middle + spread) / (n + z^2)
}"""

CLOPPER_PEARSON_PANDAS = '''\
def limits(count, n, a, b):
    """Clopper & Pearson 1934: the chances that neither exact test rejects."""
    tail = (1 - level) / 2
    low = beta.ppf(tail, count, n - count + 1) if count > 0 else 0
    high = beta.isf(tail, count + 1, n - count) if count < n else 1
    return low, high'''

CLOPPER_PEARSON_R = """\
# Clopper & Pearson 1934: the chances that neither exact test rejects.
limits <- function(count, n, a, b) {
  tail <- (1 - level) / 2
  low <- if (count > 0) qbeta(tail, count, n - count + 1) else 0
  high <- if (count < n) qbeta(1 - tail, count + 1, n - count) else 1
  c(low, high)
}"""

FELDMAN_COUSINS_PANDAS = '''\
def upper(count, n, a, b):
    """The largest chance from b to a at which all that is no likelier, by its ratio to
    the likeliest chance, has together more than 1 - level."""
    counts = np.arange(n + 1)
    peak = np.clip(counts / n, b, a)
    weight = xlogy(counts, peak) + xlog1py(n - counts, -peak)
    # From the chance ties[i] on, starts[i] is no likelier than `count`. Between two
    # ties the counts that are no likelier stay the same.
    starts = np.arange(count + 1, n + 2)
    ties = expit((weight[count + 1 :] - weight[count]) / (starts[:-1] - count))
    right = np.append(np.minimum(ties, a), a)
    left = np.append(b, np.clip(ties, b, a))

    def p_value(start, chance):
        return binom.cdf(count, n, chance) + binom.sf(start - 1, n, chance)

    at_right = p_value(starts, right)
    kept = np.maximum(at_right, p_value(starts, left)) > 1 - level
    last = np.flatnonzero(kept).max(initial=0)
    if last == 0 or at_right[last] > 1 - level:
        return right[last]
    ends = left[last], right[last]
    return brentq(lambda chance: p_value(starts[last], chance) - 1 + level, *ends)


def limits(count, n, a, b):
    """Feldman & Cousins 1998: the chances that a likelihood-ratio test does not
    reject."""
    return 1 - upper(n - count, n, 1 - b, 1 - a), upper(count, n, a, b)'''

FELDMAN_COUSINS_R = """\
# The largest chance from b to a at which all that is no likelier, by its ratio to the
# likeliest chance, has together more than 1 - level.
upper <- function(count, n, a, b) {
  counts <- 0:n
  peak <- pmin(pmax(counts / n, b), a)
  weight <- ifelse(counts > 0, counts * log(peak), 0) +
    ifelse(counts < n, (n - counts) * log1p(-peak), 0)
  # From the chance ties[i] on, starts[i] is no likelier than `count`. Between two ties
  # the counts that are no likelier stay the same.
  steps <- seq_len(n - count)
  ties <- plogis((weight[count + 1 + steps] - weight[count + 1]) / steps)
  starts <- count + c(steps, n - count + 1)
  right <- c(pmin(ties, a), a)
  left <- c(b, pmin(pmax(ties, b), a))
  p_value <- function(start, chance) {
    pbinom(count, n, chance) + pbinom(start - 1, n, chance, lower.tail = FALSE)
  }
  at_right <- p_value(starts, right)
  last <- max(1, which(pmax(at_right, p_value(starts, left)) > 1 - level))
  if (last == 1 || at_right[last] > 1 - level) return(right[last])
  excess <- function(chance) p_value(starts[last], chance) - 1 + level
  uniroot(excess, c(left[last], right[last]), tol = 1e-14)$root
}

# Feldman & Cousins 1998: the chances that a likelihood-ratio test does not reject.
limits <- function(count, n, a, b) {
  c(1 - upper(n - count, n, 1 - b, 1 - a), upper(count, n, a, b))
}"""

UNKNOWN_PANDAS = '''\
def limits(count, n, a, b):
    """Left out."""
    return np.nan, np.nan'''

UNKNOWN_R = """\
# Left out.
limits <- function(count, n, a, b) c(NA, NA)"""

PANDAS_LIMITS = {
    "feldman-cousins": (
        "from scipy.optimize import brentq\n"
        "from scipy.special import expit, xlog1py, xlogy\n"
        "from scipy.stats import binom\n",
        FELDMAN_COUSINS_PANDAS,
    ),
    "wilson": ("from scipy.stats import norm\n", WILSON_PANDAS),
    "clopper-pearson": ("from scipy.stats import beta\n", CLOPPER_PEARSON_PANDAS),
    "wald": ("from scipy.stats import norm\n", WALD_PANDAS),
}
R_LIMITS = {
    "feldman-cousins": ("", FELDMAN_COUSINS_R),
    "wilson": ("", WILSON_R),
    "clopper-pearson": ("", CLOPPER_PEARSON_R),
    "wald": ("", WALD_R),
}
"""What is imported, and the function. Those of Pratt and of Bayes integrate the
likelihood, which would be a program of its own."""
