/* Samples of a memory profile are stacks already, each with its device and kind: they are summed and put in order. Headline figures
 * are of the file that holds most, and of each device in it. */
#include "analyze/memory/live_buffers.h"
#include "analyze/core/pass.h"

#include "analyze/facts/op_times.h"
#include "analyze/memory/live_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "base/path.h"
#include "base/saturate.h"
#include "base/texts.h"
#include "base/utf8.h"
#include "model/live.h"
#include "model/profile.h"
#include "report/doc.h"
#include "report/scope.h"

#include <stdlib.h>

enum { MOST_STACKS = 1000, MOST_TOLD = 40, LONGEST_CALL = 120, MOST_SCOPED = 1000 };

/* Packages and Python's own files are not what somebody can change. */
static bool
of_library(const struct tp_pass_ctx *ctx, const struct tp_live_line *line)
{
	struct tp_slice file = tp_string(&ctx->profile->strings, line->file);

	return file.len == 0 || file.ptr[0] == '<' ||
		tp_texts_any(
			file, tp_slice_has, TP_TEXTS("/site-packages/", "/dist-packages/", "/lib/python"));
}

struct telling {
	struct tp_live_stack *stack;
	struct tp_slice texts[MOST_TOLD];
	size_t told;
	bool found, more;
};

static void
tell(const struct tp_pass_ctx *ctx, struct telling *t, const struct tp_live_line *line)
{
	struct tp_live_stack *s = t->stack;

	if (s->innermost == NULL)
		s->innermost = s->line = line;
	if (!t->found && !of_library(ctx, line)) {
		s->line = line;
		t->found = true;
	}
	t->more = t->told == MOST_TOLD;
	if (t->more)
		return;
	struct tp_slice name = tp_live_function(ctx, line), where = tp_live_where(ctx, line);
	bool cut = name.len > LONGEST_CALL;

	name.len = cut ? tp_utf8_fit(name, LONGEST_CALL) : name.len;
	where.len = where.len > LONGEST_CALL ? tp_utf8_fit(where, LONGEST_CALL) : where.len;
	t->texts[t->told++] = tp_arena_printf(ctx->scratch, "%.*s%s%s%.*s", TP_ARG(name),
		cut ? "…" : "", where.len ? " " : "", TP_ARG(where));
}

static struct tp_slice
joined(const struct tp_pass_ctx *ctx, const struct telling *t)
{
	static const char between[] = " ‹ ", more[] = " ‹ …";
	size_t length = sizeof more;

	for (size_t i = 0; i < t->told; i++)
		length += t->texts[i].len + sizeof between - 1;
	char *text = tp_new_array(ctx->keep, char, length), *end = text;

	for (size_t i = 0; i < t->told; i++) {
		if (i != 0)
			end = mempcpy(end, between, sizeof between - 1);
		end = mempcpy(end, t->texts[i].ptr, t->texts[i].len);
	}
	if (t->more)
		end = mempcpy(end, more, sizeof more - 1);
	return (struct tp_slice){text, (size_t)(end - text)};
}

static struct tp_live_stack
stack_of(const struct tp_pass_ctx *ctx, const struct tp_live *live, const struct tp_live_sample *s)
{
	struct tp_live_stack stack = {.sample = s};
	struct telling t = {.stack = &stack};

	for (uint32_t i = 0; i < s->depth && !(t.more && t.found); i++) {
		const struct tp_live_place *place = &live->places[live->frames[s->first + i]];

		for (uint32_t k = 0; k < place->count && !(t.more && t.found); k++)
			tell(ctx, &t, &live->lines[place->first + k]);
	}
	stack.text = joined(ctx, &t);
	return stack;
}

TP_ORDER(stacks_by_bytes, struct tp_live_stack, TP_DOWN(sample->bytes), TP_DOWN(sample->count),
	TP_UP(sample));

TP_ORDER(totals_by_bytes, struct tp_live_total, TP_DOWN(bytes), TP_DOWN(count),
	tp_slice_cmp(a->device, b->device), tp_slice_cmp(a->kind, b->kind));

TP_ORDER(files_by_bytes, struct tp_live_file, TP_DOWN(bytes), TP_UP(live->input));

static void
sum_up(const struct tp_pass_ctx *ctx, struct tp_live_file *f)
{
	const struct tp_strings *strings = &ctx->profile->strings;
	struct tp_map known;

	tp_map_init(&known, ctx->scratch);
	f->totals = tp_new_array(ctx->keep, struct tp_live_total, f->live->sample_count);
	for (uint32_t i = 0; i < f->live->sample_count; i++) {
		const struct tp_live_sample *s = &f->live->samples[i];
		uint32_t at;

		if (tp_map_number(&known, tp_hash_pair(s->kind, s->device), &at)) {
			f->total_count++;
			f->totals[at].kind = tp_string(strings, s->kind);
			f->totals[at].device = tp_string(strings, s->device);
		}
		f->totals[at].stacks++;
		f->totals[at].count = tp_plus(f->totals[at].count, s->count);
		f->totals[at].bytes = tp_plus(f->totals[at].bytes, s->bytes);
		f->bytes = tp_plus(f->bytes, s->bytes);
		uint64_t *things =
			tp_slice_eq(f->totals[at].kind, TP_S("executable")) ? &f->executables : &f->buffers;

		*things = tp_plus(*things, s->count);
	}
	qsort(f->totals, f->total_count, sizeof *f->totals, totals_by_bytes);
}

/* The tree of calls: stacks that begin with the same calls share them. Built and walked without recursion, for its depth
 * comes from a file. */

/* Of a stack so many frames, of the tree so many levels and nodes are told. */
enum { MOST_FRAMES = 512, MOST_LEVELS = 24, MOST_NODES = 2000 };

struct node {
	const struct tp_live_line *line;
	uint64_t count, bytes;
	uint32_t parent, children;
	uint32_t first_child; /* in the array that is sorted by parent; or the last child seen */
};

struct growing {
	const struct tp_live *live;
	struct tp_buf nodes; /* struct node; the first is the root, above all calls */
	struct tp_map known; /* (parent, line) */
};

static uint64_t
key_of(const struct tp_live_line *l)
{
	return tp_hash_pair(tp_hash_pair(l->function, l->file), (uint64_t)l->number);
}

static uint32_t
child(struct growing *g, uint32_t parent, const struct tp_live_line *line)
{
	uint64_t key = tp_hash_pair(parent, line != NULL ? key_of(line) : 0);
	uint32_t number;

	if (tp_map_number(&g->known, key, &number)) {
		TP_PUSH(&g->nodes, struct node, .line = line, .parent = parent);
		((struct node *)g->nodes.data)[parent].children++;
	}
	return number + 1; /* the root has none */
}

static void
count(struct growing *g, uint32_t at, const struct tp_live_sample *s)
{
	struct node *n = (struct node *)g->nodes.data + at;

	n->count += s->count;
	n->bytes = tp_plus(n->bytes, s->bytes);
}

/* From the outermost call inwards. */
static void
plant(struct growing *g, const struct tp_live_sample *s)
{
	uint32_t at = 0, frames = 0;

	count(g, 0, s);
	for (uint32_t i = s->depth; i-- > 0;) {
		const struct tp_live_place *place = &g->live->places[g->live->frames[s->first + i]];

		for (uint32_t k = place->count; k-- > 0 && frames < MOST_FRAMES; frames++)
			count(g, at = child(g, at, &g->live->lines[place->first + k]), s);
		if (frames == MOST_FRAMES)
			return;
	}
	if (frames == 0)
		count(g, child(g, 0, NULL), s);
}

/* Siblings side by side, the largest first. */
TP_ORDER_POINTERS(
	by_parent, struct node, TP_UP(parent), TP_DOWN(bytes), TP_DOWN(count), TP_AS_THEY_STAND);

struct level {
	uint32_t next, end; /* of the siblings, in order */
};

static void
walk(struct tp_live_file *f, struct node *nodes, struct node *const *order)
{
	struct level stack[MOST_LEVELS];
	uint32_t depth = 0;

	stack[0] = (struct level){nodes[0].first_child, nodes[0].first_child + nodes[0].children};
	for (;;) {
		struct level *l = &stack[depth];

		if (l->next == l->end) {
			if (depth-- == 0)
				return;
			continue;
		}
		const struct node *n = order[l->next++];

		if (f->node_count == MOST_NODES) {
			f->nodes_left_out++;
			continue;
		}
		struct tp_live_node *out = &f->nodes[f->node_count++];

		*out =
			(struct tp_live_node){.count = n->count, .bytes = n->bytes, .calls = 1, .depth = depth};
		/* A call that leads to one other and to nothing else is told with it. */
		while (n->children == 1 && order[n->first_child]->count == n->count &&
			order[n->first_child]->bytes == n->bytes) {
			n = order[n->first_child];
			out->calls++;
		}
		out->line = n->line;
		if (n->children == 0)
			continue;
		if (depth + 1 == MOST_LEVELS)
			f->nodes_left_out += n->children;
		else
			stack[++depth] = (struct level){n->first_child, n->first_child + n->children};
	}
}

static void
grow_tree(const struct tp_pass_ctx *ctx, struct tp_live_file *f)
{
	struct growing g = {.live = f->live};

	tp_map_init(&g.known, ctx->scratch);
	tp_buf_add(&g.nodes, sizeof(struct node));
	for (uint32_t i = 0; i < f->live->sample_count; i++)
		plant(&g, &f->live->samples[i]);
	struct node *nodes = g.nodes.data,
				**order = tp_new_array(ctx->scratch, struct node *, g.nodes.count);

	for (size_t i = 1; i < g.nodes.count; i++)
		order[i - 1] = &nodes[i];
	qsort(order, g.nodes.count - 1, sizeof *order, by_parent);
	for (size_t i = g.nodes.count - 1; i-- > 0;)
		nodes[order[i]->parent].first_child = (uint32_t)i;
	f->nodes = tp_new_array(
		ctx->keep, struct tp_live_node, g.nodes.count < MOST_NODES ? g.nodes.count : MOST_NODES);
	walk(f, nodes, order);
	tp_buf_free(&g.nodes);
}

static void
read_file(const struct tp_pass_ctx *ctx, const struct tp_live *live, struct tp_live_file *f)
{
	f->live = live;
	f->name = tp_path_name(ctx->profile->inputs[live->input].path);
	sum_up(ctx, f);
	struct tp_live_stack *all =
		tp_new_array(ctx->scratch, struct tp_live_stack, live->sample_count);

	for (uint32_t i = 0; i < live->sample_count; i++)
		all[i].sample = &live->samples[i];
	qsort(all, live->sample_count, sizeof *all, stacks_by_bytes);
	f->stack_count = live->sample_count < MOST_STACKS ? live->sample_count : MOST_STACKS;
	f->stacks = tp_new_array(ctx->keep, struct tp_live_stack, f->stack_count);
	for (size_t i = 0; i < f->stack_count; i++)
		f->stacks[i] = stack_of(ctx, live, all[i].sample);
	for (size_t i = f->stack_count; i < live->sample_count; i++) {
		f->other_stacks++;
		f->other_count = tp_plus(f->other_count, all[i].sample->count);
		f->other_bytes = tp_plus(f->other_bytes, all[i].sample->bytes);
	}
	grow_tree(ctx, f);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_live_buffers *b = tp_new(ctx->keep, struct tp_live_buffers);
	size_t files = 0;

	(void)err;
	for (const struct tp_live *l = ctx->profile->live; l != NULL; l = l->next)
		files++;
	b->files = tp_new_array(ctx->keep, struct tp_live_file, files);
	for (const struct tp_live *l = ctx->profile->live; l != NULL; l = l->next)
		read_file(ctx, l, &b->files[b->count++]);
	qsort(b->files, b->count, sizeof *b->files, files_by_bytes);
	*result = b;
	return TP_OK;
}

static void
metric(struct tp_doc *doc, const char *id, const char *label, struct tp_value value,
	const char *how, struct tp_slice coverage)
{
	tp_doc_metric(doc, tp_slice_of(id), label, value, tp_slice_of(how), coverage);
}

/* What all kinds together take of each device. */
static void
scoped(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, struct tp_doc *doc)
{
	struct tp_map known;
	uint64_t *sums = tp_new_array(ctx->scratch, uint64_t, f->total_count);
	size_t *first = tp_new_array(ctx->scratch, size_t, f->total_count), count = 0;

	tp_map_init(&known, ctx->scratch);
	for (size_t i = 0; i < f->total_count; i++) {
		uint32_t at;

		if (f->totals[i].device.len == 0)
			continue;
		if (tp_map_number(&known, tp_hash_bytes(f->totals[i].device), &at))
			first[count++] = i;
		sums[at] = tp_plus(sums[at], f->totals[i].bytes);
	}
	for (size_t i = 0; i < count && i < MOST_SCOPED; i++)
		tp_doc_metric_for(doc, "memory.live.bytes",
			(struct tp_scope){.device = f->totals[first[i]].device}, tp_bytes(sums[i]), TP_S(""));
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_live_buffers *b = result;
	const struct tp_live_file *f = b != NULL ? &b->files[0] : NULL;
	struct tp_value none = tp_missing(tp_skipped_itself(ctx));
	struct tp_slice from = f != NULL ? f->name : TP_S("");
	struct tp_value top = none, name = none;

	if (f != NULL && f->stack_count != 0) {
		top =
			tp_share((double)f->stacks[0].sample->bytes, (double)f->bytes, TP_S(why_holds_nothing));
		name = tp_text_value(tp_live_function(ctx, f->stacks[0].line));
	} else if (f != NULL) {
		top = name = tp_missing(TP_S(why_nothing_held));
	}
	metric(doc, "memory.live.bytes", "Memory held when the memory profile was saved",
		f != NULL ? tp_bytes(f->bytes) : none,
		"sum over all stacks of the memory profile; of several files, the largest", from);
	metric(doc, "memory.live.buffers", "Buffers held", f != NULL ? tp_count(f->buffers) : none,
		"Σ counts of stacks of kinds other than executable", from);
	metric(doc, "memory.live.executables", "Compiled programs held",
		f != NULL ? tp_count(f->executables) : none, "Σ counts of stacks of kind executable", from);
	metric(doc, "memory.live.top.share", "Memory held by the largest stack", top,
		"of memory.live.bytes", from);
	metric(doc, "memory.live.top.name", "Function with the most held memory", name,
		"the innermost call of that stack outside installed packages", from);
	tp_doc_metric_scopes(doc, "memory.live.bytes", "@device");
	if (f != NULL)
		scoped(ctx, f, doc);
}

const struct tp_pass tp_pass_live_buffers = {
	.name = "live-buffers",
	.title = "Live buffers",
	.summary = "what devices held when a memory profile was saved, and which lines allocated it",
	.needs_all = TP_HAS_LIVE_BUFFERS,
	.place = TP_PLACE_MEMORY_OVER_TIME,
	.analyze = analyze,
	.metrics = metrics,
	.present = tp_live_present,
	.lacks = TP_LACKS({"live-buffers", "Live buffers by the lines that allocated them",
		TP_LACK_TIMED,
		.jax = "Call `jax.profiler.save_device_memory_profile(\"LOGDIR/memory.prof\")` while the "
			   "job runs."}),
};
