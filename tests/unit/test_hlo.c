/* HLO modules: what is in them is found again, and what is damaged or refers to nothing is an error. */
#include "unit.h"

#include "fixture.h"
#include "model/hlo.h"

#include <stdlib.h>

/* Protobuf messages written by hand: fields one after the other. */
struct out {
	char bytes[4096];
	size_t length;
};

static void
put_varint(struct out *o, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		o->bytes[o->length++] = (char)(number | 0x80);
	o->bytes[o->length++] = (char)number;
}

static void
number(struct out *o, unsigned field, uint64_t value)
{
	put_varint(o, field << 3);
	put_varint(o, value);
}

static void
bytes(struct out *o, unsigned field, const char *data, size_t length)
{
	put_varint(o, field << 3 | 2);
	put_varint(o, length);
	memcpy(o->bytes + o->length, data, length);
	o->length += length;
}

static void
text(struct out *o, unsigned field, const char *value)
{
	bytes(o, field, value, strlen(value));
}

static void
message(struct out *o, unsigned field, const struct out *m)
{
	bytes(o, field, m->bytes, m->length);
}

enum { F32 = 11 };

static struct out
array(uint64_t rows, uint64_t columns)
{
	struct out s = {.length = 0};

	number(&s, 2, F32);
	number(&s, 3, rows);
	number(&s, 3, columns);
	return s;
}

static struct out
instruction(const char *name, const char *opcode, uint64_t id, uint64_t rows, uint64_t columns)
{
	struct out i = {.length = 0}, s = array(rows, columns);

	text(&i, 1, name);
	text(&i, 2, opcode);
	message(&i, 3, &s);
	number(&i, 35, id);
	return i;
}

/* a: f32[4,8], b: f32[8,2], and the product of `lhs` and `rhs` by these dimension numbers. */
static struct out
product(uint64_t lhs, uint64_t rhs, uint64_t lhs_dimension, uint64_t rhs_dimension)
{
	struct out c = {.length = 0}, dims = {.length = 0}, metadata = {.length = 0};
	struct out a = instruction("a", "parameter", 1, 4, 8);
	struct out b = instruction("b", "parameter", 2, 8, 2);
	struct out dot = instruction("dot.3", "dot", 3, 4, 2);

	number(&b, 9, 1);
	number(&dims, 1, lhs_dimension);
	number(&dims, 2, rhs_dimension);
	text(&metadata, 1, "dot_general");
	text(&metadata, 2, "jit(f)/dot_general");
	text(&metadata, 3, "model.py");
	number(&metadata, 4, 7);
	message(&dot, 7, &metadata);
	message(&dot, 30, &dims);
	number(&dot, 36, lhs);
	number(&dot, 36, rhs);
	text(&c, 1, "main");
	message(&c, 2, &a);
	message(&c, 2, &b);
	message(&c, 2, &dot);
	number(&c, 5, 9);
	number(&c, 6, 3);
	return c;
}

static struct out
module_of(const struct out *first, const struct out *second)
{
	struct out m = {.length = 0}, hlo = {.length = 0};

	text(&m, 1, "jit_f");
	message(&m, 3, first);
	if (second != NULL)
		message(&m, 3, second);
	number(&m, 6, 9);
	message(&hlo, 1, &m);
	return hlo;
}

static enum tp_status
parse(void **state, const struct out *hlo, const struct tp_hlo_module **m, struct tp_err *err)
{
	return tp_hlo_read((struct tp_slice){hlo->bytes, hlo->length}, *state, m, err);
}

static void
an_instruction_is_found_by_its_name(void **state)
{
	struct out c = product(1, 2, 1, 0), hlo = module_of(&c, NULL);
	const struct tp_hlo_module *m;

	assert_int_equal(parse(state, &hlo, &m, NULL), TP_OK);
	const struct tp_hlo_instruction *dot = tp_hlo_find(m, TP_S("dot.3"));

	assert_non_null(dot);
	assert_null(tp_hlo_find(m, TP_S("dot")));
	assert_text(m->name, "jit_f");
	assert_text(dot->opcode, "dot");
	assert_text(dot->framework, "jit(f)/dot_general");
	assert_text(dot->source_file, "model.py");
	assert_int_equal(dot->source_line, 7);
	assert_int_equal(dot->operands.count, 2);
	assert_text(m->instructions[dot->operands.at[1]].name, "b");
	assert_int_equal(m->instructions[dot->operands.at[1]].details->parameter_number, 1);
	assert_text(tp_shape_text(&dot->shape, *state), "f32[4,2]");
	assert_int_equal(dot->details->dot->lhs_contracting.at[0], 1);
	assert_int_equal(dot->details->dot->rhs_contracting.at[0], 0);
	assert_int_equal(dot->details->dot->lhs_batch.count, 0);
	assert_int_equal(m->computations[m->entry].root, 2);
}

static void
the_entry_is_the_one_with_its_id(void **state)
{
	struct out main_ = product(1, 2, 1, 0), other = {.length = 0}, hlo;
	const struct tp_hlo_module *m;

	text(&other, 1, "other");
	number(&other, 5, 10);
	hlo = module_of(&main_, &other);
	assert_int_equal(parse(state, &hlo, &m, NULL), TP_OK);
	assert_text(m->computations[m->entry].name, "main");
	assert_int_equal(m->computations[1].root, TP_MAP_NONE);
}

static void
an_operand_that_does_not_stand_before_is_an_error(void **state)
{
	const struct tp_hlo_module *m;
	struct tp_err err;

	/* None such; the instruction itself (a circle). */
	for (uint64_t id = 3; id <= 4; id++) {
		struct out c = product(1, id, 1, 0), hlo = module_of(&c, NULL);

		assert_int_equal(parse(state, &hlo, &m, &err), TP_ERR_FORMAT);
		assert_non_null(strstr(err.text, "dot.3"));
		assert_null(m);
	}
}

static void
an_operand_of_another_computation_is_an_error(void **state)
{
	struct out first = product(1, 2, 1, 0), second = {.length = 0};
	struct out i = instruction("n", "negate", 4, 4, 8), hlo;
	const struct tp_hlo_module *m;

	number(&i, 36, 1);
	message(&second, 2, &i);
	hlo = module_of(&first, &second);
	assert_int_equal(parse(state, &hlo, &m, NULL), TP_ERR_FORMAT);
}

static void
a_computation_cannot_call_itself(void **state)
{
	struct out c = product(1, 2, 1, 0), call = instruction("loop", "while", 4, 4, 8), hlo;
	const struct tp_hlo_module *m;

	number(&call, 38, 9);
	message(&c, 2, &call);
	hlo = module_of(&c, NULL);
	assert_int_equal(parse(state, &hlo, &m, NULL), TP_ERR_FORMAT);
}

static void
dimension_numbers_beyond_the_shape_are_an_error(void **state)
{
	struct out c = product(1, 2, 2, 0), hlo = module_of(&c, NULL);
	const struct tp_hlo_module *m;

	assert_int_equal(parse(state, &hlo, &m, NULL), TP_ERR_FORMAT);
	c = product(1, 2, 1, 77);
	hlo = module_of(&c, NULL);
	assert_int_equal(parse(state, &hlo, &m, NULL), TP_ERR_FORMAT);
}

static void
a_module_cut_anywhere_is_an_error(void **state)
{
	struct out c = product(1, 2, 1, 0), hlo = module_of(&c, NULL);
	const struct tp_hlo_module *m;

	for (size_t length = 0; length < hlo.length; length++) {
		char *part = malloc(length + 1);

		memcpy(part, hlo.bytes, length);
		assert_int_equal(
			tp_hlo_read((struct tp_slice){part, length}, *state, &m, NULL), TP_ERR_FORMAT);
		free(part);
	}
}

static void
a_hundred_thousand_instructions_are_read(void **state)
{
	enum { COUNT = 100000 };
	size_t length = 0, room = COUNT * 64;
	char *body = malloc(room);
	const struct tp_hlo_module *m;

	for (uint64_t i = 1; i <= COUNT; i++) {
		struct out wrapped = {.length = 0};
		char name[32];

		snprintf(name, sizeof name, "n.%llu", (unsigned long long)i);
		struct out n = instruction(name, "negate", i, 4, 8);

		if (i > 1)
			number(&n, 36, i - 1);
		message(&wrapped, 2, &n);
		assert_true(length + wrapped.length <= room);
		memcpy(body + length, wrapped.bytes, wrapped.length);
		length += wrapped.length;
	}
	char *hlo = malloc(length + 32);
	struct out head = {.length = 0}, inner = {.length = 0};

	put_varint(&inner, 3 << 3 | 2);
	put_varint(&inner, length);
	put_varint(&head, 1 << 3 | 2);
	put_varint(&head, inner.length + length);
	memcpy(hlo, head.bytes, head.length);
	memcpy(hlo + head.length, inner.bytes, inner.length);
	memcpy(hlo + head.length + inner.length, body, length);
	assert_int_equal(
		tp_hlo_read((struct tp_slice){hlo, head.length + inner.length + length}, *state, &m, NULL),
		TP_OK);
	assert_int_equal(m->instruction_count, COUNT);
	assert_int_equal(tp_hlo_find(m, TP_S("n.100000"))->operands.at[0], COUNT - 2);
	free(hlo);
	free(body);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(an_instruction_is_found_by_its_name),
		ARENA_TEST(the_entry_is_the_one_with_its_id),
		ARENA_TEST(an_operand_that_does_not_stand_before_is_an_error),
		ARENA_TEST(an_operand_of_another_computation_is_an_error),
		ARENA_TEST(a_computation_cannot_call_itself),
		ARENA_TEST(dimension_numbers_beyond_the_shape_are_an_error),
		ARENA_TEST(a_module_cut_anywhere_is_an_error),
		ARENA_TEST(a_hundred_thousand_instructions_are_read),
	};

	return RUN(tests);
}
