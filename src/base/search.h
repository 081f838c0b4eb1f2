/* Searching what is in order. */
#ifndef TP_BASE_SEARCH_H
#define TP_BASE_SEARCH_H

#include <stddef.h>

/* The first index i below count for which a condition holds that holds for all behind it, too; count: it holds for none. */
#define TP_FIRST_WHERE(i, count, condition)                                                        \
	__extension__({                                                                                \
		size_t first_ = 0, end_ = (count);                                                         \
		while (first_ < end_) {                                                                    \
			size_t i = first_ + (end_ - first_) / 2;                                               \
			if (condition)                                                                         \
				end_ = i;                                                                          \
			else                                                                                   \
				first_ = i + 1;                                                                    \
		}                                                                                          \
		first_;                                                                                    \
	})

#endif
