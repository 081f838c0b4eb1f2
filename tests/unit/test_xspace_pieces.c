/* Lines of an XSpace in pieces that are decoded side by side: wherever they are cut, the profile is the same. */
#include "unit.h"

#include "corpus.h"
#include "xspace_pieces.h"

static const char *const samples[] = {"allocators", "cpu", "every_plane", "flow_loop", "gpu",
	"groups", "nameless", "odd_numbers", "tiled", "tpu", "unsorted_line"};

enum { SAMPLES = sizeof samples / sizeof *samples };

static struct tp_slice
load(size_t sample)
{
	char name[100];

	snprintf(name, sizeof name, "xspace/%s", samples[sample]);
	return tp_corpus_load(name);
}

static void
cut_anywhere_it_reads_the_same(void **state)
{
	struct tp_pool *pool = tp_pool_new(3);

	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		struct tp_slice all = load(i);

		for (uint64_t bytes = 1; bytes < all.len; bytes = bytes * 5 / 4 + 1)
			assert_true(xspace_pieces_agree(all, bytes, bytes % 2 != 0 ? pool : NULL));
		free((void *)all.ptr);
	}
	tp_pool_free(pool);
}

static void
what_is_cut_off_or_damaged_reads_the_same(void **state)
{
	struct tp_pool *pool = tp_pool_new(2);
	unsigned dice = 1;

	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		struct tp_slice all = load(i);

		for (size_t length = all.len; length > all.len / 8; length -= length / 40 + 1) {
			assert_true(xspace_pieces_agree((struct tp_slice){all.ptr, length}, 30, pool));
			dice = dice * 1103515245 + 12345;
			((char *)all.ptr)[(dice >> 8) % all.len] = (char)dice;
			assert_true(xspace_pieces_agree(all, 50, pool));
		}
		free((void *)all.ptr);
	}
	tp_pool_free(pool);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_anywhere_it_reads_the_same),
		cmocka_unit_test(what_is_cut_off_or_damaged_reads_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
