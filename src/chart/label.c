/* Placing labels: text widths from a table, so that the layout is the same on every machine. */
#include "chart/label.h"

#include <math.h>
#include <string.h>

/* Advance widths of Inter with tabular figures, in thousandths of the size, from U+0020 to U+007E. */
static const short regular[] = {281, 278, 403, 631, 638, 813, 639, 222, 362, 362, 500, 659, 276,
	460, 276, 357, 648, 648, 648, 648, 648, 648, 648, 648, 648, 648, 276, 276, 659, 659, 659, 507,
	936, 676, 651, 727, 719, 598, 587, 743, 740, 264, 543, 652, 563, 889, 753, 761, 635, 761, 639,
	638, 642, 741, 676, 949, 642, 665, 625, 362, 357, 362, 469, 452, 497, 564, 621, 558, 621, 582,
	361, 609, 591, 237, 237, 544, 237, 869, 585, 597, 609, 609, 372, 523, 364, 581, 557, 813, 540,
	557, 541, 362, 327, 362, 659};
static const short semibold[] = {248, 309, 396, 643, 649, 844, 663, 213, 393, 393, 543, 673, 291,
	466, 290, 379, 670, 670, 670, 670, 669, 670, 670, 670, 670, 670, 290, 289, 673, 673, 673, 544,
	999, 724, 657, 744, 724, 608, 586, 755, 744, 275, 561, 677, 566, 906, 741, 775, 643, 776, 651,
	649, 660, 734, 724, 1007, 690, 705, 653, 393, 379, 393, 481, 468, 497, 575, 630, 577, 630, 593,
	377, 625, 613, 261, 261, 569, 261, 898, 610, 608, 625, 625, 397, 549, 380, 608, 576, 837, 563,
	576, 562, 393, 358, 393, 673};

enum {
	OTHER_WIDTH = 660, /* most Latin and Greek letters, signs */
	IDEOGRAPH_WIDTH = 1000,
};

static const unsigned char *
next_character(const unsigned char *p, const unsigned char *end)
{
	p++;
	while (p < end && (*p & 0xc0) == 0x80)
		p++;
	return p;
}

static double
character_width(const unsigned char *p, const unsigned char *next, int weight)
{
	if (*p >= 0x20 && *p < 0x7f) {
		double thin = regular[*p - 0x20];
		double bold = semibold[*p - 0x20];

		return weight >= 600 ? bold : weight >= 500 ? (thin + bold) / 2 : thin;
	}
	if (next - p == 3 && p[0] == 0xe2 && p[1] == 0x80)
		return p[2] <= 0xaf ? 300 : 500; /* general punctuation: narrow spaces, dashes */
	if (next - p == 2 && p[0] == 0xc2 && p[1] == 0xb7)
		return 276; /* · */
	return next - p >= 3 && p[0] >= 0xe3 ? IDEOGRAPH_WIDTH : OTHER_WIDTH;
}

double
tp_label_width(struct tp_slice text, double size_px, int weight)
{
	const unsigned char *p = (const unsigned char *)(text.len ? text.ptr : "");
	const unsigned char *end = p + text.len;
	double width = 0;

	while (p < end) {
		const unsigned char *next = next_character(p, end);

		width += character_width(p, next, weight);
		p = next;
	}
	return width * size_px / 1000;
}

struct tp_slice
tp_label_cut(
	struct tp_slice text, double size_px, int weight, double max_px, char *buf, size_t buf_size)
{
	static const char dots[] = "…";
	const unsigned char *p = (const unsigned char *)(text.len ? text.ptr : "");
	const unsigned char *end = p + text.len;
	double room = max_px - tp_label_width(TP_S("…"), size_px, weight);
	double width = 0;
	size_t kept;

	if (tp_label_width(text, size_px, weight) <= max_px || buf_size < sizeof dots)
		return text;
	while (p < end) {
		const unsigned char *next = next_character(p, end);

		width += character_width(p, next, weight) * size_px / 1000;
		kept = (size_t)(next - (const unsigned char *)text.ptr);
		if (width > room || kept + sizeof dots > buf_size)
			break;
		p = next;
	}
	kept = (size_t)(p - (const unsigned char *)text.ptr);
	memcpy(buf, text.ptr, kept);
	memcpy(buf + kept, dots, sizeof dots);
	return (struct tp_slice){buf, kept + sizeof dots - 1};
}

void
tp_labels_drop(struct tp_label_span *labels, size_t count, double gap)
{
	for (size_t i = 0; i < count; i++) {
		labels[i].kept = true;
		for (size_t k = 0; k < i && labels[i].kept; k++)
			if (labels[k].kept && labels[i].low < labels[k].high + gap &&
				labels[k].low < labels[i].high + gap)
				labels[i].kept = false;
	}
}

void
tp_labels_spread(double *positions, size_t count, double gap, double low, double high)
{
	if (count == 0)
		return;
	/* Each too close pair gives way by half; a few rounds settle the handful of labels a chart has. */
	for (int round = 0; round < 32; round++) {
		bool moved = false;

		for (size_t i = 1; i < count; i++) {
			double lack = gap - (positions[i] - positions[i - 1]);

			if (lack <= 1e-6)
				continue;
			positions[i - 1] -= lack / 2;
			positions[i] += lack / 2;
			moved = true;
		}
		if (!moved)
			break;
	}
	if (positions[count - 1] > high)
		positions[count - 1] = high;
	for (size_t i = count - 1; i > 0; i--)
		if (positions[i - 1] > positions[i] - gap)
			positions[i - 1] = positions[i] - gap;
	if (positions[0] < low)
		positions[0] = low;
	for (size_t i = 1; i < count; i++)
		if (positions[i] < positions[i - 1] + gap)
			positions[i] = positions[i - 1] + gap;
}

enum {
	PAD_PX = 5,
	TEXT_PX = 11,
	LEAST_LABEL_PX = 26, /* narrower ones say nothing that could be read */
	LEAST_LETTERS = 4,   /* of a label that was cut */
	TEXT_BUF = 512,
};

/* "m…" names nothing, nor does "… 3…". */
static bool
says_something(struct tp_slice cut, struct tp_slice label)
{
	return tp_slice_eq(cut, label) ||
		(cut.len >= LEAST_LETTERS + strlen("…") && !tp_slice_starts(label, TP_S("…")));
}

static struct tp_slice
fitting(struct tp_slice label, double width_px, char buf[static TEXT_BUF])
{
	if (width_px < LEAST_LABEL_PX)
		return TP_S("");
	struct tp_slice cut = tp_label_cut(label, TEXT_PX, 400, width_px - 2 * PAD_PX, buf, TEXT_BUF);

	return says_something(cut, label) ? cut : TP_S("");
}

/* Whether a label that has no room in its bar has room right of it. */
static bool
stands_beside(struct tp_slice label, const struct tp_bar *bar, double width_px)
{
	double label_px = tp_label_width(label, TEXT_PX, 400);

	return label.len != 0 && label_px + 2 * PAD_PX > (bar->to - bar->from) * width_px &&
		label_px + 2 * PAD_PX <= (bar->next - bar->to) * width_px;
}

/* Where the label is on a canvas of this width; without a text where there is none. */
static struct tp_canvas_text
placed(struct tp_slice label, const struct tp_bar *bar, double width_px, char buf[static TEXT_BUF])
{
	if (stands_beside(label, bar, width_px))
		return (struct tp_canvas_text){
			.x = {bar->to, PAD_PX}, .ink = TP_INK_INK, .halo = true, .text = label};
	return (struct tp_canvas_text){.x = {bar->from, PAD_PX},
		.ink = bar->hue != TP_HUE_NONE ? TP_INK_ON_MARK : TP_INK_INK,
		.on = bar->hue,
		.text = fitting(label, (bar->to - bar->from) * width_px, buf)};
}

void
tp_bar_label_draw(struct tp_canvas *canvas, struct tp_slice label, struct tp_bar bar, double y,
	struct tp_slice title)
{
	char wide_buf[TEXT_BUF], narrow_buf[TEXT_BUF];
	struct tp_canvas_text wide = placed(label, &bar, canvas->width_px, wide_buf);
	struct tp_canvas_text narrow = placed(label, &bar, tp_canvas_least_px(canvas), narrow_buf);

	wide.y = narrow.y = y;
	wide.title = narrow.title = title;
	if (canvas->narrow_px > 0 && wide.halo != narrow.halo) {
		wide.wide = narrow.narrow = true;
		tp_canvas_write(canvas, wide);
		if (narrow.text.len != 0)
			tp_canvas_write(canvas, narrow);
		return;
	}
	tp_canvas_write_both(canvas, wide, canvas->narrow_px > 0 ? narrow.text : wide.text);
}
