/* Arenas and documents for tests. */
#include "fixture.h"

#include "base/arena.h"
#include "report/doc.h"

int
arena_made(void **state)
{
	*state = tp_arena_new();
	return 0;
}

int
arena_freed(void **state)
{
	tp_arena_free(*state);
	return 0;
}

int
doc_made(void **state)
{
	*state = tp_doc_new(tp_arena_new());
	return 0;
}

int
doc_freed(void **state)
{
	struct tp_doc *doc = *state;

	tp_arena_free(doc->arena);
	return 0;
}
