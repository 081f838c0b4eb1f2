/* Snappy blocks, as the library packs them. */
#include "codec/snappy.h"
#include "unit.h"

/* What google/snappy gives of the text below. */
static const char packed[] =
	"\xfb\x01\x4c\x73\x63\x6f\x70\x65\x2f\x6c\x61\x79\x65\x72\x2f\x77\x65\x69\x67\x68\x74\x73\x20\x2e\x14\x00\x14\x62\x69"
	"\x61\x73\x65\x73\x32\x13\x00\xee\x27\x00\x09\x27\x00\x00\xfe\x01\x00\x09\x01\xf0\x3e\x01\x02\x03\x04\x05\x06\x07"
	"\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x20\x21\x22\x23"
	"\x24\x25\x26\x27\x28\x29\x2a\x2b\x2c\x2d\x2e\x2f\x30\x31\x32\x33\x34\x35\x36\x37\x38\x39\x3a\x3b\x3c\x3d\x3e\x3f";

static const struct tp_slice block = {packed, sizeof packed - 1};

/* A sentence three times, 70 zeros, and the numbers from 0 to 63. */
static size_t
text_of(char *out)
{
	static const char words[] = "scope/layer/weights scope/layer/biases ";
	size_t n = 0;

	for (int i = 0; i < 3; i++, n += sizeof words - 1)
		memcpy(out + n, words, sizeof words - 1);
	memset(out + n, 0, 70);
	n += 70;
	for (int i = 0; i < 64; i++)
		out[n++] = (char)i;
	return n;
}

static void
a_block_of_the_library_is_unpacked(void **state)
{
	char want[512], got[512];
	size_t length, count = text_of(want);

	(void)state;
	assert_true(tp_snappy_length(block, &length));
	assert_int_equal(length, count);
	assert_true(tp_snappy_unpack(block, got, length));
	assert_memory_equal(got, want, count);
}

static void
what_is_cut_is_damaged(void **state)
{
	char got[512];
	size_t length;

	(void)state;
	for (size_t cut = 0; cut < block.len; cut++) {
		struct tp_slice part = {block.ptr, cut};

		if (tp_snappy_length(part, &length))
			assert_false(tp_snappy_unpack(part, got, length));
	}
}

static void
a_copy_begins_in_what_there_is(void **state)
{
	static const struct {
		const char *bytes;
		size_t length;
	} bad[] = {
		{"\x04\x00"
		 "a\x01\x02",
			5}, /* two bytes back of one */
		{"\x04\x00"
		 "a\x01\x00",
			5}, /* none back */
		{"\x03\x00"
		 "a\x02\x01\x00",
			6}, /* shorter than it says */
		{"\x02\x00"
		 "a\x0a\x01\x00",
			6}, /* longer */
		{"\x05\x10"
		 "abc",
			5},          /* a stretch that is cut */
		{"\x01\xfc", 2}, /* a length that is cut */
	};
	char got[64];
	size_t length;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct tp_slice s = {bad[i].bytes, bad[i].length};

		assert_true(tp_snappy_length(s, &length));
		assert_false(tp_snappy_unpack(s, got, length));
	}
}

/* So few bytes cannot be so many: no room is made for them. */
static void
no_length_is_believed(void **state)
{
	size_t length;

	(void)state;
	assert_false(tp_snappy_length(TP_S("\xff\xff\xff\xff\x0f\x00"), &length));
	assert_false(tp_snappy_length(TP_S("\xff\xff\xff\xff\xff\x0f"), &length));
	assert_false(tp_snappy_length(TP_S(""), &length));
	assert_true(tp_snappy_length((struct tp_slice){"\0", 1}, &length));
	assert_int_equal(length, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_of_the_library_is_unpacked),
		cmocka_unit_test(what_is_cut_is_damaged),
		cmocka_unit_test(a_copy_begins_in_what_there_is),
		cmocka_unit_test(no_length_is_believed),
	};

	return RUN(tests);
}
