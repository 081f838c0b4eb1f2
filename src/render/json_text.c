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

void
tp_json_put_value_members(struct tp_json_report *w, struct tp_value v)
{
	char buf[TP_VALUE_BUF];

	tp_json_value(&w->json, "value", v);
	tp_json_string(&w->json, "unit", tp_unit_name(v.unit));
	tp_json_string(&w->json, "text", tp_value_text(v, buf));
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
