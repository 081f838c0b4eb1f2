/* What readers share. */
#include "ingest/reader.h"

#include "base/texts.h"
#include "io/peek.h"

int
tp_probe_suffixes(const char *name, const char *const *suffixes)
{
	struct tp_slice n = tp_slice_of(name);

	if (tp_slice_ends(n, TP_S(".gz")))
		n.len -= 3;
	else if (tp_slice_ends(n, TP_S(".zst")))
		n.len -= 4;
	return tp_texts_any(n, tp_slice_ends, suffixes) ? 80 : 0;
}

bool
tp_is_json(struct tp_slice bytes)
{
	for (size_t i = 0; i < bytes.len; i++) {
		if (strchr(" \t\r\n", bytes.ptr[i]) == NULL || bytes.ptr[i] == '\0')
			return bytes.ptr[i] == '[' || bytes.ptr[i] == '{';
	}
	return false;
}

int
tp_probe(const struct tp_reader *reader, const char *name, struct tp_slice head)
{
	int sure = tp_probe_suffixes(name, reader->suffixes);

	if (sure != 0 || reader->marks == NULL || !tp_is_json(head))
		return sure;
	head.len = head.len < TP_PEEK_BYTES ? head.len : TP_PEEK_BYTES;
	return tp_texts_any(head, tp_slice_has, reader->marks) ? 60 : 0;
}
