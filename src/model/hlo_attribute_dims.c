/* Attributes of HLO instructions that say which dimension is what: windows, slices, padding, dimension numbers. Field numbers
 * are those of xla_data.proto. */
#include "io/sink.h"
#include "model/hlo_text_parts.h"

#include <inttypes.h>

static bool
has_numbers(struct tp_slice message, uint32_t field)
{
	struct tp_pb_numbers numbers = tp_pb_numbers(message, field);
	int64_t first;

	return tp_pb_next_number(&numbers, &first);
}

bool
tp_hlo_put_first(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	struct tp_pb_numbers dimensions = tp_pb_numbers(i->message, 14);
	int64_t first;

	if (tp_pb_next_number(&dimensions, &first))
		tp_sink_printf(w->out, ", %s=%" PRId64, name, first);
	return true;
}

bool
tp_hlo_put_slice(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	const char *between = "";
	bool strides = false;

	for (struct tp_pb p = tp_pb_open(i->message); tp_pb_next_bytes(&p, 17);)
		strides |= tp_pb_number(p.bytes, 3) != 1;
	tp_sink_printf(w->out, ", %s={", name);
	for (struct tp_pb p = tp_pb_open(i->message); tp_pb_next_bytes(&p, 17);) {
		tp_sink_printf(w->out, "%s[%" PRId64 ":%" PRId64, between, tp_pb_number(p.bytes, 1),
			tp_pb_number(p.bytes, 2));
		if (strides)
			tp_sink_printf(w->out, ":%" PRId64, tp_pb_number(p.bytes, 3));
		tp_sink_puts(w->out, "]");
		between = ", ";
	}
	tp_sink_puts(w->out, "}");
	return true;
}

/* One part of a window, by dimension: "3x3". */
enum part { SIZE, STRIDE, PAD, BASE_DILATION, WINDOW_DILATION, REVERSED, PARTS };

static bool
says(const struct tp_hlo_window_dim *d, enum part part)
{
	switch (part) {
	case SIZE:
		return true;
	case STRIDE:
		return d->stride != 1;
	case PAD:
		return d->padding_low != 0 || d->padding_high != 0;
	case BASE_DILATION:
		return d->base_dilation != 1;
	case WINDOW_DILATION:
		return d->window_dilation != 1;
	case REVERSED:
		return d->reversed;
	case PARTS:
		break;
	}
	return false;
}

static void
put_part(struct tp_sink *out, const struct tp_hlo_window_dim *d, enum part part)
{
	const int64_t numbers[PARTS] = {
		[SIZE] = d->size,
		[STRIDE] = d->stride,
		[BASE_DILATION] = d->base_dilation,
		[WINDOW_DILATION] = d->window_dilation,
		[REVERSED] = d->reversed,
	};

	if (part == PAD)
		tp_sink_printf(out, "%" PRId64 "_%" PRId64, d->padding_low, d->padding_high);
	else
		tp_sink_printf(out, "%" PRId64, numbers[part]);
}

bool
tp_hlo_put_window(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	static const char *const parts[PARTS] = {
		"size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
	const struct tp_hlo_window *window = &i->details->window;

	if (window->count == 0)
		return true;
	tp_sink_printf(w->out, ", %s={", name);
	for (enum part part = SIZE; part < PARTS; part++) {
		bool any = false;

		for (uint32_t d = 0; d < window->count; d++)
			any |= says(&window->dims[d], part);
		if (!any)
			continue;
		tp_sink_printf(w->out, "%s%s=", part == SIZE ? "" : " ", parts[part]);
		for (uint32_t d = 0; d < window->count; d++) {
			tp_sink_puts(w->out, d == 0 ? "" : "x");
			put_part(w->out, &window->dims[d], part);
		}
	}
	tp_sink_puts(w->out, "}");
	return true;
}

/* "b01f": what each dimension of an array is; false when there are more dimensions than arrays have. */
static bool
put_label(struct tp_sink *out, uint32_t first, char first_letter, uint32_t second,
	char second_letter, struct tp_hlo_list spatial)
{
	char text[TP_SHAPE_DIMS + 1];
	uint32_t last = first > second ? first : second;

	for (uint32_t d = 0; d < spatial.count; d++)
		last = spatial.at[d] > last ? spatial.at[d] : last;
	if (last >= TP_SHAPE_DIMS || spatial.count > 10)
		return false;
	memset(text, '?', last + 1);
	text[first] = first_letter;
	text[second] = second_letter;
	for (uint32_t d = 0; d < spatial.count; d++)
		text[spatial.at[d]] = (char)('0' + d);
	tp_sink_printf(out, "%.*s", (int)last + 1, text);
	return true;
}

bool
tp_hlo_put_labels(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name)
{
	const struct tp_hlo_convolution *c = i->details->convolution;

	if (c == NULL)
		return true;
	tp_sink_printf(w->out, ", %s=", name);
	bool whole = put_label(w->out, c->input_batch, 'b', c->input_feature, 'f', c->input_spatial);

	tp_sink_puts(w->out, "_");
	whole = put_label(w->out, c->kernel_input_feature, 'i', c->kernel_output_feature, 'o',
				c->kernel_spatial) &&
		whole;
	tp_sink_puts(w->out, "->");
	return put_label(w->out, c->output_batch, 'b', c->output_feature, 'f', c->output_spatial) &&
		whole;
}

static void
put_if_any(
	const struct tp_hlo_writing *w, const char *name, struct tp_slice message, uint32_t field)
{
	if (has_numbers(message, field))
		tp_hlo_put_list(w, name, message, field);
}

bool
tp_hlo_put_dot(const struct tp_hlo_writing *w, struct tp_slice message, const char *name)
{
	(void)name;
	put_if_any(w, "lhs_batch_dims", message, 3);
	tp_hlo_put_list(w, "lhs_contracting_dims", message, 1);
	put_if_any(w, "rhs_batch_dims", message, 4);
	tp_hlo_put_list(w, "rhs_contracting_dims", message, 2);
	return true;
}

bool
tp_hlo_put_ragged_dot(const struct tp_hlo_writing *w, struct tp_slice message, const char *name)
{
	struct tp_pb dot;

	(void)name;
	if (tp_pb_field(message, 1, TP_PB_BYTES, &dot))
		tp_hlo_put_dot(w, dot.bytes, name);
	put_if_any(w, "lhs_ragged_dims", message, 2);
	put_if_any(w, "rhs_group_dims", message, 3);
	return true;
}

bool
tp_hlo_put_gather(const struct tp_hlo_writing *w, struct tp_slice message, const char *name)
{
	(void)name;
	tp_hlo_put_list(w, "offset_dims", message, 1);
	tp_hlo_put_list(w, "collapsed_slice_dims", message, 2);
	tp_hlo_put_list(w, "start_index_map", message, 3);
	put_if_any(w, "operand_batching_dims", message, 5);
	put_if_any(w, "start_indices_batching_dims", message, 6);
	tp_sink_printf(w->out, ", index_vector_dim=%" PRId64, tp_pb_number(message, 4));
	return true;
}

bool
tp_hlo_put_scatter(const struct tp_hlo_writing *w, struct tp_slice message, const char *name)
{
	(void)name;
	tp_hlo_put_list(w, "update_window_dims", message, 1);
	tp_hlo_put_list(w, "inserted_window_dims", message, 2);
	tp_hlo_put_list(w, "scatter_dims_to_operand_dims", message, 3);
	put_if_any(w, "input_batching_dims", message, 5);
	put_if_any(w, "scatter_indices_batching_dims", message, 6);
	tp_sink_printf(w->out, ", index_vector_dim=%" PRId64, tp_pb_number(message, 4));
	return true;
}

bool
tp_hlo_put_padding(const struct tp_hlo_writing *w, struct tp_slice message, const char *name)
{
	const char *between = "";
	bool interior = false;

	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);)
		interior |= p.type == TP_PB_BYTES && tp_pb_number(p.bytes, 3) != 0;
	tp_sink_printf(w->out, ", %s=", name);
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next_bytes(&p, 1);) {
		tp_sink_printf(w->out, "%s%" PRId64 "_%" PRId64, between, tp_pb_number(p.bytes, 1),
			tp_pb_number(p.bytes, 2));
		if (interior)
			tp_sink_printf(w->out, "_%" PRId64, tp_pb_number(p.bytes, 3));
		between = "x";
	}
	return true;
}
