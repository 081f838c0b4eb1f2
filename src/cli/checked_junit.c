/* A checked budget as JUnit's XML. */
#include "cli/checked.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "io/sink.h"

/* Text in an attribute or between tags: on one line, nothing in it that XML forbids or would obey. */
static void
put(const struct tp_checked *check, struct tp_sink *out, struct tp_slice text)
{
	struct tp_slice line = tp_utf8_line(check->arena, text);

	for (size_t i = 0; i < line.len; i++) {
		/* Who searches a log for "50.7 ms" types a plain blank. */
		if (tp_slice_starts(tp_slice_from(line, i), TP_S("\u202f"))) {
			tp_sink_puts(out, " ");
			i += strlen("\u202f") - 1;
			continue;
		}
		const char *instead = line.ptr[i] == '&' ? "&amp;"
			: line.ptr[i] == '<'                 ? "&lt;"
			: line.ptr[i] == '>'                 ? "&gt;"
			: line.ptr[i] == '"'                 ? "&quot;"
												 : NULL;

		if (instead != NULL)
			tp_sink_puts(out, instead);
		else
			tp_sink_write(out, line.ptr + i, 1);
	}
}

/* Both values and the limit: "50.7 ms is not ≤ 48.0 ms; in the baseline 48.7 ms". */
static struct tp_slice
message(const struct tp_checked *check, const struct tp_budget_item *item)
{
	if (item->base.len == 0)
		return item->why;
	return tp_arena_printf(check->arena, "%.*s; now %.*s, in the baseline %.*s, limit %.*s",
		TP_ARG(item->why), TP_ARG(item->now), TP_ARG(item->base), TP_ARG(item->limit));
}

/* Jenkins takes what stands before the last dot for a package: the budget is one class, not a tree of packages. */
static struct tp_slice
class_name(const struct tp_checked *check)
{
	struct tp_slice name = tp_arena_copy(check->arena, check->name);

	for (size_t i = 0; i < name.len; i++)
		((char *)name.ptr)[i] = name.ptr[i] == '.' ? '_' : name.ptr[i];
	return name;
}

static void
put_case(const struct tp_checked *check, struct tp_sink *out, const struct tp_budget_item *item)
{
	bool is_failure = item->status == TP_BUDGET_OUTSIDE ||
		(item->status == TP_BUDGET_NOT_JUDGED && item->missing == TP_MISSING_FAILS);

	tp_sink_puts(out, "    <testcase name=\"");
	put(check, out, item->id);
	tp_sink_puts(out, "\" classname=\"");
	put(check, out, class_name(check));
	if (item->status == TP_BUDGET_WITHIN) {
		tp_sink_puts(out, "\" time=\"0\"/>\n");
		return;
	}
	tp_sink_printf(out, "\" time=\"0\">\n      <%s message=\"",
		is_failure ? "failure type=\"budget\"" : "skipped");
	put(check, out, message(check, item));
	tp_sink_puts(out, "\">"); /* GitLab shows what is inside, others the attribute */
	put(check, out, message(check, item));
	tp_sink_printf(out, "</%s>\n    </testcase>\n", is_failure ? "failure" : "skipped");
}

void
tp_checked_junit(const struct tp_checked *check, struct tp_sink *out)
{
	const struct tp_budget_result *r = check->result;
	size_t skipped = r->not_judged - r->failed, failures = r->outside + r->failed;

	tp_sink_puts(
		out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"");
	put(check, out, check->name);
	tp_sink_printf(out,
		"\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"0\">\n", r->count,
		failures, skipped);
	for (size_t i = 0; i < r->count; i++)
		put_case(check, out, &r->items[i]);
	tp_sink_puts(out, "  </testsuite>\n</testsuites>\n");
}
