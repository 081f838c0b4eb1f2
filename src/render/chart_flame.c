/* The words of a flame graph: its frames, in JSON and in the outline. */
#include "render/chart_words.h"

#include "render/json.h"
#include "render/outline.h"

static void
put_frames(struct tp_json_report *w, const struct tp_chart *c)
{
	tp_json_open(&w->json, "frames", TP_JSON_ARRAY);
	for (size_t i = 0; i < c->frame_count; i++) {
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&w->json, "label", c->frames[i].label);
		tp_json_put_filled(w, "note", c->frames[i].note);
		tp_json_integer(&w->json, "row", c->frames[i].row);
		tp_json_number(&w->json, "from", c->frames[i].from);
		tp_json_number(&w->json, "to", c->frames[i].to);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
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
	.name = "flame",
	.heading = "flame chart",
	.json = put_frames,
	.outline = show_frames,
};
