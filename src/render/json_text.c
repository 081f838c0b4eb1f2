/* Names, texts and values as members of JSON objects. */
#include "render/json.h"

#include "base/arena.h"
#include "report/shape.h"

void
tp_json_put_name(struct tp_json_report *w, const char *key, const char *name)
{
	tp_json_string(&w->json, key, tp_slice_of(name));
}

void
tp_json_put_judge(struct tp_json_report *w, const char *key, enum tp_judge judge)
{
	if (judge != TP_JUDGE_NONE)
		tp_json_string(&w->json, key, tp_name_in(&tp_judge_names, judge));
}

void
tp_json_put_filled(struct tp_json_report *w, const char *key, struct tp_slice text)
{
	if (text.len != 0)
		tp_json_string(&w->json, key, text);
}

/* A reader has numbers of 64 bits, and no calendar; a power of ten is left to who knows how it was rounded. */
static bool
follows(struct tp_value raw, const struct tp_column *column, struct tp_slice text)
{
	char buf[TP_VALUE_BUF];

	if (raw.kind == TP_VALUE_TEXT || raw.kind == TP_VALUE_MISSING)
		return tp_slice_eq(tp_value_text(raw, buf), text);
	if (raw.unit == TP_UNIT_UNIX_NS || tp_slice_has(text, TP_S("e")))
		return false;
	struct tp_value read = tp_number(tp_value_in(raw, raw.unit), raw.unit);

	return tp_slice_eq(
		column != NULL ? tp_column_text(column, read, buf) : tp_value_text(read, buf), text);
}

void
tp_json_put_text(struct tp_json_report *w, struct tp_value raw, const struct tp_column *column,
	struct tp_slice text)
{
	if (!follows(raw, column, text))
		tp_json_string(&w->json, "text", text);
}

void
tp_json_put_value_members(struct tp_json_report *w, struct tp_value v)
{
	char buf[TP_VALUE_BUF];

	tp_json_value(&w->json, "value", v);
	tp_json_string(&w->json, "unit", tp_unit_name(v.unit));
	tp_json_put_text(w, v, NULL, tp_value_text(v, buf));
	if (!tp_known(v))
		tp_json_string(&w->json, "missing", v.text);
}

void
tp_json_put_value(struct tp_json_report *w, const char *key, struct tp_value v)
{
	if (!tp_known(v) && v.text.len == 0)
		return;
	tp_json_open(&w->json, key, TP_JSON_FLAT_OBJECT);
	tp_json_put_value_members(w, v);
	tp_json_close(&w->json);
}

void
tp_json_put_numbers(struct tp_json_report *w, const char *key, const double *values, size_t count)
{
	tp_json_open(&w->json, key, TP_JSON_FLAT_ARRAY);
	for (size_t i = 0; i < count; i++)
		tp_json_number(&w->json, NULL, values[i]);
	tp_json_close(&w->json);
}
