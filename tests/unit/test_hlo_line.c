/* One HLO instruction as text. */
#include "base/arena.h"
#include "fixture.h"
#include "model/hlo_line.h"
#include "unit.h"

static const struct tp_hlo_module *
line(void **state, const char *text)
{
	return tp_hlo_line_read(tp_slice_of(text), TP_S("model/op"), *state);
}

static void
a_dot_says_what_it_contracts(void **state)
{
	const struct tp_hlo_module *m = line(state,
		"%dot.5 = bf16[4,8,16]{2,1,0} dot(bf16[4,8,2]{2,1,0:T(8,128)} %a.1, "
		"/*index=1*/bf16[4,2,16] "
		"%b), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, "
		"rhs_contracting_dims={1}");
	const struct tp_hlo_instruction *i = tp_hlo_line_instruction(m);

	assert_text(i->name, "dot.5");
	assert_text(i->opcode, "dot");
	assert_text(i->framework, "model/op");
	assert_int_equal(i->shape.rank, 3);
	assert_int_equal(i->operands.count, 2);
	assert_text(m->instructions[i->operands.at[0]].name, "%a.1");
	assert_true(tp_shape_tiled(&m->instructions[i->operands.at[0]].shape));
	assert_text(m->instructions[i->operands.at[1]].name, "%b");
	assert_non_null(i->details->dot);
	assert_int_equal(i->details->dot->lhs_contracting.at[0], 2);
	assert_int_equal(i->details->dot->rhs_contracting.at[0], 1);
	assert_int_equal(i->details->dot->lhs_batch.count, 1);
}

static void
a_convolution_says_which_dimension_is_what(void **state)
{
	const struct tp_hlo_instruction *i = tp_hlo_line_instruction(line(state,
		"ROOT %c = f32[7,9,16,64] convolution(f32[16,9,7,3] %x, f32[3,64,3,5] %k), "
		"window={size=5x3 pad=1_1x0_0}, dim_labels=b10f_io10->10bf, feature_group_count=2"));
	const struct tp_hlo_convolution *c = i->details->convolution;

	assert_text(i->name, "c");
	assert_non_null(c);
	assert_int_equal(c->input_batch, 0);
	assert_int_equal(c->input_feature, 3);
	assert_int_equal(c->input_spatial.at[0], 2);
	assert_int_equal(c->input_spatial.at[1], 1);
	assert_int_equal(c->kernel_input_feature, 0);
	assert_int_equal(c->kernel_output_feature, 1);
	assert_int_equal(c->output_batch, 2);
	assert_int_equal(c->output_feature, 3);
	assert_int_equal(c->feature_groups, 2);
	assert_int_equal(c->batch_groups, 1);
	assert_int_equal(i->details->window.count, 2);
	assert_int_equal(i->details->window.dims[0].size, 5);
}

static void
what_does_not_fit_has_no_details(void **state)
{
	static const char *const odd[] = {
		"%d = f32[8] dot(f32[8,2] %a, f32[2] %b)",
		"%d = f32[8] dot(f32[8,2] %a, f32[2] %b), lhs_contracting_dims={2}, "
		"rhs_contracting_dims={0}",
		"%d = f32[8] dot(f32[8,2] %a), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
		"%d = f32[8] dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
		"%d = f32[8] dot((f32[8]) %a, f32[8] %b), lhs_contracting_dims={}, rhs_contracting_dims={}",
		"%c = f32[8,4] convolution(f32[8,2] %a, f32[2,4] %b), dim_labels=bf_io->b",
		"%c = f32[8,4] convolution(f32[8,2] %a, f32[2,4] %b), dim_labels=bb_io->bf",
		"%c = f32[8] convolution(f32[8,2] %a, f32[2,4] %b), dim_labels=bf_io->bf",
		"%c = f32[] convolution(f32[] %a, f32[] %b), dim_labels=_->",
		"%c = f32[8,4,1] convolution(f32[8,2,1] %a, f32[2,4,1] %b), dim_labels=bf1_io0->bf0",
	};

	for (size_t n = 0; n < sizeof odd / sizeof *odd; n++) {
		const struct tp_hlo_instruction *i = tp_hlo_line_instruction(line(state, odd[n]));

		assert_null(i->details->dot);
		assert_null(i->details->convolution);
	}
}

static void
what_is_no_instruction_is_refused(void **state)
{
	static const char *const bad[] = {"", "%", "%a", "%a =", "%a = f32[8]", "%a = f32[8] dot",
		"%fusion = something", " = f32[8] dot()", "f32[8] dot()", "%a = f32[8 dot(",
		"%a = f32[8] (x)"};

	for (size_t n = 0; n < sizeof bad / sizeof *bad; n++)
		assert_null(line(state, bad[n]));
}

static void
a_text_that_breaks_off_keeps_what_is_before(void **state)
{
	static const char whole[] = "%dot.5 = f32[8,16]{1,0} dot(f32[8,2]{1,0} %a, f32[2,16]{1,0} %b), "
								"lhs_contracting_dims={1}, rhs_contracting_dims={0}";

	for (size_t length = 0; length < sizeof whole; length++) {
		const struct tp_hlo_module *m =
			tp_hlo_line_read((struct tp_slice){whole, length}, TP_S(""), *state);

		if (m != NULL)
			assert_text(tp_hlo_line_instruction(m)->name, "dot.5");
	}
	assert_non_null(tp_hlo_line_instruction(line(state, whole))->details->dot);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		ARENA_TEST(a_dot_says_what_it_contracts),
		ARENA_TEST(a_convolution_says_which_dimension_is_what),
		ARENA_TEST(what_does_not_fit_has_no_details),
		ARENA_TEST(what_is_no_instruction_is_refused),
		ARENA_TEST(a_text_that_breaks_off_keeps_what_is_before),
	};

	return RUN(tests);
}
