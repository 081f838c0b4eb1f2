/* What readers share. */
#include "ingest/reader.h"

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
