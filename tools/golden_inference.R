# Golden values from R of the uncertainty of a value: DeLong by pROC, tests and intervals by stats.
#
# Called by make_golden_inference.py:  Rscript golden_inference.R rows.tsv questions.tsv values.tsv
#
# rows.tsv has the columns case, label, a, b. questions.tsv has case, what, model and parameters,
# which are copied to the answer, and given, the numbers asked about. Numbers are hexadecimal, which
# R reads exactly. values.tsv gets case, what, model, parameters, value and peer; a value of several
# numbers is written with blanks between them.

suppressPackageStartupMessages(library(pROC))

paths <- commandArgs(trailingOnly = TRUE)
rows <- read.delim(paths[1], colClasses = "character")
rows$label <- as.integer(rows$label)
rows$a <- as.numeric(rows$a)
rows$b <- as.numeric(rows$b)
questions <- read.delim(paths[2], colClasses = "character", quote = "")

proc_name <- paste("pROC", packageVersion("pROC"))
r_name <- paste0("R ", R.version$major, ".", R.version$minor)
stats_name <- function(call) paste(r_name, call)

record <- function(case, what, model, parameters, value, peer) {
  data.frame(
    case = case, what = what, model = model, parameters = parameters,
    value = paste(sprintf("%.17g", value), collapse = " "), peer = peer
  )
}

curve <- function(label, score) {
  roc(label, score, levels = c(0, 1), direction = "<", quiet = TRUE)
}

# The auc of scores of which positives lose tau is the margin auc, if no pair comes near a tie.
shifted <- function(data, score, tau) {
  gaps <- outer(score[data$label == 1], score[data$label == 0], "-")
  if (any(abs(gaps - tau) < 1e-9)) return(NULL)
  curve(data$label, score - tau * data$label)
}

areas <- function(case, data) {
  tau <- 0.1
  measure <- function(text) sprintf('{"measure": "%s"}', text)
  margin <- measure(sprintf("margin_auc(tau=%s)", tau))
  level <- function(x) sprintf('{"measure": "auc", "method": "delong", "confidence": %s}', x)
  curves <- lapply(data[c("a", "b")], function(score) curve(data$label, score))
  moved <- lapply(data[c("a", "b")], function(score) shifted(data, score, tau))
  positive <- data[data$label == 1, ]
  negative <- data[data$label == 0, ]
  out <- NULL
  add <- function(what, model, parameters, value, peer) {
    out <<- rbind(out, record(case, what, model, parameters, as.numeric(value), peer))
  }
  for (model in c("a", "b")) {
    add("value", model, measure("auc"), auc(curves[[model]]), proc_name)
    own <- var(curves[[model]], method = "delong")
    add("delong_variance", model, measure("auc"), own, proc_name)
    for (confidence in c(0.9, 0.95)) {
      limits <- ci.auc(curves[[model]], conf.level = confidence, method = "delong")
      add("delong_interval", model, level(confidence), limits[c(1, 3)], proc_name)
    }
    welch <- t.test(positive[[model]], negative[[model]])
    add("delong_variance", model, measure("mean_gap"), welch$stderr^2, stats_name("t.test"))
    if (!is.null(moved[[model]])) {
      add("value", model, margin, auc(moved[[model]]), proc_name)
      add("delong_variance", model, margin, var(moved[[model]], method = "delong"), proc_name)
    }
  }
  pair <- "a b"
  shared <- cov(curves$a, curves$b, method = "delong")
  add("delong_covariance", pair, measure("auc"), shared, proc_name)
  if (!is.null(moved$a) && !is.null(moved$b)) {
    add("delong_covariance", pair, margin, cov(moved$a, moved$b, method = "delong"), proc_name)
  }
  gap <- cov(positive$a, positive$b) / nrow(positive) + cov(negative$a, negative$b) / nrow(negative)
  add("delong_covariance", pair, measure("mean_gap"), gap, stats_name("cov"))
  for (confidence in c(0.9, 0.95)) {
    test <- roc.test(
      curves$a, curves$b,
      method = "delong", paired = TRUE, conf.level = confidence
    )
    add("delong_difference_interval", pair, level(confidence), test$conf.int, proc_name)
  }
  add("delong_z", pair, measure("auc"), test$statistic, proc_name)
  add("delong_p", pair, measure("auc"), test$p.value, proc_name)
  out
}

mcnemar <- function(x) mcnemar.test(matrix(x[1:4], 2, byrow = TRUE), correct = x[5] == 1)
friedman <- function(x) friedman.test(matrix(x[-1], ncol = x[1], byrow = TRUE))

# Each takes the numbers given and returns the value and the name of the R function asked.
answers <- list(
  wilson = function(x) {
    test <- suppressWarnings(prop.test(x[1], x[2], conf.level = x[3], correct = FALSE))
    list(test$conf.int, "prop.test")
  },
  holm = function(x) list(p.adjust(x, method = "holm"), "p.adjust"),
  mcnemar_chi2 = function(x) list(mcnemar(x)$statistic, "mcnemar.test"),
  mcnemar_chi2_p = function(x) list(mcnemar(x)$p.value, "mcnemar.test"),
  mcnemar_exact = function(x) list(binom.test(x[2], x[2] + x[3])$p.value, "binom.test"),
  wilcoxon = function(x) {
    half <- (length(x) - 2) / 2
    test <- wilcox.test(
      x[3:(half + 2)], x[(half + 3):length(x)],
      paired = TRUE, exact = x[1] == 1, correct = x[2] == 1
    )
    list(test$p.value, "wilcox.test")
  },
  sign_test = function(x) {
    half <- length(x) / 2
    differences <- x[seq_len(half)] - x[half + seq_len(half)]
    wins <- sum(differences > 0)
    list(binom.test(wins, sum(differences != 0))$p.value, "binom.test")
  },
  friedman = function(x) list(friedman(x)$statistic, "friedman.test"),
  friedman_p = function(x) list(friedman(x)$p.value, "friedman.test")
)

answer <- function(question) {
  given <- as.numeric(strsplit(question$given, " ")[[1]])
  found <- answers[[question$what]](given)
  record(
    question$case, question$what, question$model, question$parameters,
    as.numeric(found[[1]]), stats_name(found[[2]])
  )
}

by_case <- split(rows, rows$case)
values <- rbind(
  do.call(rbind, Map(areas, names(by_case), by_case)),
  do.call(rbind, lapply(split(questions, seq_len(nrow(questions))), answer))
)
write.table(values, paths[3], sep = "\t", quote = FALSE, row.names = FALSE)
