/* Any bytes as a file of ranks, and as the message of a rank that stands deflated in one: of what is sound a report is made, beside another rank
 * with the same calls, so that they are matched. */
#include "analyze/core/ctx.h"
#include "analyze/ranks/ranks.h"
#include "base/arena.h"
#include "cli/merged.h"
#include "io/sink.h"
#include "model/rank.h"
#include "rank.pb-c.h"
#include "render/renderer.h"
#include "report/doc.h"
#include "stored/rank_set.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tp_slice
deflated(struct tp_slice bytes, struct tp_arena *arena)
{
	z_stream z = {.next_in = (z_const Bytef *)bytes.ptr, .avail_in = (uInt)bytes.len};
	enum { RAW = -15, FASTEST = 1, USUAL_MEMORY = 8 };

	if (deflateInit2(&z, FASTEST, Z_DEFLATED, RAW, USUAL_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	size_t room = deflateBound(&z, (uLong)bytes.len);
	char *out = tp_arena_alloc(arena, room);

	z.next_out = (Bytef *)out;
	z.avail_out = (uInt)room;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	struct tp_slice packed = {out, z.total_out};

	deflateEnd(&z);
	return packed;
}

/* The rank, and once more with a worker's name put behind, which then counts. */
static void
add_twice(struct tp_rank_set *set, struct tp_slice rank, struct tp_arena *arena)
{
	static const char name[] = "\x0a\x05other";

	for (size_t i = 0; i < 2; i++) {
		size_t more = i * (sizeof name - 1);
		char *bytes = tp_arena_alloc(arena, rank.len + more);

		if (rank.len != 0)
			memcpy(bytes, rank.ptr, rank.len);
		memcpy(bytes + rank.len, name, more);
		*tp_buf_new(&set->parts, struct tp_rank_part) = (struct tp_rank_part){
			.worker = i == 0 ? TP_S("a") : TP_S("other"),
			.packed = deflated((struct tp_slice){bytes, rank.len + more}, arena),
			.bytes = i == 0 ? TP_S("0") : TP_S("1"),
		};
	}
}

static void
report(const struct tp_rank_set *set, struct tp_arena *arena)
{
	struct tp_pass_options options = {.top = 10};
	struct tp_merge_wish wish = {0};
	struct tp_err err = {.status = TP_OK};
	struct tp_sink *sink = tp_sink_memory();
	struct tp_render_options how = {.columns = 80};
	struct tp_doc *doc = tp_merged_doc(set, &options, &wish, arena, &err);

	/* Damaged ranks are none; that the document is not sound is a fault of ours, whatever the rank says. */
	if (doc == NULL && !tp_slice_has(tp_slice_of(err.text), TP_S("can be used")))
		abort();
	if (doc != NULL)
		tp_render_json.render(doc, &how, sink, &err);
	tp_sink_close(sink);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_rank_set file = {0}, two = {0};
	struct tp_slice bytes = {(const char *)data, size};
	struct tp_err err;

	if (tp_rank_set_add(&file, bytes, "file", &err) == TP_OK && file.parts.count != 0) {
		tp_rank_set_settle(&file);
		report(&file, arena);
	}
	add_twice(&two, bytes, arena);
	report(&two, arena);
	tp_rank_set_free(&file);
	tp_rank_set_free(&two);
	tp_arena_free(arena);
	return 0;
}
