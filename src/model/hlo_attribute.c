/* Attributes of HLO instructions that have a text of their own: who takes part, types, precision, shapes. Field numbers are
 * those of xla_data.proto. */
#include "base/arena.h"
#include "io/sink.h"
#include "model/hlo_text_parts.h"

#include <inttypes.h>

/* "[4,2]<=[2,4]T(1,0)": so many groups of so many, from devices counted in an array of these sizes, turned like that. */
static void
put_counted_groups(const struct tp_hlo_writing *w, struct tp_slice list)
{
	tp_sink_printf(
		w->out, "[%" PRId64 ",%" PRId64 "]<=[", tp_hlo_number(list, 1), tp_hlo_number(list, 2));
	size_t dims = tp_hlo_put_numbers(w, list, 3, ",");

	tp_sink_puts(w->out, "]");
	if (dims < 2)
		return;
	tp_sink_puts(w->out, "T(");
	tp_hlo_put_numbers(w, list, 4, ",");
	tp_sink_puts(w->out, ")");
}

/* "{{0,1},{2,3}}": messages of a field, each with the numbers of one of its own. */
static void
put_lists(const struct tp_hlo_writing *w, struct tp_slice message, uint32_t field, uint32_t numbers)
{
	const char *between = "{";

	tp_sink_puts(w->out, "{");
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.field != field || p.type != TP_PB_BYTES)
			continue;
		tp_sink_puts(w->out, between);
		tp_hlo_put_numbers(w, p.bytes, numbers, ",");
		tp_sink_puts(w->out, "}");
		between = ",{";
	}
	tp_sink_puts(w->out, "}");
}

bool
tp_hlo_put_groups(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	struct tp_pb devices, counted;

	tp_sink_printf(w->out, ", %s=", name);
	if (!tp_hlo_field(i->message, 87, TP_PB_BYTES, &devices))
		put_lists(w, i->message, 49, 1);
	else if (tp_hlo_field(devices.bytes, 2, TP_PB_BYTES, &counted))
		put_counted_groups(w, counted.bytes);
	else
		put_lists(w, devices.bytes, 1, 1);
	return true;
}

bool
tp_hlo_put_pairs(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	const char *between = "{";
	struct tp_pb p;

	if (!tp_hlo_field(i->message, 52, TP_PB_BYTES, &p))
		return true;
	tp_sink_printf(w->out, ", %s={", name);
	for (p = tp_pb_open(i->message); tp_pb_next(&p);) {
		if (p.field != 52 || p.type != TP_PB_BYTES)
			continue;
		tp_sink_printf(w->out, "%s%" PRId64 ",%" PRId64 "}", between, tp_hlo_number(p.bytes, 1),
			tp_hlo_number(p.bytes, 2));
		between = ",{";
	}
	tp_sink_puts(w->out, "}");
	return true;
}

/* Comparisons are by the type of what is compared, so the text says it of floating-point numbers in total order alone. */
bool
tp_hlo_put_total_order(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	struct tp_pb p;

	if (tp_hlo_field(i->message, 72, TP_PB_BYTES, &p) && tp_slice_eq(p.bytes, TP_S("TOTALORDER")))
		tp_sink_printf(w->out, ", %s=TOTALORDER", name);
	return true;
}

bool
tp_hlo_put_precision(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	static const char *const words[] = {"default", "high", "highest", "packed_nibble"};
	const char *between = "";
	struct tp_pb p;
	int64_t number;
	bool any = false;

	if (!tp_hlo_field(i->message, 51, TP_PB_BYTES, &p))
		return true;
	for (struct tp_hlo_numbers n = tp_hlo_numbers(p.bytes, 1); tp_hlo_next_number(&n, &number);) {
		if (number < 0 || number > 3)
			return false;
		any |= number != 0;
	}
	if (any)
		tp_sink_printf(w->out, ", %s={", name);
	for (struct tp_hlo_numbers n = tp_hlo_numbers(p.bytes, 1);
		 any && tp_hlo_next_number(&n, &number); between = ",")
		tp_sink_printf(w->out, "%s%s", between, words[number]);
	if (any)
		tp_sink_puts(w->out, "}");
	return tp_hlo_number(p.bytes, 2) == 0; /* the algorithm of a dot */
}

bool
tp_hlo_put_shape_field(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	struct tp_pb p;

	if (!tp_hlo_field(i->message, 29, TP_PB_BYTES, &p))
		return true;
	tp_sink_printf(w->out, ", %s=", name);
	return tp_hlo_put_shape(w, p.bytes);
}

bool
tp_hlo_put_constraints(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	const char *between = "";
	bool whole = true;

	if (tp_hlo_number(i->message, 56) == 0)
		return true;
	tp_sink_printf(w->out, ", %s={", name);
	for (struct tp_pb p = tp_pb_open(i->message); tp_pb_next(&p);) {
		if (p.field != 57 || p.type != TP_PB_BYTES)
			continue;
		tp_sink_puts(w->out, between);
		whole = tp_hlo_put_shape(w, p.bytes) && whole;
		between = ", ";
	}
	tp_sink_puts(w->out, "}");
	return whole;
}

bool
tp_hlo_put_epsilon(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	struct tp_pb p;
	uint32_t bits;
	float value;

	if (!tp_hlo_field(i->message, 24, TP_PB_FIXED32, &p))
		return true;
	bits = (uint32_t)p.number;
	memcpy(&value, &bits, sizeof value);
	tp_sink_printf(w->out, ", %s=%g", name, (double)value);
	return true;
}

bool
tp_hlo_put_api(const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	static const char *const versions[] = {NULL, NULL, "API_VERSION_STATUS_RETURNING",
		"API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};
	int64_t version = tp_hlo_number(i->message, 77);

	if (version < 0 || version > 4)
		return false;
	if (versions[version] != NULL)
		tp_sink_printf(w->out, ", %s=%s", name, versions[version]);
	return true;
}
