/* The unit of an axis: in charts, in what is said beside them, and in their tables. */
#include "base/number.h"

#include <math.h>

/* Units of one quantity, smallest first. */
static const enum tp_unit times[] = {
	TP_UNIT_PS, TP_UNIT_NS, TP_UNIT_US, TP_UNIT_MS, TP_UNIT_S, TP_UNIT_MIN, TP_UNIT_H};
static const enum tp_unit sizes[] = {TP_UNIT_BYTES, TP_UNIT_KIB, TP_UNIT_MIB, TP_UNIT_GIB};
static const enum tp_unit flops[] = {TP_UNIT_FLOP_PER_S, TP_UNIT_GFLOP_PER_S, TP_UNIT_TFLOP_PER_S};
static const enum tp_unit rates[] = {TP_UNIT_BYTES_PER_S, TP_UNIT_GB_PER_S};
static const struct {
	const enum tp_unit *units;
	size_t count;
} families[] = {
	{times, sizeof times / sizeof times[0]},
	{sizes, sizeof sizes / sizeof sizes[0]},
	{flops, sizeof flops / sizeof flops[0]},
	{rates, sizeof rates / sizeof rates[0]},
};

enum tp_unit
tp_unit_of_axis(double largest, enum tp_unit unit)
{
	for (size_t f = 0; f < sizeof families / sizeof families[0]; f++) {
		if (!isfinite(tp_value_in(tp_number(1, unit), families[f].units[0])))
			continue;
		for (size_t i = families[f].count; i-- > 0;) {
			enum tp_unit suits = families[f].units[i];

			/* Texts beside the axis say seconds from 1 s on, and GiB from 1 GiB on. */
			bool from_one = suits == TP_UNIT_S || families[f].units == sizes;

			if (tp_value_in(tp_number(largest, unit), suits) >= (from_one ? 1 : 2))
				return suits;
		}
		return families[f].units[0];
	}
	return unit;
}
