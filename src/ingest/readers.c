/* The list of readers, and the choice among them. */
#include "ingest/reader.h"

#include "base/texts.h"
#include "io/peek.h"

const struct tp_reader *const tp_readers[] = {
#define TP_READER(name) &tp_reader_##name,
#include "ingest/readers.inc"
#undef TP_READER
	NULL,
};

/* By suffixes; else 60 when the bytes are JSON and begin with one of the reader's marks in them. */
static int
probe(const struct tp_reader *reader, const char *name, struct tp_slice head)
{
	int sure = tp_probe_suffixes(name, reader->suffixes);

	if (sure != 0 || reader->marks == NULL || !tp_is_json(head))
		return sure;
	head.len = head.len < TP_PEEK_BYTES ? head.len : TP_PEEK_BYTES;
	return tp_texts_any(head, tp_slice_has, reader->marks) ? 60 : 0;
}

const struct tp_reader *
tp_reader_for(const char *name, struct tp_slice head)
{
	const struct tp_reader *best = NULL;
	int surest = 0;

	for (const struct tp_reader *const *r = tp_readers; *r != NULL; r++) {
		int sure = (*r)->probe != NULL ? (*r)->probe(name, head) : probe(*r, name, head);

		if (sure > surest) {
			surest = sure;
			best = *r;
		}
	}
	return best;
}
