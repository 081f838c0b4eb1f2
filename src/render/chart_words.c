/* The words of each kind of chart. */
#include "render/chart_words.h"

const struct tp_chart_words *
tp_chart_words(enum tp_chart_kind kind)
{
	static const struct tp_chart_words *const words[] = {
#define WORDS(KIND, name) [TP_CHART_##KIND] = &tp_##name##_words,
		TP_CHART_KINDS(WORDS)
#undef WORDS
	};

	return words[kind];
}
