/* The legend on a canvas: swatch, label, value and share of each series, wrapped to the width. */
#include "chart/layout.h"

#include "chart/canvas.h"
#include "chart/label.h"
#include "report/doc.h"

enum {
	MOST_ENTRIES = 32,
	ROW_PX = 18,
	BASELINE_PX = 13,
	SWATCH_PX = 10,
	SWATCH_GAP_PX = 5,
	WORD_GAP_PX = 4,
	ENTRY_GAP_PX = 16,
	TEXT_PX = 12,
};

struct word {
	char buf[TP_VALUE_BUF];
	struct tp_slice text;
	enum tp_ink ink;
	int weight;
};

/* Label, value, share; the last two may be empty. */
static void
entry_words(const struct tp_legend_entry *entry, struct word words[static 3])
{
	words[0] = (struct word){.text = entry->series->label, .ink = TP_INK_INK2, .weight = 400};
	words[1] = (struct word){.ink = TP_INK_INK, .weight = 500};
	words[2] = (struct word){.ink = TP_INK_INK3, .weight = 400};
	if (tp_known(entry->value))
		words[1].text = tp_value_text(entry->value, words[1].buf);
	if (tp_known(entry->share))
		words[2].text = tp_value_text(entry->share, words[2].buf);
}

static double
entry_width(const struct tp_legend_entry *entry)
{
	struct word words[3];
	double width = SWATCH_PX + SWATCH_GAP_PX - WORD_GAP_PX;

	entry_words(entry, words);
	for (int i = 0; i < 3; i++)
		if (words[i].text.len > 0)
			width += WORD_GAP_PX + tp_label_width(words[i].text, TEXT_PX, words[i].weight);
	return width;
}

static void
draw_entry(const struct tp_legend_entry *entry, struct tp_canvas *canvas, double x, double top)
{
	struct tp_x left = {0, x}, right = {0, x + SWATCH_PX};
	struct word words[3];

	canvas->ops->mark(canvas, left, right, top + BASELINE_PX - SWATCH_PX + 1, SWATCH_PX,
		entry->series->hue, entry->series->tint, TP_S(""));
	x += SWATCH_PX + SWATCH_GAP_PX;
	entry_words(entry, words);
	for (int i = 0; i < 3; i++) {
		if (words[i].text.len == 0)
			continue;
		canvas->ops->text(canvas,
			&(struct tp_canvas_text){.x = {0, x},
				.y = top + BASELINE_PX,
				.ink = words[i].ink,
				.size_px = TEXT_PX,
				.weight = words[i].weight,
				.text = words[i].text});
		x += canvas->ops->measure(canvas, words[i].text, TEXT_PX, words[i].weight) + WORD_GAP_PX;
	}
}

/* Goes over the entries that are not labelled in the plot; draws them unless canvas is NULL. Returns the height. */
static double
lay_out(const struct tp_chart *chart, double width_px, struct tp_canvas *canvas, double top)
{
	struct tp_legend_entry entries[MOST_ENTRIES];
	size_t count =
		chart->series_count <= MOST_ENTRIES ? tp_chart_legend(chart, width_px, entries) : 0;
	double x = 0;
	double y = 0;

	for (size_t i = 0; i < count; i++) {
		double width = entry_width(&entries[i]);

		if (entries[i].labelled)
			continue;
		if (x > 0 && x + width > width_px) {
			x = 0;
			y += ROW_PX;
		}
		if (canvas != NULL)
			draw_entry(&entries[i], canvas, x, top + y);
		x += width + ENTRY_GAP_PX;
	}
	return x > 0 ? y + ROW_PX : 0;
}

double
tp_legend_height(const struct tp_chart *chart, double width_px)
{
	return lay_out(chart, width_px, NULL, 0);
}

void
tp_legend_draw(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	lay_out(chart, canvas->width_px, canvas, top);
}
