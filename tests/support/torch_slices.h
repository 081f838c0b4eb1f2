/* A trace read as a whole and cut into slices of some length: the profile must be the same. */
#ifndef TP_TESTS_TORCH_SLICES_H
#define TP_TESTS_TORCH_SLICES_H

#include "base/arena.h"
#include "base/pool.h"
#include "ingest/reader.h"
#include "model/build.h"
#include "model/torch.h"

#include <stdlib.h>

struct torch_read {
	struct tp_arena *arena;
	struct tp_profile *p;
	enum tp_status status;
	struct tp_err err;
};

/* slice_bytes: 0: not cut. */
static inline struct torch_read
torch_read_cut(struct tp_slice text, uint64_t slice_bytes, struct tp_pool *pool)
{
	struct torch_read r = {.arena = tp_arena_new()};
	struct tp_builder *b = tp_builder_new(r.arena);
	struct tp_input *input;
	struct tp_source source = {
		.path = "run/w.1.pt.trace.json",
		.bytes = text,
		.input = tp_build_input(b, &input),
		.pool = pool,
		.slice_bytes = slice_bytes,
	};

	input->path = tp_slice_of(source.path);
	r.status = tp_reader_torch.read(&source, b, &r.err);
	r.p = tp_builder_finish(b);
	return r;
}

static inline bool
torch_same_diags(const struct tp_diags *a, const struct tp_diags *b)
{
	const struct tp_diag *x = a->first, *y = b->first;

	for (; x != NULL && y != NULL; x = x->next, y = y->next) {
		if (x->level != y->level || x->offset != y->offset || x->count != y->count ||
			!tp_slice_eq(x->text, y->text))
			return false;
	}
	return x == y;
}

static inline bool
torch_same_names(const struct tp_profile *a, const struct tp_profile *b)
{
	if (a->strings.count != b->strings.count || a->op_count != b->op_count)
		return false;
	for (uint32_t i = 0; i < a->strings.count; i++) {
		if (!tp_slice_eq(a->strings.text[i], b->strings.text[i]))
			return false;
	}
	for (uint32_t i = 0; i < a->op_count; i++) {
		if (!tp_slice_eq(a->ops[i].name, b->ops[i].name))
			return false;
	}
	return true;
}

static inline bool
torch_same_bytes(const void *a, const void *b, size_t size)
{
	return size == 0 || memcmp(a, b, size) == 0;
}

static inline bool
torch_same_collectives(const struct tp_torch_trace *a, const struct tp_torch_trace *b)
{
	for (uint32_t i = 0; i < a->collective_count; i++) {
		const struct tp_torch_collective *x = &a->collectives[i], *y = &b->collectives[i];

		if (!tp_slice_eq(x->name, y->name) || !tp_slice_eq(x->group_ranks, y->group_ranks) ||
			!tp_slice_eq(x->in_split, y->in_split) || x->in_elements != y->in_elements ||
			x->rank != y->rank || x->to_rank != y->to_rank)
			return false;
	}
	return true;
}

static inline bool
torch_same_work(const struct tp_torch_trace *a, const struct tp_torch_trace *b)
{
	for (uint32_t i = 0; i < a->call_count; i++) {
		const struct tp_torch_call *x = &a->calls[i], *y = &b->calls[i];

		if (x->correlation != y->correlation || x->external_id != y->external_id ||
			x->launch != y->launch)
			return false;
	}
	for (uint32_t i = 0; i < a->work_count; i++) {
		const struct tp_torch_work *x = &a->works[i], *y = &b->works[i];

		if (x->correlation != y->correlation || x->external_id != y->external_id ||
			x->bytes != y->bytes || x->launch != y->launch || x->collective != y->collective ||
			x->graph != y->graph)
			return false;
	}
	return true;
}

static inline bool
torch_same_tables(const struct tp_torch_trace *a, const struct tp_torch_trace *b)
{
	return a->operator_count == b->operator_count && a->attribute_count == b->attribute_count &&
		a->python_count == b->python_count && a->call_count == b->call_count &&
		a->work_count == b->work_count && a->launch_count == b->launch_count &&
		a->collective_count == b->collective_count && a->memory_count == b->memory_count &&
		torch_same_bytes(a->operators, b->operators, a->operator_count * sizeof *a->operators) &&
		torch_same_bytes(
			a->attributes, b->attributes, a->attribute_count * sizeof *a->attributes) &&
		torch_same_bytes(a->pythons, b->pythons, a->python_count * sizeof *a->pythons) &&
		torch_same_bytes(a->launches, b->launches, a->launch_count * sizeof *a->launches) &&
		torch_same_bytes(a->memory, b->memory, a->memory_count * sizeof *a->memory) &&
		torch_same_collectives(a, b) && torch_same_work(a, b);
}

static inline bool
torch_same_lanes(const struct tp_torch_trace *a, const struct tp_torch_trace *b)
{
	if (a->lane_count != b->lane_count)
		return false;
	for (uint32_t i = 0; i < a->lane_count; i++) {
		const struct tp_torch_lane *x = &a->lanes[i], *y = &b->lanes[i];

		if (x->kind != y->kind || x->pid != y->pid || x->tid != y->tid || x->gpu != y->gpu ||
			!tp_slice_eq(x->name, y->name) || x->first != y->first || x->count != y->count)
			return false;
	}
	return true;
}

static inline bool
torch_same_times(const struct tp_torch_trace *a, const struct tp_torch_trace *b)
{
	for (uint32_t e = 0; e < a->count; e++) {
		if (tp_torch_start_ps(a, e) != tp_torch_start_ps(b, e) ||
			tp_torch_duration_ps(a, e) != tp_torch_duration_ps(b, e) ||
			tp_torch_op(a, e) != tp_torch_op(b, e))
			return false;
	}
	return true;
}

static inline bool
torch_same_events(const struct tp_torch_trace *a, const struct tp_torch_trace *b)
{
	size_t n = a->count;

	return n == b->count && torch_same_times(a, b) &&
		torch_same_bytes(a->detail, b->detail, n * sizeof *a->detail) &&
		torch_same_bytes(a->kind, b->kind, n) && torch_same_lanes(a, b) &&
		torch_same_bytes(a->kind_count, b->kind_count, sizeof a->kind_count) && a->era == b->era &&
		a->has_window == b->has_window && a->window_start_ps == b->window_start_ps &&
		a->window_end_ps == b->window_end_ps && a->non_finite_numbers == b->non_finite_numbers &&
		a->asked == b->asked;
}

static inline bool
torch_same_read(const struct torch_read *a, const struct torch_read *b)
{
	if (a->status != b->status || !torch_same_diags(&a->p->diags, &b->p->diags) ||
		a->p->dropped_events != b->p->dropped_events ||
		a->p->inputs[0].partial != b->p->inputs[0].partial ||
		(a->p->torch == NULL) != (b->p->torch == NULL))
		return false;
	if (a->status != TP_OK &&
		(a->err.offset != b->err.offset || strcmp(a->err.text, b->err.text) != 0))
		return false;
	if (a->p->torch == NULL)
		return true;
	return torch_same_names(a->p, b->p) &&
		torch_same_events(a->p->torch->traces[0], b->p->torch->traces[0]) &&
		torch_same_tables(a->p->torch->traces[0], b->p->torch->traces[0]);
}

/* Whether a cut every so many bytes makes no difference. */
static inline bool
torch_slices_agree(struct tp_slice text, uint64_t slice_bytes, struct tp_pool *pool)
{
	struct torch_read whole = torch_read_cut(text, 0, NULL);
	struct torch_read cut = torch_read_cut(text, slice_bytes, pool);
	bool same = torch_same_read(&whole, &cut);

	tp_arena_free(whole.arena);
	tp_arena_free(cut.arena);
	return same;
}

#endif
