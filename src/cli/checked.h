/* A checked budget, and what it is written as: one file an output. */
#ifndef TP_CLI_CHECKED_H
#define TP_CLI_CHECKED_H

#include "compare/budget.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_sink;

struct tp_checked {
	struct tp_slice name;              /* of the budget: its own, or its file's */
	struct tp_slice path, budget_path; /* as they were given */
	struct tp_slice base_path;         /* of the newest baseline; empty: there is none */
	size_t baseline_count;
	const struct tp_doc *doc;
	const struct tp_budget_result *result;
	struct tp_slice
		slower; /* outside and slower than the baseline: by how much, and where; else empty */
	struct tp_arena *arena; /* for the time of the writing */
};

/* The exit status that it comes to. */
int tp_checked_status(const struct tp_checked *check);

/* "outside the budget: 3 of 8", and how that is marked. */
struct tp_slice tp_checked_headline(const struct tp_checked *check);
enum tp_judge tp_checked_judge(const struct tp_checked *check);
enum tp_judge tp_checked_item_judge(const struct tp_budget_item *item);

/* "against main.html, newest of 4 baselines"; empty without. */
struct tp_slice tp_checked_against(const struct tp_checked *check);

/* A command that helps next. */
struct tp_slice tp_checked_next(const struct tp_checked *check);

/* The block of text for a terminal or a log. */
void tp_checked_text(
	const struct tp_checked *check, unsigned columns, bool colour, struct tp_sink *out);

/* A test suite with one case for each limit, as CI servers read it: only what Jenkins, GitLab and GitHub's actions all know. */
void tp_checked_junit(const struct tp_checked *check, struct tp_sink *out);

/* A summary for a pull request, of at most 64 KiB. */
void tp_checked_markdown(const struct tp_checked *check, struct tp_sink *out);

/* Its figures for services that keep them over time: Bencher's metrics; github-action-benchmark, which wants a file for those of which smaller is
 * better and one for those of which bigger is; OpenMetrics. */
void tp_checked_bencher(const struct tp_checked *check, struct tp_sink *out);
void tp_checked_smaller(const struct tp_checked *check, struct tp_sink *out);
void tp_checked_bigger(const struct tp_checked *check, struct tp_sink *out);
void tp_checked_openmetrics(const struct tp_checked *check, struct tp_sink *out);

/* Findings of the run that have a line of source. */
void tp_checked_sarif(const struct tp_checked *check, struct tp_sink *out);

#endif
