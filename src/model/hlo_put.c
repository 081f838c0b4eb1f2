/* Pieces of an HLO module's text that stand in many places. */
#include "base/arena.h"
#include "base/order.h"
#include "base/utf8.h"
#include "io/sink.h"
#include "model/hlo_text_parts.h"

#include <inttypes.h>
#include <stdlib.h>

size_t
tp_hlo_put_numbers(
	const struct tp_hlo_writing *w, struct tp_slice message, uint32_t field, const char *between)
{
	struct tp_pb_numbers numbers = tp_pb_numbers(message, field);
	size_t count = 0;
	int64_t number;

	for (; tp_pb_next_number(&numbers, &number); count++)
		tp_sink_printf(w->out, "%s%" PRId64, count == 0 ? "" : between, number);
	return count;
}

void
tp_hlo_put_index(const struct tp_hlo_writing *w, struct tp_slice message, uint32_t field)
{
	tp_sink_puts(w->out, "{");
	tp_hlo_put_numbers(w, message, field, ",");
	tp_sink_puts(w->out, "}");
}

void
tp_hlo_put(const struct tp_hlo_writing *w, struct tp_slice text)
{
	size_t length;

	for (; text.len != 0; text = tp_slice_from(text, length)) {
		uint32_t character = tp_utf8_next(text, &length);

		if (character == TP_UTF8_ILL_FORMED)
			tp_sink_puts(w->out, "\ufffd");
		else if (tp_utf8_shown(character))
			tp_sink_write(w->out, text.ptr, length);
		else
			tp_sink_puts(w->out, "?");
	}
}

bool
tp_hlo_put_shape(const struct tp_hlo_writing *w, struct tp_slice message)
{
	struct tp_shape shape;

	if (tp_shape_read(message, w->scratch, &shape, NULL) != TP_OK)
		return false;
	tp_sink_put(w->out, tp_shape_numbered_text(&shape, w->scratch));
	return true;
}

/* Whether a text is one in braces, which stands without quotes. */
static bool
is_braced(struct tp_slice text)
{
	return text.len >= 2 && text.ptr[0] == '{' && text.ptr[text.len - 1] == '}';
}

void
tp_hlo_put_quoted(const struct tp_hlo_writing *w, struct tp_slice text)
{
	static const char named[] = "\n\r\t", names[] = "nrt";

	tp_sink_puts(w->out, "\"");
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];
		const char *at = c != '\0' ? strchr(named, c) : NULL;

		if (at != NULL)
			tp_sink_printf(w->out, "\\%c", names[at - named]);
		else if (c == '"' || c == '\'' || c == '\\')
			tp_sink_printf(w->out, "\\%c", c);
		else if (c < 0x20 || c >= 0x7f)
			tp_sink_printf(w->out, "\\%03o", c);
		else
			tp_sink_write(w->out, &text.ptr[i], 1);
	}
	tp_sink_puts(w->out, "\"");
}

void
tp_hlo_put_value(const struct tp_hlo_writing *w, struct tp_slice value)
{
	if (is_braced(value))
		tp_hlo_put(w, value);
	else
		tp_hlo_put_quoted(w, value);
}

bool
tp_hlo_put_word(const struct tp_hlo_writing *w, const char *name, const char *words, int64_t number)
{
	size_t length = strcspn(words, " ");

	if (number < 0)
		return false;
	for (; number > 0 && words[length] == ' '; number--) {
		words += length + 1;
		length = strcspn(words, " ");
	}
	if (number == 0 && words[0] != '-')
		tp_sink_printf(w->out, ", %s=%.*s", name, (int)length, words);
	return number == 0;
}

void
tp_hlo_put_list(
	const struct tp_hlo_writing *w, const char *name, struct tp_slice message, uint32_t field)
{
	tp_sink_printf(w->out, ", %s=", name);
	tp_hlo_put_index(w, message, field);
}

struct pair {
	struct tp_slice key, value;
};

TP_ORDER(by_key, struct pair, tp_slice_cmp(a->key, b->key));

void
tp_hlo_put_frontend(const struct tp_hlo_writing *w, struct tp_slice attributes)
{
	size_t count = 0;

	for (struct tp_pb p = tp_pb_open(attributes); tp_pb_next_bytes(&p, 1);)
		count++;
	struct pair *pairs = tp_new_array(w->scratch, struct pair, count);

	count = 0;
	for (struct tp_pb p = tp_pb_open(attributes), part; tp_pb_next_bytes(&p, 1);) {
		struct pair *pair = &pairs[count++];

		if (tp_pb_field(p.bytes, 1, TP_PB_BYTES, &part))
			pair->key = part.bytes;
		if (tp_pb_field(p.bytes, 2, TP_PB_BYTES, &part))
			pair->value = part.bytes;
	}
	qsort(pairs, count, sizeof *pairs, by_key);
	tp_sink_puts(w->out, "{");
	for (size_t i = 0; i < count; i++) {
		tp_sink_puts(w->out, i == 0 ? "" : ",");
		tp_hlo_put(w, pairs[i].key);
		tp_sink_puts(w->out, "=");
		tp_hlo_put_value(w, pairs[i].value);
	}
	tp_sink_puts(w->out, "}");
}
