/* Arguments in words: of PyTorch what operators, copies and kernels were called with; of XLA's profiles their tags. */
#include "analyze/timeline/arguments.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "model/torch.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { MOST_ARGUMENTS = 20000, TEXT_BUF = 1024 };

void
tp_arguments_init(struct tp_arguments *a, const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;

	a->ctx = ctx;
	tp_strings_init(&a->texts, ctx->keep);
	tp_map_init(&a->of_works, ctx->scratch);
	tp_intern(&a->texts, TP_S(""));
	a->torch =
		p->torch != NULL ? tp_new_array(ctx->scratch, typeof(*a->torch), p->line_count) : NULL;
	a->of_callers =
		p->torch != NULL ? tp_new_array(ctx->scratch, uint32_t, p->strings.count) : NULL;
	for (uint32_t i = 0; p->torch != NULL && i < p->torch->trace_count; i++) {
		const struct tp_torch_trace *t = p->torch->traces[i];
		uint32_t *of_attributes = tp_new_array(ctx->scratch, uint32_t, t->attribute_count);

		for (uint32_t k = 0; k < t->lane_count; k++) {
			if (t->lanes[k].line < p->line_count)
				a->torch[t->lanes[k].line] = (struct tp_torch_line){t, &t->lanes[k], of_attributes};
		}
	}
}

/* A text that grows, part by part; what does not fit is cut off, between two characters. */
struct words {
	char text[TEXT_BUF];
	size_t length;
};

__attribute__((format(printf, 2, 3))) static void
say(struct words *w, const char *format, ...)
{
	va_list list;
	size_t room;

	if (w->length != 0 && w->length + 4 < TEXT_BUF)
		w->length += (size_t)snprintf(w->text + w->length, TEXT_BUF - w->length, " · ");
	room = TEXT_BUF - w->length;
	va_start(list, format);
	int n = vsnprintf(w->text + w->length, room, format, list);

	va_end(list);
	if (n > 0 && (size_t)n < room)
		w->length += (size_t)n;
	else if (n > 0)
		w->length = tp_utf8_fit((struct tp_slice){w->text, TEXT_BUF - 1}, TEXT_BUF - 2);
}

static uint32_t
index_of(struct tp_arguments *a, const struct words *w)
{
	struct tp_slice text = {w->text, w->length};
	uint32_t id = w->length != 0 ? tp_strings_find(&a->texts, text) : 0;

	if (id != TP_MAP_NONE)
		return id;
	return a->texts.count <= MOST_ARGUMENTS ? tp_intern_copy(&a->texts, text) : 0;
}

static void
say_text(struct words *w, const struct tp_profile *p, const char *what, int64_t id)
{
	struct tp_slice text = tp_string(&p->strings, (uint32_t)id);

	if (id > 0 && text.len != 0)
		say(w, "%s%.*s", what, TP_ARG(text));
}

static void
say_operator(struct words *w, const struct tp_profile *p, const struct tp_torch_attributes *at)
{
	say_text(w, p, "shapes ", at->shapes);
	say_text(w, p, "types ", at->types);
	say_text(w, p, "inputs ", at->inputs);
	say_text(w, p, "in ", at->modules);
}

static void
say_work(struct words *w, const struct tp_torch_trace *t, const struct tp_torch_work *work)
{
	const struct tp_torch_collective *c =
		work->collective < t->collective_count ? &t->collectives[work->collective] : NULL;

	if (work->bytes >= 0)
		say(w, "%lld bytes", (long long)work->bytes);
	if (c != NULL && c->name.len != 0)
		say(w, "%.*s of %.*s", TP_ARG(c->name), TP_ARG(c->dtype));
	if (c != NULL && c->in_elements >= 0)
		say(w, "%lld elements", (long long)c->in_elements);
	if (work->launch >= t->launch_count)
		return;
	const struct tp_torch_launch *l = &t->launches[work->launch];

	say(w, "grid %u × %u × %u", l->grid[0], l->grid[1], l->grid[2]);
	say(w, "block %u × %u × %u", l->block[0], l->block[1], l->block[2]);
	if (l->has_registers)
		say(w, "%u registers a thread", l->registers);
	if (l->has_shared)
		say(w, "%u bytes shared", l->shared_bytes);
	if (isfinite(l->occupancy))
		say(w, "occupancy %.0f %%", (double)l->occupancy * 100);
}

static uint32_t
of_attributes(struct tp_arguments *a, const struct tp_torch_line *on, uint32_t attributes)
{
	uint32_t *known = &on->of_attributes[attributes];
	struct words w;

	if (*known != 0)
		return *known - 1;
	w.length = 0;
	say_operator(&w, a->ctx->profile, &on->trace->attributes[attributes]);
	*known = index_of(a, &w) + 1;
	return *known - 1;
}

static uint32_t
of_caller(struct tp_arguments *a, uint32_t called_from)
{
	uint32_t *known = &a->of_callers[called_from];
	struct words w;

	if (*known != 0)
		return *known - 1;
	w.length = 0;
	say_text(&w, a->ctx->profile, "called from ", called_from);
	*known = index_of(a, &w) + 1;
	return *known - 1;
}

static uint32_t
of_work(struct tp_arguments *a, const struct tp_torch_trace *t, const struct tp_torch_work *work)
{
	uint64_t key = tp_hash_pair(tp_hash_pair((uintptr_t)t, work->launch),
		tp_hash_pair(work->collective, (uint64_t)work->bytes));
	uint32_t known = tp_map_get(&a->of_works, key);
	struct words w;

	if (known != TP_MAP_NONE)
		return known;
	w.length = 0;
	say_work(&w, t, work);
	known = index_of(a, &w);
	tp_map_put(&a->of_works, key, known);
	return known;
}

static uint32_t
of_torch(struct tp_arguments *a, const struct tp_torch_line *on, uint32_t e)
{
	const struct tp_torch_trace *t = on->trace;
	uint32_t detail = t->detail[e];

	if (detail == TP_NONE)
		return 0;
	if (tp_torch_is_range(t->kind[e]) && t->operators[detail].attributes < t->attribute_count)
		return of_attributes(a, on, t->operators[detail].attributes);
	if (tp_torch_is_work(t->kind[e]))
		return of_work(a, t, &t->works[detail]);
	return t->kind[e] == TP_TORCH_PYTHON ? of_caller(a, t->pythons[detail].called_from) : 0;
}

/* What is said of a tag; NULL: it is a number that names something, and is no argument. */
static const struct {
	const char *what;
	bool text;
} tags[TP_TAG_COUNT] = {
	[TP_TAG_STEP_NUMBER] = {"step ", false},
	[TP_TAG_RUN] = {"run ", false},
	[TP_TAG_ITERATION] = {"iteration ", false},
	[TP_TAG_SHAPE] = {"shapes ", true},
	[TP_TAG_FLOPS] = {"FLOPs ", false},
	[TP_TAG_BYTES] = {"bytes ", false},
	[TP_TAG_KERNEL] = {"", true},
	[TP_TAG_COPY] = {"", true},
	[TP_TAG_FRAMEWORK] = {"", true},
	[TP_TAG_HLO_OP] = {"instruction ", true},
	[TP_TAG_ANNOTATION] = {"", true},
	[TP_TAG_EQUATION] = {"equation ", true},
	[TP_TAG_DMA_STALL] = {"ps waited for copies: ", false},
	[TP_TAG_PARALLELISM] = {"threads ", false},
	[TP_TAG_STAGE_CATEGORY] = {"", true},
};

static uint32_t
of_tags(struct tp_arguments *a, const struct tp_line *line, uint32_t event, size_t *tag)
{
	struct words w;

	w.length = 0;
	while (*tag < line->tag_count && line->tags[*tag].event < event)
		++*tag;
	for (size_t i = *tag; i < line->tag_count && line->tags[i].event == event; i++) {
		unsigned key = line->tags[i].key;

		if (key >= TP_TAG_COUNT || tags[key].what == NULL)
			continue;
		if (tags[key].text)
			say_text(&w, a->ctx->profile, tags[key].what, line->tags[i].value);
		else
			say(&w, "%s%lld", tags[key].what, (long long)line->tags[i].value);
	}
	return index_of(a, &w);
}

uint32_t
tp_argument_of(
	struct tp_arguments *a, const struct tp_timeline_line *line, uint32_t event, size_t *tag)
{
	if (a->torch == NULL)
		return of_tags(a, line->line, event, tag);
	return a->torch[line->number].lane != NULL
		? of_torch(a, &a->torch[line->number], a->torch[line->number].lane->first + event)
		: 0;
}

void
tp_arguments_give(const struct tp_arguments *a, struct tp_timeline *out)
{
	struct tp_timeline_argument *list =
		tp_new_array(a->ctx->keep, struct tp_timeline_argument, a->texts.count);

	for (uint32_t i = 1; i < a->texts.count; i++)
		list[i - 1].text = a->texts.text[i];
	out->arguments = list;
	out->argument_count = a->texts.count - 1;
}
