/* Says what the drawing leaves out, and which rows of a drawn step are blank, where the step beside it has events in them. */
#include "analyze/core/pass.h"
#include "analyze/timeline/timeline.h"
#include "analyze/timeline/timeline_words.h"
#include "base/arena.h"
#include "report/doc.h"

/* As it is called within a sentence: "step 3". */
static struct tp_value
name_of(struct tp_doc *doc, struct tp_slice label)
{
	struct tp_slice number =
		tp_slice_starts(label, TP_S("Step ")) ? tp_slice_from(label, 5) : label;

	return tp_text_value(
		number.len == label.len ? label : tp_arena_printf(doc->arena, "step %.*s", TP_ARG(number)));
}

static bool
has_bar(const struct tp_timeline_window *w, size_t row)
{
	for (size_t i = 0; i < w->bar_count; i++)
		if (w->bars[i].row == row)
			return true;
	return false;
}

static struct tp_text
say_left_out(struct tp_timeline_drawn drawn, struct tp_doc *doc)
{
	if (drawn.units >= drawn.of)
		return (struct tp_text){0};
	return TP_SAY(doc, drawn.devices ? text_left_out_devices : text_left_out_hosts,
		tp_number((double)drawn.of, TP_UNIT_COUNT), tp_number((double)drawn.units, TP_UNIT_COUNT),
		tp_text_value(tp_slice_of(tp_plural(drawn.units, "is", "are"))));
}

void
tp_timeline_say_drawn(const struct tp_timeline *t, struct tp_timeline_drawn drawn,
	struct tp_doc *doc, struct tp_block *section)
{
	struct tp_text text = say_left_out(drawn, doc);
	bool any = false;

	for (size_t k = 0; k < t->window_count && t->window_count > 1; k++) {
		bool said = false;

		for (size_t row = 0; row < t->row_count; row++) {
			/* Within a thread nothing needs to run. */
			if (t->inner[row] || has_bar(&t->windows[k], row))
				continue;
			if (!said)
				TP_SAY_MORE(doc, text,
					any              ? "; in {} on `{}`"
						: text.count ? " In {} nothing was recorded on `{}`"
									 : "In {} nothing was recorded on `{}`",
					name_of(doc, t->windows[k].label), tp_text_value(t->rows[row]));
			else
				TP_SAY_MORE(doc, text, ", `{}`", tp_text_value(t->rows[row]));
			said = any = true;
		}
	}
	if (text.count == 0)
		return;
	if (any)
		TP_SAY_MORE(doc, text, ".");
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "timeline/drawn", text);
}
