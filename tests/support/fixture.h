/* What unit tests begin and end with: an arena, or a document in an arena of its own. */
#ifndef TP_TESTS_FIXTURE_H
#define TP_TESTS_FIXTURE_H

struct tp_doc;

/* *state is an arena. */
int arena_made(void **state);
int arena_freed(void **state);
#define ARENA_TEST(test) cmocka_unit_test_setup_teardown(test, arena_made, arena_freed)

/* *state is an empty document; the second also frees one that was made otherwise. */
int doc_made(void **state);
int doc_freed(void **state);
#define DOC_TEST(test) cmocka_unit_test_setup_teardown(test, doc_made, doc_freed)

#endif
