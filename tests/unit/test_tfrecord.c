/* Records with checksums, whole and damaged. */
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "io/blob.h"
#include "io/crc32c.h"
#include "io/tfrecord.h"
#include "sampled.h"

/* Three records: "one", "", "three". */
struct file {
	char bytes[128];
	size_t len;
};

static void
put(struct file *f, uint64_t number, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		f->bytes[f->len++] = (char)(number >> 8 * i);
}

static void
add(struct file *f, const char *text)
{
	struct tp_slice length = {f->bytes + f->len, 8};
	struct tp_slice record = tp_slice_of(text);

	put(f, record.len, 8);
	put(f, tp_crc32c_masked(length), 4);
	memcpy(f->bytes + f->len, record.ptr, record.len);
	f->len += record.len;
	put(f, tp_crc32c_masked(record), 4);
}

static struct file
three(void)
{
	struct file f = {.len = 0};

	add(&f, "one");
	add(&f, "");
	add(&f, "three");
	return f;
}

static struct tp_tfrecord
open(const struct file *f, size_t len)
{
	struct tp_tfrecord r;

	tp_tfrecord_open(&r, (struct tp_slice){f->bytes, len});
	return r;
}

static void
checksums_are_the_published_ones(void **state)
{
	char zeros[32] = {0};

	(void)state;
	/* RFC 3720, B.4, and the check value of the polynomial. */
	assert_int_equal(tp_crc32c((struct tp_slice){zeros, 32}), 0x8a9136aau);
	assert_int_equal(tp_crc32c(TP_S("123456789")), 0xe3069283u);
	assert_int_equal(tp_crc32c(TP_S("")), 0);
}

static void
records_come_in_order(void **state)
{
	struct file f = three();
	struct tp_tfrecord r = open(&f, f.len);

	(void)state;
	assert_true(tp_tfrecord_next(&r));
	assert_text(r.record, "one");
	assert_int_equal(r.offset, 0);
	assert_true(tp_tfrecord_next(&r));
	assert_text(r.record, "");
	assert_true(tp_tfrecord_next(&r));
	assert_text(r.record, "three");
	assert_false(tp_tfrecord_next(&r));
	assert_int_equal(r.damage, TP_RECORD_WHOLE);
	assert_int_equal(r.records, 3);
	assert_int_equal(r.damaged, 0);
}

static void
a_damaged_record_is_passed_over(void **state)
{
	for (size_t at = 0; at < 19; at++) {
		struct file f = three();

		f.bytes[at] ^= 0x40;
		struct tp_tfrecord r = open(&f, f.len);

		assert_true(tp_tfrecord_next(&r));
		assert_text(r.record, "");
		assert_int_equal(r.damage, at < 12 ? TP_RECORD_BAD_LENGTH : TP_RECORD_BAD_BYTES);
		assert_int_equal(r.damage_offset, 0);
		assert_int_equal(r.damage_bytes, 19);
		assert_true(tp_tfrecord_next(&r));
		assert_text(r.record, "three");
		assert_false(tp_tfrecord_next(&r));
		assert_int_equal(r.damaged, 1);
	}
	(void)state;
}

static void
a_file_cut_anywhere_keeps_what_is_whole(void **state)
{
	struct file f = three();

	(void)state;
	for (size_t len = 0; len <= f.len; len++) {
		struct tp_tfrecord r = open(&f, len);
		unsigned whole = (len >= 19) + (len >= 35) + (len >= f.len);
		bool at_an_end = len == 0 || len == 19 || len == 35 || len == f.len;

		while (tp_tfrecord_next(&r))
			;
		assert_int_equal(r.records, whole);
		assert_int_equal(r.damage, at_an_end ? TP_RECORD_WHOLE : TP_RECORD_CUT);
	}
}

static void
a_huge_length_is_refused(void **state)
{
	struct file f = {.len = 0};

	put(&f, (uint64_t)1 << 60, 8);
	put(&f, tp_crc32c_masked((struct tp_slice){f.bytes, 8}), 4);
	struct tp_tfrecord r = open(&f, f.len);

	(void)state;
	assert_false(tp_tfrecord_next(&r));
	assert_int_equal(r.damage, TP_RECORD_CUT);
	assert_int_equal(r.damage_bytes, 12);
}

/* What a file system leaves of a file that was made longer and never written: no checksum is worked out at each byte. */
static void
zeros_are_passed_over_quickly(void **state)
{
	enum { ZEROS = 1 << 20 };
	struct file f = three();
	char *bytes = calloc(1, ZEROS + 2 * sizeof f.bytes);
	size_t len = ZEROS + 3;
	struct tp_tfrecord r;

	(void)state;
	assert_non_null(bytes);
	memcpy(bytes, f.bytes, f.len);
	memcpy(bytes + len, f.bytes, f.len);
	tp_tfrecord_open(&r, (struct tp_slice){bytes, len + f.len});
	for (int i = 0; i < 3; i++)
		assert_true(tp_tfrecord_next(&r));
	assert_true(tp_tfrecord_next(&r));
	assert_text(r.record, "one");
	assert_int_equal(r.offset, len);
	assert_int_equal(r.damage, TP_RECORD_BAD_LENGTH);
	assert_int_equal(r.damage_bytes, len - f.len);
	/* Counted are the places that were left without a checksum: all but the last few. */
	assert_in_range(r.searched_bytes, len - f.len - 16, len - f.len);
	free(bytes);
}

/* No event is larger than a message of protobuf can be: such a record costs no memory, and what follows is found. */
static void
a_record_of_more_than_2_gib_is_passed_over(void **state)
{
	struct file f = {.len = 0}, after = three();
	char path[] = "/tmp/test_tfrecord.XXXXXX";
	int fd = mkstemp(path);
	uint64_t length = (uint64_t)INT32_MAX + 1;
	struct tp_blob_wish in_pieces = {.form = TP_BLOB_PIECES};
	struct tp_tfrecord r;
	struct tp_err err;

	(void)state;
	if (!tries_all("records of more than 2 GiB")) {
		close(fd);
		unlink(path);
		skip();
	}
	put(&f, length, 8);
	put(&f, tp_crc32c_masked((struct tp_slice){f.bytes, 8}), 4);
	assert_int_equal(pwrite(fd, f.bytes, f.len, 0), f.len);
	assert_int_equal(pwrite(fd, after.bytes, after.len, (off_t)(f.len + length + 4)), after.len);
	struct tp_blob *blob = tp_blob_open_as(path, in_pieces, &err);

	unlink(path);
	close(fd);
	assert_non_null(blob);
	tp_tfrecord_open_pieces(&r, blob);
	assert_true(tp_tfrecord_next(&r));
	assert_text(r.record, "one");
	assert_int_equal(r.damage, TP_RECORD_TOO_LARGE);
	assert_int_equal(r.damage_bytes, f.len + length + 4);
	assert_true(r.room.capacity < 1 << 20);
	tp_tfrecord_close(&r);
	tp_blob_close(blob);
}

/* 8 TiB of nothing, as a file system gives for free. */
static void
a_search_ends(void **state)
{
	struct file f = three();
	char path[] = "/tmp/test_tfrecord.XXXXXX";
	int fd = mkstemp(path);
	struct tp_blob_wish in_pieces = {.form = TP_BLOB_PIECES};
	off_t size = (off_t)1 << 43;
	struct tp_tfrecord r;
	struct tp_err err;

	(void)state;
	assert_int_equal(pwrite(fd, f.bytes, f.len, 0), f.len);
	assert_int_equal(ftruncate(fd, size), 0);
	struct tp_blob *blob = tp_blob_open_as(path, in_pieces, &err);

	unlink(path);
	close(fd);
	assert_non_null(blob);
	tp_tfrecord_open_pieces(&r, blob);
	for (int i = 0; i < 3; i++)
		assert_true(tp_tfrecord_next(&r));
	assert_false(tp_tfrecord_next(&r));
	assert_int_equal(r.damage_bytes, (uint64_t)size - f.len);
	assert_true(r.window_at < (uint64_t)2 << 30);
	tp_tfrecord_close(&r);
	tp_blob_close(blob);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(checksums_are_the_published_ones),
		cmocka_unit_test(records_come_in_order),
		cmocka_unit_test(a_damaged_record_is_passed_over),
		cmocka_unit_test(a_file_cut_anywhere_keeps_what_is_whole),
		cmocka_unit_test(a_huge_length_is_refused),
		cmocka_unit_test(zeros_are_passed_over_quickly),
		cmocka_unit_test(a_search_ends),
		cmocka_unit_test(a_record_of_more_than_2_gib_is_passed_over),
	};

	return RUN(tests);
}
