/* JSON of an HloProto as a message: by the names and numbers of proto/hlo.proto. */
#include "ingest/hlo_json.h"

#include "base/arena.h"
#include "hlo.pb-c.h"
#include "ingest/pb_write.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { DEEPEST = 40 };

/* An integer of 64 bits, also as a text and as true or false; false: it is none. */
static bool
integer_of(const json_t *value, uint64_t *out)
{
	if (json_is_integer(value)) {
		*out = (uint64_t)json_integer_value(value);
	} else if (json_is_boolean(value)) {
		*out = json_is_true(value);
	} else if (json_is_real(value)) {
		double number = json_real_value(value);

		if (!(fabs(number) < 9e15) || number != floor(number))
			return false;
		*out = (uint64_t)(int64_t)number;
	} else if (json_is_string(value)) {
		const char *text = json_string_value(value);
		bool minus = *text == '-';
		char *end;

		if (text[minus] < '0' || text[minus] > '9')
			return false;
		errno = 0;
		*out = strtoull(text + minus, &end, 10);
		if (errno != 0 || *end != '\0')
			return false;
		*out = minus ? -*out : *out;
	} else {
		return false;
	}
	return true;
}

static bool
number_of(const ProtobufCFieldDescriptor *f, const json_t *value, uint64_t *out)
{
	const ProtobufCEnumValue *named = NULL;

	if (f->type == PROTOBUF_C_TYPE_ENUM && json_is_string(value))
		named =
			protobuf_c_enum_descriptor_get_value_by_name(f->descriptor, json_string_value(value));
	if (named != NULL)
		*out = (uint64_t)named->value;
	return named != NULL || integer_of(value, out);
}

static void put_message(
	struct tp_pb_out *o, const ProtobufCMessageDescriptor *m, const json_t *object, unsigned depth);

static void
put_one(struct tp_pb_out *o, const ProtobufCFieldDescriptor *f, const json_t *value, unsigned depth)
{
	size_t start = o->size;
	uint64_t number;

	if (f->type == PROTOBUF_C_TYPE_BYTES) {
		if (json_is_string(value))
			tp_pb_put_bytes(
				o, f->id, (struct tp_slice){json_string_value(value), json_string_length(value)});
	} else if (f->type == PROTOBUF_C_TYPE_MESSAGE) {
		if (!json_is_object(value) || depth == DEEPEST)
			return;
		put_message(o, f->descriptor, value, depth + 1);
		tp_pb_wrap(o, f->id, o->size - start);
	} else if (number_of(f, value, &number)) {
		tp_pb_put_number(o, f->id, number);
	}
}

/* Lists of numbers are packed, as readers of such lists expect them. */
static void
put_packed(struct tp_pb_out *o, const ProtobufCFieldDescriptor *f, const json_t *list)
{
	size_t start = o->size;
	uint64_t number;

	for (size_t i = 0; i < json_array_size(list); i++) {
		if (integer_of(json_array_get(list, i), &number))
			tp_pb_put_varint(o, number);
	}
	tp_pb_wrap(o, f->id, o->size - start);
}

/* By its name in JSON, or else by that in the .proto: "hloModule", "hlo_module". */
static const json_t *
value_of(const json_t *object, const char *name)
{
	const json_t *value;
	char key[64];
	size_t n = 0;

	for (const char *c = name; *c != '\0' && n + 1 < sizeof key; c++)
		key[n++] = *c != '_' ? *c : (char)(*++c & ~0x20);
	key[n] = '\0';
	value = json_object_get(object, key);
	return value != NULL ? value : json_object_get(object, name);
}

static void
put_message(
	struct tp_pb_out *o, const ProtobufCMessageDescriptor *m, const json_t *object, unsigned depth)
{
	for (unsigned k = 0; k < m->n_fields; k++) {
		const ProtobufCFieldDescriptor *f = &m->fields[k];
		const json_t *value = value_of(object, f->name);

		if (!json_is_array(value)) {
			put_one(o, f, value, depth);
		} else if (f->type == PROTOBUF_C_TYPE_UINT64) {
			put_packed(o, f, value);
		} else {
			for (size_t i = 0; i < json_array_size(value); i++)
				put_one(o, f, json_array_get(value, i), depth);
		}
	}
}

struct tp_slice
tp_hlo_from_json(const json_t *root, struct tp_arena *arena)
{
	struct tp_pb_out o = {0};

	if (!json_is_object(value_of(root, "hlo_module")))
		return TP_S("");
	put_message(&o, &tp__hlo_proto__descriptor, root, 0);
	struct tp_slice out = tp_arena_copy(arena, tp_pb_written(&o));

	tp_pb_out_free(&o);
	return out;
}
