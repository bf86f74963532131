# Estimates of a Candor survey, computed from its exported codebook and reports.
#
#     Rscript candor.R SURVEY-codebook.json SURVEY-reports.csv [LEVEL]
#
# It prints CSV: question, answer, raw, standard_error, share, low, high, n. A scale has
# one more row, in the units of the scale, whose answer is "mean" or, if the scale can be
# skipped, "mean_among_answered". Cells stay empty where a value is not defined, or where
# only a search over all shares finds it: Pratt and Bayesian intervals, the interval of a
# mean whose reports score more than two numbers, and that of a mean among those who
# answered. The exported estimates (CSV) have these intervals.
#
# The confidence level is that of the export unless an argument changes it. This file
# is the same for every survey and needs base R only. To estimate from some of the
# reports, source it, read the codebook with `read_json` and pass these rows to
# `estimate`.

# The estimates from any rows of the reports, one row for each estimate.
estimate <- function(codebook, reports, level = codebook$confidence_level) {
  is_exact <- codebook$method == "feldman-cousins"
  limits <- if (is_exact) feldman_cousins else not_available
  found <- lapply(codebook$questions, function(question) {
    answers <- length(question$answers)
    level_of_share <- level
    if (codebook$simultaneous && answers > 2) {
      # The level holds for all answers together (Bonferroni).
      level_of_share <- 1 - (1 - level) / answers
    }
    estimate_question(question, reports, level, level_of_share, limits)
  })
  do.call(rbind, found)
}

# The estimates of one question.
estimate_question <- function(question, reports, level, level_of_share, limits) {
  name <- question$code$variable
  # Columns are codes; chances have a row for each answer, scores for each estimate.
  weights <- do.call(rbind, lapply(question$weights, unlist))
  chances <- weights / rowSums(weights)
  scores <- do.call(rbind, lapply(question$scores, function(each) {
    sapply(each$by_code, fraction, USE.NAMES = FALSE)
  }))
  counts <- tabulate(as.integer(reports[[name]]), nbins = ncol(chances))
  n <- sum(counts)
  raw <- drop(scores %*% counts) / n
  scale <- question[["scale"]]
  # Some tables identify the mean of a scale, but no shares.
  number_of_shares <- nrow(scores) - !is.null(scale)
  shares <- maximum_likelihood(raw[seq_len(number_of_shares)], counts, chances)
  rows <- lapply(seq_len(nrow(scores)), function(place) {
    score <- scores[place, ]
    is_share <- place <= number_of_shares
    # The value of the estimand for a person with each of the answers.
    values <- if (is_share) {
      as.numeric(seq_len(nrow(chances)) == place)
    } else {
      seq(fraction(scale$low), fraction(scale$high), length.out = nrow(chances))
    }
    value <- if (number_of_shares > 0) {
      sum(values * shares)
    } else {
      min(max(raw[place], min(values)), max(values))
    }
    level_of_each <- if (is_share) level_of_share else level
    ends <- interval(counts, chances, score, values, level_of_each, limits)
    if (n > 0) {
      # The interval depends on one count, the estimate on all: they may conflict.
      ends <- c(min(ends[1], value), max(ends[2], value))
    }
    data.frame(
      question = name,
      answer = sub(paste0(name, "_score_"), "", question$scores[[place]]$variable),
      raw = raw[place],
      standard_error = standard_error(counts, chances, score, values, value),
      share = value,
      low = ends[1],
      high = ends[2],
      n = n
    )
  })
  scale <- question[["scale_of_answered"]]
  if (!is.null(scale)) {
    # The last answer is "skipped"; the others are its points, or High and Low.
    low <- fraction(scale$low)
    high <- fraction(scale$high)
    points <- c(seq(0, high - low, length.out = nrow(scores) - 1), 0)
    if (question$answers[[1]] == "high") points <- c(high - low, 0, 0)
    mean <- mean_among_answered(counts, chances, scores, points)
    row <- data.frame(
      question = name,
      answer = "mean_among_answered",
      raw = low + mean[1],
      standard_error = mean[2],
      share = low + mean[3],
      low = if (n > 0) NaN else low,
      high = if (n > 0) NaN else high,
      n = n
    )
    rows <- c(rows, list(row))
  }
  do.call(rbind, rows)
}

# The raw mean among those who answered, its linearised standard error and the
# maximum-likelihood mean. The mean is the ratio of the sum of the points of those who
# answered and of their shares. `points` has one number for each answer; the last answer
# is "skipped".
mean_among_answered <- function(counts, chances, scores, points) {
  n <- sum(counts)
  if (n == 0) return(c(NaN, NaN, NaN))
  raw <- drop(scores %*% counts) / n
  shares <- maximum_likelihood(raw, counts, chances)
  last <- length(points)
  answered <- sum(raw[-last])
  most_likely <- sum(shares[-last])
  value <- if (n > 1 && most_likely > 0) sum(points * shares) / most_likely else NaN
  if (answered <= 0) return(c(NaN, NaN, value))
  mean <- sum(points * raw) / answered
  total <- drop(points %*% scores)
  residual <- total - mean * colSums(scores[-last, ])
  error <- if (length(unique(residual[counts > 0])) > 1) {
    standard_error(counts, chances, residual, points, mean) / answered
  } else {
    value_of_total <- sum(points * shares)
    standard_error(counts, chances, total, points, value_of_total) / max(answered, 1)
  }
  c(mean, error, value)
}

# The shares, none below 0, that make the reports most likely; NaN where they need a
# search: some raw share is negative, and the table does not treat all answers equally.
maximum_likelihood <- function(raw, counts, chances) {
  if (length(raw) == 0 || sum(counts) == 0 || min(raw) >= 0) return(raw)
  if (length(raw) == 2) return(pmin(pmax(raw, 0), 1))
  p <- chances[1, 1]
  q <- chances[1, 2]
  if (any(chances != ifelse(diag(length(raw)) == 1, p, q))) return(raw * NaN)
  # Answers with a negative share get 0, until the others have no negative share.
  kept <- rep(TRUE, length(raw))
  repeat {
    likelihood <- sum(counts[kept]) / (p - q + sum(kept) * q)
    shares <- ifelse(kept, (counts / likelihood - q) / (p - q), 0)
    if (all(shares >= 0)) return(shares)
    kept <- kept & shares >= 0
  }
}

# The standard error of the mean score; NaN for fewer than two reports.
#
# Identical reports have no spread. They get the largest standard error among all shares
# with this estimate, which is kept half a report inside its range. For yes and no it is
# the formula of Warner 1965.
standard_error <- function(counts, chances, score, values, value) {
  n <- sum(counts)
  if (n < 2) return(NaN)
  if (length(unique(score[counts > 0])) > 1) {
    mean <- sum(score * counts) / n
    return(sqrt(sum((score - mean)^2 * counts) / (n - 1) / n))
  }
  if (is.nan(value)) return(NaN)
  ends <- min(values) + diff(range(values)) * c(0.5, n - 0.5) / n
  value <- min(max(value, ends[1]), ends[2])
  # Shares of two answers, one on each side of the value, have the largest variance.
  squares <- drop(chances %*% score^2)
  mixed <- function(below, above) {
    part <- (value - values[below]) / (values[above] - values[below])
    (1 - part) * squares[below] + part * squares[above]
  }
  largest <- max(outer(which(values <= value), which(values > value), mixed))
  sqrt((largest - value^2) / n)
}

# The confidence interval of an estimand; NaN where it needs a search.
#
# Where the possible reports score only two numbers, the count of those with the larger
# one is binomial. Its chance is a where the estimand is largest, and b where it is
# smallest.
interval <- function(counts, chances, score, values, level, limits) {
  n <- sum(counts)
  if (n == 0) return(range(values))
  possible <- colSums(chances) > 0
  if (length(unique(score[possible])) != 2) return(c(NaN, NaN))
  counted <- possible & score == max(score[possible])
  a <- sum(chances[which.max(values), counted])
  b <- sum(chances[which.min(values), counted])
  ends <- (limits(sum(counts[counted]), n, a, b, level) - b) / (a - b)
  min(values) + diff(range(values)) * pmin(pmax(ends, 0), 1)
}

# Feldman & Cousins 1998: chances that a likelihood-ratio test does not reject.
feldman_cousins <- function(count, n, a, b, level) {
  c(
    1 - largest_chance(n - count, n, 1 - b, 1 - a, level),
    largest_chance(count, n, a, b, level)
  )
}

# The largest chance from b to a that the test does not reject. The test adds up the
# probabilities of all counts whose likelihood, relative to that of the best chance, is
# not larger than that of `count`.
largest_chance <- function(count, n, a, b, level) {
  counts <- 0:n
  best <- pmin(pmax(counts / n, b), a)
  weight <- ifelse(counts > 0, counts * log(best), 0) +
    ifelse(counts < n, (n - counts) * log1p(-best), 0)
  # From the chance ties[i] on, starts[i] is no more likely than `count`. Between two
  # ties, the counts that are no more likely stay the same.
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

# Pratt and Bayesian intervals integrate the likelihood.
not_available <- function(count, n, a, b, level) c(NaN, NaN)

# A fraction such as "-3/2" as a number.
fraction <- function(text) {
  parts <- as.numeric(strsplit(text, "/", fixed = TRUE)[[1]])
  parts[1] / c(parts, 1)[2]
}

# The contents of a JSON file. Texts keep their escapes: those used here have none.
read_json <- function(path) {
  text <- paste(readLines(path, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  pattern <- '"(?:[^"\\\\]++|\\\\.)*+"|[][{}]|[^][{}",:\\s]+'
  tokens <- regmatches(text, gregexpr(pattern, text, perl = TRUE))[[1]]
  place <- 0
  take <- function() {
    place <<- place + 1
    tokens[place]
  }
  bare <- function(token) substr(token, 2, nchar(token) - 1)
  read <- function(token) {
    found <- list()
    if (token == "{") {
      while ((key <- take()) != "}") found[bare(key)] <- list(read(take()))
      return(found)
    }
    if (token == "[") {
      while ((each <- take()) != "]") found <- c(found, list(read(each)))
      return(found)
    }
    if (startsWith(token, '"')) return(bare(token))
    switch(token, true = TRUE, false = FALSE, null = NA, as.numeric(token))
  }
  read(take())
}

# Prints the estimates; what the reports are goes to standard error.
main <- function(codebook_path, reports_path, ...) {
  codebook <- read_json(codebook_path)
  message(paste(c(codebook$design_digest, unlist(codebook$note)), collapse = "\n"))
  chosen <- list(...)
  if (length(chosen) > 0) codebook$confidence_level <- as.numeric(chosen[[1]])
  reports <- read.csv(reports_path, encoding = "UTF-8")
  write.csv(estimate(codebook, reports), row.names = FALSE, quote = FALSE, na = "")
}

# Sourced into a session, the file only defines its functions.
if (sys.nframe() == 0) do.call(main, as.list(commandArgs(trailingOnly = TRUE)))
