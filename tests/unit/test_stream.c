/* Windows over an input: they are the whole input in order, whatever is kept of each and however it is packed. */
#include "io/stream.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "unit.h"

enum { SIZE = 3000000 };

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

static struct tp_slice
gzip(const char *bytes, size_t size)
{
	z_stream z = {0};
	char *packed = malloc(size + 1000);

	assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (Bytef *)bytes;
	z.avail_in = (uInt)size;
	z.next_out = (Bytef *)packed;
	z.avail_out = (uInt)size + 1000;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	size_t packed_size = z.total_out;

	deflateEnd(&z);
	return (struct tp_slice){packed, packed_size};
}

static struct tp_slice
zstd(const char *bytes, size_t size)
{
	size_t room = ZSTD_compressBound(size);
	char *packed = malloc(room);

	return (struct tp_slice){packed, ZSTD_compress(packed, room, bytes, size, 1)};
}

/* Goes through it keeping keep(window length) bytes of each window; how many bytes it was. */
static size_t
read_through(struct tp_slice stored, const char *want, size_t keep_part, struct tp_err *damage)
{
	struct tp_stream *s = tp_stream_open(stored, NULL, "test", damage);
	struct tp_slice window = {NULL, 0};
	size_t keep = 0, total = 0;

	assert_non_null(s);
	while (tp_stream_more(s, &window, keep)) {
		assert_true(window.len > keep);
		assert_memory_equal(window.ptr, want + total - keep, window.len);
		total += window.len - keep;
		keep = keep_part != 0 ? window.len / keep_part : 0;
		if (keep > 2000000)
			keep = 7;
	}
	if (tp_stream_damage(s) != NULL)
		*damage = *tp_stream_damage(s);
	tp_stream_close(s);
	return total;
}

static void
windows_are_the_input_in_order(void **state)
{
	char *bytes = some_bytes();
	struct tp_slice stored[] = {{bytes, SIZE}, gzip(bytes, SIZE), zstd(bytes, SIZE)};
	/* The parts of a window that are kept: nothing, little, more than fits before a block, all. */
	static const size_t keep_parts[] = {0, 1000, 3, 1};
	struct tp_err damage = {.status = TP_OK};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (size_t k = 0; k < 4; k++)
			assert_int_equal(read_through(stored[i], bytes, keep_parts[k], &damage), SIZE);
		assert_int_equal(damage.status, TP_OK);
	}
	for (size_t i = 0; i < 3; i++)
		free((void *)stored[i].ptr);
}

static void
members_follow_each_other(void **state)
{
	char *bytes = some_bytes();
	struct tp_slice first = gzip(bytes, SIZE / 2), second = gzip(bytes + SIZE / 2, SIZE - SIZE / 2);
	char *both = malloc(first.len + second.len);
	struct tp_err damage = {.status = TP_OK};

	(void)state;
	memcpy(both, first.ptr, first.len);
	memcpy(both + first.len, second.ptr, second.len);
	assert_int_equal(
		read_through((struct tp_slice){both, first.len + second.len}, bytes, 1000, &damage), SIZE);
	assert_int_equal(damage.status, TP_OK);
	free(both);
	free((void *)first.ptr);
	free((void *)second.ptr);
	free(bytes);
}

static void
what_is_cut_off_gives_what_is_there_and_says_so(void **state)
{
	char *bytes = some_bytes();
	struct tp_slice stored[] = {gzip(bytes, SIZE), zstd(bytes, SIZE)};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct tp_err damage = {.status = TP_OK};
		struct tp_slice half = {stored[i].ptr, stored[i].len / 2};
		size_t total = read_through(half, bytes, 1000, &damage);

		assert_in_range(total, SIZE / 3, SIZE / 3 * 2);
		assert_int_equal(damage.status, TP_ERR_FORMAT);
		assert_int_equal(damage.offset, half.len);
		free((void *)stored[i].ptr);
	}
	free(bytes);
}

static void
a_reader_may_stop_early(void **state)
{
	char *bytes = some_bytes();
	struct tp_slice packed = gzip(bytes, SIZE), window = {NULL, 0};
	struct tp_err err;

	(void)state;
	for (int windows = 0; windows < 3; windows++) {
		struct tp_stream *s = tp_stream_open(packed, NULL, "test", &err);

		for (int i = 0; i < windows; i++)
			assert_true(tp_stream_more(s, &window, 0));
		tp_stream_close(s);
	}
	tp_stream_close(NULL);
	free((void *)packed.ptr);
	free(bytes);
}

static void
one_text_has_a_longest_size(void **state)
{
	enum { MUCH = 80 << 20 };
	char *bytes = calloc(1, MUCH);
	struct tp_slice packed = gzip(bytes, MUCH), window = {NULL, 0};
	struct tp_err err;
	struct tp_stream *s = tp_stream_open(packed, NULL, "test", &err);

	(void)state;
	while (tp_stream_more(s, &window, window.len))
		;
	assert_in_range(window.len, 60 << 20, 64 << 20);
	assert_non_null(tp_stream_damage(s));
	assert_int_equal(tp_stream_damage(s)->status, TP_ERR_LIMIT);
	tp_stream_close(s);
	free((void *)packed.ptr);
	free(bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_are_the_input_in_order),
		cmocka_unit_test(members_follow_each_other),
		cmocka_unit_test(what_is_cut_off_gives_what_is_there_and_says_so),
		cmocka_unit_test(a_reader_may_stop_early),
		cmocka_unit_test(one_text_has_a_longest_size),
	};

	return RUN(tests);
}
