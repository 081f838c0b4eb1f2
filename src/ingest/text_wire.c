/* Protobuf's text format, field by field, onto the wire. */
#include "ingest/text_wire.h"

#include "codec/pb_write.h"

#include <stdlib.h>
#include <string.h>

const struct tp_wire_rule *
tp_wire_rule_for(const struct tp_wire_schema *s, struct tp_slice name)
{
	for (const struct tp_wire_rule *r = s->rules; r->name != NULL; r++) {
		if (tp_slice_eq(name, tp_slice_of(r->name)))
			return r;
	}
	return NULL;
}

/* tensorflow.DataType by name; 0: not known. */
static uint64_t
type_of(struct tp_slice word)
{
	static const char *const names[] = {"INVALID", "FLOAT", "DOUBLE", "INT32", "UINT8", "INT16",
		"INT8", "STRING", "COMPLEX64", "INT64", "BOOL", "QINT8", "QUINT8", "QINT32", "BFLOAT16",
		"QINT16", "QUINT16", "UINT16", "COMPLEX128", "HALF", "RESOURCE", "VARIANT", "UINT32",
		"UINT64", "FLOAT8_E5M2", "FLOAT8_E4M3FN"};
	struct tp_slice name = tp_slice_from(word, strlen("DT_"));
	uint64_t reference = tp_slice_ends(name, TP_S("_REF")) ? 100 : 0;

	if (!tp_slice_starts(word, TP_S("DT_")))
		return 0;
	name.len -= reference != 0 ? strlen("_REF") : 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (tp_slice_eq(name, tp_slice_of(names[i])))
			return i + reference;
	}
	return 0;
}

static uint64_t
number_of(struct tp_slice word)
{
	char digits[32];

	if (word.len >= sizeof digits)
		return 0;
	memcpy(digits, word.ptr, word.len);
	digits[word.len] = '\0';
	return *digits == '-' ? (uint64_t)strtoll(digits, NULL, 0) : strtoull(digits, NULL, 0);
}

/* A message that is open: what it may hold, its own field, and where its bytes start. */
struct level {
	const struct tp_wire_schema *schema;
	uint32_t field;
	size_t start;
};

struct writing {
	struct tp_buf *out;
	struct level levels[TP_TEXT_DEEPEST + 1];
	unsigned depth;
	struct tp_buf text; /* room for a string */
};

static void
close_level(struct writing *w)
{
	const struct level *l = &w->levels[w->depth--];
	size_t size = w->out->count - l->start;

	tp_pb_wrap(w->out, l->field, size);
}

static void
write_string(struct writing *w, uint32_t field, struct tp_slice value)
{
	char *text = tp_buf_room(&w->text, value.len, 1);

	tp_pb_put_bytes(w->out, field, (struct tp_slice){text, tp_text_unescape(value, text)});
}

static void
write_word(struct writing *w, const struct tp_wire_rule *r, struct tp_slice word)
{
	bool digits = word.len != 0 && *word.ptr >= '0' && *word.ptr <= '9';

	if (r->kind == TP_WIRE_TYPE && !digits)
		tp_pb_put_number(w->out, r->field, type_of(word));
	else if (r->kind == TP_WIRE_BOOLEAN)
		tp_pb_put_number(
			w->out, r->field, tp_slice_starts(word, TP_S("t")) || tp_slice_eq(word, TP_S("1")));
	else if (r->kind == TP_WIRE_INTEGER || r->kind == TP_WIRE_TYPE)
		tp_pb_put_number(w->out, r->field, number_of(word));
}

/* Writes what the pull has in hand, or passes over it. */
static void
write_item(struct writing *w, struct tp_text_pull *t)
{
	const struct tp_wire_rule *r =
		t->type == TP_TEXT_CLOSE ? NULL : tp_wire_rule_for(w->levels[w->depth].schema, t->name);

	switch (t->type) {
	case TP_TEXT_OPEN:
		if (r == NULL || r->inner == NULL)
			tp_text_skip(t);
		else
			w->levels[++w->depth] = (struct level){r->inner, r->field, w->out->count};
		return;
	case TP_TEXT_CLOSE:
		close_level(w);
		return;
	case TP_TEXT_STRING:
		if (r != NULL && r->kind == TP_WIRE_STRING)
			write_string(w, r->field, t->value);
		return;
	case TP_TEXT_WORD:
		if (r != NULL)
			write_word(w, r, t->value);
		return;
	}
}

/* Of what is still open the items are left out, the rest is closed. */
static const struct tp_wire_schema *
close_all(struct writing *w)
{
	const struct tp_wire_schema *lost = NULL;

	for (unsigned i = 1; i <= w->depth; i++) {
		if (!w->levels[i].schema->item)
			continue;
		lost = w->levels[i].schema;
		w->out->count = w->levels[i].start;
		w->depth = i - 1;
	}
	while (w->depth > 0)
		close_level(w);
	return lost;
}

struct tp_text_wire
tp_text_to_wire(struct tp_slice text, const struct tp_wire_schema *root, struct tp_buf *out)
{
	struct tp_text_pull t = tp_text_open(text);
	struct writing w = {.out = out, .levels = {{.schema = root}}};

	while (tp_text_next(&t))
		write_item(&w, &t);
	struct tp_text_wire done = {.state = t.state, .at = t.at, .left_out = close_all(&w)};

	tp_buf_free(&w.text);
	return done;
}
