/* What readers share. */
#include "ingest/reader.h"

#include "io/peek.h"

int
tp_probe_suffixes(const char *name, const char *const *suffixes)
{
	struct tp_slice n = tp_slice_of(name);

	if (tp_slice_ends(n, TP_S(".gz")))
		n.len -= 3;
	else if (tp_slice_ends(n, TP_S(".zst")))
		n.len -= 4;
	for (; *suffixes != NULL; suffixes++) {
		if (tp_slice_ends(n, tp_slice_of(*suffixes)))
			return 80;
	}
	return 0;
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
	for (const char *const *mark = reader->marks; *mark != NULL; mark++) {
		if (tp_slice_has(head, tp_slice_of(*mark)))
			return 60;
	}
	return 0;
}
