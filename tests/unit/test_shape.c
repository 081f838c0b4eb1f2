/* Shapes: read and written alike, padded as XLA pads. Every number here is worked out by hand. */
#include "unit.h"

#include "fixture.h"
#include "model/shape.h"

static struct tp_shape
shape(void **state, const char *text)
{
	struct tp_shape s;
	struct tp_err err;

	if (tp_shape_parse(tp_slice_of(text), *state, &s, NULL, &err) != TP_OK)
		fail_msg("%s", err.text);
	return s;
}

static struct tp_padding_of
padding(void **state, const char *text)
{
	struct tp_shape s = shape(state, text);
	struct tp_padding_of p;

	assert_true(tp_shape_pad(&s, &p));
	return p;
}

/* The dimensions, minor to major, as "224>256 3>8": size and padded size. */
static void
assert_dims(void **state, const char *text, const char *want)
{
	struct tp_padding_of p = padding(state, text);
	char got[256] = "";

	for (uint32_t i = 0; i < p.count; i++) {
		size_t used = strlen(got);

		snprintf(got + used, sizeof got - used, "%s%llu>%llu", i == 0 ? "" : " ",
			(unsigned long long)p.dims[i].size, (unsigned long long)p.dims[i].padded);
	}
	assert_string_equal(got, want);
}

static void
text_reads_back_as_it_was(void **state)
{
	static const char *const texts[] = {
		"f32[]",
		"f32[]{:T(128)S(6)}",
		"bf16[16,224,224,3]{0,3,2,1:T(8,128)(2,1)S(1)}",
		"s32[8192]{0:T(1024)}",
		"f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}",
		"s4[128,64]{1,0:T(8,128)(8,1)E(4)S(5)}",
		"f32[<=8,2]{1,0}",
		"pred[3]{0:T(8,128)L(1024)M(8)}",
		"(f32[2]{0}, (), (token[], opaque[]))",
		"f8e4m3fn[4,4]",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct tp_shape s = shape(state, texts[i]);

		assert_text(tp_shape_text(&s, *state), texts[i]);
	}
}

static void
comments_and_what_is_not_known_are_passed_over(void **state)
{
	struct tp_shape s = shape(state, "(f32[1], /*index=5*/f32[2]{0:D(D)T(4)SC(0:5,6)S(1)})");

	assert_text(tp_shape_text(&s, *state), "(f32[1], f32[2]{0:T(4)S(1)})");
}

static void
what_follows_is_the_rest(void **state)
{
	struct tp_shape s;
	struct tp_slice rest;

	assert_int_equal(tp_shape_parse(TP_S("f32[2]{0} add(%a, %b)"), *state, &s, &rest, NULL), TP_OK);
	assert_text(rest, " add(%a, %b)");
}

static void
nonsense_is_an_error_that_says_where(void **state)
{
	static const char *const texts[] = {
		"",
		"f32",
		"f33[2]",
		"f32[2",
		"f32[2,]",
		"f32[-2]",
		"f32[99999999999999999999]",
		"f32[2]{1}",
		"f32[2,2]{0,0}",
		"f32[2]{0:T(0)}",
		"f32[2]{0:T(8,*)}",
		"f32[2]{0:T}",
		"f32[2]{0:)}",
		"f32[2]{0:S(1}",
		"(f32[2]",
		"(f32[2] f32[2])",
		"f32[2] x",
		"f32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]",
		"((((((((((((((((((f32[]))))))))))))))))))",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct tp_err err = {.text = ""};
		struct tp_shape s;

		assert_int_equal(
			tp_shape_parse(tp_slice_of(texts[i]), *state, &s, NULL, &err), TP_ERR_FORMAT);
		assert_string_not_equal(err.text, "");
	}
}

static void
batch_16_and_3_features_use_a_twentieth(void **state)
{
	struct tp_padding_of p = padding(state, "bf16[16,224,224,3]{0,3,2,1:T(8,128)(2,1)}");

	assert_dims(state, "bf16[16,224,224,3]{0,3,2,1:T(8,128)(2,1)}", "16>128 3>8 224>224 224>224");
	assert_int_equal(p.dims[0].axis, TP_AXIS_LANE);
	assert_int_equal(p.dims[0].dimension, 0);
	assert_int_equal(p.dims[0].multiple, 128);
	assert_int_equal(p.dims[1].axis, TP_AXIS_SUBLANE);
	assert_int_equal(p.dims[1].dimension, 3);
	assert_int_equal(p.dims[1].multiple, 8);
	assert_int_equal(p.dims[2].axis, TP_AXIS_NONE);
	/* 16 × 3 of 128 × 8: 4.6875 % */
	assert_int_equal(p.elements * 10000 / p.padded_elements, 468);
}

static void
sizes_in_whole_tiles_are_not_padded(void **state)
{
	struct tp_shape s = shape(state, "f32[256,1024]{1,0:T(8,128)}");

	assert_dims(state, "f32[256,1024]{1,0:T(8,128)}", "1024>1024 256>256");
	assert_int_equal(tp_shape_padded_bytes(&s), 256 * 1024 * 4);
}

static void
a_second_tile_within_the_first_adds_nothing(void **state)
{
	/* Two bf16 rows share a 32-bit sublane: 5 rows still take 8, which are 4 sublanes. */
	assert_dims(state, "bf16[5,100]{1,0:T(8,128)(2,1)}", "100>128 5>8");
	assert_dims(state, "s8[5,100]{1,0:T(8,128)(4,1)}", "100>128 5>8");
}

static void
a_second_tile_beyond_the_first_rounds_up_further(void **state)
{
	/* (2,1,1,1) pairs tiles of 8 rows: 3 tiles become 4, so 17 rows take 32. */
	assert_dims(state, "bf16[17,256]{1,0:T(8,128)(2,1,1,1)}", "256>256 17>32");
	assert_int_equal(padding(state, "bf16[17,256]{1,0:T(8,128)(2,1,1,1)}").dims[1].multiple, 16);
	/* A tile of one row cannot be split in pairs: the pair is padded. */
	assert_dims(state, "bf16[3,128]{1,0:T(1,128)(2,1)}", "128>128 3>6");
}

static void
few_rows_lie_in_small_tiles(void **state)
{
	assert_dims(state, "f32[2,300]{1,0:T(2,128)}", "300>384 2>2");
	assert_dims(state, "f32[1,1000]{1,0:T(1,128)}", "1000>1024 1>1");
}

static void
vectors_and_scalars_lie_in_tiles_too(void **state)
{
	struct tp_shape scalar = shape(state, "f32[]{:T(128)}");
	struct tp_shape vector = shape(state, "s32[1000]{0:T(256)}");
	struct tp_shape thin = shape(state, "f32[100]{0:T(8,128)}");

	assert_dims(state, "s32[1000]{0:T(256)}", "1000>1024");
	assert_int_equal(tp_shape_bytes(&scalar), 4);
	assert_int_equal(tp_shape_padded_bytes(&scalar), 512);
	assert_int_equal(tp_shape_padded_bytes(&vector), 4096);
	assert_int_equal(tp_shape_padded_bytes(&thin), 8 * 128 * 4);
	assert_dims(state, "f32[100]{0:T(8,128)}", "100>128 1>8");
}

static void
combined_dimensions_are_padded_as_one(void **state)
{
	/* XLA's own example: F32[2,7,8,11,10] is F32[112,110] before the tile (2,3). */
	assert_dims(state, "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "110>111 112>112");
}

static void
without_layout_or_tiles_nothing_is_padded(void **state)
{
	struct tp_shape s = shape(state, "f32[3,5]"), tuple = shape(state, "(f32[3], f32[5])");
	struct tp_padding_of p;

	assert_false(tp_shape_pad(&s, &p));
	assert_false(tp_shape_pad(&tuple, &p));
	assert_int_equal(tp_shape_padded_bytes(&s), 60);
	assert_int_equal(tp_shape_bytes(&tuple), 16);
	assert_false(padding(state, "f32[3,5]{1,0}").tiled);
}

static void
small_elements_take_a_byte_unless_packed(void **state)
{
	struct tp_shape loose = shape(state, "s4[3,3]{1,0}");
	struct tp_shape packed = shape(state, "s4[3,3]{1,0:E(4)}");
	struct tp_shape tiled = shape(state, "s4[3,3]{1,0:T(8,128)(8,1)E(4)}");

	assert_int_equal(tp_shape_bytes(&loose), 9);
	assert_int_equal(tp_shape_bytes(&packed), 5);
	assert_int_equal(tp_shape_padded_bytes(&tiled), 512);
}

static void
tail_and_prefix_count(void **state)
{
	struct tp_shape s = shape(state, "f32[<=5]{0:T(2)L(16)M(8)}");

	assert_int_equal(tp_shape_padded_bytes(&s), 16 * 4 + 8);
}

static void
nothing_takes_nothing(void **state)
{
	struct tp_shape s = shape(state, "f32[0,999999999999999,999999999999999]{2,1,0:T(8,128)}");

	assert_int_equal(tp_shape_elements(&s), 0);
	assert_int_equal(tp_shape_padded_bytes(&s), 0);
}

static void
sizes_beyond_64_bits_stay_the_largest(void **state)
{
	struct tp_shape s = shape(state, "f32[999999999999999,999999999999999]{1,0:T(8,128)}");

	assert_true(tp_shape_bytes(&s) == UINT64_MAX);
	assert_true(tp_shape_padded_bytes(&s) == UINT64_MAX);
}

static void
many_tiles_stay_within_bounds(void **state)
{
	/* First 2 tiles of 2 along the vector and 2 along a dimension it has not; then what is in a tile as one of 4. */
	assert_dims(state,
		"f32[3]{0:T(2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2)"
		"(*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,2)}",
		"3>8");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(text_reads_back_as_it_was),
		ARENA_TEST(comments_and_what_is_not_known_are_passed_over),
		ARENA_TEST(what_follows_is_the_rest),
		ARENA_TEST(nonsense_is_an_error_that_says_where),
		ARENA_TEST(batch_16_and_3_features_use_a_twentieth),
		ARENA_TEST(sizes_in_whole_tiles_are_not_padded),
		ARENA_TEST(a_second_tile_within_the_first_adds_nothing),
		ARENA_TEST(a_second_tile_beyond_the_first_rounds_up_further),
		ARENA_TEST(few_rows_lie_in_small_tiles),
		ARENA_TEST(vectors_and_scalars_lie_in_tiles_too),
		ARENA_TEST(combined_dimensions_are_padded_as_one),
		ARENA_TEST(without_layout_or_tiles_nothing_is_padded),
		ARENA_TEST(small_elements_take_a_byte_unless_packed),
		ARENA_TEST(tail_and_prefix_count),
		ARENA_TEST(nothing_takes_nothing),
		ARENA_TEST(sizes_beyond_64_bits_stay_the_largest),
		ARENA_TEST(many_tiles_stay_within_bounds),
	};

	return RUN(tests);
}
