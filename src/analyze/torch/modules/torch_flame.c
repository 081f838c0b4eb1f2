/* Flame graphs of trees: what is too narrow to be seen is one bar for all of a caller. */
#include "analyze/torch/modules/torch_tree_say.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/profile.h"
#include "report/doc.h"

/* Levels below these are in the table alone; more bars than this would make the page heavy. */
enum { MOST_LEVELS = 16, MOST_FRAMES = 800 };
#define LEAST_SHARE 0.002

struct drawing {
	const struct tp_pass_ctx *ctx;
	const struct tp_torch_tree *tree;
	const struct tp_torch_tree_words *words;
	double whole_ps, least;
	struct tp_buf frames; /* of struct tp_frame */
	enum tp_hue hue;
};

static double
share_of(const struct drawing *d, uint32_t node)
{
	return (double)tp_torch_node_ps(d->tree, &d->tree->nodes[node]) / d->whole_ps;
}

static struct tp_slice
note(const struct drawing *d, double share, uint64_t calls)
{
	const struct tp_pass_ctx *ctx = d->ctx;
	struct tp_slice took = tp_arena_printf(ctx->keep, "%.*s, %.*s",
		TP_ARG(tp_say_value(ctx, tp_number(share * d->whole_ps, TP_UNIT_PS))),
		TP_ARG(tp_say_value(ctx, tp_number(share, TP_UNIT_SHARE))));

	if (calls == 0)
		return took;
	return tp_arena_printf(ctx->keep, "%.*s, %.*s", TP_ARG(took),
		TP_ARG(tp_say_number(ctx, calls, "call", "calls").text));
}

static double
add_frame(struct drawing *d, struct tp_slice label, uint64_t calls, unsigned row, double from,
	double share, int tint)
{
	struct tp_frame *f = tp_buf_add(&d->frames, sizeof *f);
	double to = from + share < 1 ? from + share : 1;

	*f = (struct tp_frame){.label = label,
		.note = note(d, share, calls),
		.row = row,
		.from = from < to ? from : to,
		.to = to,
		.hue = d->hue,
		.tint = tint};
	return to;
}

/* The children of one node, beside each other from `from` on. */
struct level {
	uint32_t next, end; /* in order */
	double from;
	double rest; /* share of those that are too narrow … */
	uint32_t rest_count;
	uint64_t rest_calls;
};

static void
close_level(struct drawing *d, const struct level *l, unsigned row)
{
	if (l->rest >= d->least)
		add_frame(d,
			tp_arena_printf(d->ctx->keep, "… %u more %s", l->rest_count,
				tp_plural(l->rest_count, d->words->one, d->words->many)),
			l->rest_calls, row, l->from, l->rest, 2);
}

static void
draw_tree(struct drawing *d)
{
	const struct tp_torch_tree *tree = d->tree;
	struct level levels[MOST_LEVELS], *l = levels;

	*l = (struct level){.end = tree->root_count};
	while (l >= levels) {
		unsigned row = (unsigned)(l - levels);

		if (l->next == l->end) {
			close_level(d, l--, row);
			continue;
		}
		const struct tp_torch_node *n = &tree->nodes[tree->order[l->next]];
		double share = share_of(d, tree->order[l->next++]), from = l->from;

		if (share < d->least) {
			l->rest += share;
			l->rest_count++;
			l->rest_calls += n->calls;
			continue;
		}
		l->from = add_frame(d, n->name, n->calls, row, from, share, 0);
		if (n->count != 0 && row + 1 < MOST_LEVELS)
			*++l = (struct level){.next = n->first, .end = n->first + n->count, .from = from};
	}
}

/* With fewer bars as long as there are too many. */
static void
draw(struct drawing *d)
{
	do {
		d->frames.count = 0;
		draw_tree(d);
		d->least *= 2;
	} while (d->frames.count > MOST_FRAMES);
}

static struct tp_slice
alt(const struct drawing *d)
{
	const struct tp_torch_node *longest = NULL;

	for (uint32_t i = 0; i < d->tree->root_count; i++) {
		const struct tp_torch_node *n = &d->tree->nodes[d->tree->order[i]];

		if (longest == NULL || tp_torch_node_ps(d->tree, n) > tp_torch_node_ps(d->tree, longest))
			longest = n;
	}
	return tp_arena_printf(d->ctx->keep,
		"Flame graph: %s by who calls whom, as wide as their %s time, %.*s in all; the widest of "
		"the first row, %.*s, takes %.*s.",
		d->words->what, d->tree->device_ps != 0 ? "device" : "host",
		TP_ARG(tp_say_value(d->ctx, tp_number(d->whole_ps, TP_UNIT_PS))), TP_ARG(longest->name),
		TP_ARG(tp_say_value(d->ctx,
			tp_number((double)tp_torch_node_ps(d->tree, longest) / d->whole_ps, TP_UNIT_SHARE))));
}

void
tp_torch_flame(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const struct tp_torch_tree *tree, const struct tp_torch_tree_words *words)
{
	struct drawing d = {.ctx = ctx,
		.tree = tree,
		.words = words,
		.whole_ps = (double)tp_torch_tree_ps(tree),
		.least = LEAST_SHARE,
		.hue = tree->device_ps != 0 ? TP_HUE_COMPUTE : TP_HUE_HOST};

	if (!(d.whole_ps > 0))
		return;
	draw(&d);
	size_t count = d.frames.count;
	struct tp_slice id = tp_arena_printf(ctx->keep, "%s/flame", words->id);

	tp_doc_add(doc, parent, TP_BLOCK_CHART, id)->chart = (struct tp_chart){
		.kind = TP_CHART_FLAME,
		.alt = alt(&d),
		.unit = TP_UNIT_SHARE,
		.frames = tp_buf_settle(&d.frames, sizeof(struct tp_frame), ctx->keep),
		.frame_count = count,
	};
}
