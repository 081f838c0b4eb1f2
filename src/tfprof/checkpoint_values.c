/* Values as tfprof shows them: floats with six digits, then two behind the point; at most some 10,000 characters. */
#include "tfprof/checkpoint.h"

#include "io/sink.h"

#include <stdio.h>
#include <stdlib.h>

enum { TYPE_FLOAT = 1, TYPE_DOUBLE = 2, TYPE_INT32 = 3, TYPE_INT64 = 9 };
enum { MOST_TEXT = 10000 };

static size_t
size_of(unsigned type)
{
	switch (type) {
	case TYPE_FLOAT:
	case TYPE_INT32:
		return 4;
	case TYPE_DOUBLE:
	case TYPE_INT64:
		return 8;
	default:
		return 0;
	}
}

static bool
is_float(const struct tp_variable *v)
{
	return v->type == TYPE_FLOAT || v->type == TYPE_DOUBLE;
}

/* What six digits leave of it, for tfprof prints and reads it so. */
static double
float_at(const struct tp_variable *v, size_t i)
{
	char text[64];
	double number;
	float single;

	if (v->type == TYPE_FLOAT) {
		memcpy(&single, v->bytes.ptr + 4 * i, sizeof single);
		number = single;
	} else {
		memcpy(&number, v->bytes.ptr + 8 * i, sizeof number);
	}
	snprintf(text, sizeof text, "%g", number);
	return strtod(text, NULL);
}

static long long
integer_at(const struct tp_variable *v, size_t i)
{
	int32_t small;
	int64_t large;

	if (v->type == TYPE_INT32) {
		memcpy(&small, v->bytes.ptr + 4 * i, sizeof small);
		return small;
	}
	memcpy(&large, v->bytes.ptr + 8 * i, sizeof large);
	return large;
}

/* How many there are; 0 where the bytes are not as many as the shape says. */
static size_t
count_of(const struct tp_variable *v)
{
	size_t count = 1, size = size_of(v->type);

	for (uint32_t i = 0; i < v->rank; i++) {
		if (v->dims[i] < 0 || __builtin_mul_overflow(count, (size_t)v->dims[i], &count))
			return 0;
	}
	return size != 0 && v->bytes.len / size == count ? count : 0;
}

static void
put_value(const struct tp_variable *v, size_t i, struct tp_sink *out)
{
	if (is_float(v))
		tp_sink_printf(out, "%.2f ", float_at(v, i));
	else
		tp_sink_printf(out, "%lld ", integer_at(v, i));
}

/* Brackets that open or close before the value at an index: one for each dimension of which a new part begins there. */
static unsigned
parts_at(const struct tp_variable *v, size_t i)
{
	unsigned parts = 0;
	size_t size = 1;

	for (uint32_t d = v->rank; d-- > 1;) {
		size *= (size_t)v->dims[d];
		parts += i % size == 0;
	}
	return parts;
}

void
tp_variable_put_text(const struct tp_variable *v, struct tp_sink *out)
{
	size_t count = count_of(v), start = tp_sink_written(out);

	if (count == 0)
		return;
	tp_sink_puts(out, "[");
	for (size_t i = 0; i < count; i++) {
		unsigned parts = parts_at(v, i);

		for (unsigned k = 0; i != 0 && k < parts; k++)
			tp_sink_puts(out, "],\n");
		for (unsigned k = 0; k < parts; k++)
			tp_sink_puts(out, "[");
		put_value(v, i, out);
		if (tp_sink_written(out) - start >= MOST_TEXT) {
			tp_sink_puts(out, "...omitted from display\n\n");
			return;
		}
	}
	for (unsigned k = 0; k < (v->rank > 1 ? v->rank : 1); k++)
		tp_sink_puts(out, "],\n");
}

void
tp_variable_put_json(const struct tp_variable *v, struct tp_sink *out)
{
	static const char *const names[] = {[TYPE_FLOAT] = "DT_FLOAT",
		[TYPE_DOUBLE] = "DT_DOUBLE",
		[TYPE_INT32] = "DT_INT32",
		[TYPE_INT64] = "DT_INT64"};
	size_t count = count_of(v);

	if (count == 0)
		return;
	tp_sink_printf(out, ", \"tensor_value\": {\"dtype\": \"%s\", \"%s\": [", names[v->type],
		is_float(v) ? "value_double" : "value_int64");
	for (size_t i = 0; i < count; i++) {
		const char *comma = i != 0 ? ", " : "";

		if (!is_float(v))
			tp_sink_printf(out, "%s\"%lld\"", comma, integer_at(v, i));
		else if (__builtin_isfinite(float_at(v, i)))
			tp_sink_printf(out, "%s%g", comma, float_at(v, i));
		else
			tp_sink_printf(out, "%s\"%s\"", comma,
				__builtin_isnan(float_at(v, i)) ? "NaN"
					: float_at(v, i) > 0        ? "Infinity"
												: "-Infinity");
	}
	tp_sink_puts(out, "]}");
}
