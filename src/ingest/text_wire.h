/* A message as text becomes the same on the wire, so that one reader reads both; of its fields those that a schema names. */
#ifndef TP_INGEST_TEXT_WIRE_H
#define TP_INGEST_TEXT_WIRE_H

#include "base/buf.h"
#include "base/slice.h"
#include "codec/pb_text.h"

#include <stdint.h>

/* TYPE: tensorflow.DataType. */
enum tp_wire_kind {
	TP_WIRE_MESSAGE,
	TP_WIRE_STRING,
	TP_WIRE_INTEGER,
	TP_WIRE_TYPE,
	TP_WIRE_BOOLEAN
};

struct tp_wire_schema;
struct tp_wire_rule {
	const char *name;
	uint32_t field;
	enum tp_wire_kind kind;
	const struct tp_wire_schema *inner; /* NULL: passed over */
};
/* item: either the whole of it is written, or nothing. */
struct tp_wire_schema {
	const struct tp_wire_rule *rules; /* ends with an empty one */
	bool item;
};

#define TP_WIRE_SCHEMA(schema_name, is_item, ...)                                                  \
	static const struct tp_wire_rule schema_name##_rules[] = {__VA_ARGS__, {0}};                   \
	static const struct tp_wire_schema schema_name = {schema_name##_rules, is_item}

const struct tp_wire_rule *tp_wire_rule_for(
	const struct tp_wire_schema *schema, struct tp_slice name);

struct tp_text_wire {
	enum tp_text_state state;              /* TP_TEXT_END: all of it was read */
	const char *at;                        /* else where it broke off */
	const struct tp_wire_schema *left_out; /* the item that was open there; NULL: none was */
};

struct tp_text_wire tp_text_to_wire(
	struct tp_slice text, const struct tp_wire_schema *root, struct tp_buf *out);

#endif
