# A multilevel model of one randomised question: its shares in each cluster.
#
#     Rscript multilevel.R SURVEY-codebook.json SURVEY-reports.csv q1 q2 [LEVEL]
#
# q1 is the question and q2 a question that was asked directly, whose answers are the
# clusters. It prints CSV: cluster, answer, share, low, high, n. The share is the
# posterior mean, and low and high are quantiles. Small clusters are drawn towards the
# others. Rows without a cluster are those of all respondents with both reports.
#
# It needs candor.R and multilevel.stan in the same folder, and the package rstan, which
# warns if the draws cannot be relied on. For predictors and other models of a question
# with two answers, source candor.R and this file, and see `prepare_brms`.

# The data of multilevel.stan: the frozen table, and the reports of each cluster.
prepare_data <- function(codebook, reports, name, cluster) {
  question <- find_question(codebook, name)
  groups <- find_question(codebook, cluster)
  if (is_randomised(groups)) {
    stop(cluster, " was randomised: clusters need a question that was asked directly")
  }
  chances <- read_chances(question)
  # Answers without a respondent are no cluster.
  both <- !is.na(reports[[name]]) & !is.na(reports[[cluster]])
  codes <- sort(unique(reports[[cluster]][both]))
  labels <- reports[[paste0(cluster, "_label")]]
  counts <- t(sapply(codes, function(code) {
    tabulate(reports[[name]][both & reports[[cluster]] == code], ncol(chances))
  }))
  # A report that no answer can cause has no likelihood.
  possible <- colSums(chances) > 0
  if (length(codes) < 2 || any(counts[, !possible] > 0)) {
    stop("the model needs two clusters or more, and only reports of the table")
  }
  list(
    K = nrow(chances), R = sum(possible), C = length(codes),
    chances = chances[, possible, drop = FALSE],
    counts = counts[, possible, drop = FALSE],
    clusters = labels[match(codes, reports[[cluster]])],
    answers = answer_names(question)
  )
}

# The posterior of multilevel.stan; ... are further arguments of rstan::sampling.
fit_multilevel <- function(data, ..., folder = ".", seed = 1) {
  find_boost()
  program <- rstan::stan_model(file.path(folder, "multilevel.stan"))
  known <- data[c("K", "R", "C", "chances", "counts")]
  rstan::sampling(program, data = known, seed = seed, ...)
}

# One row for each answer of all respondents, then of each cluster.
summarise_shares <- function(fit, data, level) {
  draws <- rstan::extract(fit, c("overall", "shares"))
  sizes <- rowSums(data$counts)
  rows <- lapply(0:data$C, function(cluster) {
    found <- if (cluster == 0) draws$overall else draws$shares[, cluster, ]
    ends <- apply(found, 2, quantile, probs = (1 + c(-level, level)) / 2)
    data.frame(
      cluster = c("", data$clusters)[cluster + 1], answer = data$answers,
      share = colMeans(found), low = ends[1, ], high = ends[2, ],
      n = c(sum(sizes), sizes)[cluster + 1]
    )
  })
  do.call(rbind, rows)
}

# What brms::brm needs for a question with two answers. The formula is of the share of
# the first one. Predictors must not be randomised:
#
#     codebook <- read_json("SURVEY-codebook.json")
#     reports <- read.csv("SURVEY-reports.csv")
#     model <- prepare_brms(codebook, "q1")
#     brm(q1 ~ q3 + (1 | q2), reports, family = model$family, stanvars = model$stanvars)
prepare_brms <- function(codebook, name) {
  chances <- read_chances(find_question(codebook, name))
  if (nrow(chances) != 2) stop(name, " must have two answers")
  find_boost()
  family <- brms::custom_family(
    "randomised",
    dpars = "mu", links = "logit", lb = 0, ub = 1, type = "int", vars = "chances",
    loop = TRUE
  )
  likelihood <- "real randomised_lpmf(int report, real mu, matrix chances) {
    return log(mu * chances[1, report] + (1 - mu) * chances[2, report]);
  }"
  table <- sprintf("matrix[2, %d] chances;", ncol(chances))
  stanvars <- brms::stanvar(scode = likelihood, block = "functions") +
    brms::stanvar(chances, "chances", scode = table)
  list(family = family, stanvars = stanvars)
}

# Debian's package BH has no headers: they are those of libboost-dev.
find_boost <- function() {
  headers <- system.file("include", package = "BH")
  if (!nzchar(headers)) rstan::rstan_options(boost_lib = "/usr/include")
}

find_question <- function(codebook, name) {
  names <- sapply(codebook$questions, function(each) each$code$variable)
  if (!name %in% names) stop("there is no question ", name)
  codebook$questions[[match(name, names)]]
}

# The table: a row for each answer, a column for each code.
read_chances <- function(question) {
  if (length(question$scores) == !is.null(question[["scale"]])) {
    stop(question$code$variable, " has no shares: its table identifies a mean only")
  }
  weights <- do.call(rbind, lapply(question$weights, unlist))
  weights / rowSums(weights)
}

# Whether a report leaves the answer open.
is_randomised <- function(question) any(colSums(read_chances(question) > 0) > 1)

answer_names <- function(question) {
  shares <- seq_along(question$weights)
  sapply(question$scores[shares], function(each) each$answer)
}

main <- function(codebook_path, reports_path, name, cluster, level = NULL) {
  file <- grep("^--file=", commandArgs(), value = TRUE)
  folder <- dirname(sub("^--file=", "", file))
  source(file.path(folder, "candor.R"), local = TRUE)
  codebook <- read_json(codebook_path)
  message(paste(c(codebook$design_digest, unlist(codebook$note)), collapse = "\n"))
  if (is.null(level)) level <- codebook$confidence_level
  reports <- read.csv(reports_path, encoding = "UTF-8")
  data <- prepare_data(codebook, reports, name, cluster)
  fit <- fit_multilevel(data, folder = folder, refresh = 0)
  found <- summarise_shares(fit, data, as.numeric(level))
  write.csv(found, row.names = FALSE)
}

if (sys.nframe() == 0) do.call(main, as.list(commandArgs(trailingOnly = TRUE)))
