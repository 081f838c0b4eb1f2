/* What servers answer in XML: flat records, and errors. */
#ifndef TP_IO_RECORDS_XML_H
#define TP_IO_RECORDS_XML_H

#include "base/slice.h"

#include <stddef.h>

struct tp_arena;

struct tp_xml_field {
	const char *name;      /* of an element at any depth in the record */
	struct tp_slice value; /* its text; empty: it is not there */
};

/* Calls see for each element of the name `record`, with the fields of it filled. Their texts live in arena. False where the text
 * is no XML. */
bool tp_xml_records(struct tp_arena *arena, struct tp_slice text, const char *record,
	struct tp_xml_field *fields, size_t count, void (*see)(void *with), void *with);

/* The text of the first element of this name, outside of elements that are called as `but` (NULL: none); empty: there is none. */
struct tp_slice tp_xml_first(
	struct tp_arena *arena, struct tp_slice text, const char *name, const char *but);

#endif
