/* The words and glyphs of judgements, and the names of hues. */
#include "report/judge.h"

struct tp_slice
tp_judge_glyph(enum tp_judge judge)
{
	static const char *const glyphs[] = {
		[TP_JUDGE_NONE] = "",
		[TP_JUDGE_BAD] = "▲",
		[TP_JUDGE_WARN] = "■",
		[TP_JUDGE_GOOD] = "✓",
		[TP_JUDGE_UNDECIDED] = "?",
		[TP_JUDGE_ABSENT] = "–",
	};

	return tp_slice_of(glyphs[judge]);
}

struct tp_slice
tp_judge_word(enum tp_judge judge)
{
	static const char *const words[] = {
		[TP_JUDGE_NONE] = "",
		[TP_JUDGE_BAD] = "high",
		[TP_JUDGE_WARN] = "watch",
		[TP_JUDGE_GOOD] = "fine",
		[TP_JUDGE_UNDECIDED] = "undecided",
		[TP_JUDGE_ABSENT] = "not applicable",
	};

	return tp_slice_of(words[judge]);
}

struct tp_slice
tp_hue_name(enum tp_hue hue)
{
	static const char *const names[] = {
		[TP_HUE_NONE] = "none",
		[TP_HUE_COMPUTE] = "compute",
		[TP_HUE_MEMORY] = "memory",
		[TP_HUE_COLLECTIVE] = "collective",
		[TP_HUE_INPUT] = "input",
		[TP_HUE_OUTPUT] = "output",
		[TP_HUE_HOST] = "host",
		[TP_HUE_COMPILE] = "compile",
		[TP_HUE_IDLE] = "idle",
	};

	return tp_slice_of(names[hue]);
}

struct tp_slice
tp_severity_word(enum tp_judge severity)
{
	static const char *const words[] = {
		[TP_JUDGE_NONE] = "Low",
		[TP_JUDGE_BAD] = "High",
		[TP_JUDGE_WARN] = "Medium",
		[TP_JUDGE_GOOD] = "",
		[TP_JUDGE_UNDECIDED] = "",
		[TP_JUDGE_ABSENT] = "",
	};

	return tp_slice_of(words[severity]);
}
