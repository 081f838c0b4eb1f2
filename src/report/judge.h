/* Judgements and hues: what every renderer shows in the same words and colours. */
#ifndef TP_REPORT_JUDGE_H
#define TP_REPORT_JUDGE_H

#include "base/slice.h"

/* A judgement is always shown as glyph and word (or sentence), never as colour alone. */
enum tp_judge {
	TP_JUDGE_NONE,
	TP_JUDGE_BAD,       /* ▲ */
	TP_JUDGE_WARN,      /* ■ */
	TP_JUDGE_GOOD,      /* ✓ */
	TP_JUDGE_UNDECIDED, /* ? */
	TP_JUDGE_ABSENT,    /* – not applicable or missing */
};

/* The eight classes of time that have a colour of their own in every chart. */
enum tp_hue {
	TP_HUE_NONE, /* not a class of time; what a zeroed cell has */
	TP_HUE_COMPUTE,
	TP_HUE_MEMORY,
	TP_HUE_COLLECTIVE,
	TP_HUE_INPUT,
	TP_HUE_OUTPUT,
	TP_HUE_HOST,
	TP_HUE_COMPILE,
	TP_HUE_IDLE,
};

/* Sub-classes of a hue, and two looks that each hue has beside them. */
enum {
	TP_TINTS = 4,              /* 0…3: darkest first */
	TP_TINT_UNUSED = TP_TINTS, /* hatched: paid for and not used, as waiting and padding */
	TP_TINT_UNRECORDED,        /* dotted: nobody knows what it was */
	TP_LOOKS
};

/* Idle time is not used, whatever it is a part of. */
static inline bool
tp_is_hatched(enum tp_hue hue, int tint)
{
	return tint == TP_TINT_UNUSED || (hue == TP_HUE_IDLE && tint == 0);
}

/* "▲" …; empty for NONE */
struct tp_slice tp_judge_glyph(enum tp_judge judge);
/* "high", "watch", "fine", "undecided", "not applicable" */
struct tp_slice tp_judge_word(enum tp_judge judge);
/* "High", "Medium", "Low" */
struct tp_slice tp_severity_word(enum tp_judge severity);
/* "compute", "memory" …: the CSS class, and the name in JSON */
struct tp_slice tp_hue_name(enum tp_hue hue);

#endif
