/* Putting things in order, and searching what is in order. */
#ifndef TP_BASE_ORDER_H
#define TP_BASE_ORDER_H

#include <stddef.h>

/* A comparison for qsort, by at most six keys, one after the other until two differ; a and b are the things that are compared.
 *
 *     TP_ORDER(by_tensors, struct flow, TP_DOWN(tensors), TP_UP(from), tp_slice_cmp(a->name, b->name)); */
#define TP_ORDER(name, type, ...)                                                                  \
	static int name(const void *left, const void *right)                                           \
	{                                                                                              \
		const type *a = left, *b = right;                                                          \
                                                                                                   \
		return TP_FIRST_KEY(__VA_ARGS__, 0, 0, 0, 0, 0, 0);                                        \
	}                                                                                              \
	_Static_assert(sizeof(type) != 0, "a semicolon follows")

/* The same for an array of pointers to the things. */
#define TP_ORDER_POINTERS(name, type, ...)                                                         \
	static int name(const void *left, const void *right)                                           \
	{                                                                                              \
		const type *a = *(const type *const *)left, *b = *(const type *const *)right;              \
                                                                                                   \
		return TP_FIRST_KEY(__VA_ARGS__, 0, 0, 0, 0, 0, 0);                                        \
	}                                                                                              \
	_Static_assert(sizeof(type) != 0, "a semicolon follows")

#define TP_FIRST_KEY(k1, k2, k3, k4, k5, k6, ...) ((k1) ?: (k2) ?: (k3) ?: (k4) ?: (k5) ?: (k6))

/* By a member, the least first, or the greatest. */
#define TP_UP(member) ((a->member > b->member) - (a->member < b->member))
#define TP_DOWN(member) ((a->member < b->member) - (a->member > b->member))

/* By where they stand: the last key of things that are all in one array, where pointers to them are put in order. */
#define TP_AS_THEY_STAND ((a > b) - (a < b))

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
