/* Numbers that the points of a strip leave out. */
#include "report/strip_gaps.h"

#include "report/doc.h"

#include <stdint.h>

size_t
tp_label_number(struct tp_slice label)
{
	size_t number = 0;

	for (size_t i = 0; i < label.len; i++) {
		if (label.ptr[i] == ',')
			continue;
		if (label.ptr[i] < '0' || label.ptr[i] > '9' || number > SIZE_MAX / 20)
			return SIZE_MAX;
		number = number * 10 + (size_t)(label.ptr[i] - '0');
	}
	return label.len > 0 ? number : SIZE_MAX;
}

/* The least distance between neighbours; 0: they are no rising numbers. */
static size_t
usual_distance(const struct tp_chart *chart)
{
	size_t least = SIZE_MAX;

	for (size_t i = 1; i < chart->point_count; i++) {
		size_t before = tp_label_number(chart->labels[i - 1]);
		size_t number = tp_label_number(chart->labels[i]);

		if (number == SIZE_MAX || before >= number)
			return 0;
		least = number - before < least ? number - before : least;
	}
	return least;
}

size_t
tp_strip_gaps(const struct tp_chart *chart, struct tp_strip_gap gaps[static TP_STRIP_MOST_GAPS])
{
	size_t count = 0, usual;

	if (chart->rule_count == 0 || chart->area || chart->point_count > TP_STRIP_MOST_GAPS)
		return 0;
	usual = usual_distance(chart);
	for (size_t i = 1; i < chart->point_count && usual != 0; i++) {
		size_t before = tp_label_number(chart->labels[i - 1]);
		size_t number = tp_label_number(chart->labels[i]);

		if (number - before > usual)
			gaps[count++] =
				(struct tp_strip_gap){.after = i - 1, .from = before + usual, .to = number - usual};
	}
	return count;
}
