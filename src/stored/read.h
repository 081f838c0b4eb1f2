/* What the parts of reading a report back share. All of it lives in one arena, the tree included. What is not as tpreport writes it ends
 * the reading; what is not there is left as it is. */
#ifndef TP_STORED_READ_H
#define TP_STORED_READ_H

#include "base/err.h"
#include "report/text.h"
#include "stored/tree.h"

struct tp_shape;

struct tp_reading {
	struct tp_arena *arena;
	struct tp_err *err;
	const char *name;      /* of the file, for messages */
	struct tp_slice where; /* the block in hand */
};

/* Says what is wrong there; returns false. */
bool tp_read_wrong(struct tp_reading *r, const char *member, const char *text);

/* The members of an object into a zeroed struct; points: of the chart around it. */
bool tp_read_shape(struct tp_reading *r, struct tp_node *object, const struct tp_shape *shape,
	void *into, size_t points);

/* The value, unit and reason among an object's members. */
bool tp_read_value(struct tp_reading *r, struct tp_node *object, struct tp_value *out);

/* The number, text or null that stands here, in that unit. */
struct tp_value tp_read_plain_value(const struct tp_node *node, enum tp_unit unit);

/* The sentences of a list, list->count of them; spans: theirs, NULL where they have none. */
bool tp_read_sentences(
	struct tp_reading *r, struct tp_node *list, struct tp_node *spans, const struct tp_text **out);

/* A whole number, and a number. */
bool tp_read_whole(const struct tp_node *node, uint64_t *out);
bool tp_read_number(const struct tp_node *node, double *out);

/* Deflated bytes (RFC 1951) as they were, in the arena; false: they are damaged or too many. */
bool tp_inflated(struct tp_slice packed, struct tp_arena *arena, struct tp_slice *out);

/* The bytes of a TP_MEMBER_PACKED. */
bool tp_read_packed(struct tp_reading *r, struct tp_slice text, struct tp_slice *out);

#endif
