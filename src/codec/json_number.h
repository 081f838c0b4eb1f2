/* Numbers of JSON, exact: no decimal goes through a double unless a double is asked for. */
#ifndef TP_CODEC_JSON_NUMBER_H
#define TP_CODEC_JSON_NUMBER_H

#include "base/slice.h"

#include <stdint.h>

/* The number × 10^places, rounded half away from zero: with places 3 nanoseconds out of microseconds. False when text is
 * no number, or the result no int64. */
bool tp_decimal_scaled(struct tp_slice text, unsigned places, int64_t *out);

/* The number when it is a whole one ("12", "12.0", "1.2e1") and an int64. */
bool tp_decimal_integer(struct tp_slice text, int64_t *out);

/* The nearest double; infinite when it is too large for one. False when text is no number. */
bool tp_decimal_double(struct tp_slice text, double *out);

#endif
