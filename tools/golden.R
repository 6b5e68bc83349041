# Golden values from R: areas under the ROC curve by pROC, calibration by glm.
#
# Called by make_golden.py:  Rscript golden.R rows.tsv values.tsv
#
# rows.tsv has a header and the columns case, label, score, weight; numbers are hexadecimal, which R
# reads exactly (decimal text can be one rounding off). values.tsv gets case, measure, value, peer.

suppressPackageStartupMessages(library(pROC))

paths <- commandArgs(trailingOnly = TRUE)
rows <- read.delim(paths[1], colClasses = "character")
rows$label <- as.integer(rows$label)
rows$score <- as.numeric(rows$score)
rows$weight <- as.numeric(rows$weight)

proc_name <- paste("pROC", packageVersion("pROC"))
glm_name <- paste0("R ", R.version$major, ".", R.version$minor, " glm")

record <- function(case, measure, value, peer) {
  if (is.na(value)) return(NULL)
  data.frame(case = case, measure = measure, value = sprintf("%.17g", value), peer = peer)
}

# The area over a part of one axis; NA where pROC refuses to standardise (area below the diagonal's).
partial <- function(curve, focus, limits, standardized) {
  suppressWarnings(as.numeric(auc(
    curve,
    partial.auc = limits, partial.auc.focus = focus, partial.auc.correct = standardized
  )))
}

# pROC knows no weights: whole numbers become repeated rows, other weights are left out.
areas <- function(case, data) {
  if (any(data$weight != round(data$weight))) return(NULL)
  data <- data[rep(seq_len(nrow(data)), data$weight), ]
  if (length(unique(data$label)) < 2) return(NULL)
  curve <- roc(data$label, data$score, levels = c(0, 1), direction = "<", quiet = TRUE)
  parts <- list(
    list("fpr=(0, 0.1)", "specificity", c(1, 0.9)),
    list("fpr=(0.2, 0.4)", "specificity", c(0.8, 0.6)),
    list("tpr=(0.9, 1)", "sensitivity", c(1, 0.9)),
    list("tpr=(0.7, 0.9)", "sensitivity", c(0.9, 0.7))
  )
  out <- record(case, "auc", as.numeric(auc(curve)), proc_name)
  for (part in parts) {
    raw <- partial(curve, part[[2]], part[[3]], FALSE)
    corrected <- partial(curve, part[[2]], part[[3]], TRUE)
    out <- rbind(
      out,
      record(case, sprintf("partial_auc(%s)", part[[1]]), raw, proc_name),
      record(case, sprintf("partial_auc(%s, standardized=True)", part[[1]]), corrected, proc_name)
    )
  }
  out
}

# Logistic regression of the label on the logit of the score. The slope needs classes that overlap,
# and scores that differ by more than rounding.
calibration <- function(case, data) {
  data <- data[data$weight > 0, ]
  positive <- data$score[data$label == 1]
  negative <- data$score[data$label == 0]
  if (any(data$score <= 0 | data$score >= 1)) return(NULL)
  if (length(positive) == 0 || length(negative) == 0) return(NULL)
  data$logit <- qlogis(data$score)
  fit <- function(formula) {
    # Weights that are no whole numbers make glm warn about the likelihood, not about the fit.
    suppressWarnings(unname(coef(glm(
      formula,
      family = binomial, data = data, weights = weight,
      control = glm.control(epsilon = 1e-14, maxit = 100)
    ))))
  }
  overlap <- min(positive) < max(negative) && min(negative) < max(positive)
  spread <- diff(range(data$logit)) > 1e-6
  rbind(
    record(case, "calibration_in_the_large", fit(label ~ 1 + offset(logit))[1], glm_name),
    if (overlap && spread) record(case, "calibration_slope", fit(label ~ logit)[2], glm_name)
  )
}

one_case <- function(data) {
  case <- data$case[1]
  rbind(areas(case, data), calibration(case, data))
}

values <- do.call(rbind, lapply(split(rows, rows$case), one_case))
write.table(values, paths[2], sep = "\t", quote = FALSE, row.names = FALSE)
