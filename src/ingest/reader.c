/* What readers share. */
#include "ingest/reader.h"

#include "base/texts.h"

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
