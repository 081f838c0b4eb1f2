/* What the report says of communication between the workers of a PyTorch job. */
#ifndef TP_ANALYZE_TORCH_COMM_PRESENT_H
#define TP_ANALYZE_TORCH_COMM_PRESENT_H

#include "analyze/torch/comm/torch_comm.h"
#include "report/doc.h"

void tp_torch_comm_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_torch_comm_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

/* Figures (torch_comm_figures.c). */
struct tp_torch_comm_part_info {
	const char *key, *label; /* torch.comm.<key>_us; "Overlapping" */
	const char *how;
	enum tp_hue hue;
	int tint;
};
const struct tp_torch_comm_part_info *tp_torch_comm_part_info(enum tp_torch_comm_part part);

/* In the colours that the classes of a step have: where no device worked, computation is the host's, and what is neither was not recorded. */
struct tp_torch_comm_look {
	enum tp_hue hue;
	int tint;
};
struct tp_torch_comm_look tp_torch_comm_part_look(
	const struct tp_pass_ctx *ctx, enum tp_torch_comm_part part);

/* A part of a mean step, of trace number `trace`, or (TP_NONE) of all; missing with the reason. In microseconds. */
struct tp_value tp_torch_comm_part_value(const struct tp_pass_ctx *ctx,
	const struct tp_torch_comm *c, uint32_t trace, enum tp_torch_comm_part part);

/* The host that a trace names; may be empty. */
struct tp_slice tp_torch_comm_host(const struct tp_pass_ctx *ctx, uint32_t trace);

/* Workers of the job whose traces are not in the report; 0: none, or it is not known. */
int64_t tp_torch_comm_absent(const struct tp_torch_comm *c);

/* Whether the worker that comes last costs enough to be named. */
bool tp_torch_comm_has_straggler(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c);

/* Whether traces hold collectives and none of their kernels, so that nothing is known of their time. */
bool tp_torch_comm_unmeasured(const struct tp_torch_comm *c);

/* Exposed communication, of a mean step, and as a share of it; NaN: not known. c: NULL where it was skipped. */
double tp_torch_comm_exposed_ps(const struct tp_torch_comm *c);
double tp_torch_comm_exposed_share(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c);
/* What of it computation could hide: no more than the computation that hides none yet. */
double tp_torch_comm_hideable_ps(const struct tp_torch_comm *c);
/* Whether the class of collectives of a mean step is longer: without kernels it counts those that computation hides, too. */
bool tp_torch_comm_partly_hidden(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c);

/* What the worker that comes last costs, as a share of the mean step; NaN: not known. */
double tp_torch_comm_late_share(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c);

/* From these shares of the mean step on. */
#define TP_TORCH_LATE_HIGH_SHARE 0.10
#define TP_TORCH_LATE_MEDIUM_SHARE 0.03

/* What a mean step would save at most if that worker came with the last but one: what it costs, but no more than the class that
 * shrinks, the exposed communication of a mean step. NaN: not known. */
double tp_torch_comm_saving_ps(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c);

/* From the least to the most of the workers' clocks; infinite: none is known. */
double tp_torch_comm_clock_range_ps(const struct tp_torch_comm *c);

/* Workers and their GPUs; parts by worker, and by step; who comes last (torch_comm_tables.c). */
void tp_torch_comm_tables(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	struct tp_doc *doc, struct tp_block *section);

/* Operations by process group, and by worker; messages by sender and receiver (torch_comm_op_table.c). */
void tp_torch_comm_op_tables(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	struct tp_doc *doc, struct tp_block *section);

#endif
