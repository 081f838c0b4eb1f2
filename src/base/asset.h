/* Assets: the files embedded in the binary when it is built (templates, CSS, JavaScript, fonts). */
#ifndef TP_BASE_ASSET_H
#define TP_BASE_ASSET_H

#include <stddef.h>

struct tp_asset {
	const char *name;          /* "report.css", "fonts/Inter-Regular.otf" */
	const unsigned char *data; /* followed by a zero byte that size does not count */
	size_t size;
};

/* All assets, sorted by name. */
extern const struct tp_asset tp_asset_table[];
extern const size_t tp_asset_count;

/* The asset with this name, NULL when there is none. It lives as long as the program. */
const struct tp_asset *tp_asset_find(const char *name);

#endif
