/* Says which rows of a drawn step are blank, where the step beside it has events in them. */
#include "analyze/core/pass.h"
#include "analyze/timeline/timeline.h"
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

void
tp_timeline_say_blank(const struct tp_timeline *t, struct tp_doc *doc, struct tp_block *section)
{
	struct tp_text text = {0};

	for (size_t k = 0; k < t->window_count && t->window_count > 1; k++) {
		bool said = false;

		for (size_t row = 0; row < t->row_count; row++) {
			/* Within a thread nothing needs to run. */
			if (t->inner[row] || has_bar(&t->windows[k], row))
				continue;
			if (!said)
				TP_SAY_MORE(doc, text,
					text.count == 0 ? "In {} nothing was recorded on `{}`" : "; in {} on `{}`",
					name_of(doc, t->windows[k].label), tp_text_value(t->rows[row]));
			else
				TP_SAY_MORE(doc, text, ", `{}`", tp_text_value(t->rows[row]));
			said = true;
		}
	}
	if (text.count == 0)
		return;
	TP_SAY_MORE(doc, text, ".");
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "timeline/blank", text);
}
