/* Bounds of the numbers that a summary may hold. */
#include "model/rank.h"

bool
tp_rank_within(const int64_t *values, size_t count, int64_t least)
{
	for (size_t i = 0; i < count; i++) {
		if (values[i] < least || values[i] > TP_RANK_MOST)
			return false;
	}
	return true;
}

bool
tp_rank_adds_up(const int64_t *differences, size_t count)
{
	int64_t at = 0;

	for (size_t i = 0; i < count; i++) {
		if (!tp_rank_within(&differences[i], 1, -TP_RANK_MOST) ||
			!tp_rank_within(&at, 1, -TP_RANK_MOST))
			return false;
		at += differences[i];
	}
	return tp_rank_within(&at, 1, -TP_RANK_MOST);
}

bool
tp_rank_below(const uint32_t *values, size_t count, size_t most)
{
	for (size_t i = 0; i < count; i++) {
		if (values[i] >= most)
			return false;
	}
	return true;
}
