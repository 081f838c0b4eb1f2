/* The words of a flame graph: its frames, in JSON and in the outline. */
#include "render/chart_words.h"

#include "render/json.h"
#include "render/outline.h"
#include "report/shape.h"

static void
put_frames(struct tp_json_report *w, const struct tp_chart *c)
{
	tp_json_put_shape(w, &tp_flame_shape, c, c->point_count);
}

static void
show_frames(struct tp_outline *o, const struct tp_chart *c)
{
	for (size_t i = 0; i < c->frame_count && i < TP_OUTLINE_MOST; i++) {
		const struct tp_frame *f = &c->frames[i];

		tp_outline_indent(o, 1 + (int)f->row);
		tp_outline_put(o, f->label);
		tp_sink_printf(o->out, " %.4f to %.4f", f->from, f->to);
		tp_outline_between(o, f->note.len != 0 ? ": " : "", f->note, "\n");
	}
	if (c->frame_count > TP_OUTLINE_MOST) {
		tp_outline_indent(o, 1);
		tp_sink_printf(o->out, "%zu more frames\n", c->frame_count - TP_OUTLINE_MOST);
	}
}

const struct tp_chart_words tp_flame_words = {
	.heading = "flame chart",
	.json = put_frames,
	.outline = show_frames,
};
