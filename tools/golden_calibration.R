# Golden values of calibration from R: val.prob of rms, and lowess as it uses it.
#
# Called by make_golden_val_prob.py:  Rscript golden_calibration.R rows.tsv values.tsv
#
# rows.tsv has a header and the columns case, label, score; numbers are hexadecimal, which R reads
# exactly. values.tsv gets case, statistic, value, peer.

suppressPackageStartupMessages(library(rms))

paths <- commandArgs(trailingOnly = TRUE)
rows <- read.delim(paths[1], colClasses = "character")
rows$label <- as.integer(rows$label)
rows$score <- as.numeric(rows$score)

rms_name <- paste("rms", packageVersion("rms"))
lowess_name <- paste0("R ", R.version$major, ".", R.version$minor, " lowess")
KEPT <- c("R2", "Brier", "Intercept", "Slope", "Emax", "E90", "Eavg")

record <- function(case, statistic, value, peer) {
  data.frame(case = case, statistic = statistic, value = sprintf("%.17g", value), peer = peer)
}

one_case <- function(data) {
  case <- data$case[1]
  found <- suppressWarnings(val.prob(data$score, data$label, pl = FALSE))
  curve <- lowess(data$score, data$label, iter = 0, delta = 0)
  errors <- abs(curve$x - curve$y)
  rbind(
    do.call(rbind, lapply(KEPT, function(name) record(case, name, found[[name]], rms_name))),
    record(case, "lowess_mean", mean(errors), lowess_name),
    record(case, "lowess_max", max(errors), lowess_name)
  )
}

values <- do.call(rbind, lapply(split(rows, rows$case), one_case))
write.table(values, paths[2], sep = "\t", quote = FALSE, row.names = FALSE)
