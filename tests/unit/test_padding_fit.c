/* The matrix unit's part of the padding fit, and names of dimensions. */
#include "unit.h"

#include "analyze/ops/padding_fit.h"
#include "base/arena.h"

#include <math.h>

static void
the_side_goes_by_the_generation(void **state)
{
	(void)state;
	assert_int_equal(tp_matrix_unit_side(TP_S("TPU v2")), 128);
	assert_int_equal(tp_matrix_unit_side(TP_S("TPU v3")), 128);
	assert_int_equal(tp_matrix_unit_side(TP_S("TPU v4 Lite")), 128);
	assert_int_equal(tp_matrix_unit_side(TP_S("TPU v5 lite")), 128);
	assert_int_equal(tp_matrix_unit_side(TP_S("TPU v5")), 128);
	assert_int_equal(tp_matrix_unit_side(TP_S("TPU v6 Lite")), 256);
	assert_int_equal(tp_matrix_unit_side(TP_S("TPU v6e")), 256);
	assert_int_equal(tp_matrix_unit_side(TP_S("TPU7x")), 256);
	assert_int_equal(tp_matrix_unit_side(TP_S("TPU")), 0);
	assert_int_equal(tp_matrix_unit_side(TP_S("TPU v60")), 0);
	assert_int_equal(tp_matrix_unit_side(TP_S("NVIDIA H100")), 0);
	assert_int_equal(tp_matrix_unit_side(TP_S("")), 0);
}

static void
the_unit_is_filled_by_terms_and_the_better_side(void **state)
{
	struct tp_product_fit p = {.contracted = 512, .rows = 16, .columns = 1000};

	(void)state;
	assert_float_equal(tp_matrix_unit_share(&p, 128), 1000.0 / 1024, 1e-12);
	assert_float_equal(tp_matrix_unit_share(&p, 256), 1000.0 / 1024, 1e-12);
	p.contracted = 192; /* 1.5 sides of 128, three quarters of 256 */
	assert_float_equal(tp_matrix_unit_share(&p, 128), 0.75 * 1000 / 1024, 1e-12);
	p.contracted = 3;
	p.rows = 128;
	assert_float_equal(tp_matrix_unit_share(&p, 128), 3.0 / 128, 1e-12);
	p.contracted = 0;
	assert_float_equal(tp_matrix_unit_share(&p, 128), 0, 0);
	assert_true(isnan(tp_matrix_unit_share(&p, 0)));
	p.contracted = p.rows = UINT64_MAX;
	assert_true(tp_matrix_unit_share(&p, 128) <= 1);
}

static void
sizes_are_named_as_the_layer_does(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	const struct tp_fit_dim dims[] = {
		{TP_DIM_FEATURE, TP_AXIS_LANE, 16, 128, 128},
		{TP_DIM_BATCH, TP_AXIS_SUBLANE, 3, 8, 8},
		{TP_DIM_SPATIAL, TP_AXIS_NONE, 224, 224, 1},
	};
	struct tp_product_fit p = {.convolution = true};

	(void)state;
	p.shapes[TP_FIT_LHS] = (struct tp_fit_shape){.dims = dims, .count = 3};
	assert_text(tp_fit_dims_text(&p, TP_FIT_LHS, false, arena), "feature 16 → 128, batch 3 → 8");
	p.kernel_gradient = true;
	assert_text(tp_fit_dims_text(&p, TP_FIT_LHS, false, arena), "batch 16 → 128, feature 3 → 8");
	assert_text(tp_fit_dims_text(&p, TP_FIT_LHS, true, arena), "batch 128, feature 8");
	assert_int_equal(tp_layer_meaning(&p, TP_FIT_OUTPUT, TP_DIM_FEATURE), TP_DIM_OUTPUT_FEATURE);
	assert_int_equal(tp_layer_meaning(&p, TP_FIT_RHS, TP_DIM_INPUT_FEATURE), TP_DIM_BATCH);
	assert_int_equal(tp_layer_meaning(&p, TP_FIT_RHS, TP_DIM_SPATIAL), TP_DIM_SPATIAL);
	tp_arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_side_goes_by_the_generation),
		cmocka_unit_test(the_unit_is_filled_by_terms_and_the_better_side),
		cmocka_unit_test(sizes_are_named_as_the_layer_does),
	};

	return RUN(tests);
}
