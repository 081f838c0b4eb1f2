/* Small answers in JSON: texts by their names. */
#ifndef TP_IO_JSON_TEXTS_H
#define TP_IO_JSON_TEXTS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;

struct tp_json_text {
	const char *name;
	struct tp_slice value; /* a text or a whole number, as text; empty: it is not there */
};

/* Fills the values of an object's members, in arena. False: the text is no object. */
bool tp_json_texts(
	struct tp_arena *arena, struct tp_slice text, struct tp_json_text *fields, size_t count);

/* The same for an object that is a member of the object. False: there is none. */
bool tp_json_object(struct tp_arena *arena, struct tp_slice text, const char *member,
	struct tp_json_text *fields, size_t count);

/* The same for each object of a list that is a member of the object; see is called for each. False: the text is no object. */
bool tp_json_list(struct tp_arena *arena, struct tp_slice text, const char *list,
	struct tp_json_text *fields, size_t count, void (*see)(void *with), void *with);

/* The object with these texts as members, in place of those of the same names; empty ones stay as they are. Empty: the text is no object. */
struct tp_slice tp_json_with(
	struct tp_arena *arena, struct tp_slice text, const struct tp_json_text *fields, size_t count);

/* The member of an object as JSON, in arena; empty: there is none. */
struct tp_slice tp_json_member(struct tp_arena *arena, struct tp_slice text, const char *member);

/* Shows each text of the object that is a member of the object, with its name; both live as long as the call. */
void tp_json_each(struct tp_slice text, const char *member,
	void (*see)(void *with, const char *name, struct tp_slice value), void *with);

/* An object of texts, of which the last `numbers` hold whole numbers, as text in arena; empty ones are left out. */
struct tp_slice tp_json_object_of(
	struct tp_arena *arena, const struct tp_json_text *fields, size_t texts, size_t numbers);

#endif
