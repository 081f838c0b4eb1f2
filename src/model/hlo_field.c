/* Fields of HLO messages looked up one by one, and texts of theirs, for what is rarely wanted. */
#include "base/arena.h"
#include "base/utf8.h"
#include "io/sink.h"
#include "model/hlo_text_parts.h"

#include <inttypes.h>
#include <stdlib.h>

bool
tp_hlo_field(struct tp_slice message, uint32_t number, enum tp_pb_type type, struct tp_pb *out)
{
	bool found = false;

	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.field == number && p.type == type) {
			*out = p;
			found = true;
		}
	}
	return found;
}

int64_t
tp_hlo_number(struct tp_slice message, uint32_t number)
{
	struct tp_pb p;

	return tp_hlo_field(message, number, TP_PB_VARINT, &p) ? (int64_t)p.number : 0;
}

struct tp_hlo_numbers
tp_hlo_numbers(struct tp_slice message, uint32_t field)
{
	return (struct tp_hlo_numbers){tp_pb_open(message), tp_pb_open(TP_S("")), field};
}

bool
tp_hlo_next_number(struct tp_hlo_numbers *n, int64_t *out)
{
	uint64_t number;

	for (;;) {
		if (n->packed.at < n->packed.end) {
			if (!tp_pb_varint(&n->packed, &number))
				return false;
			*out = (int64_t)number;
			return true;
		}
		do {
			if (!tp_pb_next(&n->message))
				return false;
		} while (n->message.field != n->field);
		if (n->message.type == TP_PB_VARINT) {
			*out = (int64_t)n->message.number;
			return true;
		}
		if (n->message.type == TP_PB_BYTES)
			n->packed = tp_pb_open(n->message.bytes);
	}
}

size_t
tp_hlo_put_numbers(
	const struct tp_hlo_writing *w, struct tp_slice message, uint32_t field, const char *between)
{
	struct tp_hlo_numbers numbers = tp_hlo_numbers(message, field);
	size_t count = 0;
	int64_t number;

	for (; tp_hlo_next_number(&numbers, &number); count++)
		tp_sink_printf(w->out, "%s%" PRId64, count == 0 ? "" : between, number);
	return count;
}

void
tp_hlo_put(const struct tp_hlo_writing *w, struct tp_slice text)
{
	struct tp_slice clean = tp_utf8_clean(w->scratch, text);
	size_t start = 0;

	for (size_t i = 0; i < clean.len; i++) {
		if ((unsigned char)clean.ptr[i] >= 0x20 && clean.ptr[i] != 0x7f)
			continue;
		tp_sink_write(w->out, clean.ptr + start, i - start);
		tp_sink_puts(w->out, "?");
		start = i + 1;
	}
	tp_sink_write(w->out, clean.ptr + start, clean.len - start);
}

/* Whether a text is one in braces, which stands without quotes. */
static bool
is_braced(struct tp_slice text)
{
	return text.len >= 2 && text.ptr[0] == '{' && text.ptr[text.len - 1] == '}';
}

void
tp_hlo_put_value(const struct tp_hlo_writing *w, struct tp_slice value)
{
	if (is_braced(value)) {
		tp_hlo_put(w, value);
		return;
	}
	tp_sink_puts(w->out, "\"");
	for (size_t i = 0; i < value.len; i++) {
		unsigned char c = (unsigned char)value.ptr[i];

		if (c == '"' || c == '\\')
			tp_sink_printf(w->out, "\\%c", c);
		else if (c < 0x20 || c >= 0x7f)
			tp_sink_printf(w->out, "\\%03o", c);
		else
			tp_sink_write(w->out, &value.ptr[i], 1);
	}
	tp_sink_puts(w->out, "\"");
}

struct pair {
	struct tp_slice key, value;
};

static int
by_key(const void *left, const void *right)
{
	return tp_slice_cmp(((const struct pair *)left)->key, ((const struct pair *)right)->key);
}

void
tp_hlo_put_frontend(const struct tp_hlo_writing *w, struct tp_slice attributes)
{
	size_t count = 0;

	for (struct tp_pb p = tp_pb_open(attributes); tp_pb_next(&p);)
		count += p.field == 1 && p.type == TP_PB_BYTES;
	struct pair *pairs = tp_new_array(w->scratch, struct pair, count);

	count = 0;
	for (struct tp_pb p = tp_pb_open(attributes), part; tp_pb_next(&p);) {
		if (p.field != 1 || p.type != TP_PB_BYTES)
			continue;
		struct pair *pair = &pairs[count++];

		if (tp_hlo_field(p.bytes, 1, TP_PB_BYTES, &part))
			pair->key = part.bytes;
		if (tp_hlo_field(p.bytes, 2, TP_PB_BYTES, &part))
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
