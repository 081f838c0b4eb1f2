/* Checks common to all blocks: texts, values, ids and what refers to them. */
#include "report/checker.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/utf8.h"

#include <math.h>

bool
tp_check_need(struct tp_checker *c, bool sound, struct tp_slice what, const char *wrong)
{
	if (!sound)
		tp_fail(c->err, TP_ERR_FORMAT, "document: %.*s: \"%.60s\" %s", TP_ARG(c->where),
			tp_arena_copy(c->scratch, what).ptr, wrong);
	return sound;
}

bool
tp_check_text(struct tp_checker *c, struct tp_slice text)
{
	return tp_check_need(c, tp_utf8_valid(text), text, "is not valid UTF-8");
}

bool
tp_check_present(struct tp_checker *c, struct tp_slice text, struct tp_slice what)
{
	return tp_check_need(c, text.len != 0, what, "is empty") && tp_check_text(c, text);
}

bool
tp_check_value(struct tp_checker *c, struct tp_value v)
{
	switch (v.kind) {
	case TP_VALUE_MISSING:
	case TP_VALUE_TEXT:
		return tp_check_text(c, v.text);
	case TP_VALUE_NUMBER:
		return tp_check_need(c, isfinite(v.number), TP_S("a number"), "is not finite");
	case TP_VALUE_INTEGER:
		break;
	}
	return true;
}

bool
tp_check_finite(
	struct tp_checker *c, const double *values, size_t count, double least, struct tp_slice what)
{
	for (size_t i = 0; i < count; i++) {
		if (!tp_check_need(c, isfinite(values[i]) && values[i] >= least, what,
				"holds a number that cannot be drawn"))
			return false;
	}
	return true;
}

bool
tp_check_id(struct tp_checker *c, struct tp_slice id)
{
	uint32_t before = c->ids.count;

	for (size_t i = 0; i < id.len; i++) {
		if (!tp_doc_id_allows(id.ptr[i]) && id.ptr[i] != '%')
			return tp_check_need(c, false, id, "holds a byte that ids may not hold");
	}
	return tp_check_need(c, id.len != 0, id, "is no id: it is empty") &&
		tp_check_need(c, tp_intern(&c->ids, id) == before, id, "is the id of two things");
}

bool
tp_check_href(struct tp_checker *c, struct tp_slice href)
{
	uint32_t before = c->ids.count;

	if (href.len == 0)
		return true;
	return tp_check_need(
			   c, href.len > 1 && href.ptr[0] == '#', href, "does not link into the document") &&
		tp_check_need(
			c, tp_intern(&c->ids, tp_slice_from(href, 1)) < before, href, "leads nowhere");
}

static bool
same_value(struct tp_value a, struct tp_value b)
{
	if (a.kind != b.kind)
		return false;
	switch (a.kind) {
	case TP_VALUE_MISSING:
	case TP_VALUE_TEXT:
		return tp_slice_eq(a.text, b.text);
	case TP_VALUE_INTEGER:
		return a.unit == b.unit && a.integer == b.integer;
	case TP_VALUE_NUMBER:
		return a.unit == b.unit && a.number == b.number;
	}
	return false;
}

bool
tp_check_shown_metric(struct tp_checker *c, struct tp_slice id, struct tp_value shown)
{
	uint32_t string = tp_intern(&c->metric_ids, id);

	if (id.len == 0)
		return true;
	return tp_check_need(
			   c, string < c->metric_end, id, "is shown but not registered as a metric") &&
		tp_check_need(
			c, same_value(c->metrics[string]->value, shown), id, "is shown with another value");
}

bool
tp_check_sentence(struct tp_checker *c, struct tp_text text)
{
	for (size_t i = 0; i < text.count; i++) {
		const struct tp_span *span = &text.spans[i];

		if (span->judge != TP_JUDGE_NONE &&
			!tp_check_need(c, !span->has_value && span->text.len == 0, span->text,
				"stands where only a glyph may"))
			return false;
		if (!tp_check_text(c, span->text) || !tp_check_value(c, span->value) ||
			!tp_check_href(c, span->href) || !tp_check_shown_metric(c, span->metric, span->value))
			return false;
	}
	return true;
}

bool
tp_check_sentences(struct tp_checker *c, const struct tp_text *texts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!tp_check_sentence(c, texts[i]))
			return false;
	}
	return true;
}
