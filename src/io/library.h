/* Libraries that only some commands need, and that may not be installed: loaded when they are asked for. */
#ifndef TP_IO_LIBRARY_H
#define TP_IO_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* A function, and where its pointer goes in a table of them. */
struct tp_symbol {
	const char *name;
	size_t field;
};

/* Loads the first library that is there and fills the table; names end with NULL. False: none is there, or it lacks a function. */
bool tp_library_load(
	const char *const *names, const struct tp_symbol *symbols, size_t count, void *table);

#endif
