/* The curves that the first charts have no room for: a fold for each beginning of tags, up to the first slash. */
#include "analyze/job/scalars_chart.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/events.h"

#include <stdlib.h>

enum { MOST_GROUPS = 24, MOST_A_GROUP = 12, MOST_IN_ALL = 60 };

/* "train" of "train/loss"; empty of "loss". */
static struct tp_slice
beginning(const struct tp_scalar *s)
{
	struct tp_slice tag = s->series->tag;
	const char *slash = tag.len != 0 ? memchr(tag.ptr, '/', tag.len) : NULL;

	return (struct tp_slice){tag.ptr, slash != NULL ? (size_t)(slash - tag.ptr) : 0};
}

static int
by_beginning(const void *left, const void *right)
{
	const struct tp_scalar *a = *(const struct tp_scalar *const *)left,
						   *b = *(const struct tp_scalar *const *)right;
	int order = tp_slice_cmp(beginning(a), beginning(b));

	if (order == 0)
		order = tp_slice_cmp(a->series->tag, b->series->tag);
	return order != 0 ? order : (a->run > b->run) - (a->run < b->run);
}

static void
fold_of(const struct tp_pass_ctx *ctx, const struct tp_scalars *s,
	const struct tp_scalar_axis *axes, size_t axis_count, const struct tp_scalar *const *list,
	size_t count, size_t drawn, unsigned number, struct tp_doc *doc, struct tp_block *section)
{
	struct tp_slice name = tp_utf8_clean(ctx->keep, beginning(list[0]));
	const char *id = tp_arena_printf(ctx->keep, "whole-run/group-%u", number).ptr;
	struct tp_slice title = name.len != 0
		? tp_arena_printf(ctx->keep, "Curves of %.*s/: %zu more %s", TP_ARG(name), count,
			  tp_plural(count, "scalar", "scalars"))
		: tp_arena_printf(ctx->keep, "Curves of tags without a slash: %zu more %s", count,
			  tp_plural(count, "scalar", "scalars"));
	struct tp_block *fold = tp_doc_section(doc, section, TP_SECTION_FOLD, id, title.ptr);

	fold->section.off_paper = true;
	for (size_t i = 0; i < axis_count; i++)
		tp_scalar_charts(ctx, s, &axes[i], list, drawn, NULL, false,
			tp_arena_printf(ctx->keep, "%s/curves", id).ptr, doc, fold);
	if (count > drawn)
		tp_doc_paragraph(doc, fold, TP_PARAGRAPH_SMALL,
			tp_arena_printf(ctx->keep, "%s/rest", id).ptr,
			TP_SAY(doc, "{} of them are not drawn: in the table alone.", tp_count(count - drawn)));
}

void
tp_scalar_groups(const struct tp_pass_ctx *ctx, const struct tp_scalars *s,
	const struct tp_scalar_axis *axes, size_t axis_count, const struct tp_scalar **list,
	size_t count, struct tp_doc *doc, struct tp_block *section)
{
	size_t drawn = 0;
	unsigned groups = 0;

	if (count == 0)
		return;
	qsort(list, count, sizeof *list, by_beginning);
	for (size_t from = 0, to; from < count && groups < MOST_GROUPS && drawn < MOST_IN_ALL;
		 from = to) {
		struct tp_slice name = beginning(list[from]);
		size_t most = MOST_IN_ALL - drawn < MOST_A_GROUP ? MOST_IN_ALL - drawn : MOST_A_GROUP;

		for (to = from + 1; to < count && tp_slice_eq(beginning(list[to]), name); to++)
			continue;
		size_t some = to - from < most ? to - from : most;

		fold_of(ctx, s, axes, axis_count, list + from, to - from, some, ++groups, doc, section);
		drawn += some;
	}
	if (count > drawn)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/more-curves",
			TP_SAY(doc,
				"Of {} beyond the first charts {} are drawn, by the beginning of their tags; {} "
				"are in the table alone.",
				tp_say_number(ctx, count, "scalar", "scalars"), tp_count(drawn),
				tp_count(count - drawn)));
}
