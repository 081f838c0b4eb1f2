/* Frames of zstd and members of gzip that say their size are unpacked side by side: to what one thread unpacks them to, damage included. */
#include "io/unpack_parts.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/pool.h"
#include "unit.h"

enum { SIZE = 4000000, FRAME_BYTES = 300000, MEMBER_BYTES = 60000 };

/* Hard to compress, and no two places are alike. */
static char *
some_bytes(void)
{
	char *bytes = malloc(SIZE);
	uint64_t random = 1;

	for (size_t i = 0; i < SIZE; i++) {
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		bytes[i] = (char)('a' + random % 20);
	}
	return bytes;
}

/* As pzstd writes it: before each frame one to be skipped, which says how long it is. */
static struct tp_slice
frames(const char *bytes)
{
	static const char skip[] = "\x50\x2a\x4d\x18\x04\0\0";
	char *packed = malloc(2 * SIZE);
	size_t at = 0;

	for (size_t from = 0; from < SIZE; from += FRAME_BYTES) {
		size_t size = SIZE - from < FRAME_BYTES ? SIZE - from : FRAME_BYTES;
		size_t length = ZSTD_compress(packed + at + 12, 2 * SIZE - at - 12, bytes + from, size, 1);

		memcpy(packed + at, skip, 8);
		for (int i = 0; i < 4; i++)
			packed[at + 8 + (size_t)i] = (char)(length >> (8 * i));
		at += 12 + length;
	}
	return (struct tp_slice){packed, at};
}

/* As bgzip writes it. */
static struct tp_slice
members(const char *bytes)
{
	char *packed = malloc(2 * SIZE);
	size_t at = 0;

	for (size_t from = 0; from < SIZE; from += MEMBER_BYTES) {
		size_t size = SIZE - from < MEMBER_BYTES ? SIZE - from : MEMBER_BYTES;
		unsigned char extra[] = {'B', 'C', 2, 0, 0, 0};
		gz_header header = {.extra = extra, .extra_len = sizeof extra, .os = 255};
		z_stream z = {0};

		assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
		assert_int_equal(deflateSetHeader(&z, &header), Z_OK);
		z.next_in = (Bytef *)(uintptr_t)(bytes + from);
		z.avail_in = (uInt)size;
		z.next_out = (Bytef *)packed + at;
		z.avail_out = (uInt)(2 * SIZE - at);
		assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
		packed[at + 16] = (char)(z.total_out - 1);
		packed[at + 17] = (char)((z.total_out - 1) >> 8);
		at += z.total_out;
		deflateEnd(&z);
	}
	return (struct tp_slice){packed, at};
}

static void
must_be_the_same(enum tp_packing packing, struct tp_slice packed, struct tp_pool *pool)
{
	struct tp_slice alone, together;
	struct tp_err err = {.status = TP_OK}, other = {.status = TP_OK};
	enum tp_status status = tp_unpack(packing, packed, "x", 0, NULL, &alone, &err);

	assert_int_equal(tp_unpack(packing, packed, "x", 0, pool, &together, &other), status);
	assert_int_equal(alone.len, together.len);
	assert_memory_equal(alone.ptr, together.ptr, alone.len);
	if (status != TP_OK) {
		assert_string_equal(err.text, other.text);
		assert_int_equal(err.offset, other.offset);
	}
	free((void *)alone.ptr);
	free((void *)together.ptr);
}

static void
parts_give_what_one_stream_gives(void **state)
{
	struct tp_pool *pool = tp_pool_new(3);
	char *bytes = some_bytes();
	const struct tp_slice packed[] = {members(bytes), frames(bytes)};
	const enum tp_packing packings[] = {TP_PACKING_GZIP, TP_PACKING_ZSTD};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char *all = (char *)packed[i].ptr;
		size_t length = packed[i].len;
		struct tp_slice out;

		assert_int_equal(tp_packing_of(packed[i]), packings[i]);
		/* Really side by side … */
		assert_true(tp_unpack_parts(packings[i], packed[i], UINT64_MAX, pool, &out));
		assert_int_equal(out.len, SIZE);
		assert_memory_equal(out.ptr, bytes, SIZE);
		free((void *)out.ptr);
		/* … but not beyond the limit. */
		assert_false(tp_unpack_parts(packings[i], packed[i], SIZE - 1, pool, &out));
		must_be_the_same(packings[i], packed[i], pool);
		for (size_t k = 1; k < 8; k++) {
			must_be_the_same(packings[i], (struct tp_slice){all, length - k * k * k * 3000}, pool);
			/* In a header, a size, a checksum, the data. */
			size_t at = length / 9 * k + k;

			all[at] ^= 5;
			must_be_the_same(packings[i], packed[i], pool);
			all[at] ^= 5;
		}
		/* The last part says that it holds one byte more. */
		all[length - 4] ^= 1;
		must_be_the_same(packings[i], packed[i], pool);
		free(all);
	}
	free(bytes);
	tp_pool_free(pool);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(parts_give_what_one_stream_gives)};

	return RUN(tests);
}
