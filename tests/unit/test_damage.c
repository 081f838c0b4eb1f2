/* A small profile with every kind of plane, cut at every byte and with every byte inverted, or at a part of them; the same for gzip
 * and zstd. */
#include "unit.h"

#include "codec/pb_wire.h"
#include "corpus.h"
#include "io/unpack.h"
#include "sampled.h"
#include "through.h"

#include <stdlib.h>

static const char *const formats[] = {"json", NULL};
static const char *const all_formats[] = {"json", "outline", "html", NULL};
enum {
	EVERY = 11,     /* of the bytes, unless all are asked for */
	RENDER_ALL = 37 /* of these, in all formats */
};

/* The first bytes in a block of their own, so that a sanitizer sees one byte too far. */
static struct tp_slice
head(struct tp_slice whole, size_t size)
{
	char *data = malloc(size + (size == 0));

	memcpy(data, whole.ptr, size);
	return (struct tp_slice){data, size};
}

/* Whether a file that ends here has no field of an XSpace half: then nobody can tell that anything is missing. */
static bool
between_fields(struct tp_slice whole, size_t size)
{
	struct tp_pb p = tp_pb_open(whole);

	while (tp_pb_next(&p) && (size_t)((const char *)p.at - whole.ptr) < size)
		;
	return (size_t)((const char *)p.at - whole.ptr) == size;
}

static void
each_cut_gives_what_is_there_with_a_warning_or_a_clear_error(void **state)
{
	struct tp_slice whole = tp_corpus_load("xspace/every_plane");
	uint64_t most = tp_through(whole, all_formats).events;
	struct sampled s = sampled("cuts of a profile", EVERY);

	(void)state;
	for (size_t size = s.first, n = 0; size < whole.len; size += s.step, n++) {
		struct tp_slice cut = head(whole, size);
		struct tp_through got = tp_through(cut, n % RENDER_ALL == 0 ? all_formats : formats);

		free((void *)cut.ptr);
		if (got.status != TP_OK) {
			assert_int_equal(got.status, TP_ERR_FORMAT);
			assert_string_equal(got.err.input, "run/vm.xplane.pb");
			assert_in_range(got.err.offset, 0, size);
			assert_true(got.err.text[0] != '\0');
			continue;
		}
		assert_true(got.events <= most);
		if (got.warnings == 0 && !between_fields(whole, size))
			fail_msg("nothing says that the file was cut at byte %zu", size);
	}
	free((void *)whole.ptr);
}

static void
no_inverted_byte_does_harm(void **state)
{
	struct tp_slice whole = tp_corpus_load("xspace/every_plane");
	struct sampled s = sampled("inverted bytes of a profile", EVERY);

	(void)state;
	for (size_t at = s.first, n = 0; at < whole.len; at += s.step, n++) {
		struct tp_slice bad = head(whole, whole.len);

		((char *)bad.ptr)[at] ^= (char)0xff;
		struct tp_through got = tp_through(bad, n % RENDER_ALL == 0 ? all_formats : formats);

		assert_true(got.status == TP_OK || got.err.text[0] != '\0');
		free((void *)bad.ptr);
	}
	free((void *)whole.ptr);
}

static void
damage_packed(const char *name, enum tp_packing packing)
{
	struct tp_slice whole = tp_corpus_load(name), out, all;
	struct tp_err err;

	assert_int_equal(tp_unpack(packing, whole, "x", 0, NULL, &all, &err), TP_OK);
	for (size_t size = 4; size < whole.len; size++) {
		struct tp_slice cut = head(whole, size);

		assert_int_equal(tp_unpack(packing, cut, "x", 0, NULL, &out, &err), TP_ERR_FORMAT);
		assert_in_range(err.offset, 0, size);
		assert_true(out.len <= all.len && (out.len == 0 || memcmp(out.ptr, all.ptr, out.len) == 0));
		free((void *)out.ptr);
		free((void *)cut.ptr);
	}
	for (size_t at = 0; at < whole.len; at++) {
		struct tp_slice bad = head(whole, whole.len);

		((char *)bad.ptr)[at] ^= (char)0xff;
		tp_unpack(packing, bad, "x", 0, NULL, &out, &err);
		free((void *)out.ptr);
		free((void *)bad.ptr);
	}
	free((void *)all.ptr);
	free((void *)whole.ptr);
}

static void
a_cut_gzip_gives_its_beginning(void **state)
{
	(void)state;
	damage_packed("unpack/one.gz", TP_PACKING_GZIP);
}

static void
a_cut_zstd_gives_its_beginning(void **state)
{
	(void)state;
	damage_packed("unpack/one.zst", TP_PACKING_ZSTD);
}

/* The tags of an event that cannot be used went to the next event, or to none, and were looked up past the line's end. */
static void
tags_of_an_unusable_event_go_with_it(void **state)
{
	static const char bytes[] = "\x0a\x36\x12\x09/host:CPU"          /* plane */
								"\x2a\x08\x08\x01\x12\x04\x12\x02_r" /* stat metadata 1: _r */
								"\x1a\x1d\x12\x01m"                  /* line "m" */
								"\x22\x02\x08\x01"                   /* an event */
								"\x22\x14\x08\x01\x10\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x22\x06"
								"\x08\x01\x20\x80\x80\x04"; /* and one with _r */
	struct tp_through got = tp_through((struct tp_slice){bytes, sizeof bytes - 1}, formats);

	(void)state;
	assert_int_equal(got.status, TP_OK);
	assert_int_equal(got.events, 1);
	assert_int_equal(got.dropped, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_cut_gives_what_is_there_with_a_warning_or_a_clear_error),
		cmocka_unit_test(no_inverted_byte_does_harm),
		cmocka_unit_test(a_cut_gzip_gives_its_beginning),
		cmocka_unit_test(a_cut_zstd_gives_its_beginning),
		cmocka_unit_test(tags_of_an_unusable_event_go_with_it),
	};

	return RUN(tests);
}
