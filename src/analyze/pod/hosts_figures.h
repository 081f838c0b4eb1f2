/* The figures of each host: metrics with the host as scope, and columns of the table of hosts. */
#ifndef TP_ANALYZE_HOSTS_FIGURES_H
#define TP_ANALYZE_HOSTS_FIGURES_H

#include "model/precomputed.h"
#include "report/doc.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_host_figures;
struct tp_pass_ctx;

struct tp_host_figure {
	const char *id; /* of the metric; empty: it is none */
	/* Missing with the reason where the host does not tell. */
	struct tp_value (*of)(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h);
	bool has_tool; /* instead, of a host with tool files: this figure of theirs */
	enum tp_precomputed_figure tool;
	struct tp_column column; /* its key is empty: no column of the table */
};

/* In the order of the table's columns; NULL after the last. */
const struct tp_host_figure *tp_host_figure_at(size_t i);

struct tp_value tp_host_figure_value(
	const struct tp_pass_ctx *ctx, const struct tp_host_figure *f, const struct tp_host_figures *h);

/* Some only tool files tell of each host. */
bool tp_host_figure_has_source(const struct tp_pass_ctx *ctx, const struct tp_host_figure *f);

/* Whether the metric is told of each host: only what is known of all together is, else it is missing for one reason, which
 * is told once. */
bool tp_host_figure_is_told(const struct tp_doc *doc, const char *id);

#endif
