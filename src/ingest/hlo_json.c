/* JSON of an HloProto as a message: one table a message says which keys are which fields. A length is written with five
 * bytes, whatever it is, and filled in when the message is complete. */
#include "ingest/hlo_json.h"

#include "base/arena.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { LENGTH_BYTES = 5, DEEPEST = 40, LARGEST = 256 << 20 };

struct field;

struct enum_value {
	const char *name;
	uint64_t number;
};

struct message {
	const struct field *fields; /* ends with key NULL */
};

/* A key as in JSON; the .proto's is the same with underscores. */
struct field {
	const char *key;
	uint32_t number;
	enum { NUMBER, TEXT, MESSAGE, ENUM } type; /* lists are the same again and again */
	const struct message *message;
	const struct enum_value *values; /* ends with name NULL */
};

/* Of xla_data.proto. */
static const struct enum_value element_types[] = {
	{"PRED", 1},
	{"S8", 2},
	{"S16", 3},
	{"S32", 4},
	{"S64", 5},
	{"U8", 6},
	{"U16", 7},
	{"U32", 8},
	{"U64", 9},
	{"F16", 10},
	{"F32", 11},
	{"F64", 12},
	{"TUPLE", 13},
	{"OPAQUE_TYPE", 14},
	{"OPAQUE", 14},
	{"C64", 15},
	{"BF16", 16},
	{"TOKEN", 17},
	{"C128", 18},
	{"F8E5M2", 19},
	{"F8E4M3FN", 20},
	{"S4", 21},
	{"U4", 22},
	{"F8E4M3B11FNUZ", 23},
	{"F8E5M2FNUZ", 24},
	{"F8E4M3FNUZ", 25},
	{NULL, 0},
};

static const struct enum_value event_kinds[] = {
	{"ALLOC", 0}, {"FREE", 1}, {"SHARE_WITH", 2}, {NULL, 0}};

static const struct message tile = {
	(const struct field[]){{.key = "dimensions", .number = 1, .type = NUMBER}, {.key = NULL}}};

static const struct message layout = {(const struct field[]){
	{.key = "minorToMajor", .number = 1, .type = NUMBER},
	{.key = "tiles", .number = 6, .type = MESSAGE, .message = &tile},
	{.key = "elementSizeInBits", .number = 7, .type = NUMBER},
	{.key = "memorySpace", .number = 8, .type = NUMBER},
	{.key = NULL},
}};

static const struct message shape = {(const struct field[]){
	{.key = "elementType", .number = 2, .type = ENUM, .values = element_types},
	{.key = "dimensions", .number = 3, .type = NUMBER},
	{.key = "tupleShapes", .number = 4, .type = MESSAGE, .message = &shape},
	{.key = "layout", .number = 5, .type = MESSAGE, .message = &layout},
	{.key = "isDynamicDimension", .number = 6, .type = NUMBER},
	{.key = NULL},
}};

static const struct message metadata = {(const struct field[]){
	{.key = "opType", .number = 1, .type = TEXT},
	{.key = "opName", .number = 2, .type = TEXT},
	{.key = "sourceFile", .number = 3, .type = TEXT},
	{.key = "sourceLine", .number = 4, .type = NUMBER},
	{.key = NULL},
}};

static const struct message instruction = {(const struct field[]){
	{.key = "name", .number = 1, .type = TEXT},
	{.key = "opcode", .number = 2, .type = TEXT},
	{.key = "shape", .number = 3, .type = MESSAGE, .message = &shape},
	{.key = "metadata", .number = 7, .type = MESSAGE, .message = &metadata},
	{.key = "parameterNumber", .number = 9, .type = NUMBER},
	{.key = "fusionKind", .number = 11, .type = TEXT},
	{.key = "id", .number = 35, .type = NUMBER},
	{.key = NULL},
}};

static const struct message computation = {(const struct field[]){
	{.key = "name", .number = 1, .type = TEXT},
	{.key = "instructions", .number = 2, .type = MESSAGE, .message = &instruction},
	{.key = "id", .number = 5, .type = NUMBER},
	{.key = "rootId", .number = 6, .type = NUMBER},
	{.key = NULL},
}};

static const struct message module = {(const struct field[]){
	{.key = "name", .number = 1, .type = TEXT},
	{.key = "entryComputationName", .number = 2, .type = TEXT},
	{.key = "computations", .number = 3, .type = MESSAGE, .message = &computation},
	{.key = "id", .number = 5, .type = NUMBER},
	{.key = "entryComputationId", .number = 6, .type = NUMBER},
	{.key = NULL},
}};

static const struct message location = {(const struct field[]){
	{.key = "computationName", .number = 1, .type = TEXT},
	{.key = "instructionName", .number = 2, .type = TEXT},
	{.key = "shapeIndex", .number = 3, .type = NUMBER},
	{.key = "instructionId", .number = 4, .type = NUMBER},
	{.key = NULL},
}};

static const struct message buffer = {(const struct field[]){
	{.key = "id", .number = 1, .type = NUMBER},
	{.key = "size", .number = 2, .type = NUMBER},
	{.key = "definedAt", .number = 3, .type = MESSAGE, .message = &location},
	{.key = "color", .number = 4, .type = NUMBER},
	{.key = NULL},
}};

static const struct message assigned = {
	(const struct field[]){{.key = "logicalBufferId", .number = 1, .type = NUMBER},
		{.key = "offset", .number = 2, .type = NUMBER},
		{.key = "size", .number = 3, .type = NUMBER}, {.key = NULL}}};

static const struct message allocation = {(const struct field[]){
	{.key = "index", .number = 1, .type = NUMBER},
	{.key = "size", .number = 2, .type = NUMBER},
	{.key = "isThreadLocal", .number = 3, .type = NUMBER},
	{.key = "isEntryComputationParameter", .number = 5, .type = NUMBER},
	{.key = "parameterNumber", .number = 6, .type = NUMBER},
	{.key = "maybeLiveOut", .number = 7, .type = NUMBER},
	{.key = "color", .number = 8, .type = NUMBER},
	{.key = "assigned", .number = 9, .type = MESSAGE, .message = &assigned},
	{.key = "isTuple", .number = 11, .type = NUMBER},
	{.key = "isConstant", .number = 12, .type = NUMBER},
	{.key = NULL},
}};

static const struct message event = {(const struct field[]){
	{.key = "kind", .number = 1, .type = ENUM, .values = event_kinds},
	{.key = "bufferId", .number = 2, .type = NUMBER},
	{.key = "computationName", .number = 3, .type = TEXT},
	{.key = "instructionName", .number = 4, .type = TEXT},
	{.key = "shareWithCanonicalId", .number = 5, .type = NUMBER},
	{.key = NULL},
}};

static const struct message trace = {(const struct field[]){
	{.key = "events", .number = 1, .type = MESSAGE, .message = &event}, {.key = NULL}}};

static const struct message assignment = {(const struct field[]){
	{.key = "logicalBuffers", .number = 1, .type = MESSAGE, .message = &buffer},
	{.key = "bufferAllocations", .number = 3, .type = MESSAGE, .message = &allocation},
	{.key = "heapSimulatorTraces", .number = 4, .type = MESSAGE, .message = &trace},
	{.key = NULL},
}};

static const struct message hlo = {(const struct field[]){
	{.key = "hloModule", .number = 1, .type = MESSAGE, .message = &module},
	{.key = "bufferAssignment", .number = 3, .type = MESSAGE, .message = &assignment},
	{.key = NULL},
}};

struct writer {
	char *data;
	size_t used, room;
	bool full; /* nothing more fits */
};

static char *
grow(struct writer *w, size_t bytes)
{
	if (w->full || bytes > LARGEST - w->used) {
		w->full = true;
		return NULL;
	}
	while (w->room - w->used < bytes) {
		size_t room = w->room != 0 ? w->room * 2 : 4096;
		char *data = realloc(w->data, room);

		if (data == NULL) {
			w->full = true;
			return NULL;
		}
		w->data = data;
		w->room = room;
	}
	w->used += bytes;
	return w->data + w->used - bytes;
}

static void
put_varint(struct writer *w, uint64_t number)
{
	char bytes[10];
	size_t n = 0;

	do {
		bytes[n++] = (char)((number & 0x7f) | (number > 0x7f ? 0x80 : 0));
		number >>= 7;
	} while (number != 0);
	char *at = grow(w, n);

	if (at != NULL)
		memcpy(at, bytes, n);
}

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
enum_of(const struct enum_value *values, const json_t *value, uint64_t *out)
{
	const char *name = json_string_value(value);

	for (; name != NULL && values->name != NULL; values++) {
		if (strcmp(values->name, name) == 0) {
			*out = values->number;
			return true;
		}
	}
	return integer_of(value, out);
}

static void put_message(
	struct writer *w, const struct message *m, const json_t *object, unsigned depth);

static void
put_one(struct writer *w, const struct field *f, const json_t *value, unsigned depth)
{
	uint64_t number;

	if (f->type == TEXT && json_is_string(value)) {
		size_t length = json_string_length(value);

		put_varint(w, f->number << 3 | 2);
		put_varint(w, length);
		char *at = grow(w, length);

		if (at != NULL && length != 0)
			memcpy(at, json_string_value(value), length);
	} else if (f->type == MESSAGE && json_is_object(value) && depth < DEEPEST) {
		put_varint(w, f->number << 3 | 2);
		size_t at = w->used;

		if (grow(w, LENGTH_BYTES) == NULL)
			return;
		put_message(w, f->message, value, depth + 1);
		size_t length = w->used - at - LENGTH_BYTES;

		for (int i = 0; i < LENGTH_BYTES; i++)
			w->data[at + (size_t)i] =
				(char)((length >> 7 * i & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
	} else if ((f->type == NUMBER && integer_of(value, &number)) ||
		(f->type == ENUM && enum_of(f->values, value, &number))) {
		put_varint(w, f->number << 3);
		put_varint(w, number);
	}
}

/* Lists of numbers are packed, as readers of such lists expect them. */
static void
put_packed(struct writer *w, const struct field *f, const json_t *list)
{
	put_varint(w, f->number << 3 | 2);
	size_t at = w->used;
	uint64_t number;

	if (grow(w, LENGTH_BYTES) == NULL)
		return;
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (integer_of(json_array_get(list, i), &number))
			put_varint(w, number);
	}
	size_t length = w->used - at - LENGTH_BYTES;

	for (int i = 0; i < LENGTH_BYTES; i++)
		w->data[at + (size_t)i] =
			(char)((length >> 7 * i & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}

/* By its name in JSON, or else by that in the .proto: "hloModule", "hlo_module". */
static const json_t *
value_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	char name[64];
	size_t n = 0;

	if (value != NULL)
		return value;
	for (; *key != '\0' && n + 3 < sizeof name; key++) {
		if (*key >= 'A' && *key <= 'Z')
			name[n++] = '_';
		name[n++] = *key >= 'A' && *key <= 'Z' ? (char)(*key | 0x20) : *key;
	}
	name[n] = '\0';
	return json_object_get(object, name);
}

static void
put_message(struct writer *w, const struct message *m, const json_t *object, unsigned depth)
{
	for (const struct field *f = m->fields; f->key != NULL; f++) {
		const json_t *value = value_of(object, f->key);

		if (!json_is_array(value)) {
			put_one(w, f, value, depth);
		} else if (f->type == NUMBER) {
			put_packed(w, f, value);
		} else {
			for (size_t i = 0; i < json_array_size(value); i++)
				put_one(w, f, json_array_get(value, i), depth);
		}
	}
}

struct tp_slice
tp_hlo_from_json(const json_t *root, struct tp_arena *arena)
{
	struct writer w = {.data = NULL};
	struct tp_slice out = TP_S("");

	if (!json_is_object(value_of(root, "hloModule")))
		return out;
	put_message(&w, &hlo, root, 0);
	if (!w.full && w.used != 0)
		out = tp_arena_copy(arena, (struct tp_slice){w.data, w.used});
	free(w.data);
	return out;
}
