/* What is packed whole or in pieces is one gzip stream of the same bytes, whatever the number of threads. */
#include "fixture.h"
#include "unit.h"

#include "base/arena.h"
#include "base/pool.h"
#include "codec/base64.h"
#include "io/sink.h"
#include "render/pack.h"

#include <stdlib.h>
#include <zlib.h>

/* PIECE, WHOLE: as in pack.c. */
enum { PIECE = 1 << 18, WHOLE = 1 << 21, GZIP_WINDOW = 15 + 16, MOST = 14 * PIECE };

/* Bytes that repeat, over the ends of pieces too, but not only. */
static unsigned char
byte_at(size_t i)
{
	return (unsigned char)((i * 2654435761U >> 20) % 7 + i % 1000 / 8);
}

static void
write_bytes(struct tp_sink *in, const void *what)
{
	size_t size = *(const size_t *)what;

	for (size_t i = 0; i < size; i++) {
		unsigned char byte = byte_at(i);

		tp_sink_write(in, &byte, 1);
	}
}

static struct tp_sink *
packed(size_t size, unsigned threads)
{
	struct tp_pool *pool = threads != 0 ? tp_pool_new(threads) : NULL;
	struct tp_sink *out = tp_sink_memory();

	tp_gzip(out, pool, write_bytes, &size);
	tp_pool_free(pool);
	return out;
}

static void
check(struct tp_slice bytes, size_t size)
{
	unsigned char *out = malloc(MOST + 1);
	z_stream z = {.next_in = (z_const Bytef *)bytes.ptr,
		.avail_in = (uInt)bytes.len,
		.next_out = out,
		.avail_out = MOST + 1};

	assert_int_equal(inflateInit2(&z, GZIP_WINDOW), Z_OK);
	/* The foot's sum and size are checked, too. */
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.total_out, size);
	assert_int_equal(z.avail_in, 0);
	for (size_t i = 0; i < size; i++)
		assert_int_equal(out[i], byte_at(i));
	inflateEnd(&z);
	free(out);
}

static void
pieces_are_one_stream(void **state)
{
	static const size_t sizes[] = {
		0, 1, PIECE, WHOLE - 1, WHOLE, WHOLE + 1, WHOLE + PIECE - 1, WHOLE + PIECE, MOST - 5};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct tp_sink *alone = packed(sizes[i], 0);
		struct tp_slice bytes = tp_sink_bytes(alone);

		check(bytes, sizes[i]);
		for (unsigned threads = 1; threads < 5; threads += 3) {
			struct tp_sink *other = packed(sizes[i], threads);

			assert_true(tp_slice_eq(tp_sink_bytes(other), bytes));
			tp_sink_close(other);
		}
		tp_sink_close(alone);
	}
}

static void
text_is_base64_of_it(void **state)
{
	static const size_t sizes[] = {0, 10, 100000};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct tp_sink *plain = packed(sizes[i], 0), *text = tp_sink_memory();
		struct tp_slice bytes = tp_sink_bytes(plain);
		char *wanted = tp_arena_alloc(*state, TP_BASE64_SIZE(bytes.len));
		size_t length = tp_base64_encode(bytes.ptr, bytes.len, wanted);

		tp_pack(text, NULL, write_bytes, &sizes[i]);
		assert_true(tp_slice_eq(tp_sink_bytes(text), (struct tp_slice){wanted, length}));
		tp_sink_close(text);
		tp_sink_close(plain);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_one_stream),
		ARENA_TEST(text_is_base64_of_it),
	};

	return RUN(tests);
}
