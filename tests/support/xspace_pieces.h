/* An XSpace whose lines are read from one end to the other and in pieces of some length: the profile must be the same. */
#ifndef TP_TESTS_XSPACE_PIECES_H
#define TP_TESTS_XSPACE_PIECES_H

#include "base/arena.h"
#include "base/pool.h"
#include "ingest/reader.h"
#include "model/allocator.h"
#include "model/build.h"

#include <string.h>

struct xspace_read {
	struct tp_arena *arena;
	struct tp_profile *p;
	enum tp_status status;
	struct tp_err err;
};

/* piece_bytes: 0: not in pieces. */
static inline struct xspace_read
xspace_read_in(struct tp_slice bytes, uint64_t piece_bytes, struct tp_pool *pool)
{
	struct xspace_read r = {.arena = tp_arena_new()};
	struct tp_builder *b = tp_builder_new(r.arena);
	struct tp_input *input;
	struct tp_source source = {
		.path = "run/vm.xplane.pb",
		.bytes = bytes,
		.input = tp_build_input(b, &input),
		.pool = pool,
		.slice_bytes = piece_bytes,
	};

	input->path = tp_slice_of(source.path);
	r.status = tp_reader_xspace.read(&source, b, &r.err);
	r.p = tp_builder_finish(b);
	return r;
}

static inline bool
xspace_same_diags(const struct tp_diags *a, const struct tp_diags *b)
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
xspace_same_names(const struct tp_profile *a, const struct tp_profile *b)
{
	if (a->strings.count != b->strings.count || a->op_count != b->op_count)
		return false;
	for (uint32_t i = 0; i < a->strings.count; i++) {
		if (!tp_slice_eq(a->strings.text[i], b->strings.text[i]))
			return false;
	}
	for (uint32_t i = 0; i < a->op_count; i++) {
		const struct tp_op *x = &a->ops[i], *y = &b->ops[i];

		if (!tp_slice_eq(x->name, y->name) || !tp_slice_eq(x->label, y->label) ||
			x->program_id != y->program_id || x->has_program != y->has_program ||
			x->xla != y->xla || x->kernel != y->kernel)
			return false;
	}
	return true;
}

static inline bool
xspace_same_events(const struct tp_line *x, const struct tp_line *y)
{
	for (uint32_t e = 0; e < x->count; e++) {
		if (tp_line_start_ps(x, e) != tp_line_start_ps(y, e) ||
			tp_line_duration_ps(x, e) != tp_line_duration_ps(y, e) ||
			tp_line_chip_start_ps(x, e) != tp_line_chip_start_ps(y, e) ||
			tp_line_chip_duration_ps(x, e) != tp_line_chip_duration_ps(y, e) ||
			tp_line_op(x, e) != tp_line_op(y, e))
			return false;
	}
	for (size_t i = 0; i < x->tag_count; i++) {
		if (x->tags[i].event != y->tags[i].event || x->tags[i].key != y->tags[i].key ||
			x->tags[i].value != y->tags[i].value)
			return false;
	}
	return true;
}

static inline bool
xspace_same_lines(const struct tp_profile *a, const struct tp_profile *b)
{
	if (a->line_count != b->line_count)
		return false;
	for (uint32_t i = 0; i < a->line_count; i++) {
		const struct tp_line *x = &a->lines[i], *y = &b->lines[i];

		if (x->kind != y->kind || x->device != y->device || !tp_slice_eq(x->name, y->name) ||
			x->count != y->count || x->tag_count != y->tag_count || x->tag_keys != y->tag_keys ||
			!xspace_same_events(x, y))
			return false;
	}
	return true;
}

static inline bool
xspace_same_allocators(const struct tp_profile *a, const struct tp_profile *b)
{
	if (a->allocator_event_count != b->allocator_event_count)
		return false;
	for (uint32_t i = 0; i < a->allocator_event_count; i++) {
		const struct tp_allocator_event *x = &a->allocator_events[i], *y = &b->allocator_events[i];

		if (x->time_ps != y->time_ps || x->allocator != y->allocator || x->region != y->region ||
			x->shape != y->shape || x->framework != y->framework || x->address != y->address ||
			x->heap_bytes != y->heap_bytes || x->allocation != y->allocation)
			return false;
	}
	return true;
}

static inline bool
xspace_same_read(const struct xspace_read *a, const struct xspace_read *b)
{
	if (a->status != b->status || a->p->dropped_events != b->p->dropped_events ||
		a->p->event_count != b->p->event_count)
		return false;
	if (a->status != TP_OK && strcmp(a->err.text, b->err.text) != 0)
		return false;
	return xspace_same_diags(&a->p->diags, &b->p->diags) && xspace_same_names(a->p, b->p) &&
		xspace_same_lines(a->p, b->p) && xspace_same_allocators(a->p, b->p);
}

/* Whether pieces of so many bytes make no difference. */
static inline bool
xspace_pieces_agree(struct tp_slice bytes, uint64_t piece_bytes, struct tp_pool *pool)
{
	struct xspace_read whole = xspace_read_in(bytes, 0, NULL);
	struct xspace_read pieces = xspace_read_in(bytes, piece_bytes, pool);
	bool same = xspace_same_read(&whole, &pieces);

	tp_arena_free(whole.arena);
	tp_arena_free(pieces.arena);
	return same;
}

#endif
