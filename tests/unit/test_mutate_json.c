/* The fuzzers' mutator of JSON: what it makes is JSON nearly always, and other JSON than before. */
#include "unit.h"

#include "../fuzz/mutate.h"
#include "codec/json_pull.h"

#include <stdlib.h>
#include <string.h>

static const char seed_text[] = "{\"traceEvents\": [{\"ph\": \"X\", \"ts\": 12.5, \"args\": "
								"{\"dims\": [[64, 3], []], \"a\\\"b\": null}},\n"
								" {\"name\": \"\\u00e9\", \"dur\": -1e3}, true], \"n\": {}}";

enum { ROOM = 1 << 12, MUTANTS = 4000 };

/* libFuzzer's is not linked here: a byte more, less or other. */
size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
	if (size != 0 && data[0] % 2 == 0)
		data[size / 2] ^= 0x11;
	else if (size < most)
		data[size++] = '"';
	return size;
}

static bool
is_json(const uint8_t *data, size_t size)
{
	struct tp_pull j;

	tp_pull_open(&j, (struct tp_slice){(const char *)data, size}, NULL, NULL);
	while (tp_pull_next(&j))
		;
	bool whole = j.state == TP_PULL_END && j.repairs == 0;

	tp_pull_close(&j);
	return whole;
}

static void
mutants_are_json(void **state)
{
	size_t sound = 0, changed = 0;

	(void)state;
	for (unsigned seed = 0; seed < MUTANTS; seed++) {
		uint8_t text[ROOM];
		size_t size = sizeof seed_text - 1;

		memcpy(text, seed_text, size);
		for (unsigned k = 0; k < 3; k++)
			size = tp_mutate_json(text, size, sizeof text, seed * 3 + k);
		sound += is_json(text, size);
		changed += size != sizeof seed_text - 1 || memcmp(text, seed_text, size) != 0;
	}
	assert_true(sound > MUTANTS * 7 / 10);
	assert_true(changed > MUTANTS * 9 / 10);
}

/* Wherever it breaks off: at least half of what is made of it passes a parser. */
static void
what_breaks_off_is_ended(void **state)
{
	size_t sound = 0, whole = sizeof seed_text - 1;

	(void)state;
	for (unsigned seed = 0; seed < MUTANTS; seed++) {
		uint8_t text[ROOM];
		size_t size = 1 + seed % (whole - 1);

		memcpy(text, seed_text, size);
		size = tp_mutate_json(text, size, sizeof text, seed);
		sound += is_json(text, size);
	}
	assert_true(sound > MUTANTS / 2);
}

static void
what_is_no_json_is_mutated_too(void **state)
{
	static const char *const odd[] = {
		"", "{", "]", "\"", "{\"a", "{\"a\":", "[1,", "\\", "[\"\\", ",,,:"};

	(void)state;
	for (unsigned seed = 0; seed < MUTANTS; seed++) {
		const char *text = odd[seed % (sizeof odd / sizeof *odd)];
		uint8_t *exact = malloc(strlen(text) + 8);

		memcpy(exact, text, strlen(text));
		assert_true(
			tp_mutate_json(exact, strlen(text), strlen(text) + 8, seed) <= strlen(text) + 8);
		free(exact);
	}
}

static void
what_has_no_room_stays_within_it(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < MUTANTS; seed++) {
		size_t size = sizeof seed_text - 1;
		uint8_t *exact = malloc(size);

		memcpy(exact, seed_text, size);
		for (unsigned k = 0; k < 5; k++)
			size = tp_mutate_json(exact, size, sizeof seed_text - 1, seed + k);
		assert_true(size <= sizeof seed_text - 1);
		free(exact);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mutants_are_json),
		cmocka_unit_test(what_breaks_off_is_ended),
		cmocka_unit_test(what_is_no_json_is_mutated_too),
		cmocka_unit_test(what_has_no_room_stays_within_it),
	};

	return RUN(tests);
}
