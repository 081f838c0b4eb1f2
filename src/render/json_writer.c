/* JSON text: commas, indentation by one blank, or none, escapes. */
#include "render/json_writer.h"

#include "base/number.h"
#include "base/utf8.h"
#include "io/sink.h"

#include <assert.h>

void
tp_json_start(struct tp_json *j, struct tp_sink *out)
{
	*j = (struct tp_json){.out = out, .empty = true};
}

static bool
is_flat(const struct tp_json *j)
{
	return j->flat_depth != 0 && j->depth >= j->flat_depth;
}

static void
new_line(struct tp_json *j)
{
	tp_sink_puts(j->out, "\n");
	for (unsigned i = 0; i < j->depth && !j->dense; i++)
		tp_sink_puts(j->out, " ");
}

static bool
is_plain(char c)
{
	return c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '<';
}

static size_t
plain_run(struct tp_slice s)
{
	size_t i = 0;

	while (i < s.len && is_plain(s.ptr[i]))
		i++;
	return i;
}

/* What no reader would see, and what ends a script or a line in one, has its number; two halves where it needs more than 16
 * bits (RFC 8259, section 7). */
static void
put_number(struct tp_sink *out, uint32_t character)
{
	if (character <= 0xffff) {
		tp_sink_printf(out, "\\u%04x", (unsigned)character);
		return;
	}
	uint32_t rest = character - 0x10000;

	tp_sink_printf(
		out, "\\u%04x\\u%04x", 0xd800 + (unsigned)(rest >> 10), 0xdc00 + (unsigned)(rest & 0x3ff));
}

/* Writes one character that plain_run stopped at; returns its length. */
static size_t
put_character(struct tp_sink *out, struct tp_slice s)
{
	size_t length;
	uint32_t character = tp_utf8_next(s, &length);

	if (character == TP_UTF8_ILL_FORMED)
		tp_sink_puts(out, "\ufffd");
	else if (character == '"' || character == '\\')
		tp_sink_printf(out, "\\%c", (char)character);
	else if (character == '\n')
		tp_sink_puts(out, "\\n");
	else if (character == '\t')
		tp_sink_puts(out, "\\t");
	else if (character != '<' && tp_utf8_shown(character))
		tp_sink_write(out, s.ptr, length);
	else
		put_number(out, character);
	return length;
}

void
tp_json_put_string(struct tp_sink *out, struct tp_slice s)
{
	tp_sink_puts(out, "\"");
	while (s.len != 0) {
		size_t run = plain_run(s);

		tp_sink_write(out, s.ptr, run);
		s = tp_slice_from(s, run);
		if (s.len != 0)
			s = tp_slice_from(s, put_character(out, s));
	}
	tp_sink_puts(out, "\"");
}

static void
begin(struct tp_json *j, struct tp_slice key, bool has_key)
{
	if (!j->empty)
		tp_sink_puts(j->out, is_flat(j) && !j->dense ? ", " : ",");
	if (j->depth != 0 && !is_flat(j))
		new_line(j);
	j->empty = false;
	if (has_key) {
		tp_json_put_string(j->out, key);
		tp_sink_puts(j->out, j->dense ? ":" : ": ");
	}
}

static void
begin_key(struct tp_json *j, const char *key)
{
	begin(j, tp_slice_of(key), key != NULL);
}

static void
open_shape(struct tp_json *j, enum tp_json_shape shape)
{
	bool object = shape == TP_JSON_OBJECT || shape == TP_JSON_FLAT_OBJECT;

	assert(j->depth < TP_JSON_DEEPEST);
	tp_sink_puts(j->out, object ? "{" : "[");
	j->closer[j->depth++] = object ? '}' : ']';
	j->empty = true;
	if (j->flat_depth == 0 && (shape == TP_JSON_FLAT_OBJECT || shape == TP_JSON_FLAT_ARRAY))
		j->flat_depth = j->depth;
}

void
tp_json_open(struct tp_json *j, const char *key, enum tp_json_shape shape)
{
	begin_key(j, key);
	open_shape(j, shape);
}

void
tp_json_open_named(struct tp_json *j, struct tp_slice key, enum tp_json_shape shape)
{
	begin(j, key, true);
	open_shape(j, shape);
}

void
tp_json_close(struct tp_json *j)
{
	bool line = !j->empty && !is_flat(j);

	j->depth--;
	if (line)
		new_line(j);
	tp_sink_write(j->out, &j->closer[j->depth], 1);
	if (j->depth < j->flat_depth)
		j->flat_depth = 0;
	j->empty = false;
	if (j->depth == 0)
		tp_sink_puts(j->out, "\n");
}

void
tp_json_string(struct tp_json *j, const char *key, struct tp_slice text)
{
	begin_key(j, key);
	tp_json_put_string(j->out, text);
}

void
tp_json_value(struct tp_json *j, const char *key, struct tp_value v)
{
	char buf[TP_VALUE_BUF];

	begin_key(j, key);
	switch (v.kind) {
	case TP_VALUE_MISSING:
		tp_sink_puts(j->out, "null");
		break;
	case TP_VALUE_TEXT:
		tp_json_put_string(j->out, v.text);
		break;
	case TP_VALUE_INTEGER:
	case TP_VALUE_NUMBER:
		tp_sink_put(j->out, tp_value_raw(v, buf));
		break;
	}
}

void
tp_json_integer(struct tp_json *j, const char *key, int64_t integer)
{
	tp_json_value(j, key, tp_integer(integer, TP_UNIT_NONE));
}

void
tp_json_number(struct tp_json *j, const char *key, double number)
{
	tp_json_value(j, key, tp_number(number, TP_UNIT_NONE));
}

void
tp_json_bool(struct tp_json *j, const char *key, bool truth)
{
	begin_key(j, key);
	tp_sink_puts(j->out, truth ? "true" : "false");
}

void
tp_json_null(struct tp_json *j, const char *key)
{
	begin_key(j, key);
	tp_sink_puts(j->out, "null");
}
