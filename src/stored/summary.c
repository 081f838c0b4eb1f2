/* What a summary keeps, as a report: a first screen, the findings, and each table in the section that it stood in. */
#include "stored/summary.h"

#include <math.h>

#include "base/arena.h"
#include "codec/pb_message.h"
#include "report/doc.h"
#include "report/draft.h"
#include "report/headline.h"
#include "report/shape.h"
#include "stored/rank_set.h"
#include "stored/read.h"
#include "summary.pb-c.h"

struct reader {
	const Tp__Summary *m;
	struct tp_doc *doc;
	struct tp_arena *arena;
	struct tp_err *err;
	const char *name;
};

bool
tp_is_summary(struct tp_slice head)
{
	return tp_slice_starts(head, TP_S("\x0a\x12tpreport.summary/"));
}

static bool
wrong(struct reader *r, const char *what)
{
	tp_fail_at(
		r->err, TP_ERR_FORMAT, r->name, TP_NO_OFFSET, "not as tpreport writes summaries: %s", what);
	return false;
}

/* One of Summary.texts; empty when it is not there. */
static struct tp_slice
text_at(const struct reader *r, uint32_t number)
{
	return number < r->m->n_texts ? tp_slice_of(r->m->texts[number]) : TP_S("");
}

static bool
read_value(struct reader *r, const Tp__SummaryValue *v, struct tp_value *out)
{
	unsigned unit;

	*out = tp_missing(TP_S(""));
	if (v == NULL)
		return true;
	if (!tp_value_named(&tp_unit_names, text_at(r, v->unit), &unit))
		return wrong(r, "a unit is unknown");
	switch (v->is_case) {
	case TP__SUMMARY_VALUE__IS_INTEGER:
		*out = tp_integer(v->integer, (enum tp_unit)unit);
		break;
	case TP__SUMMARY_VALUE__IS_NUMBER:
		*out = tp_number(v->number, (enum tp_unit)unit);
		break;
	case TP__SUMMARY_VALUE__IS_TEXT:
		*out = tp_text_value(tp_slice_of(v->text));
		break;
	case TP__SUMMARY_VALUE__IS_MISSING:
		*out = tp_missing(text_at(r, v->missing));
		break;
	default:
		return wrong(r, "a value is not valid");
	}
	if (out->kind != TP_VALUE_NUMBER)
		out->unit = (enum tp_unit)unit;
	return true;
}

static bool
read_about(struct reader *r)
{
	unsigned about = TP_ABOUT_RUN;

	if (r->m->about[0] != '\0' &&
		!tp_value_named(&tp_about_names, tp_slice_of(r->m->about), &about))
		return wrong(r, "it is about something unknown");
	r->doc->about = (enum tp_doc_about)about;
	return true;
}

static bool
read_metrics(struct reader *r)
{
	for (size_t i = 0; i < r->m->n_metrics; i++) {
		const Tp__SummaryMetric *m = r->m->metrics[i];
		struct tp_value value;

		if (!read_value(r, m->value, &value))
			return false;
		tp_doc_metric(r->doc, tp_slice_of(m->id),
			text_at(r, m->label).len != 0 ? text_at(r, m->label).ptr : "", value, TP_S(""),
			text_at(r, m->coverage));
	}
	return true;
}

static struct tp_text
plain(struct reader *r, const char *text)
{
	return TP_SAY(r->doc, "{}", tp_text_value(tp_slice_of(text)));
}

static bool
read_finding(
	struct reader *r, struct tp_block *section, const Tp__SummaryFinding *m, unsigned *number)
{
	struct tp_finding *f = tp_new(r->arena, struct tp_finding);
	struct tp_text *action = tp_new(r->arena, struct tp_text);
	unsigned status, severity = 0;

	if (!tp_value_named(&tp_finding_status_names, tp_slice_of(m->status), &status) ||
		(status == TP_FINDING_OPEN &&
			!tp_value_named(&tp_severity_names, tp_slice_of(m->severity), &severity)))
		return wrong(r, "a finding has an unknown status");
	*f = (struct tp_finding){
		.id = tp_slice_of(m->id),
		.status = (enum tp_finding_status)status,
		.severity = (enum tp_judge)severity,
		.name = tp_slice_of(m->name),
		.title = plain(r, m->title),
		.actions = action,
		.action_count = 1,
	};
	*action = plain(r, m->action);
	if (!read_value(r, m->saving, &f->saving))
		return false;
	struct tp_block *block = tp_doc_add(
		r->doc, section, TP_BLOCK_FINDING, tp_doc_id(r->doc, "findings", tp_slice_of(m->id)));

	block->finding = (struct tp_finding_block){
		.finding = f, .number = status == TP_FINDING_OPEN ? ++*number : 0};
	return true;
}

static bool
read_findings(struct reader *r)
{
	struct tp_block *section =
		tp_doc_section(r->doc, NULL, TP_SECTION_MAIN, "findings", "Findings");
	unsigned number = 0;

	for (size_t i = 0; i < r->m->n_findings; i++) {
		if (!read_finding(r, section, r->m->findings[i], &number))
			return false;
	}
	section->section.answer =
		TP_SAY(r->doc, "{} open, {} checks in all.", tp_count(number), tp_count(r->m->n_findings));
	return true;
}

static bool
read_column(struct reader *r, const Tp__SummaryTable *t, size_t column, struct tp_column *out)
{
	const Tp__SummaryColumn *c = t->columns[column];
	unsigned unit;

	if (!tp_value_named(&tp_unit_names, tp_slice_of(c->unit), &unit) || c->decimals > 10 ||
		(unit == TP_UNIT_NONE ? c->n_texts : c->n_numbers) != t->rows)
		return wrong(r, "a column has not as many cells as its table has rows");
	*out = (struct tp_column){
		.key = tp_slice_of(c->key),
		.title = tp_slice_of(c->title),
		.unit = (enum tp_unit)unit,
		.decimals = (int)c->decimals - 1,
	};
	return true;
}

static struct tp_value
cell_of(const struct reader *r, const Tp__SummaryColumn *c, enum tp_unit unit, size_t row)
{
	if (unit == TP_UNIT_NONE)
		return tp_text_value(text_at(r, c->texts[row]));
	return tp_number_or(c->numbers[row], unit, TP_S("the report did not know it"));
}

static bool
check_levels(struct reader *r, const Tp__SummaryTable *t)
{
	if ((t->n_depths != 0 && t->n_depths != t->rows) || (t->n_roles != 0 && t->n_roles != t->rows))
		return wrong(r, "a table has not as many depths or roles as rows");
	for (size_t i = 0; i < t->n_depths; i++) {
		if (t->depths[i] > INT32_MAX)
			return wrong(r, "a row is nested too deep");
	}
	for (size_t i = 0; i < t->n_roles; i++) {
		if (t->roles[i] > TP_ROW_TOTAL)
			return wrong(r, "a row has an unknown role");
	}
	return true;
}

static bool
read_table(struct reader *r, struct tp_block *section, const Tp__SummaryTable *t)
{
	struct tp_column *columns = tp_new_array(r->arena, struct tp_column, t->n_columns);

	if (t->n_columns == 0)
		return wrong(r, "a table has no columns");
	for (size_t i = 0; i < t->n_columns; i++) {
		if (!read_column(r, t, i, &columns[i]))
			return false;
	}
	if (!check_levels(r, t))
		return false;
	struct tp_draft draft = tp_draft_table(r->doc, section, t->id, columns, t->n_columns);

	for (size_t row = 0; row < t->rows; row++) {
		struct tp_value name = cell_of(r, t->columns[0], columns[0].unit, row);
		enum tp_row_role role = t->n_roles != 0 ? (enum tp_row_role)t->roles[row] : TP_ROW_NORMAL;
		struct tp_cell *cells =
			tp_draft_row(&draft, name.kind == TP_VALUE_TEXT ? name.text : TP_S("row"), role,
				t->n_depths != 0 ? (int)t->depths[row] : 0);

		for (size_t i = 0; i < t->n_columns; i++)
			cells[i].value = cell_of(r, t->columns[i], columns[i].unit, row);
	}
	enum { SHOWN = 10 };

	struct tp_table *table = tp_draft_finish(&draft, SHOWN);

	table->caption = tp_slice_of(t->caption);
	table->tree = t->n_depths != 0;
	return true;
}

/* So that a summary of a summary has them, too. */
static bool
keep_ranks(struct reader *r)
{
	struct tp_slice *parts = tp_new_array(r->arena, struct tp_slice, r->m->n_ranks);
	struct tp_rank_part part;

	for (size_t i = 0; i < r->m->n_ranks; i++) {
		parts[i] = (struct tp_slice){(const char *)r->m->ranks[i].data, r->m->ranks[i].len};
		if (!tp_rank_part_read(parts[i], &part))
			return wrong(r, "a rank is damaged or cut off");
	}
	r->doc->rank_parts = parts;
	r->doc->rank_part_count = r->m->n_ranks;
	return true;
}

/* "operations" of "operations/list". The environment stands below the rule of the rail, as in every report. */
static bool
read_tables(struct reader *r, bool environment)
{
	for (size_t i = 0; i < r->m->n_tables; i++) {
		const Tp__SummaryTable *t = r->m->tables[i];
		size_t length = strcspn(t->id, "/");
		const char *id = tp_arena_copy(r->arena, (struct tp_slice){t->id, length}).ptr;
		bool minor = strcmp(id, "environment") == 0 || strcmp(id, "method") == 0;
		struct tp_block *section = tp_doc_find_section(r->doc, id);

		if (minor != environment)
			continue;
		if (length == 0 || t->id[length] == '\0')
			return wrong(r, "a table has no section");
		if (section == NULL)
			section = tp_doc_section(r->doc, NULL, minor ? TP_SECTION_MINOR : TP_SECTION_MAIN, id,
				t->section[0] != '\0' ? t->section : id);
		if (!read_table(r, section, t))
			return false;
	}
	return true;
}

static bool
say_summary(struct reader *r)
{
	struct tp_block *summary =
		tp_doc_section(r->doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");
	struct tp_tile *shown = tp_new_array(r->arena, struct tp_tile, tp_headline_count);
	size_t count = 0;
	unsigned judge;

	if (!tp_value_named(&tp_judge_names, tp_slice_of(r->m->judge), &judge))
		return wrong(r, "the verdict has no judgement");
	tp_doc_add(r->doc, summary, TP_BLOCK_VERDICT, TP_S("summary/verdict"))->verdict =
		(struct tp_verdict){.judge = (enum tp_judge)judge, .name = plain(r, r->m->description)};
	tp_doc_paragraph(r->doc, summary, TP_PARAGRAPH_SMALL, "summary/summary",
		TP_SAY0(r->doc, "From a summary: charts and what comparisons do not need are not in it."));
	for (size_t i = 0; i < tp_headline_count; i++) {
		const struct tp_headline *h = &tp_headlines[i];
		bool again = count != 0 && strcmp(shown[count - 1].label.ptr, h->label) == 0;

		if (!again && tp_known(tp_doc_value(r->doc, h->id)))
			shown[count++] = tp_doc_tile(
				r->doc, tp_doc_id(r->doc, "summary/tile", tp_slice_of(h->id)).ptr, h->label, h->id);
	}
	if (count != 0)
		tp_doc_add(r->doc, summary, TP_BLOCK_TILES, TP_S("summary/tiles"))->tiles =
			(struct tp_tiles){shown, count};
	return true;
}

/* The message of these bytes, in the arena; NULL: they are none. */
static Tp__Summary *
message_of(struct tp_slice bytes, struct tp_arena *arena)
{
	ProtobufCAllocator allocator = tp_pb_in_arena(arena);

	return tp__summary__unpack(&allocator, bytes.len, (const uint8_t *)bytes.ptr);
}

/* The lists that stand packed in a message, into it. */
static bool
unpack_lists(Tp__Summary *m, struct tp_arena *arena)
{
	struct tp_slice bytes, packed = {(const char *)m->packed.data, m->packed.len};
	const Tp__Summary *lists;

	if (packed.len == 0)
		return true;
	if (!tp_inflated(packed, arena, &bytes) || (lists = message_of(bytes, arena)) == NULL)
		return false;
	m->n_metrics = lists->n_metrics;
	m->metrics = lists->metrics;
	m->n_findings = lists->n_findings;
	m->findings = lists->findings;
	m->n_tables = lists->n_tables;
	m->tables = lists->tables;
	m->n_texts = lists->n_texts;
	m->texts = lists->texts;
	return true;
}

struct tp_doc *
tp_summary_read(struct tp_slice bytes, const char *name, struct tp_arena *arena, struct tp_err *err)
{
	Tp__Summary *m = message_of(bytes, arena);
	struct reader r = {m, tp_doc_new(arena), arena, err, name};

	if (m == NULL || !unpack_lists(m, arena)) {
		tp_fail_at(err, TP_ERR_FORMAT, name, TP_NO_OFFSET, "the summary is damaged or cut off");
		return NULL;
	}
	if (strcmp(m->schema, "tpreport.summary/1") != 0) {
		tp_fail_at(err, TP_ERR_FORMAT, name, 0, "a summary of a later version of tpreport");
		return NULL;
	}
	r.doc->version = tp_slice_of(m->tool_version);
	r.doc->title = tp_slice_of(m->title);
	r.doc->name = tp_slice_of(m->name);
	r.doc->run = tp_slice_of(m->run);
	r.doc->description = tp_slice_of(m->description);
	r.doc->made_unix_s = m->made_unix_s;
	if (!keep_ranks(&r) || !read_about(&r) || !read_metrics(&r) || !say_summary(&r) ||
		!read_findings(&r) || !read_tables(&r, false) || !read_tables(&r, true))
		return NULL;
	if (tp_doc_check(r.doc, err) != TP_OK) {
		tp_while(err, "%s: not as tpreport writes summaries", name);
		return NULL;
	}
	return r.doc;
}
