/* Lists of texts in code. */
#ifndef TP_BASE_TEXTS_H
#define TP_BASE_TEXTS_H

#include "base/slice.h"

/* Texts, ended by NULL. */
#define TP_TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* How a text fits: tp_slice_eq, tp_slice_starts, tp_slice_ends, tp_slice_has. */
typedef bool tp_text_fits(struct tp_slice s, struct tp_slice text);

/* Whether one of the texts fits. */
static inline bool
tp_texts_any(struct tp_slice s, tp_text_fits *fits, const char *const *texts)
{
	for (; *texts != NULL; texts++) {
		if (fits(s, tp_slice_of(*texts)))
			return true;
	}
	return false;
}

#endif
