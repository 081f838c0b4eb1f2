/* Building the document: its blocks, their ids, its metrics; and the walk over it. */
#include "report/doc.h"

#include "base/arena.h"

#include <assert.h>

struct tp_doc *
tp_doc_new(struct tp_arena *arena)
{
	struct tp_doc *doc = tp_new(arena, struct tp_doc);

	doc->arena = arena;
	doc->tail = &doc->first;
	doc->metrics_tail = &doc->metrics;
	tp_map_init(&doc->metric_numbers, arena);
	return doc;
}

struct tp_text
tp_doc_join(struct tp_doc *doc, struct tp_text a, struct tp_text b)
{
	struct tp_span *spans = tp_new_array(doc->arena, struct tp_span, a.count + b.count);

	if (a.count != 0)
		memcpy(spans, a.spans, a.count * sizeof *spans);
	if (b.count != 0)
		memcpy(spans + a.count, b.spans, b.count * sizeof *spans);
	return (struct tp_text){spans, a.count + b.count};
}

struct tp_text
tp_doc_judged(struct tp_doc *doc, enum tp_judge judge, struct tp_text text)
{
	const struct tp_span glyph = {.judge = judge};

	if (judge == TP_JUDGE_NONE)
		return text;
	return tp_doc_join(doc, (struct tp_text){&glyph, 1}, text);
}

struct tp_block *
tp_doc_add(struct tp_doc *doc, struct tp_block *parent, enum tp_block_kind kind, struct tp_slice id)
{
	assert(parent ? parent->kind == TP_BLOCK_SECTION : kind == TP_BLOCK_SECTION);
	struct tp_block *block = tp_new(doc->arena, struct tp_block);
	struct tp_block ***tail = parent ? &parent->section.tail : &doc->tail;

	block->kind = kind;
	block->id = tp_arena_copy(doc->arena, id);
	if (kind == TP_BLOCK_SECTION)
		block->section.tail = &block->section.first;
	**tail = block;
	*tail = &block->next;
	return block;
}

struct tp_block *
tp_doc_section(struct tp_doc *doc, struct tp_block *parent, enum tp_section_role role,
	const char *id, const char *title)
{
	struct tp_block *block = tp_doc_add(doc, parent, TP_BLOCK_SECTION, tp_slice_of(id));

	block->section.role = role;
	block->section.title = tp_arena_copy(doc->arena, tp_slice_of(title));
	return block;
}

struct tp_block *
tp_doc_choice(struct tp_doc *doc, struct tp_block *parent, const char *id, const char *title)
{
	struct tp_block *block = tp_doc_section(doc, parent, TP_SECTION_SUB, id, title);

	block->section.choice = true;
	return block;
}

struct tp_block *
tp_doc_find_section(struct tp_doc *doc, const char *id)
{
	struct tp_block *at = doc->first;

	while (at != NULL && !tp_slice_eq(at->id, tp_slice_of(id))) {
		struct tp_block *next = at->next;

		if (at->kind == TP_BLOCK_SECTION && tp_slice_starts(tp_slice_of(id), at->id) &&
			id[at->id.len] == '/')
			next = at->section.first;
		at = next;
	}
	return at != NULL && at->kind == TP_BLOCK_SECTION ? at : NULL;
}

struct tp_block *
tp_doc_paragraph(struct tp_doc *doc, struct tp_block *parent, enum tp_paragraph_role role,
	const char *id, struct tp_text text)
{
	struct tp_block *block = tp_doc_add(doc, parent, TP_BLOCK_PARAGRAPH, tp_slice_of(id));
	struct tp_text *item = tp_new(doc->arena, struct tp_text);

	*item = text;
	block->paragraph = (struct tp_paragraph){.role = role, .items = item, .count = 1};
	return block;
}

const bool tp_doc_id_bytes[256] = {['!'] = true,
	['#' ... '$'] = true,
	['(' ... ';'] = true,
	['='] = true,
	['?' ... '['] = true,
	[']' ... '~'] = true};

bool
tp_id_fits(struct tp_slice id, const char *pattern)
{
	const char *star = strchr(pattern, '*');

	if (star == NULL)
		return tp_slice_eq(id, tp_slice_of(pattern));
	struct tp_slice head = {pattern, (size_t)(star - pattern)}, tail = tp_slice_of(star + 1);

	return id.len >= head.len + tail.len && tp_slice_starts(id, head) && tp_slice_ends(id, tail);
}

struct tp_slice
tp_doc_id(struct tp_doc *doc, const char *prefix, struct tp_slice name)
{
	static const char hex[] = "0123456789ABCDEF";
	size_t len = strlen(prefix);
	char *id = tp_arena_alloc(doc->arena, len + 1 + 3 * name.len);

	memcpy(id, prefix, len);
	id[len++] = '/';
	for (size_t i = 0; i < name.len; i++) {
		unsigned char c = (unsigned char)name.ptr[i];

		if (tp_doc_id_allows((char)c)) {
			id[len++] = (char)c;
			continue;
		}
		id[len++] = '%';
		id[len++] = hex[c >> 4];
		id[len++] = hex[c & 15];
	}
	return (struct tp_slice){id, len};
}

/* The unit that an id promises, so that a missing figure has it too. A scope ("@…") follows the unit. */
static enum tp_unit
unit_of_id(struct tp_slice id)
{
	static const struct {
		const char *end;
		enum tp_unit unit;
	} ends[] = {
		{"_share", TP_UNIT_SHARE},
		{"_ms", TP_UNIT_MS},
		{"_us", TP_UNIT_US},
		{"_ps", TP_UNIT_PS},
		{"_bytes", TP_UNIT_BYTES},
		{"flops.rate_per_s", TP_UNIT_FLOP_PER_S},
		{"flops.peak_per_s", TP_UNIT_FLOP_PER_S},
		{".flop_per_s", TP_UNIT_FLOP_PER_S},
		{"memory_bandwidth.peak_per_s", TP_UNIT_BYTES_PER_S},
		{"_bytes_per_s", TP_UNIT_BYTES_PER_S},
		{"flop_per_byte", TP_UNIT_FLOP_PER_BYTE},
		{".count", TP_UNIT_COUNT},
		{"run.hosts", TP_UNIT_COUNT},
		{"run.devices", TP_UNIT_COUNT},
		{"run.cores", TP_UNIT_COUNT},
	};

	id = tp_scope_base(id);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		if (tp_slice_ends(id, tp_slice_of(ends[i].end)))
			return ends[i].unit;
	}
	return TP_UNIT_NONE;
}

/* A run of many workers has tens of thousands. */
static void
number_metric(struct tp_doc *doc, struct tp_metric *m)
{
	uint64_t key = tp_hash_bytes(m->id);

	if (doc->metric_count == doc->metric_room) {
		uint32_t room = doc->metric_room != 0 ? 2 * doc->metric_room : 256;
		struct tp_metric **more = tp_new_array(doc->arena, struct tp_metric *, room);

		if (doc->metric_count != 0)
			memcpy(more, doc->numbered, doc->metric_count * sizeof *more);
		doc->numbered = more;
		doc->metric_room = room;
	}
	/* Of several with one id the first is found. */
	if (tp_map_get(&doc->metric_numbers, key) == TP_MAP_NONE)
		tp_map_put(&doc->metric_numbers, key, doc->metric_count);
	doc->numbered[doc->metric_count++] = m;
}

static struct tp_metric *
find_metric(const struct tp_doc *doc, struct tp_slice id)
{
	uint32_t number = tp_map_get(&doc->metric_numbers, tp_hash_bytes(id));

	return number != TP_MAP_NONE && tp_slice_eq(doc->numbered[number]->id, id)
		? doc->numbered[number]
		: NULL;
}

struct tp_metric *
tp_doc_metric(struct tp_doc *doc, struct tp_slice id, const char *label, struct tp_value value,
	struct tp_slice how, struct tp_slice coverage)
{
	struct tp_metric *m = tp_new(doc->arena, struct tp_metric);

	*m = (struct tp_metric){
		.id = tp_arena_copy(doc->arena, id),
		.label = tp_arena_copy(doc->arena, tp_slice_of(label)),
		.value = value,
		.how = tp_arena_copy(doc->arena, how),
		.coverage = tp_arena_copy(doc->arena, coverage),
		.better = tp_scope_base(id).len == id.len ? tp_metric_direction(id) : TP_NO_DIRECTION,
	};
	if (!tp_known(value) && value.unit == TP_UNIT_NONE)
		m->value.unit = unit_of_id(id);
	*doc->metrics_tail = m;
	doc->metrics_tail = &m->next;
	number_metric(doc, m);
	return m;
}

const struct tp_metric *
tp_doc_find_metric(const struct tp_doc *doc, struct tp_slice id)
{
	return find_metric(doc, id);
}

struct tp_value
tp_doc_value(const struct tp_doc *doc, const char *id)
{
	const struct tp_metric *m = find_metric(doc, tp_slice_of(id));

	return m != NULL ? m->value : tp_missing(TP_S(""));
}

struct tp_tile
tp_doc_tile(const struct tp_doc *doc, const char *id, const char *label, const char *metric)
{
	return (struct tp_tile){
		.id = tp_slice_of(id),
		.label = tp_slice_of(label),
		.metric = tp_slice_of(metric),
		.value = tp_doc_value(doc, metric),
	};
}

void
tp_doc_metric_scopes(struct tp_doc *doc, const char *id, const char *scopes)
{
	struct tp_metric *m = find_metric(doc, tp_slice_of(id));

	if (m == NULL)
		return;
	m->scopes = m->scopes.len == 0
		? tp_slice_of(scopes)
		: tp_arena_printf(doc->arena, "%.*s %s", TP_ARG(m->scopes), scopes);
}

void
tp_doc_metric_for(struct tp_doc *doc, const char *id, struct tp_scope scope, struct tp_value value,
	struct tp_slice coverage)
{
	const struct tp_metric *all = tp_doc_find_metric(doc, tp_slice_of(id));

	tp_doc_metric(doc, tp_scope_id(doc->arena, id, scope), all ? all->label.ptr : id, value,
		TP_S(""), coverage);
}

/* The walk: a stack of the sections that are open. */

static const struct tp_block *
following(struct tp_walk *w)
{
	if (!w->started) {
		w->started = true;
		return w->block;
	}
	if (w->block == NULL)
		return NULL;
	if (w->event == TP_WALK_ENTER && w->block->kind == TP_BLOCK_SECTION) {
		w->stack[w->depth++] = w->block;
		return w->block->section.first;
	}
	return w->block->next;
}

bool
tp_walk_next(struct tp_walk *w)
{
	/* tp_doc_check allows far less; what is deeper is passed over, not overrun. */
	if (w->started && w->depth == TP_WALK_DEEPEST && w->event == TP_WALK_ENTER &&
		w->block->kind == TP_BLOCK_SECTION) {
		w->event = TP_WALK_LEAVE;
		return true;
	}
	const struct tp_block *next = following(w);

	if (next != NULL) {
		w->block = next;
		w->event = TP_WALK_ENTER;
		return true;
	}
	if (w->depth == 0)
		return false;
	w->block = w->stack[--w->depth];
	w->event = TP_WALK_LEAVE;
	return true;
}

const struct tp_verdict *
tp_doc_verdict(const struct tp_doc *doc)
{
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		if (w.block->kind == TP_BLOCK_VERDICT)
			return &w.block->verdict;
	}
	return NULL;
}
