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
		w->out, "[%" PRId64 ",%" PRId64 "]<=[", tp_pb_number(list, 1), tp_pb_number(list, 2));
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
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next_bytes(&p, field);) {
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
	struct tp_pb devices, counted, mesh;

	tp_sink_printf(w->out, ", %s=", name);
	if (tp_pb_field(i->message, 93, TP_PB_BYTES, &mesh))
		return tp_hlo_put_mesh_groups(w, mesh.bytes);
	if (tp_pb_field(i->message, 92, TP_PB_BYTES, &counted))
		put_counted_groups(w, counted.bytes);
	else if (!tp_pb_field(i->message, 87, TP_PB_BYTES, &devices))
		put_lists(w, i->message, 49, 1);
	else if (tp_pb_field(devices.bytes, 2, TP_PB_BYTES, &counted))
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

	if (!tp_pb_field(i->message, 52, TP_PB_BYTES, &p))
		return true;
	tp_sink_printf(w->out, ", %s={", name);
	for (p = tp_pb_open(i->message); tp_pb_next_bytes(&p, 52);) {
		tp_sink_printf(w->out, "%s%" PRId64 ",%" PRId64 "}", between, tp_pb_number(p.bytes, 1),
			tp_pb_number(p.bytes, 2));
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

	if (tp_pb_field(i->message, 72, TP_PB_BYTES, &p) && tp_slice_eq(p.bytes, TP_S("TOTALORDER")))
		tp_sink_printf(w->out, ", %s=TOTALORDER", name);
	return true;
}

/* Of dots, by number; the first is none. */
static const char algorithms[] =
	"- dot_any_f8_any_f8_f32 dot_any_f8_any_f8_f32_fast_accum dot_f16_f16_f16 dot_f16_f16_f32 "
	"dot_bf16_bf16_bf16 dot_bf16_bf16_f32 dot_bf16_bf16_f32_x3 dot_bf16_bf16_f32_x6 "
	"dot_tf32_tf32_f32 dot_tf32_tf32_f32_x3 dot_f32_f32_f32 dot_f64_f64_f64 dot_bf16_bf16_f32_x9";

bool
tp_hlo_put_precision(const struct tp_hlo_writing *w, struct tp_slice message, const char *name)
{
	static const char *const words[] = {"default", "high", "highest", "packed_nibble"};
	const char *between = "";
	int64_t number;
	bool any = false;

	for (struct tp_pb_numbers n = tp_pb_numbers(message, 1); tp_pb_next_number(&n, &number);) {
		if (number < 0 || number > 3)
			return false;
		any |= number != 0;
	}
	if (any)
		tp_sink_printf(w->out, ", %s={", name);
	for (struct tp_pb_numbers n = tp_pb_numbers(message, 1); any && tp_pb_next_number(&n, &number);
		 between = ",")
		tp_sink_printf(w->out, "%s%s", between, words[number]);
	if (any)
		tp_sink_puts(w->out, "}");
	return tp_hlo_put_word(w, "algorithm", algorithms, tp_pb_number(message, 2));
}

bool
tp_hlo_put_shape_field(const struct tp_hlo_writing *w, struct tp_slice message, const char *name)
{
	tp_sink_printf(w->out, ", %s=", name);
	return tp_hlo_put_shape(w, message);
}

bool
tp_hlo_put_constraints(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	const char *between = "";
	bool whole = true;

	if (tp_pb_number(i->message, 56) == 0)
		return true;
	tp_sink_printf(w->out, ", %s={", name);
	for (struct tp_pb p = tp_pb_open(i->message); tp_pb_next_bytes(&p, 57);) {
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
	uint32_t bits = 0;
	float value;

	if (tp_pb_field(i->message, 24, TP_PB_FIXED32, &p))
		bits = (uint32_t)p.number;
	memcpy(&value, &bits, sizeof value);
	tp_sink_printf(w->out, ", %s=%g", name, (double)value);
	return true;
}

/* Options of solving with a triangle, and of making one. */
bool
tp_hlo_put_triangle(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	static const char *const flags[] = {"left_side", "lower", "unit_diagonal"};
	bool making = tp_slice_eq(i->opcode, TP_S("cholesky"));
	struct tp_pb p;

	(void)name;
	if (!tp_pb_field(i->message, making ? 62 : 59, TP_PB_BYTES, &p))
		return true;
	for (uint32_t k = 0; k < 3; k++) {
		if (tp_pb_number(p.bytes, making ? k : k + 1) != 0)
			tp_sink_printf(w->out, ", %s=true", flags[k]);
	}
	return making ||
		tp_hlo_put_word(w, "transpose_a", "TRANSPOSE_INVALID NO_TRANSPOSE TRANSPOSE ADJOINT",
			tp_pb_number(p.bytes, 4));
}

bool
tp_hlo_put_replication(const struct tp_hlo_writing *w, struct tp_slice message, const char *name)
{
	const char *between = "";
	int64_t same;

	tp_sink_printf(w->out, ", %s={", name);
	for (struct tp_pb_numbers n = tp_pb_numbers(message, 1); tp_pb_next_number(&n, &same);
		 between = ",")
		tp_sink_printf(w->out, "%s%s", between, same != 0 ? "true" : "false");
	tp_sink_puts(w->out, "}");
	return true;
}

/* Named from the operand on; the fields are named from the user back. */
bool
tp_hlo_put_domain(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	static const struct {
		uint32_t field;
		const char *name;
	} sides[] = {{55, "entry"}, {54, "exit"}};
	bool whole = true;
	struct tp_pb p;

	tp_sink_printf(w->out, ", %s={kind=\"sharding\"", name);
	for (size_t k = 0; k < 2; k++) {
		tp_sink_printf(w->out, ", %s=", sides[k].name);
		if (tp_pb_field(i->message, sides[k].field, TP_PB_BYTES, &p))
			whole = tp_hlo_put_sharding(w, p.bytes) && whole;
		else
			tp_sink_puts(w->out, "{}");
	}
	tp_sink_puts(w->out, "}");
	return whole;
}

/* "{{0}: (1, {})}": this part of the result lies where that part of operand 1 does. */
bool
tp_hlo_put_aliasing(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	const char *between = "";
	struct tp_pb p;

	if (!tp_pb_field(i->message, 74, TP_PB_BYTES, &p))
		return true;
	tp_sink_printf(w->out, ", %s={", name);
	for (p = tp_pb_open(i->message); tp_pb_next_bytes(&p, 74);) {
		tp_sink_puts(w->out, between);
		tp_hlo_put_index(w, p.bytes, 1);
		tp_sink_printf(w->out, ": (%" PRId64 ", ", tp_pb_number(p.bytes, 2));
		tp_hlo_put_index(w, p.bytes, 3);
		tp_sink_puts(w->out, ")");
		between = ", ";
	}
	tp_sink_puts(w->out, "}");
	return true;
}

bool
tp_hlo_put_literal_field(const struct tp_hlo_writing *w, struct tp_slice message, const char *name)
{
	struct tp_shape shape;
	struct tp_pb own;

	if (!tp_pb_field(message, 1, TP_PB_BYTES, &own) ||
		tp_shape_read(own.bytes, w->scratch, &shape, NULL) != TP_OK || shape.kind != TP_SHAPE_ARRAY)
		return false;
	tp_sink_printf(w->out, ", %s=", name);
	tp_sink_put(w->out, tp_shape_text(&shape, w->scratch));
	tp_sink_puts(w->out, " ");
	tp_hlo_put_literal(w, &shape, message);
	return true;
}

static double
number_with_fraction(struct tp_slice message, uint32_t field)
{
	struct tp_pb p;
	double number = 0;

	if (tp_pb_field(message, field, TP_PB_FIXED64, &p))
		memcpy(&number, &p.number, sizeof number);
	return number;
}

bool
tp_hlo_put_accuracy(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	struct tp_pb p, tolerance;

	if (!tp_pb_field(i->message, 91, TP_PB_BYTES, &p) || p.bytes.len == 0)
		return true;
	if (tp_pb_field(p.bytes, 2, TP_PB_BYTES, &tolerance)) {
		tp_sink_printf(w->out, ", %s={tolerance={atol=%g,rtol=%g,ulps=%" PRId64 "}}", name,
			number_with_fraction(tolerance.bytes, 1), number_with_fraction(tolerance.bytes, 2),
			tp_pb_number(tolerance.bytes, 3));
		return true;
	}
	if (tp_pb_number(p.bytes, 1) == 1)
		tp_sink_printf(w->out, ", %s={mode=highest}", name);
	return tp_pb_number(p.bytes, 1) <= 1;
}
