# Golden values from R of numbers of cases and of powers: power.roc.test of pROC.
#
# Called by make_golden_sample_size.py:  Rscript golden_sample_size.R rows.tsv questions.tsv values.tsv
#
# rows.tsv has the columns case, label, a, b. questions.tsv has case ("-" for one curve that is known
# by its auc), auc, kappa, alpha and power; numbers are hexadecimal, which R reads exactly.
# values.tsv gets the number of each question, ncases, ncontrols, the power with these numbers
# rounded up, and peer.

suppressPackageStartupMessages(library(pROC))

paths <- commandArgs(trailingOnly = TRUE)
rows <- read.delim(paths[1], colClasses = "character")
questions <- read.delim(paths[2], colClasses = "character")

curve <- function(data, model) {
  roc(
    as.integer(data$label), as.numeric(data[[model]]),
    levels = c(0, 1), direction = "<", quiet = TRUE
  )
}

one_curve <- function(auc, kappa, alpha, power) {
  found <- power.roc.test(auc = auc, kappa = kappa, sig.level = alpha, power = power)
  again <- power.roc.test(
    auc = auc, ncases = ceiling(found$ncases), ncontrols = ceiling(found$ncontrols),
    sig.level = alpha
  )
  c(found$ncases, found$ncontrols, again$power)
}

# The power with other numbers of cases than those of the curves is not asked for: pROC has none.
two_curves <- function(data, alpha, power) {
  found <- suppressWarnings(power.roc.test(
    curve(data, "a"), curve(data, "b"),
    method = "delong", sig.level = alpha, power = power
  ))
  c(found$ncases, found$ncontrols, NA)
}

answer <- function(question) {
  given <- lapply(question[c("auc", "kappa", "alpha", "power")], as.numeric)
  if (question$case == "-") {
    return(one_curve(given$auc, given$kappa, given$alpha, given$power))
  }
  two_curves(rows[rows$case == question$case, ], given$alpha, given$power)
}

values <- t(sapply(split(questions, seq_len(nrow(questions))), answer))
values <- data.frame(
  number = seq_len(nrow(questions)) - 1,
  apply(values, 2, function(column) sprintf("%.17g", column)),
  peer = paste("pROC", packageVersion("pROC"))
)
names(values)[2:4] <- c("ncases", "ncontrols", "power")
write.table(values, paths[3], sep = "\t", quote = FALSE, row.names = FALSE)
