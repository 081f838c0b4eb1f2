/* Large objects go up in parts, several at a time, so that a connection that breaks costs one part. */
#ifndef TP_IO_UPLOAD_H
#define TP_IO_UPLOAD_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>

struct tp_object;

/* Whether bytes are worth it, and the store of the object takes parts. */
bool tp_upload_takes(const struct tp_object *o, struct tp_slice bytes);

/* Puts them in the object's place. Whatever goes wrong, also a signal that ends the program, the store is told to forget the parts. */
enum tp_status tp_upload(
	const struct tp_object *o, struct tp_slice bytes, const char *type, struct tp_err *err);

#endif
