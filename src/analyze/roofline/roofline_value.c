/* What some work reached of the limits, as values: missing with the reason where it is not known. */
#include "analyze/roofline/roofline.h"

#include <math.h>

struct tp_slice
tp_roof_limit(enum tp_peak_kind kind)
{
	switch (kind) {
	case TP_PEAK_FLOP:
		return TP_S("compute");
	case TP_PEAK_HBM:
		return TP_S("HBM");
	case TP_PEAK_CMEM_READ:
		return TP_S("CMEM read");
	case TP_PEAK_CMEM_WRITE:
		return TP_S("CMEM write");
	case TP_PEAK_VMEM_READ:
		return TP_S("VMEM read");
	case TP_PEAK_VMEM_WRITE:
		return TP_S("VMEM write");
	case TP_PEAK_SHARED:
		return TP_S("shared memory");
	case TP_PEAK_CAPACITY:
	case TP_PEAK_COUNT:
		break;
	}
	return TP_S("");
}

static struct tp_value
known(double number, enum tp_unit unit, const char *reason)
{
	return isfinite(number) ? tp_number(number, unit) : tp_missing(tp_slice_of(reason));
}

#define NO_TIME "it took no time"
#define NO_BYTES "it moves no bytes of HBM"
#define NO_PEAK "the peak is not known"
#define ASYNCHRONOUS "more than the peak allows in its own time: the work runs asynchronously"

struct tp_value
tp_roof_intensity(const struct tp_roof *r)
{
	return known(r->intensity, TP_UNIT_FLOP_PER_BYTE, NO_BYTES);
}

/* A rate that is more than possible is not the operation's own. */
struct tp_value
tp_roof_rate(const struct tp_roof *r, enum tp_peak_kind kind)
{
	if (r->share[kind] > 0 && r->impossible)
		return tp_missing(TP_S(ASYNCHRONOUS));
	return known(
		r->rate[kind], kind == TP_PEAK_FLOP ? TP_UNIT_FLOP_PER_S : TP_UNIT_BYTES_PER_S, NO_TIME);
}

struct tp_value
tp_roof_share(const struct tp_roof *r, enum tp_peak_kind kind)
{
	return r->impossible ? tp_missing(TP_S(ASYNCHRONOUS))
						 : known(r->share[kind], TP_UNIT_SHARE, NO_PEAK);
}

struct tp_value
tp_roof_efficiency(const struct tp_roof *r)
{
	return r->impossible ? tp_missing(TP_S(ASYNCHRONOUS))
						 : known(r->efficiency, TP_UNIT_SHARE, "it uses no limit that is known");
}

struct tp_value
tp_roof_bound(const struct tp_roof *r)
{
	if (r->impossible)
		return tp_missing(TP_S(ASYNCHRONOUS));
	return r->bound == TP_PEAK_COUNT ? tp_missing(TP_S("it uses no limit that is known"))
									 : tp_text_value(tp_roof_limit(r->bound));
}

struct tp_value
tp_roof_ridge(const struct tp_roofline *r, enum tp_peak_kind kind)
{
	return r->peak[kind] > 0
		? tp_number(r->peak[TP_PEAK_FLOP] / r->peak[kind], TP_UNIT_FLOP_PER_BYTE)
		: tp_missing(TP_S(NO_PEAK));
}
