/* The list of readers, and the choice among them. */
#include "ingest/reader.h"

const struct tp_reader *const tp_readers[] = {
#define TP_READER(name) &tp_reader_##name,
#include "ingest/readers.inc"
#undef TP_READER
	NULL,
};

const struct tp_reader *
tp_reader_for(const char *name, struct tp_slice head)
{
	const struct tp_reader *best = NULL;
	int surest = 0;

	for (const struct tp_reader *const *r = tp_readers; *r != NULL; r++) {
		int sure = (*r)->probe != NULL ? (*r)->probe(name, head) : tp_probe(*r, name, head);

		if (sure > surest) {
			surest = sure;
			best = *r;
		}
	}
	return best;
}
