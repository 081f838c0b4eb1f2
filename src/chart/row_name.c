/* Names of rows: two widths of room, and a cut where even the wider is too narrow. */
#include "chart/row_name.h"

#include "chart/label.h"

enum { GAP_PX = 10, SHORT_PX = 84, LONG_PX = 164, WEIGHT = 400 };

double
tp_row_names_px(const struct tp_slice *names, size_t count, double size_px)
{
	for (size_t i = 0; i < count; i++) {
		if (tp_label_width(names[i], size_px, WEIGHT) > SHORT_PX - GAP_PX)
			return LONG_PX;
	}
	return SHORT_PX;
}

void
tp_row_name_draw(struct tp_canvas *canvas, struct tp_slice name, double room_px, double y,
	double size_px, enum tp_ink ink)
{
	char buf[256];
	struct tp_slice cut = tp_label_cut(name, size_px, WEIGHT, room_px - GAP_PX, buf, sizeof buf);

	canvas->ops->text(canvas,
		&(struct tp_canvas_text){.x = {0, -room_px},
			.y = y,
			.ink = ink,
			.size_px = size_px,
			.weight = WEIGHT,
			.text = cut,
			.title = cut.len != name.len ? name : TP_S("")});
}
