/* end_to_end.json: the ten times as TensorBoard's end-to-end tool wrote them, byte for byte, for who has scripts that read it. */
#include "base/number.h"
#include "io/sink.h"
#include "render/renderer.h"
#include "report/doc.h"

#include <string.h>

static bool
is_category(const struct tp_metric *m)
{
	return tp_slice_starts(m->id, TP_S("e2e."));
}

/* What stands after "End to end: " in its label. */
static struct tp_slice
category_name(const struct tp_metric *m)
{
	struct tp_slice label = m->label;
	const char *colon = label.len ? memmem(label.ptr, label.len, ": ", 2) : NULL;

	return colon == NULL ? label : tp_slice_from(label, (size_t)(colon - label.ptr) + 2);
}

/* As Python's json writes it: a floor of 0 is an integer there, a time has a fraction. */
static void
put_time(struct tp_sink *out, struct tp_value v)
{
	char buf[TP_VALUE_BUF];
	struct tp_slice text = tp_value_raw(v, buf);

	tp_sink_put(out, text);
	if (!tp_slice_eq(text, TP_S("0")) && memchr(text.ptr, '.', text.len) == NULL &&
		memchr(text.ptr, 'e', text.len) == NULL)
		tp_sink_puts(out, ".0");
}

static enum tp_status
render(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	(void)options;
	tp_sink_puts(out, "[[\"Category\"");
	for (const struct tp_metric *m = doc->metrics; m != NULL; m = m->next) {
		if (!is_category(m))
			continue;
		if (!tp_known(m->value))
			return tp_fail(err, TP_ERR_USAGE, "no end_to_end.json: %.*s", TP_ARG(m->value.text));
		tp_sink_printf(out, ", \"%.*s\"", TP_ARG(category_name(m)));
	}
	tp_sink_puts(out, ", {\"role\": \"annotation\"}], [\"\"");
	for (const struct tp_metric *m = doc->metrics; m != NULL; m = m->next) {
		if (!is_category(m))
			continue;
		tp_sink_puts(out, ", ");
		put_time(out, m->value);
	}
	tp_sink_puts(out, ", \"\"]]");
	return TP_OK;
}

const struct tp_renderer tp_render_end_to_end = {
	.name = "end-to-end",
	.suffix = ".end_to_end.json",
	.summary = "the phases of a job in the format of TensorBoard's end-to-end tool",
	.render = render,
};
