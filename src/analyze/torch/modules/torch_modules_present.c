/* What the report says about modules: the tree of each trace, as a table and as a flame graph, Lightning's hooks, the operators of
 * the main thread. */
#include "analyze/torch/modules/torch_modules.h"

#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "analyze/torch/modules/torch_modules_words.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

#include <stddef.h>

/* A page with 64 workers still has to be small: the first trace in full, a few more shorter. */
enum { MOST_TRACES = 6, FIRST_ROWS = 300, OTHER_ROWS = 60 };

struct presenting {
	const struct tp_pass_ctx *ctx;
	const struct tp_torch_modules *m;
	struct tp_doc *doc;
	struct tp_block *section;
};

static bool
any_tree(const struct tp_torch_trace_modules *m)
{
	return m->modules.count != 0 || m->hooks.count != 0;
}

/* The trace that is shown in full: the first with modules, else the first with operators; UINT32_MAX: none. */
static uint32_t
shown_first(const struct presenting *p)
{
	uint32_t first = UINT32_MAX;

	for (uint32_t i = 0; i < p->ctx->profile->torch->trace_count; i++) {
		if (any_tree(&p->m->traces[i]))
			return i;
		if (first == UINT32_MAX && p->m->traces[i].operators.count != 0)
			first = i;
	}
	return first;
}

#define FIELD(member, unit) TP_FIELD(struct tp_torch_module, member, unit)
static const struct tp_column class_columns[] = {
	TP_COLUMN("class", "Class", .code = true, FIELD(name, TP_UNIT_NONE)),
	TP_COLUMN("own_ms", "Own time", .unit = TP_UNIT_MS, .decimals = 3, .sorted = true,
		FIELD(own_ps, TP_UNIT_PS)),
	TP_SHARE_COLUMN("own_share", "Of all modules", .bar = true),
	TP_COUNT_COLUMN("modules", "Modules", FIELD(members, TP_UNIT_COUNT)),
	TP_COUNT_COLUMN("calls", "Calls", FIELD(calls, TP_UNIT_COUNT)),
	TP_COLUMN("mean_us", "Per call", .unit = TP_UNIT_US, .decimals = 1),
};
struct class_cells {
	struct tp_cell name, own, own_share, modules, calls, mean;
};
TP_CELLS_ARE_COLUMNS(struct class_cells, class_columns);

/* Whether own time is that of devices. */
static bool
any_device(const struct tp_pass_ctx *ctx, const struct tp_torch_modules *m)
{
	for (uint32_t i = 0; i < ctx->profile->torch->trace_count; i++) {
		if (m->traces[i].modules.device_ps != 0)
			return true;
	}
	return false;
}

/* Which kind of layer the time goes to. */
static void
class_table(const struct tp_pass_ctx *ctx, const struct tp_torch_modules *m, struct tp_doc *doc,
	struct tp_block *parent)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, parent, "modules/classes", class_columns);
	bool device = any_device(ctx, m);

	for (uint32_t i = 0; i < m->class_count; i++) {
		const struct tp_torch_module *c = &m->classes[i];
		struct class_cells *cells = tp_draft_row_of(&draft, c->name, TP_ROW_NORMAL, 0, c);

		cells->own_share.value =
			tp_share((double)c->own_ps, (double)m->own_ps, TP_S(why_no_module_time));
		cells->own_share.swatch = device ? TP_HUE_COMPUTE : TP_HUE_HOST;
		cells->mean.value = tp_number((double)c->own_ps / 1e6 / (double)c->calls, TP_UNIT_US);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_classes);
}

/* Flame graphs: what is too narrow to be seen is one bar for all of a caller. Levels below these are in the table alone; more bars
 * than this would make the page heavy. */
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
		double share = (double)tp_torch_node_ps(tree, n) / d->whole_ps, from = l->from;

		l->next++;

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
	return tp_arena_printf(d->ctx->keep, text_flame_alt, d->words->what,
		d->tree->device_ps != 0 ? "device" : "host",
		TP_ARG(tp_say_value(d->ctx, tp_number(d->whole_ps, TP_UNIT_PS))), TP_ARG(longest->name),
		TP_ARG(tp_say_value(d->ctx,
			tp_number((double)tp_torch_node_ps(d->tree, longest) / d->whole_ps, TP_UNIT_SHARE))));
}

/* A flame graph: width is the device's time where there is any, else the host's. Adds nothing for a tree without time. */
static void
flame(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
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

/* The trees of a trace. */
enum kind { MODULES, HOOKS, OPERATORS };

static const struct {
	const char *part;
	struct tp_torch_tree_words words; /* without id and what */
	const char *what;                 /* format, of the trace */
	size_t tree;                      /* in struct tp_torch_trace_modules */
} kinds[] = {
	[MODULES] = {"tree", {.head = "Module", .one = "module", .many = "modules"}, what_modules,
		offsetof(struct tp_torch_trace_modules, modules)},
	[HOOKS] = {"hooks", {.head = "Hook", .one = "hook", .many = "hooks"}, what_hooks,
		offsetof(struct tp_torch_trace_modules, hooks)},
	[OPERATORS] = {"operators",
		{.head = "Range, operator",
			.one = "operator",
			.many = "operators",
			.spans_are_operators = true},
		what_operators, offsetof(struct tp_torch_trace_modules, operators)},
};

static const char *
print(const struct presenting *p, const char *format, uint32_t trace)
{
	struct tp_slice who = tp_torch_who(p->ctx, p->ctx->profile->torch->traces[trace]);

	return tp_arena_printf(p->ctx->keep, format, TP_ARG(who)).ptr;
}

static const char *
id_of(const struct presenting *p, uint32_t trace, const char *part)
{
	return tp_arena_printf(p->ctx->keep, "modules/%u/%s", trace + 1, part).ptr;
}

/* Of which trace chart and tree are, and what takes most in it: the sentence above is about all. */
static void
say_whose(const struct presenting *p, struct tp_block *parent, uint32_t trace,
	const struct tp_torch_tree_words *words)
{
	const struct tp_torch_trace_modules *m = &p->m->traces[trace];
	struct tp_value what = tp_text_value(tp_slice_of(words->what));
	int64_t own_ps = 0;

	for (uint32_t i = 0; i < m->list_count; i++)
		own_ps = tp_add_ps(own_ps, m->list[i].own_ps);
	tp_doc_paragraph(p->doc, parent, TP_PARAGRAPH_SMALL,
		tp_arena_printf(p->ctx->keep, "%s/whose", words->id).ptr,
		m->list_count > 1 && own_ps > 0
			? TP_SAY(p->doc, text_whose_top, what, tp_text_value(m->list[0].name),
				  tp_number((double)m->list[0].own_ps / (double)own_ps, TP_UNIT_SHARE))
			: TP_SAY(p->doc, text_whose, what));
}

static void
tree(const struct presenting *p, struct tp_block *parent, uint32_t trace, enum kind kind,
	bool classes, size_t rows)
{
	const struct tp_torch_tree *tree =
		(const struct tp_torch_tree *)((const char *)&p->m->traces[trace] + kinds[kind].tree);
	struct tp_torch_tree_words words = kinds[kind].words;

	if (tree->count == 0)
		return;
	words.id = id_of(p, trace, kinds[kind].part);
	words.what = print(p, kinds[kind].what, trace);
	if (kind == MODULES && p->ctx->profile->torch->trace_count > 1)
		say_whose(p, parent, trace, &words);
	if (kind != OPERATORS)
		flame(p->ctx, p->doc, parent, tree, &words);
	if (classes)
		class_table(p->ctx, p->m, p->doc, parent);
	tp_torch_tree_table(p->ctx, p->doc, parent, tree, &words, rows);
	if (tree->backward_lost != 0)
		tp_doc_paragraph(p->doc, parent, TP_PARAGRAPH_SMALL,
			tp_arena_printf(p->ctx->keep, "%s/backward", words.id).ptr,
			TP_SAY(p->doc, text_backward_lost,
				tp_say_number(
					p->ctx, tree->backward_lost, "autograd function", "autograd functions")));
	if (tree->folded != 0)
		tp_doc_paragraph(p->doc, parent, TP_PARAGRAPH_SMALL,
			tp_arena_printf(p->ctx->keep, "%s/folded", words.id).ptr,
			TP_SAY(p->doc, text_folded, tp_say_number(p->ctx, tree->folded, "call", "calls"),
				tp_count(TP_TORCH_TREE_DEEPEST)));
}

static void
first_trace(const struct presenting *p, uint32_t trace)
{
	struct tp_block *block = p->section;

	tree(p, p->section, trace, MODULES, true, FIRST_ROWS);
	if (p->m->traces[trace].hooks.count != 0) {
		block = tp_doc_section(
			p->doc, p->section, TP_SECTION_SUB, id_of(p, trace, "hooks-section"), title_hooks);
		tree(p, block, trace, HOOKS, false, FIRST_ROWS);
	}
	if (p->m->traces[trace].operators.count == 0)
		return;
	block = tp_doc_section(p->doc, p->section, TP_SECTION_FOLD,
		id_of(p, trace, "operators-section"), print(p, title_operators, trace));
	block->section.off_paper = true;
	tree(p, block, trace, OPERATORS, false, FIRST_ROWS);
}

/* A fold for each further trace, as many as a page can hold. */
static void
other_traces(const struct presenting *p, uint32_t first)
{
	uint32_t shown = 1, left_out = 0;

	for (uint32_t i = 0; i < p->ctx->profile->torch->trace_count; i++) {
		if (i == first || (!any_tree(&p->m->traces[i]) && p->m->traces[i].operators.count == 0))
			continue;
		if (shown == MOST_TRACES) {
			left_out++;
			continue;
		}
		shown++;
		struct tp_block *fold =
			tp_doc_section(p->doc, p->section, TP_SECTION_FOLD, id_of(p, i, "section"),
				print(p, any_tree(&p->m->traces[i]) ? "%.*s" : title_operators, i));

		fold->section.off_paper = true;
		tree(p, fold, i, MODULES, false, OTHER_ROWS);
		tree(p, fold, i, HOOKS, false, OTHER_ROWS);
		if (!any_tree(&p->m->traces[i]))
			tree(p, fold, i, OPERATORS, false, OTHER_ROWS);
	}
	if (left_out != 0)
		tp_doc_paragraph(p->doc, p->section, TP_PARAGRAPH_SMALL, "modules/left-out",
			TP_SAY(p->doc, text_left_out,
				tp_say_number(p->ctx, left_out, "more trace", "more traces")));
}

static void
answer(const struct presenting *p)
{
	struct tp_section *s = &p->section->section;
	size_t calls = 0;

	for (uint32_t i = 0; i < p->m->list_count; i++)
		calls += p->m->list[i].calls;
	if (p->m->list_count == 0) {
		s->key_figure = tp_missing(TP_S(why_no_calls));
		s->answer = TP_SAY0(p->doc, text_no_modules);
		s->so_what = TP_SAY0(p->doc, text_capture_stack);
		return;
	}
	s->key_figure = tp_say_number(p->ctx, p->m->list_count, "module", "modules");
	s->answer = TP_SAY(p->doc, text_top_class,
		tp_say_number(p->ctx, p->m->classes[0].members, "module", "modules"),
		tp_text_value(p->m->classes[0].members == 1 ? TP_S("takes") : TP_S("take")),
		tp_text_value(any_device(p->ctx, p->m) ? TP_S("device") : TP_S("host")));
	s->so_what = TP_SAY(p->doc, text_top_module,
		tp_say_number(p->ctx, p->m->list_count, "module", "modules"),
		tp_say_number(p->ctx, calls, "call", "calls"));
}

void
tp_torch_modules_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	struct presenting p = {.ctx = ctx, .m = result, .doc = doc};
	uint32_t first = shown_first(&p);

	if (first == UINT32_MAX)
		return;
	p.section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "modules", "Modules");
	answer(&p);
	first_trace(&p, first);
	other_traces(&p, first);
	tp_say_how(ctx, doc, p.section, "modules/how", how_modules);
	tp_say_source(ctx, doc, p.section, "modules/source", source_modules);
}
