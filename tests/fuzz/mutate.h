/* What the fuzzers' mutators share: a text or message in hand, and how a part of it is put in another's place. */
#ifndef TP_TESTS_MUTATE_H
#define TP_TESTS_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_mutation {
	uint8_t *data;
	size_t size, most;
	uint64_t seed;
};

/* Any number below that one, the next of the seed. */
uint64_t tp_mutation_any(struct tp_mutation *m, uint64_t below);

/* Puts these bytes in place of those; false: there is no room. */
bool tp_mutation_splice(
	struct tp_mutation *m, size_t at, size_t end, const uint8_t *bytes, size_t size);

/* libFuzzer's own. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* A target's mutator is one of these; CMakeLists.txt says which. */
size_t tp_mutate_message(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t tp_mutate_records(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t tp_mutate_json(uint8_t *data, size_t size, size_t most, unsigned seed);
/* Behind a byte that says which: JSON where it begins like it, else a message. */
size_t tp_mutate_tagged(uint8_t *data, size_t size, size_t most, unsigned seed);

#endif
