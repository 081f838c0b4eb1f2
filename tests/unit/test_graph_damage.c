/* A small graph in all its forms, cut at every byte and with every byte inverted, or at a part of them: what is whole is kept, the
 * rest is said. */
#include "unit.h"

#include "corpus.h"
#include "sampled.h"
#include "through.h"

/* What is rendered of damaged graphs the fuzzer sees to. */
static const char *const formats[] = {NULL};

/* In a block of its own, so that a sanitizer sees one byte too far; without the first byte, which is the fuzzer's. */
static struct tp_slice
part(struct tp_slice whole, size_t size)
{
	char *data = malloc(size + (size == 0));

	memcpy(data, whole.ptr + 1, size);
	return (struct tp_slice){data, size};
}

static const struct form {
	const char *name;
	const struct tp_reader *reader;
} forms[] = {
	{"graph/wire", &tp_reader_graph},
	{"graph/text", &tp_reader_graph},
	{"graph/meta", &tp_reader_graph},
	{"graph/dump", &tp_reader_tfprof},
};
enum {
	FORMS = sizeof forms / sizeof *forms,
	EVERY = 5 /* of the bytes, unless all are asked for */
};

static void
each_cut_gives_what_is_there_or_a_clear_error(void **state)
{
	struct sampled s = sampled("cuts of a graph", EVERY);

	(void)state;
	for (int f = 0; f < FORMS; f++) {
		struct tp_slice whole = tp_corpus_load(forms[f].name);
		size_t silent = 0, refused = 0, tried = 0;

		for (size_t size = s.first; size < whole.len; size += s.step, tried++) {
			struct tp_slice cut = part(whole, size);
			struct tp_through got = tp_through_reader(forms[f].reader, "run/x", cut, formats);

			free((char *)cut.ptr);
			refused += got.status != TP_OK;
			silent += got.status == TP_OK && got.warnings == 0;
			if (got.status != TP_OK)
				assert_true(got.err.text[0] != '\0');
		}
		/* Between two fields nobody can tell that anything is missing: some twenty of them, and blanks of a text. */
		assert_true(refused < tried / 2);
		assert_true(silent < tried / 10);
		free((char *)whole.ptr);
	}
}

static void
each_inverted_byte_does_no_harm(void **state)
{
	struct sampled s = sampled("inverted bytes of a graph", EVERY);

	(void)state;
	for (int f = 0; f < FORMS; f++) {
		struct tp_slice whole = tp_corpus_load(forms[f].name);

		for (size_t i = s.first; i + 1 < whole.len; i += s.step) {
			struct tp_slice odd = part(whole, whole.len - 1);

			((char *)odd.ptr)[i] ^= (char)0xff;
			tp_through_reader(forms[f].reader, "run/x", odd, formats);
			free((char *)odd.ptr);
		}
		free((char *)whole.ptr);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_cut_gives_what_is_there_or_a_clear_error),
		cmocka_unit_test(each_inverted_byte_does_no_harm),
	};

	return RUN(tests);
}
