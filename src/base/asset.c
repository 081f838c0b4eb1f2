/* Finds an embedded file by its name; the table itself is written at build time. */
#include "base/asset.h"

#include <stdlib.h>
#include <string.h>

static int
compare_name(const void *name, const void *asset)
{
	return strcmp(name, ((const struct tp_asset *)asset)->name);
}

const struct tp_asset *
tp_asset_find(const char *name)
{
	return bsearch(name, tp_asset_table, tp_asset_count, sizeof tp_asset_table[0], compare_name);
}
