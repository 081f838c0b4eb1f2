/* Samples of a memory profile are stacks already, each with its device and kind: they are summed and put in order. */
#include "analyze/memory/live_buffers.h"
#include "analyze/core/pass.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/utf8.h"
#include "model/live.h"
#include "model/profile.h"

#include <stdlib.h>

enum { MOST_STACKS = 1000, MOST_TOLD = 40, LONGEST_CALL = 120 };

struct tp_slice
tp_live_function(const struct tp_pass_ctx *ctx, const struct tp_live_line *line)
{
	struct tp_slice name =
		line != NULL ? tp_string(&ctx->profile->strings, line->function) : TP_S("(no stack)");

	return name.len != 0 ? name : TP_S("(no name)");
}

struct tp_slice
tp_live_where(const struct tp_pass_ctx *ctx, const struct tp_live_line *line)
{
	struct tp_slice file = line != NULL ? tp_string(&ctx->profile->strings, line->file) : TP_S("");

	if (file.len == 0 || line->number == 0)
		return tp_say_file_name(file);
	return tp_arena_printf(
		ctx->keep, "%.*s:%lld", TP_ARG(tp_say_file_name(file)), (long long)line->number);
}

/* Packages and Python's own files are not what somebody can change. */
static bool
of_library(const struct tp_pass_ctx *ctx, const struct tp_live_line *line)
{
	static const char *const parts[] = {"/site-packages/", "/dist-packages/", "/lib/python"};
	struct tp_slice file = tp_string(&ctx->profile->strings, line->file);

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (tp_slice_has(file, tp_slice_of(parts[i])))
			return true;
	}
	return file.len == 0 || file.ptr[0] == '<';
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

static int
by_bytes(uint64_t a_bytes, uint64_t a_count, uint64_t b_bytes, uint64_t b_count)
{
	if (a_bytes != b_bytes)
		return a_bytes > b_bytes ? -1 : 1;
	return a_count > b_count ? -1 : a_count < b_count;
}

static int
stacks_by_bytes(const void *left, const void *right)
{
	const struct tp_live_sample *a = ((const struct tp_live_stack *)left)->sample;
	const struct tp_live_sample *b = ((const struct tp_live_stack *)right)->sample;
	int order = by_bytes(a->bytes, a->count, b->bytes, b->count);

	return order != 0 ? order : a < b ? -1 : a > b;
}

static int
totals_by_bytes(const void *left, const void *right)
{
	const struct tp_live_total *a = left, *b = right;
	int order = by_bytes(a->bytes, a->count, b->bytes, b->count);

	if (order == 0)
		order = tp_slice_cmp(a->device, b->device);
	return order != 0 ? order : tp_slice_cmp(a->kind, b->kind);
}

static int
files_by_bytes(const void *left, const void *right)
{
	const struct tp_live_file *a = left, *b = right;

	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return a->live->input < b->live->input ? -1 : a->live->input > b->live->input;
}

/* Every size is below 2^60, but there may be many. */
static void
add(uint64_t *sum, uint64_t more)
{
	if (__builtin_add_overflow(*sum, more, sum))
		*sum = UINT64_MAX;
}

static void
sum_up(const struct tp_pass_ctx *ctx, struct tp_live_file *f)
{
	const struct tp_strings *strings = &ctx->profile->strings;
	struct tp_map known;

	tp_map_init(&known, ctx->scratch);
	f->totals = tp_new_array(ctx->keep, struct tp_live_total, f->live->sample_count);
	for (uint32_t i = 0; i < f->live->sample_count; i++) {
		const struct tp_live_sample *s = &f->live->samples[i];
		uint64_t key = tp_hash_pair(s->kind, s->device);
		uint32_t at = tp_map_get(&known, key);

		if (at == TP_MAP_NONE) {
			tp_map_put(&known, key, at = (uint32_t)f->total_count++);
			f->totals[at].kind = tp_string(strings, s->kind);
			f->totals[at].device = tp_string(strings, s->device);
		}
		f->totals[at].stacks++;
		add(&f->totals[at].count, s->count);
		add(&f->totals[at].bytes, s->bytes);
		add(&f->bytes, s->bytes);
		add(tp_slice_eq(f->totals[at].kind, TP_S("executable")) ? &f->executables : &f->buffers,
			s->count);
	}
	if (f->total_count != 0)
		qsort(f->totals, f->total_count, sizeof *f->totals, totals_by_bytes);
}

static void
read_file(const struct tp_pass_ctx *ctx, const struct tp_live *live, struct tp_live_file *f)
{
	f->live = live;
	f->name = tp_say_file_name(ctx->profile->inputs[live->input].path);
	sum_up(ctx, f);
	struct tp_live_stack *all =
		tp_new_array(ctx->scratch, struct tp_live_stack, live->sample_count);

	for (uint32_t i = 0; i < live->sample_count; i++)
		all[i].sample = &live->samples[i];
	if (live->sample_count != 0)
		qsort(all, live->sample_count, sizeof *all, stacks_by_bytes);
	f->stack_count = live->sample_count < MOST_STACKS ? live->sample_count : MOST_STACKS;
	f->stacks = tp_new_array(ctx->keep, struct tp_live_stack, f->stack_count);
	for (size_t i = 0; i < f->stack_count; i++)
		f->stacks[i] = stack_of(ctx, live, all[i].sample);
	for (size_t i = f->stack_count; i < live->sample_count; i++) {
		f->other_stacks++;
		add(&f->other_count, all[i].sample->count);
		add(&f->other_bytes, all[i].sample->bytes);
	}
	tp_live_tree(ctx, f);
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

static const struct tp_lack lacks[] = {
	{"live-buffers", "Live buffers by the lines that asked for them", TP_LACK_TIMED,
		.jax = "Call `jax.profiler.save_device_memory_profile(\"LOGDIR/memory.prof\")` while the "
			   "job runs."},
	{0},
};

const struct tp_pass tp_pass_live_buffers = {
	.name = "live-buffers",
	.title = "Live buffers",
	.summary = "what devices held when a memory profile was saved, and which lines asked for it",
	.needs_all = TP_HAS_LIVE_BUFFERS,
	.place = TP_PLACE_MEMORY_OVER_TIME,
	.analyze = analyze,
	.metrics = tp_live_metrics,
	.present = tp_live_present,
	.lacks = lacks,
};
