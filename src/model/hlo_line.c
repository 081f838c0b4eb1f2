/* Reading from left to right; what is not understood is left out, for a profiler may have cut the text. */
#include "model/hlo_line.h"

#include "base/arena.h"
#include "model/hlo_details.h"

enum { MOST_OPERANDS = 64 };

/* Without blanks and commas in front, nor the comments that number operands. */
static struct tp_slice
trimmed(struct tp_slice text)
{
	for (;;) {
		const char *end;

		if (text.len != 0 && (*text.ptr == ' ' || *text.ptr == ','))
			text = tp_slice_from(text, 1);
		else if (tp_slice_starts(text, TP_S("/*")) &&
			(end = memmem(text.ptr, text.len, "*/", 2)) != NULL)
			text = tp_slice_from(text, (size_t)(end + 2 - text.ptr));
		else
			return text;
	}
}

/* Up to one of the marks; all when there is none. */
static struct tp_slice
until(struct tp_slice text, const char *marks)
{
	size_t length = 0;

	while (length < text.len && strchr(marks, text.ptr[length]) == NULL)
		length++;
	return (struct tp_slice){text.ptr, length};
}

/* What stands behind "name=" up to a blank or comma outside of braces, without the braces; empty: not there. */
static struct tp_slice
attribute(struct tp_slice text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at;
		 text.len > length && (at = memmem(text.ptr, text.len, name, length)) != NULL;) {
		struct tp_slice rest = tp_slice_from(text, (size_t)(at - text.ptr) + length);
		bool whole = at == text.ptr || at[-1] == ' ' || at[-1] == ',' || at[-1] == '{';

		if (whole && rest.len > 1 && *rest.ptr == '=')
			return rest.ptr[1] == '{' ? until(tp_slice_from(rest, 2), "}")
									  : until(tp_slice_from(rest, 1), ", }");
		text = rest;
	}
	return (struct tp_slice){NULL, 0};
}

/* "1,2" below the rank; false when it is none. */
static bool
read_dims(struct tp_slice text, uint32_t rank, struct tp_arena *arena, struct tp_hlo_list *out)
{
	uint32_t *at = tp_new_array(arena, uint32_t, TP_SHAPE_DIMS);

	*out = (struct tp_hlo_list){at, 0};
	while (text.len != 0) {
		struct tp_slice one = until(text, ",");
		uint32_t dimension = 0;

		for (size_t i = 0; i < one.len; i++) {
			if (one.ptr[i] < '0' || one.ptr[i] > '9' || dimension >= TP_SHAPE_DIMS)
				return false;
			dimension = dimension * 10 + (uint32_t)(one.ptr[i] - '0');
		}
		if (one.len == 0 || dimension >= rank || out->count == TP_SHAPE_DIMS)
			return false;
		at[out->count++] = dimension;
		text = tp_slice_from(text, one.len + 1);
	}
	return true;
}

static const struct tp_hlo_dot *
read_dot(struct tp_slice attributes, uint32_t lhs_rank, uint32_t rhs_rank, struct tp_arena *arena)
{
	struct tp_hlo_dot *d = tp_new(arena, struct tp_hlo_dot);
	bool sound = attribute(attributes, "lhs_contracting_dims").ptr != NULL &&
		read_dims(
			attribute(attributes, "lhs_contracting_dims"), lhs_rank, arena, &d->lhs_contracting) &&
		read_dims(
			attribute(attributes, "rhs_contracting_dims"), rhs_rank, arena, &d->rhs_contracting) &&
		read_dims(attribute(attributes, "lhs_batch_dims"), lhs_rank, arena, &d->lhs_batch) &&
		read_dims(attribute(attributes, "rhs_batch_dims"), rhs_rank, arena, &d->rhs_batch);

	return sound ? d : NULL;
}

/* One part of "b01f_01io->b01f": which dimensions the two letters name, and the spatial ones by their digits. False unless it
 * has as many letters as dimensions, each once. */
static bool
read_labels(struct tp_slice labels, const char *letters, uint32_t rank, struct tp_arena *arena,
	uint32_t *first, uint32_t *second, struct tp_hlo_list *spatial)
{
	uint32_t *at = tp_new_array(arena, uint32_t, TP_SHAPE_DIMS), seen = 0, named = 0;

	if (rank < 2 || labels.len != rank || rank > 10)
		return false;
	*spatial = (struct tp_hlo_list){at, rank - 2};
	for (uint32_t i = 0; i < rank; i++) {
		char c = labels.ptr[i];

		if (c == letters[0] || c == letters[1]) {
			*(c == letters[0] ? first : second) = i;
			named |= c == letters[0] ? 1 : 2;
		} else if (c >= '0' && (uint32_t)(c - '0') < rank - 2) {
			at[c - '0'] = i;
			seen |= 1u << (c - '0');
		} else {
			return false;
		}
	}
	return named == 3 && seen == (1u << (rank - 2)) - 1;
}

static uint64_t
groups(struct tp_slice attributes, const char *name)
{
	struct tp_slice text = attribute(attributes, name);
	uint64_t number = 0;

	for (size_t i = 0; i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9' && i < 9; i++)
		number = number * 10 + (uint64_t)(text.ptr[i] - '0');
	return number != 0 ? number : 1;
}

static const struct tp_hlo_convolution *
read_convolution(struct tp_slice attributes, uint32_t lhs_rank, uint32_t rhs_rank, uint32_t rank,
	struct tp_arena *arena)
{
	struct tp_hlo_convolution *c = tp_new(arena, struct tp_hlo_convolution);
	struct tp_slice labels = attribute(attributes, "dim_labels"), input = until(labels, "_"),
					kernel = until(tp_slice_from(labels, input.len + 1), "-"),
					output = tp_slice_from(labels, input.len + 1 + kernel.len + 2);

	c->feature_groups = groups(attributes, "feature_group_count");
	c->batch_groups = groups(attributes, "batch_group_count");
	return read_labels(input, "bf", lhs_rank, arena, &c->input_batch, &c->input_feature,
			   &c->input_spatial) &&
			read_labels(kernel, "io", rhs_rank, arena, &c->kernel_input_feature,
				&c->kernel_output_feature, &c->kernel_spatial) &&
			read_labels(
				output, "bf", rank, arena, &c->output_batch, &c->output_feature, &c->output_spatial)
		? c
		: NULL;
}

/* "3x3" of window={size=3x3 pad=1_1x1_1}. */
static struct tp_hlo_window
read_window(struct tp_slice attributes, struct tp_arena *arena)
{
	struct tp_slice size = attribute(attribute(attributes, "window"), "size");
	struct tp_hlo_window_dim *dims = tp_new_array(arena, struct tp_hlo_window_dim, TP_SHAPE_DIMS);
	struct tp_hlo_window w = {dims, 0};

	for (; size.len != 0 && w.count < TP_SHAPE_DIMS; w.count++) {
		struct tp_slice one = until(size, "x");

		for (size_t i = 0; i < one.len && i < 9 && one.ptr[i] >= '0' && one.ptr[i] <= '9'; i++)
			dims[w.count].size = dims[w.count].size * 10 + (one.ptr[i] - '0');
		size = tp_slice_from(size, one.len + 1);
	}
	return w;
}

static const struct tp_hlo_details *
read_details(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i,
	struct tp_slice attributes, struct tp_arena *arena)
{
	struct tp_hlo_details *d = tp_new(arena, struct tp_hlo_details);
	bool dot = tp_slice_eq(i->opcode, TP_S("dot")),
		 convolution = tp_slice_eq(i->opcode, TP_S("convolution"));

	if (!(dot || convolution) || i->operands.count != 2 || i->shape.kind != TP_SHAPE_ARRAY)
		return &tp_hlo_no_details;
	const struct tp_shape *lhs = &m->instructions[i->operands.at[0]].shape,
						  *rhs = &m->instructions[i->operands.at[1]].shape;

	if (lhs->kind != TP_SHAPE_ARRAY || rhs->kind != TP_SHAPE_ARRAY)
		return &tp_hlo_no_details;
	*d = tp_hlo_no_details;
	if (dot)
		d->dot = read_dot(attributes, lhs->rank, rhs->rank, arena);
	else
		d->convolution = read_convolution(attributes, lhs->rank, rhs->rank, i->shape.rank, arena);
	d->window = read_window(attributes, arena);
	return d;
}

/* "f32[8,2]{1,0} %a, f32[2,4]{1,0} %b" of what stands in the brackets behind the opcode; rest: what stands behind those. Of
 * operands without a shape nothing is known, and they end the list. */
static uint32_t
read_operands(struct tp_slice text, struct tp_hlo_instruction *all, struct tp_arena *arena,
	struct tp_slice *rest)
{
	uint32_t count = 0;

	for (text = trimmed(text); text.len != 0 && *text.ptr != ')' && count < MOST_OPERANDS;
		 text = trimmed(text)) {
		struct tp_slice behind;
		struct tp_err err;

		all[count] =
			(struct tp_hlo_instruction){.opcode = TP_S("parameter"), .details = &tp_hlo_no_details};
		if (tp_shape_parse(text, arena, &all[count].shape, &behind, &err) != TP_OK)
			break;
		all[count].name = until(trimmed(behind), ",) ");
		text = tp_slice_from(trimmed(behind), all[count].name.len);
		count++;
	}
	*rest = tp_slice_from(text, until(text, ")").len);
	return count;
}

const struct tp_hlo_module *
tp_hlo_line_read(struct tp_slice text, struct tp_slice framework, struct tp_arena *arena)
{
	struct tp_hlo_module *m = tp_new(arena, struct tp_hlo_module);
	struct tp_hlo_instruction *all =
		tp_new_array(arena, struct tp_hlo_instruction, MOST_OPERANDS + 1);
	struct tp_hlo_instruction i = {.framework = framework, .details = &tp_hlo_no_details};
	struct tp_slice rest = trimmed(text);
	struct tp_err err;

	if (tp_slice_starts(rest, TP_S("ROOT ")))
		rest = tp_slice_from(rest, 5);
	if (tp_slice_starts(rest, TP_S("%")))
		rest = tp_slice_from(rest, 1);
	i.name = until(rest, " =");
	rest = trimmed(tp_slice_from(rest, i.name.len));
	if (i.name.len == 0 || !tp_slice_starts(rest, TP_S("=")))
		return NULL;
	if (tp_shape_parse(trimmed(tp_slice_from(rest, 1)), arena, &i.shape, &rest, &err) != TP_OK)
		return NULL;
	rest = trimmed(rest);
	i.opcode = until(rest, "(");
	if (i.opcode.len == 0 || i.opcode.len == rest.len)
		return NULL;
	uint32_t count = read_operands(tp_slice_from(rest, i.opcode.len + 1), all, arena, &rest),
			 *operands = tp_new_array(arena, uint32_t, count);

	for (uint32_t k = 0; k < count; k++)
		operands[k] = k;
	i.operands = (struct tp_hlo_list){operands, count};
	m->instructions = all;
	m->instruction_count = count + 1;
	i.details = read_details(m, &i, rest, arena);
	all[count] = i;
	return m;
}

const struct tp_hlo_instruction *
tp_hlo_line_instruction(const struct tp_hlo_module *line)
{
	return &line->instructions[line->instruction_count - 1];
}
