/* A reading guide for runs that died out of memory: which figure is which, and what to try in which order. */
#include "analyze/memory/memory.h"

#include "analyze/facts/peaks.h"
#include "base/arena.h"
#include "report/doc.h"

#include <stdio.h>

/* Whether it is this program at all. */
static struct tp_text
compare(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s, struct tp_doc *doc)
{
	struct tp_value capacity = tp_peak_value(ctx, TP_PEAK_CAPACITY);

	if (!tp_known(capacity))
		return TP_SAY(doc,
			"*1. Is it this program?* It needs {} by itself. The device's memory is not known "
			"here: give it with `--peak memory=16GiB`. A plan above it can never run; the error "
			"then names this program and about this size.",
			tp_bytes(s->peak_bytes));
	if ((double)s->peak_bytes > tp_value_in(capacity, TP_UNIT_BYTES))
		return TP_SAY(doc,
			"*1. Is it this program?* Yes: it needs {} and the device has {}. No setting of the "
			"allocator helps; steps 2 to 4 do.",
			tp_bytes(s->peak_bytes), capacity);
	return TP_SAY(doc,
		"*1. Is it this program?* Not by itself: it needs {} of {}. If the run died in it all the "
		"same, the rest was taken by what no plan shows: go to step 5 first.",
		tp_bytes(s->peak_bytes), capacity);
}

static struct tp_text
temporaries(const struct tp_memory_space *s, struct tp_doc *doc)
{
	const struct tp_memory_row *most = NULL;

	for (size_t i = 0; i < s->row_count; i++) {
		const struct tp_memory_row *row = &s->rows[i];

		if (!row->whole && (most == NULL || row->frees_bytes > most->frees_bytes))
			most = row;
	}
	uint64_t share = s->peak_bytes > s->whole_bytes ? s->peak_bytes - s->whole_bytes : 0;

	if (most == NULL)
		return TP_SAY0(doc,
			"*2. What comes and goes* is nothing at the peak: recomputing or a smaller batch frees "
			"little, go on with step 3.");
	return TP_SAY(doc,
		"*2. What comes and goes* makes {} of the peak, first of all `{}`, without which the peak "
		"would fall by {}. Read its framework operation and source line in the table; recompute it "
		"(rematerialisation, `jax.checkpoint`), lower the batch, or use it sooner so that it is "
		"gone before the peak. A buffer that frees less than its size is followed by another point "
		"that needs nearly as much.",
		tp_bytes(share), tp_text_value(most->name), tp_bytes(most->frees_bytes));
}

void
tp_memory_guide(const struct tp_pass_ctx *ctx, const struct tp_memory *m, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_memory_space *s = tp_memory_main(&m->modules[0]);

	if (s == NULL)
		return;
	uint64_t padding =
		s->peak_bytes > s->peak_unpadded_bytes ? s->peak_bytes - s->peak_unpadded_bytes : 0;
	const struct tp_text steps[] = {
		compare(ctx, s, doc),
		temporaries(s, doc),
		TP_SAY(doc,
			"*3. What is there all the time*, parameters, outputs and constants, makes {}. Donate "
			"inputs that are not used again (`donate_argnums`), so that an output takes their "
			"place; shard them over more devices; keep optimiser state in 16 bit.",
			tp_bytes(s->whole_bytes)),
		TP_SAY(doc,
			"*4. Padding* makes {}. Sort the table by expansion: a factor above 2 is a dimension "
			"that does not fill its tile, which a transposed or joined shape mends.",
			tp_bytes(padding)),
		TP_SAY0(doc,
			"*5. What no plan shows*: arrays that the program keeps between calls (old state, "
			"batches made ahead), other programs that are loaded, another process on the device, "
			"and memory in pieces too small for the next request. Drop what is kept, and compare "
			"with the memory that the profiler recorded over time."),
	};
	struct tp_block *fold = tp_doc_section(
		doc, section, TP_SECTION_FOLD, "memory/guide", "Out of memory? How to read this");

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		char id[32];

		snprintf(id, sizeof id, "memory/guide/%zu", i + 1);
		tp_doc_paragraph(
			doc, fold, TP_PARAGRAPH_BODY, tp_arena_printf(ctx->keep, "%s", id).ptr, steps[i]);
	}
}
