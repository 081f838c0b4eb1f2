/* A report as a summary: proto/summary.proto says what it holds. It is the small form that comparisons, gates and trends keep. */
#include "render/renderer.h"

#include <math.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/map.h"
#include "io/sink.h"
#include "rank.pb-c.h"
#include "render/pack.h"
#include "report/compared.h"
#include "report/doc.h"
#include "report/run_ranks.h"
#include "report/shape.h"
#include "summary.pb-c.h"

/* Columns that are long and that no comparison looks at. */
static const char *const left_columns[] = {"expression", "source", "waits_most", "slowest"};

/* Of a rank, packed, unless --size says otherwise. */
enum { MOST_RANK_BYTES = 64 << 10 };

enum { MOST_METRICS = 1000 }; /* with a scope, those beyond are left out */

struct packer {
	struct tp_arena *arena;
	struct tp_strings texts;
	Tp__Summary message; /* what is packed: lists alone */
};

static char *
text(struct packer *p, struct tp_slice s)
{
	return (char *)tp_arena_copy(p->arena, s).ptr;
}

/* In Summary.texts. */
static uint32_t
number(struct packer *p, struct tp_slice s)
{
	return tp_intern_copy(&p->texts, s);
}

static Tp__SummaryValue *
value_of(struct packer *p, struct tp_value v)
{
	Tp__SummaryValue *out = tp_new(p->arena, Tp__SummaryValue);

	tp__summary_value__init(out);
	out->unit = number(p, tp_unit_name(v.unit));
	switch (v.kind) {
	case TP_VALUE_INTEGER:
		out->is_case = TP__SUMMARY_VALUE__IS_INTEGER;
		out->integer = v.integer;
		break;
	case TP_VALUE_NUMBER:
		out->is_case = TP__SUMMARY_VALUE__IS_NUMBER;
		out->number = v.number;
		break;
	case TP_VALUE_TEXT:
		out->is_case = TP__SUMMARY_VALUE__IS_TEXT;
		out->text = text(p, v.text);
		break;
	case TP_VALUE_MISSING:
		out->is_case = TP__SUMMARY_VALUE__IS_MISSING;
		out->missing = number(p, v.text);
		break;
	}
	return out;
}

static void
put_metrics(struct packer *p, const struct tp_doc *doc)
{
	Tp__SummaryMetric **all = tp_new_array(p->arena, Tp__SummaryMetric *, doc->metric_count);

	p->message.metrics = all;
	for (const struct tp_metric *m = doc->metrics; m != NULL; m = m->next) {
		Tp__SummaryMetric *out = tp_new(p->arena, Tp__SummaryMetric);

		if (p->message.n_metrics >= MOST_METRICS && tp_slice_has(m->id, TP_S("@")))
			continue;
		tp__summary_metric__init(out);
		out->id = text(p, m->id);
		out->label = number(p, m->label);
		out->coverage = number(p, m->coverage);
		out->value = value_of(p, m->value);
		all[p->message.n_metrics++] = out;
	}
}

static void
put_finding(struct packer *p, const struct tp_finding *f)
{
	Tp__SummaryFinding *out = tp_new(p->arena, Tp__SummaryFinding);

	tp__summary_finding__init(out);
	out->id = text(p, f->id);
	out->status = text(p, tp_name_in(&tp_finding_status_names, f->status));
	out->name = text(p, f->name);
	out->title = text(p, tp_text_shown(f->title, p->arena));
	if (f->status == TP_FINDING_OPEN) {
		out->severity = text(p, tp_severity_word(f->severity));
		out->saving = value_of(p, f->saving);
		if (f->action_count != 0)
			out->action = text(p, tp_text_shown(f->actions[0], p->arena));
	}
	p->message.findings[p->message.n_findings++] = out;
}

static void
put_findings(struct packer *p, const struct tp_doc *doc)
{
	struct tp_strings seen;
	size_t count = 0;

	tp_strings_init(&seen, p->arena);
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);)
		count += w.event == TP_WALK_ENTER && w.block->kind == TP_BLOCK_FINDING;
	p->message.findings = tp_new_array(p->arena, Tp__SummaryFinding *, count);
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		uint32_t before = seen.count;

		if (w.event == TP_WALK_ENTER && w.block->kind == TP_BLOCK_FINDING &&
			tp_intern(&seen, w.block->finding.finding->id) == before)
			put_finding(p, w.block->finding.finding);
	}
}

/* A text that the value is short for is the one that tells rows apart. */
static uint32_t
text_index(struct packer *p, const struct tp_cell *cell, const struct tp_column *column)
{
	char buf[TP_VALUE_BUF];
	struct tp_slice shown = cell->full.len != 0 ? cell->full
		: cell->value.kind == TP_VALUE_TEXT     ? cell->value.text
		: tp_known(cell->value) ? tp_arena_copy(p->arena, tp_column_text(column, cell->value, buf))
								: TP_S("");

	return tp_intern(&p->texts, shown);
}

static void
put_column(struct packer *p, Tp__SummaryTable *out, const struct tp_table *t, size_t column)
{
	const struct tp_column *c = &t->columns[column];
	Tp__SummaryColumn *kept = tp_new(p->arena, Tp__SummaryColumn);

	tp__summary_column__init(kept);
	kept->key = text(p, c->key);
	kept->title = text(p, c->title);
	kept->unit = text(p, tp_unit_name(c->unit));
	kept->decimals = (uint32_t)(c->decimals + 1);
	if (c->unit == TP_UNIT_NONE) {
		kept->n_texts = t->row_count;
		kept->texts = tp_new_array(p->arena, uint32_t, t->row_count);
	} else {
		kept->n_numbers = t->row_count;
		kept->numbers = tp_new_array(p->arena, double, t->row_count);
	}
	for (size_t i = 0; i < t->row_count; i++) {
		const struct tp_cell *cell = &t->rows[i].cells[column];

		if (c->unit == TP_UNIT_NONE)
			kept->texts[i] = text_index(p, cell, c);
		else
			kept->numbers[i] = tp_value_in(tp_column_value(c, cell->value), c->unit);
	}
	out->columns[out->n_columns++] = kept;
}

static bool
is_left(struct tp_slice key)
{
	for (size_t i = 0; i < sizeof left_columns / sizeof *left_columns; i++) {
		if (tp_slice_eq(key, tp_slice_of(left_columns[i])))
			return true;
	}
	return false;
}

/* Depths and roles, where a row has another than 0. */
static void
put_levels(struct packer *p, Tp__SummaryTable *out, const struct tp_table *t)
{
	bool deep = false, various = false;

	for (size_t i = 0; i < t->row_count; i++) {
		deep = deep || t->rows[i].depth != 0;
		various = various || t->rows[i].role != TP_ROW_NORMAL;
	}
	out->depths = tp_new_array(p->arena, uint32_t, t->row_count);
	out->roles = tp_new_array(p->arena, uint32_t, t->row_count);
	out->n_depths = deep ? t->row_count : 0;
	out->n_roles = various ? t->row_count : 0;
	for (size_t i = 0; i < t->row_count; i++) {
		out->depths[i] = (uint32_t)t->rows[i].depth;
		out->roles[i] = (uint32_t)t->rows[i].role;
	}
}

static void
put_table(struct packer *p, const struct tp_block *block, struct tp_slice section)
{
	const struct tp_table *t = &block->table;
	Tp__SummaryTable *out = tp_new(p->arena, Tp__SummaryTable);

	tp__summary_table__init(out);
	out->id = text(p, block->id);
	out->caption = text(p, t->caption);
	out->section = text(p, section);
	out->rows = (uint32_t)t->row_count;
	put_levels(p, out, t);
	out->columns = tp_new_array(p->arena, Tp__SummaryColumn *, t->column_count);
	for (size_t i = 0; i < t->column_count; i++) {
		if (!is_left(t->columns[i].key) && (i == 0 || !tp_column_is_silent(t, i)))
			put_column(p, out, t, i);
	}
	p->message.tables[p->message.n_tables++] = out;
}

static void
put_tables(struct packer *p, const struct tp_doc *doc)
{
	enum { COUNT = TP_COMPARED_TABLES };
	bool taken[COUNT] = {false};
	const struct tp_block *view = NULL;
	struct tp_slice section = TP_S("");

	p->message.tables = tp_new_array(p->arena, Tp__SummaryTable *, COUNT);
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		const struct tp_block *b = w.block;

		if (b->kind == TP_BLOCK_SECTION && w.depth == 0)
			section = b->section.title;
		if (b->kind == TP_BLOCK_SECTION && b->section.role == TP_SECTION_VIEW)
			view = w.event == TP_WALK_LEAVE && view == b ? NULL : view != NULL ? view : b;
		for (size_t i = 0; view == NULL && b->kind == TP_BLOCK_TABLE && i < COUNT; i++) {
			if (taken[i] || !tp_id_fits(b->id, tp_compared_tables[i]))
				continue;
			taken[i] = true;
			put_table(p, b, section);
		}
	}
}

static struct tp_slice
bytes_of(struct packer *p, const Tp__Summary *m)
{
	uint8_t *bytes = tp_arena_alloc(p->arena, tp__summary__get_packed_size(m));

	return (struct tp_slice){(char *)bytes, tp__summary__pack(m, bytes)};
}

static struct tp_slice
pack_rank(const Tp__Rank *r, struct tp_arena *arena)
{
	uint8_t *bytes = tp_arena_alloc(arena, tp__rank__get_packed_size(r));

	return tp_deflated((struct tp_slice){(char *)bytes, tp__rank__pack(r, bytes)}, arena);
}

/* A rank that is too large keeps its first steps, as many as fit. */
static ProtobufCBinaryData
part_of(const struct tp_run_ranks *ranks, size_t number, size_t most_bytes, struct tp_arena *arena)
{
	size_t steps = SIZE_MAX, size;
	Tp__RankPart part = TP__RANK_PART__INIT;
	struct tp_slice packed;

	for (;;) {
		const Tp__Rank *r = ranks->rank(ranks, number, steps, arena);

		part.worker = r->worker;
		part.span = r->span;
		part.host = r->host;
		part.number = r->number;
		packed = pack_rank(r, arena);
		part.packed = (ProtobufCBinaryData){packed.len, (uint8_t *)packed.ptr};
		part.check = (uint32_t)crc32(0, part.packed.data, (uInt)packed.len);
		size = tp__rank_part__get_packed_size(&part);
		size_t length = ranks->length(r);

		if (size <= most_bytes || length == 0)
			break;
		/* Steps are much alike, but what is no step takes room as well. */
		steps = length * most_bytes / size;
		steps = steps < length ? steps : length - 1;
	}
	uint8_t *bytes = tp_arena_alloc(arena, size);

	return (ProtobufCBinaryData){tp__rank_part__pack(&part, bytes), bytes};
}

static void
put_ranks(struct packer *p, const struct tp_run_ranks *ranks,
	const struct tp_render_options *options, Tp__Summary *m)
{
	struct tp_arena *scratch = tp_arena_new();

	m->ranks = tp_new_array(p->arena, ProtobufCBinaryData, ranks->count);
	for (size_t i = 0; i < ranks->count; i++) {
		ProtobufCBinaryData part = part_of(
			ranks, i, options->most_bytes != 0 ? options->most_bytes : MOST_RANK_BYTES, scratch);
		struct tp_slice kept =
			tp_arena_copy(p->arena, (struct tp_slice){(const char *)part.data, part.len});

		m->ranks[m->n_ranks++] = (ProtobufCBinaryData){kept.len, (uint8_t *)kept.ptr};
		tp_arena_reset(scratch);
	}
	tp_arena_free(scratch);
}

static void
put_ranks_as_read(struct packer *p, const struct tp_doc *doc, Tp__Summary *m)
{
	m->n_ranks = doc->rank_part_count;
	m->ranks = tp_new_array(p->arena, ProtobufCBinaryData, m->n_ranks);
	for (size_t i = 0; i < m->n_ranks; i++)
		m->ranks[i] =
			(ProtobufCBinaryData){doc->rank_parts[i].len, (uint8_t *)doc->rank_parts[i].ptr};
}

/* What the report says of itself, which is not packed: a file is recognised by it. */
static void
put_about(struct packer *p, const struct tp_doc *doc, Tp__Summary *m)
{
	const struct tp_verdict *verdict = tp_doc_verdict(doc);

	m->schema = text(p, TP_S("tpreport.summary/1"));
	m->tool_version = text(p, doc->version);
	m->title = text(p, doc->title);
	if (doc->about != TP_ABOUT_RUN)
		m->about = text(p, tp_name_in(&tp_about_names, doc->about));
	m->name = text(p, doc->name);
	m->run = text(p, doc->run);
	m->description = text(p, doc->description);
	m->made_unix_s = doc->made_unix_s;
	m->judge =
		text(p, tp_name_in(&tp_judge_names, verdict != NULL ? verdict->judge : TP_JUDGE_NONE));
}

static enum tp_status
render(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	struct packer p = {.arena = tp_arena_new()};
	Tp__Summary *lists = &p.message, whole;

	(void)err;
	tp_strings_init(&p.texts, p.arena);
	tp_intern(&p.texts, TP_S(""));
	tp__summary__init(lists);
	tp__summary__init(&whole);
	put_about(&p, doc, &whole);
	put_metrics(&p, doc);
	put_findings(&p, doc);
	put_tables(&p, doc);
	lists->n_texts = p.texts.count;
	lists->texts = tp_new_array(p.arena, char *, p.texts.count);
	for (uint32_t i = 0; i < p.texts.count; i++)
		lists->texts[i] = text(&p, tp_string(&p.texts, i));
	struct tp_slice packed = tp_deflated(bytes_of(&p, lists), p.arena);

	if (doc->ranks != NULL)
		put_ranks(&p, doc->ranks, options, &whole);
	else
		put_ranks_as_read(&p, doc, &whole);
	whole.packed = (ProtobufCBinaryData){packed.len, (uint8_t *)packed.ptr};
	tp_sink_put(out, bytes_of(&p, &whole));
	tp_arena_free(p.arena);
	return TP_OK;
}

const struct tp_renderer tp_render_summary = {
	.name = "summary",
	.suffix = ".tps",
	.summary =
		"metrics, steps, findings and the tables that comparisons need, in tens of kilobytes",
	.render = render,
};
