/* By dlopen and dlsym. */
#include "io/library.h"

#include <dlfcn.h>
#include <string.h>

bool
tp_library_load(
	const char *const *names, const struct tp_symbol *symbols, size_t count, void *table)
{
	void *library = NULL;

	for (; *names != NULL && library == NULL; names++)
		library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; i < count && library != NULL; i++) {
		void *symbol = dlsym(library, symbols[i].name);

		if (symbol == NULL)
			return false;
		memcpy((char *)table + symbols[i].field, &symbol, sizeof symbol);
	}
	return library != NULL;
}
