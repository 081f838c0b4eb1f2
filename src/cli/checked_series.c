/* The figures of a checked budget for services that keep them over time: Bencher's metrics, github-action-benchmark, OpenMetrics. */
#include "cli/checked.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/order.h"
#include "base/utf8.h"
#include "io/sink.h"
#include "render/json_writer.h"
#include "report/doc.h"

static bool
is_figure(const struct tp_budget_item *item)
{
	return !item->is_finding && isfinite(tp_value_in(item->value, item->value.unit));
}

void
tp_checked_bencher(const struct tp_checked *check, struct tp_sink *out)
{
	const struct tp_budget_result *r = check->result;
	struct tp_json j;

	tp_json_start(&j, out);
	tp_json_open(&j, NULL, TP_JSON_OBJECT);
	tp_json_open_named(&j, check->name, TP_JSON_OBJECT);
	for (size_t i = 0; i < r->count; i++) {
		if (!is_figure(&r->items[i]))
			continue;
		tp_json_open_named(&j, r->items[i].id, TP_JSON_FLAT_OBJECT);
		tp_json_value(&j, "value", r->items[i].value);
		tp_json_close(&j);
	}
	tp_json_close(&j);
	tp_json_close(&j);
}

static void
put_benchmarks(const struct tp_checked *check, enum tp_direction direction, struct tp_sink *out)
{
	const struct tp_budget_result *r = check->result;
	struct tp_json j;

	tp_json_start(&j, out);
	tp_json_open(&j, NULL, TP_JSON_ARRAY);
	for (size_t i = 0; i < r->count; i++) {
		const struct tp_budget_item *item = &r->items[i];

		if (!is_figure(item) || tp_metric_direction(item->id) != direction)
			continue;
		tp_json_open(&j, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&j, "name", item->id);
		tp_json_string(&j, "unit", tp_unit_name(item->value.unit));
		tp_json_value(&j, "value", item->value);
		tp_json_string(&j, "extra", item->limit);
		tp_json_close(&j);
	}
	tp_json_close(&j);
}

void
tp_checked_smaller(const struct tp_checked *check, struct tp_sink *out)
{
	put_benchmarks(check, TP_LOWER_IS_BETTER, out);
}

void
tp_checked_bigger(const struct tp_checked *check, struct tp_sink *out)
{
	put_benchmarks(check, TP_HIGHER_IS_BETTER, out);
}

/* OpenMetrics: all samples of a family stand together, so figures are in the order of their ids. */

TP_ORDER_POINTERS(by_family, struct tp_budget_item,
	tp_slice_cmp(tp_scope_base(a->id), tp_scope_base(b->id)), tp_slice_cmp(a->id, b->id));

/* "tpreport_step_time_p50_ms" */
static void
put_family(struct tp_sink *out, struct tp_slice base)
{
	tp_sink_puts(out, "tpreport_");
	for (size_t i = 0; i < base.len; i++)
		tp_sink_write(out, base.ptr[i] == '.' ? "_" : base.ptr + i, 1);
}

/* On one line, with what ends a text escaped. */
static void
put_escaped(const struct tp_checked *check, struct tp_sink *out, struct tp_slice text)
{
	struct tp_slice line = tp_utf8_line(check->arena, text);

	for (size_t i = 0; i < line.len; i++) {
		if (line.ptr[i] == '"' || line.ptr[i] == '\\')
			tp_sink_puts(out, "\\");
		tp_sink_write(out, line.ptr + i, 1);
	}
}

static void
put_sample(const struct tp_checked *check, const struct tp_budget_item *item, struct tp_sink *out)
{
	struct tp_slice base = tp_scope_base(item->id);
	char buf[TP_VALUE_BUF];

	put_family(out, base);
	tp_sink_puts(out, "{budget=\"");
	put_escaped(check, out, check->name);
	tp_sink_puts(out, "\",job=\"");
	put_escaped(check, out, check->doc->name);
	if (base.len < item->id.len) {
		tp_sink_puts(out, "\",scope=\"");
		put_escaped(check, out, tp_slice_from(item->id, base.len + 1));
	}
	tp_sink_puts(out, "\"} ");
	tp_sink_put(out, tp_value_raw(item->value, buf));
	tp_sink_puts(out, "\n");
}

void
tp_checked_openmetrics(const struct tp_checked *check, struct tp_sink *out)
{
	const struct tp_budget_result *r = check->result;
	const struct tp_budget_item **items =
		tp_new_array(check->arena, const struct tp_budget_item *, r->count);
	struct tp_slice family = {0};
	size_t count = 0;

	for (size_t i = 0; i < r->count; i++) {
		if (is_figure(&r->items[i]))
			items[count++] = &r->items[i];
	}
	qsort(items, count, sizeof *items, by_family);
	for (size_t i = 0; i < count; i++) {
		struct tp_slice base = tp_scope_base(items[i]->id);

		if (!tp_slice_eq(base, family)) {
			tp_sink_puts(out, "# TYPE ");
			put_family(out, base);
			tp_sink_puts(out, " gauge\n# HELP ");
			put_family(out, base);
			tp_sink_puts(out, " ");
			put_escaped(check, out, items[i]->label);
			tp_sink_puts(out, "\n");
		}
		family = base;
		put_sample(check, items[i], out);
	}
	tp_sink_puts(out, "# EOF\n");
}
