/* Sums and products that stay at the largest number where they would go beyond it. */
#ifndef TP_BASE_SATURATE_H
#define TP_BASE_SATURATE_H

#include <stdint.h>

static inline uint64_t
tp_times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static inline uint64_t
tp_plus(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

#endif
