/* Reading windows, dimension numbers and attributes of HLO instructions. */
#include "model/hlo_details.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "codec/pb_message.h"
#include "hlo.pb-c.h"

const struct tp_hlo_details tp_hlo_no_details = {.channel_id = 0};

bool
tp_hlo_is_detail(uint32_t field)
{
	return protobuf_c_message_descriptor_get_field(&tp__hlo_details__descriptor, field) != NULL;
}

/* Dimension numbers of one list; as a repeated field they come in pieces. */
struct dims {
	uint32_t at[TP_SHAPE_DIMS], count;
};

static bool
add_dims(struct dims *d, const struct tp_pb *field)
{
	struct tp_pb_list list = tp_pb_list_of(field);
	uint64_t number;

	while (tp_pb_list_next(&list, &number)) {
		if (d->count == TP_SHAPE_DIMS || number >= TP_SHAPE_DIMS)
			return false;
		d->at[d->count++] = (uint32_t)number;
	}
	return list.packed.state == TP_PB_MORE;
}

static struct tp_hlo_list
keep(const struct dims *d, struct tp_arena *arena)
{
	uint32_t *at = tp_new_array(arena, uint32_t, d->count);

	memcpy(at, d->at, d->count * sizeof *at);
	return (struct tp_hlo_list){at, d->count};
}

static bool
read_dot(struct tp_slice message, struct tp_arena *arena, struct tp_hlo_dot *out)
{
	struct tp_pb p = tp_pb_open(message);
	struct dims lists[4] = {{.count = 0}};
	bool sound = true;

	while (sound && tp_pb_next(&p)) {
		if (p.field >= 1 && p.field <= 4)
			sound = add_dims(&lists[p.field - 1], &p);
	}
	*out = (struct tp_hlo_dot){keep(&lists[0], arena), keep(&lists[1], arena),
		keep(&lists[2], arena), keep(&lists[3], arena)};
	return sound && p.state == TP_PB_END;
}

static bool
read_convolution(struct tp_slice message, struct tp_arena *arena, struct tp_hlo_convolution *out)
{
	struct tp_pb p = tp_pb_open(message);
	struct dims input = {.count = 0}, kernel = {.count = 0}, output = {.count = 0};
	uint32_t *single[] = {
		[3] = &out->kernel_input_feature,
		[4] = &out->kernel_output_feature,
		[7] = &out->input_batch,
		[8] = &out->input_feature,
		[9] = &out->output_batch,
		[10] = &out->output_feature,
	};
	bool sound = true;

	while (sound && tp_pb_next(&p)) {
		if (p.field == 6)
			sound = add_dims(&kernel, &p);
		else if (p.field == 11)
			sound = add_dims(&input, &p);
		else if (p.field == 12)
			sound = add_dims(&output, &p);
		else if (p.type == TP_PB_VARINT && p.field < sizeof single / sizeof *single &&
			single[p.field] != NULL) {
			sound = p.number < TP_SHAPE_DIMS;
			*single[p.field] = (uint32_t)p.number;
		}
	}
	out->input_spatial = keep(&input, arena);
	out->kernel_spatial = keep(&kernel, arena);
	out->output_spatial = keep(&output, arena);
	return sound && p.state == TP_PB_END;
}

static bool
read_window_dim(struct tp_slice message, struct tp_hlo_window_dim *out)
{
	struct tp_pb p = tp_pb_open(message);
	int64_t *fields[] = {NULL, &out->size, &out->stride, &out->padding_low, &out->padding_high,
		&out->window_dilation, &out->base_dilation};

	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_VARINT && p.field >= 1 && p.field <= 6)
			*fields[p.field] = (int64_t)p.number;
		else if (p.type == TP_PB_VARINT && p.field == 7)
			out->reversed = p.number != 0;
	}
	return p.state == TP_PB_END;
}

static bool
read_window(struct tp_slice message, struct tp_arena *arena, struct tp_hlo_window *out)
{
	struct tp_hlo_window_dim dims[TP_SHAPE_DIMS] = {{.size = 0}};
	struct tp_pb p = tp_pb_open(message);
	bool sound = true;

	while (sound && tp_pb_next_bytes(&p, 1))
		sound = out->count < TP_SHAPE_DIMS && read_window_dim(p.bytes, &dims[out->count++]);
	struct tp_hlo_window_dim *kept = tp_new_array(arena, struct tp_hlo_window_dim, out->count);

	memcpy(kept, dims, out->count * sizeof *kept);
	out->dims = kept;
	return sound && p.state == TP_PB_END;
}

static bool
within(const struct tp_hlo_list *list, const struct tp_shape *s)
{
	for (uint32_t i = 0; i < list->count; i++) {
		if (list->at[i] >= s->rank)
			return false;
	}
	return true;
}

/* Whether every dimension number is one of the shape's. */
static bool
fits_convolution(const struct tp_hlo_convolution *c, const struct tp_shape *out,
	const struct tp_shape *input, const struct tp_shape *kernel)
{
	return c->input_batch < input->rank && c->input_feature < input->rank &&
		c->kernel_input_feature < kernel->rank && c->kernel_output_feature < kernel->rank &&
		c->output_batch < out->rank && c->output_feature < out->rank &&
		within(&c->input_spatial, input) && within(&c->kernel_spatial, kernel) &&
		within(&c->output_spatial, out);
}

static bool
fits_dot(const struct tp_hlo_dot *d, const struct tp_shape *lhs, const struct tp_shape *rhs)
{
	return within(&d->lhs_contracting, lhs) && within(&d->lhs_batch, lhs) &&
		within(&d->rhs_contracting, rhs) && within(&d->rhs_batch, rhs) &&
		d->lhs_contracting.count == d->rhs_contracting.count &&
		d->lhs_batch.count == d->rhs_batch.count;
}

static bool
fits(const struct tp_hlo_details *d, const struct tp_hlo_module *m,
	const struct tp_hlo_instruction *i)
{
	bool convolution = d->convolution != NULL && tp_slice_eq(i->opcode, TP_S("convolution"));
	bool dot = d->dot != NULL && tp_slice_eq(i->opcode, TP_S("dot"));

	if (!convolution && !dot)
		return true;
	if (i->operands.count < 2)
		return false;
	const struct tp_shape *lhs = &m->instructions[i->operands.at[0]].shape;
	const struct tp_shape *rhs = &m->instructions[i->operands.at[1]].shape;

	return convolution ? fits_convolution(d->convolution, &i->shape, lhs, rhs)
					   : fits_dot(d->dot, lhs, rhs);
}

static bool
read_parts(const Tp__HloDetails *m, struct tp_arena *arena, struct tp_hlo_details *d)
{
	bool sound = !m->has_window || read_window(tp_pb_slice(m->window), arena, &d->window);

	if (sound && m->has_convolution) {
		struct tp_hlo_convolution *c = tp_new(arena, struct tp_hlo_convolution);

		d->convolution = c;
		c->feature_groups = m->feature_groups != 0 ? m->feature_groups : 1;
		c->batch_groups = m->batch_groups != 0 ? m->batch_groups : 1;
		sound = read_convolution(tp_pb_slice(m->convolution), arena, c);
	}
	if (sound && m->has_dot) {
		struct tp_hlo_dot *dot = tp_new(arena, struct tp_hlo_dot);

		d->dot = dot;
		sound = read_dot(tp_pb_slice(m->dot), arena, dot);
	}
	return sound;
}

enum tp_status
tp_hlo_read_details(struct tp_slice message, const struct tp_hlo_module *m,
	struct tp_hlo_instruction *i, struct tp_arena *arena, struct tp_err *err)
{
	struct tp_hlo_details *d = tp_new(arena, struct tp_hlo_details);
	Tp__HloDetails said = TP__HLO_DETAILS__INIT;

	tp_pb_message(&said.base, message);
	*d = (struct tp_hlo_details){
		.parameter_number = said.parameter_number,
		.tuple_index = said.tuple_index,
		.channel_id = said.channel_id,
		.backend_config = tp_pb_slice(said.backend_config),
		.frontend_attributes = tp_pb_slice(said.frontend_attributes),
	};
	if (said.has_fusion_kind)
		d->fusion_kind = tp_utf8_clean(arena, tp_pb_slice(said.fusion_kind));
	if (said.has_custom_call_target)
		d->custom_call_target = tp_utf8_clean(arena, tp_pb_slice(said.custom_call_target));
	if (!read_parts(&said, arena, d) || !fits(d, m, i))
		return tp_fail(
			err, TP_ERR_FORMAT, "window or dimension numbers are damaged or do not fit the shapes");
	i->details = d;
	return TP_OK;
}
