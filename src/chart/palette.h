/* The colours of a report on white paper. On a screen the style sheet's tokens replace them, and know the dark too. */
#ifndef TP_CHART_PALETTE_H
#define TP_CHART_PALETTE_H

#include "chart/canvas.h"

/* As 0xRRGGBB. */
unsigned tp_hue_rgb(enum tp_hue hue);
unsigned tp_heat_rgb(int step);

/* Whether text on a mark of this hue is white. */
bool tp_hue_is_dark(enum tp_hue hue);

/* How much of a hue a tint keeps, 0…3 as in tp_series; the rest is paper. */
double tp_tint_share(int tint);

/* What is not used is hatched at 45°: lines of the hue, thin and grey on the grey of what is idle. What was not recorded is dotted on
 * paper. */
enum { TP_HATCH_PERIOD_PX = 5, TP_HATCH_RGB = 0x9AA2AD };
#define TP_HATCH_PX 2.2
#define TP_IDLE_HATCH_PX 1.2
#define TP_UNRECORDED_DOT_PX 1.5

/* How much of its ink a pale mark keeps. */
#define TP_PALE_SHARE .4

#endif
