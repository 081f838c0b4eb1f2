/* Labels in bars: cut to the room, for both widths of a page. */
#include "chart/bar_label.h"

#include <math.h>
#include <string.h>

#include "chart/label.h"

enum {
	PAD_PX = 5,
	TEXT_PX = 11,
	LEAST_LABEL_PX = 26, /* narrower ones say nothing that could be read */
	LEAST_LETTERS = 4,   /* of a label that was cut */
	TEXT_BUF = 512,
};

/* "m…" names nothing. */
static bool
says_something(struct tp_slice cut, struct tp_slice label)
{
	return tp_slice_eq(cut, label) || cut.len >= LEAST_LETTERS + strlen("…");
}

static struct tp_slice
fitting(struct tp_slice label, double width_px, char buf[static TEXT_BUF])
{
	if (width_px < LEAST_LABEL_PX)
		return TP_S("");
	struct tp_slice cut = tp_label_cut(label, TEXT_PX, 400, width_px - 2 * PAD_PX, buf, TEXT_BUF);

	return says_something(cut, label) ? cut : TP_S("");
}

void
tp_bar_label_draw(struct tp_canvas *canvas, struct tp_slice label, double from, double to, double y,
	enum tp_hue hue, struct tp_slice title)
{
	char wide[TEXT_BUF], narrow[TEXT_BUF];
	double share = to - from;
	struct tp_canvas_text text = {.x = {from, PAD_PX},
		.y = y,
		.ink = TP_INK_ON_MARK,
		.on = hue,
		.size_px = TEXT_PX,
		.weight = 400,
		.text = fitting(label, share * canvas->width_px, wide),
		.title = title};
	struct tp_slice small = canvas->narrow_px > 0
		? fitting(label, share * fmin(canvas->narrow_px, canvas->width_px), narrow)
		: TP_S("");

	text.wide = canvas->narrow_px > 0 && !tp_slice_eq(small, text.text);
	if (text.text.len != 0)
		canvas->ops->text(canvas, &text);
	if (!text.wide || small.len == 0)
		return;
	text.wide = false;
	text.narrow = true;
	text.text = small;
	canvas->ops->text(canvas, &text);
}
