/* One walk over the text, but for the array of events: where that is long, it is cut into slices that are read side by side. A slice
 * counts if the one before ends exactly where it begins; else that one reads on, as it would have if nothing had been cut. So what is
 * read does not depend on where the cuts are. */
#include "ingest/torch_text.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/pool.h"
#include "ingest/reader.h"
#include "ingest/torch_slice.h"
#include "io/unpack.h"
#include "model/profile.h"

#include <stdlib.h>

/* Of a slice: enough that what it learns again costs little. Each is a share of what is left, so that the last are short and threads
 * end at about the same time, though one may be slower. */
enum { LEAST_BYTES = 4 << 20, MOST_BYTES = 64 << 20, SLICES_A_THREAD = 2 };

/* What is smaller is unpacked as it is read: a thread for it would cost more. */
enum { LEAST_PACKED_BYTES = 64 << 10 };

struct walk {
	const struct tp_source *in;
	struct tp_torch_text *text;
	struct tp_torch_slice *now; /* that the walk is in */
	struct tp_buf slices;       /* struct tp_torch_slice *: that count so far */
	struct tp_buf cut;          /* the same: that are read at the same time */
};

static uint64_t
text_size(const struct tp_source *in)
{
	return in->blob != NULL ? tp_blob_size(in->blob) : in->bytes.len;
}

static bool
stays_whole(const struct tp_source *in)
{
	if (tp_packing_of(in->bytes) != TP_PACKING_NONE)
		return true;
	return in->slice_bytes == 0 &&
		(tp_pool_threads(in->pool) == 1 || text_size(in) < 2 * LEAST_BYTES);
}

/* left: bytes behind the slices so far. */
static uint64_t
slice_bytes(const struct tp_source *in, uint64_t left)
{
	uint64_t bytes = left / (tp_pool_threads(in->pool) * SLICES_A_THREAD);

	if (in->slice_bytes != 0)
		return in->slice_bytes;
	return bytes < LEAST_BYTES ? LEAST_BYTES : bytes > MOST_BYTES ? MOST_BYTES : bytes;
}

/* At the array's begin. */
static void
cut(struct walk *w)
{
	uint64_t size = text_size(w->in), at = tp_pull_at(&w->now->json);
	struct tp_torch_slice *before = w->now;

	*tp_buf_new(&w->cut, struct tp_torch_slice *) = before;
	if (stays_whole(w->in))
		return;
	for (uint64_t from = at, bytes; size - from > (bytes = slice_bytes(w->in, size - from));) {
		uint64_t found;
		struct tp_torch_slice *next = NULL;

		from += bytes;
		if (tp_torch_slice_find(w->in, from, from + bytes, &found) && found > before->from)
			next = tp_torch_slice_at(w->in, w->now, found);
		if (next == NULL)
			continue;
		before->stop = found;
		before = next;
		*tp_buf_new(&w->cut, struct tp_torch_slice *) = next;
	}
}

static void
read_slice(void *with, size_t index)
{
	struct walk *w = with;

	tp_torch_slice_read(((struct tp_torch_slice **)w->cut.data)[index]);
}

/* At the array's begin, to its end. False when the text ends or breaks inside. */
static bool
read_events(struct walk *w)
{
	unsigned depth = w->now->json.depth;

	w->text->found = true;
	cut(w);
	tp_pool_each(w->in->pool, w->cut.count, read_slice, w);
	struct tp_torch_slice **cuts = w->cut.data;

	for (size_t i = 1; i < w->cut.count; i++) {
		struct tp_torch_slice *next = cuts[i];
		const struct tp_pull *j = &w->now->json;

		if (j->state == TP_PULL_MORE && j->depth == depth && tp_pull_at(j) == next->from) {
			*tp_buf_new(&w->slices, struct tp_torch_slice *) = w->now;
			w->now = next;
			continue;
		}
		/* No event ended there. */
		w->now->stop = next->stop;
		tp_torch_slice_close(next);
		if (j->state == TP_PULL_MORE && j->depth == depth)
			tp_torch_slice_read(w->now);
	}
	w->cut.count = 0;
	return w->now->json.state == TP_PULL_MORE;
}

static void
read_object(struct walk *w)
{
	bool goes_on = true;

	while (goes_on && tp_pull_item(&w->now->json)) {
		struct tp_pull *j = &w->now->json;

		if (j->type == TP_PULL_ARRAY && tp_slice_eq(j->key, TP_S("traceEvents")))
			goes_on = read_events(w);
		else
			goes_on = tp_torch_meta_take(
				&w->text->meta, &w->now->events, j, &w->text->diags, w->in->path);
	}
}

static void
walk(struct walk *w)
{
	if (!tp_pull_next(&w->now->json))
		return;
	if (w->now->json.type == TP_PULL_OBJECT)
		read_object(w);
	else if (w->now->json.type == TP_PULL_ARRAY)
		read_events(w);
	/* To the end of the text, or to what is wrong behind the value. */
	while (tp_pull_next(&w->now->json))
		;
}

struct tp_torch_text *
tp_torch_text_read(const struct tp_source *in, struct tp_err *err)
{
	bool ahead = tp_pool_threads(in->pool) > 1 && in->bytes.len > LEAST_PACKED_BYTES &&
		tp_packing_of(in->bytes) != TP_PACKING_NONE;
	struct walk w = {.in = in, .now = tp_torch_slice_first(in, ahead, err)};

	if (w.now == NULL)
		return NULL;
	struct tp_torch_text *t = tp_memory_take(sizeof *t);

	*t = (struct tp_torch_text){.arena = tp_arena_new()};
	tp_diags_init(&t->diags, t->arena);
	t->meta.distributed.rank = t->meta.distributed.world_size = -1;
	w.text = t;
	walk(&w);
	tp_buf_free(&w.cut);
	*tp_buf_new(&w.slices, struct tp_torch_slice *) = w.now;
	t->last = w.now;
	t->slices = w.slices.data;
	t->slice_count = w.slices.count;
	for (size_t i = 0; i < t->slice_count; i++) {
		t->other += t->slices[i]->other;
		t->repairs += t->slices[i]->json.repairs;
		t->non_finite_values += t->slices[i]->json.non_finite_values;
	}
	return t;
}

void
tp_torch_text_close(struct tp_torch_text *t)
{
	for (size_t i = 0; i < t->slice_count; i++)
		tp_torch_slice_close(t->slices[i]);
	free(t->slices);
	tp_torch_meta_close(&t->meta);
	tp_arena_free(t->arena);
	free(t);
}
