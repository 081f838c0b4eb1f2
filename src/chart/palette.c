/* The colours of the classes of time, and of heat maps. */
#include "chart/palette.h"

static const struct {
	unsigned rgb;
	bool dark; /* text on it is white */
} hues[] = {
	[TP_HUE_COMPUTE] = {0x396AA8, true},
	[TP_HUE_MEMORY] = {0x0B9B81, false},
	[TP_HUE_COLLECTIVE] = {0x5F29A0, true},
	[TP_HUE_INPUT] = {0xCD8113, false},
	[TP_HUE_OUTPUT] = {0x755341, true},
	[TP_HUE_HOST] = {0xE765A9, false},
	[TP_HUE_COMPILE] = {0x373E48, true},
	[TP_HUE_IDLE] = {0xDDE1E6, false},
	[TP_HUE_NONE] = {0xB9BFC7, false},
};

/* How much of a hue its sub-classes keep; the rest is paper. */
static const double tints[] = {1, .62, .36, .20};

static const unsigned heat_rgb[TP_HEAT_STEPS] = {
	0xEDF3FB, 0xDCE8F6, 0xC5D8EF, 0xA6C3E4, 0x7FA6D4, 0x5686C0, 0x2F5F9E};

static int
within(int number, int count)
{
	return number < 0 ? 0 : number < count ? number : count - 1;
}

unsigned
tp_hue_rgb(enum tp_hue hue)
{
	return hues[hue].rgb;
}

unsigned
tp_heat_rgb(int step)
{
	return heat_rgb[within(step, TP_HEAT_STEPS)];
}

bool
tp_hue_is_dark(enum tp_hue hue)
{
	return hues[hue].dark;
}

double
tp_tint_share(int tint)
{
	return tints[within(tint, sizeof tints / sizeof tints[0])];
}
