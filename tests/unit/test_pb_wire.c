/* The wire cursor: every varint, every way to end, nothing read past the end. */
#include "codec/pb_wire.h"

#include "unit.h"

static size_t
put_varint(uint8_t *out, uint64_t number)
{
	size_t n = 0;

	while (number >= 0x80) {
		out[n++] = (uint8_t)(number | 0x80);
		number >>= 7;
	}
	out[n++] = (uint8_t)number;
	return n;
}

static void
varints_of_every_length_read_back(void **state)
{
	(void)state;
	for (unsigned bits = 0; bits <= 64; bits++) {
		uint64_t around = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits);

		for (uint64_t number = around - 2; number != around + 3; number++) {
			uint8_t bytes[32] = {0};
			size_t length = put_varint(bytes, number);

			/* With and without bytes behind it: the fast way needs eight. */
			for (size_t behind = 0; behind <= 16; behind += 16) {
				struct tp_pb p = tp_pb_open((struct tp_slice){(char *)bytes, length + behind});
				uint64_t read = 0;

				assert_true(tp_pb_varint(&p, &read));
				assert_int_equal(read, number);
				assert_ptr_equal(p.at, bytes + length);
			}
		}
	}
}

static void
fast_ways_read_varints_whatever_is_behind(void **state)
{
	uint64_t random = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		random = random * 6364136223846793005 + 1442695040888963407;
		uint64_t number = random >> 8 >> (random & 63) % 56, read = 0;
		uint8_t bytes[32];

		memset(bytes,
			i % 3 == 0       ? 0
				: i % 3 == 1 ? 0xff
							 : (int)(random >> 32 & 0xff),
			sizeof bytes);
		size_t length = put_varint(bytes, number);
		const uint8_t *at = bytes;

		assert_true(tp_pb_varint_near(&at, &read));
		assert_int_equal(read, number);
		assert_ptr_equal(at, bytes + length);
		at = bytes;
		assert_int_equal(tp_pb_varint_brief(&at, &read), length <= 2);
		assert_int_equal(read, number);
		assert_ptr_equal(at, bytes + (length <= 2 ? length : 0));
	}
}

static void
a_varint_that_is_cut_off_is_truncated(void **state)
{
	(void)state;
	struct tp_pb p = tp_pb_open(TP_S("\x80\x80\x80"));
	uint64_t number;

	assert_false(tp_pb_varint(&p, &number));
	assert_int_equal(p.state, TP_PB_TRUNCATED);
}

static void
a_varint_of_eleven_bytes_is_broken(void **state)
{
	(void)state;
	struct tp_pb p = tp_pb_open(TP_S("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"));
	uint64_t number;

	assert_false(tp_pb_varint(&p, &number));
	assert_int_equal(p.state, TP_PB_BROKEN);
}

static void
fields_come_in_order_and_end(void **state)
{
	(void)state;
	struct tp_pb p = tp_pb_open(TP_S("\x08\x96\x01\x12\x02hi\x1d\x01\x00\x00\x00"));

	assert_true(tp_pb_next(&p));
	assert_int_equal(p.field, 1);
	assert_int_equal(p.number, 150);
	assert_true(tp_pb_next(&p));
	assert_int_equal(p.field, 2);
	assert_true(tp_slice_eq(p.bytes, TP_S("hi")));
	assert_true(tp_pb_next(&p));
	assert_int_equal(p.type, TP_PB_FIXED32);
	assert_false(tp_pb_next(&p));
	assert_int_equal(p.state, TP_PB_END);
}

static void
bytes_that_run_past_the_end_are_given_cut(void **state)
{
	(void)state;
	struct tp_pb p = tp_pb_open(TP_S("\x12\x7f"
									 "abc"));

	assert_true(tp_pb_next(&p));
	assert_int_equal(p.bytes.len, 3);
	assert_int_equal(p.state, TP_PB_TRUNCATED);
	assert_false(tp_pb_next(&p));
}

static void
field_zero_groups_and_unknown_types_are_broken(void **state)
{
	static const char *const bad[] = {"\x02", "\x0b", "\x0c", "\x0e", "\x0f"};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct tp_pb p = tp_pb_open(tp_slice_of(bad[i]));

		assert_false(tp_pb_next(&p));
		assert_int_equal(p.state, TP_PB_BROKEN);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(varints_of_every_length_read_back),
		cmocka_unit_test(fast_ways_read_varints_whatever_is_behind),
		cmocka_unit_test(a_varint_that_is_cut_off_is_truncated),
		cmocka_unit_test(a_varint_of_eleven_bytes_is_broken),
		cmocka_unit_test(fields_come_in_order_and_end),
		cmocka_unit_test(bytes_that_run_past_the_end_are_given_cut),
		cmocka_unit_test(field_zero_groups_and_unknown_types_are_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
