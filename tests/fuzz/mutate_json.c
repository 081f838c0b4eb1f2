/* Mutations that leave JSON what it is: members and elements go, come again, change places and names, texts and numbers change
 * within their quotes. What libFuzzer does to bytes is refused by the parser nine times in ten. */
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, MOST_PIECES = 1 << 12, MOST_TEXT = 1 << 10 };

/* A value, with its key when it is a member. */
struct piece {
	size_t start, value, end; /* start == value: an element */
};

struct pieces {
	struct piece at[MOST_PIECES];
	size_t count;
	/* containers that nothing ends; the first of them are in at, by these indices */
	size_t left_open;
	size_t open[DEEPEST];
	bool before_value; /* the text ends behind a key */
};

static bool
is_space(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t
skip_space(const struct tp_mutation *m, size_t at)
{
	while (at < m->size && is_space(m->data[at]))
		at++;
	return at;
}

/* Behind the text that begins here. */
static size_t
skip_text(const struct tp_mutation *m, size_t at)
{
	for (at++; at < m->size && m->data[at] != '"'; at++)
		at += m->data[at] == '\\';
	return at < m->size ? at + 1 : m->size;
}

static size_t
skip_word(const struct tp_mutation *m, size_t at)
{
	while (at < m->size && strchr(",:]}[{\"", m->data[at]) == NULL && !is_space(m->data[at]))
		at++;
	return at;
}

/* All values of what is JSON, outer ones first. Of what is not, some. */
static void
find_pieces(const struct tp_mutation *m, struct pieces *out)
{
	size_t *open = out->open, depth = 0, key = SIZE_MAX;

	out->count = 0;
	for (size_t at = skip_space(m, 0); at < m->size && out->count < MOST_PIECES;
		 at = skip_space(m, at)) {
		uint8_t c = m->data[at];

		if (c == ']' || c == '}') {
			at++;
			if (depth != 0)
				out->at[open[--depth]].end = at;
			continue;
		}
		if (c == ',' || c == ':') {
			at++;
			continue;
		}
		size_t start = key != SIZE_MAX ? key : at, value = at;
		bool container = c == '[' || c == '{';

		at = container ? at + 1 : c == '"' ? skip_text(m, at) : skip_word(m, at);
		if (at == value)
			at++;
		key = SIZE_MAX;
		if (start == value && c == '"' && skip_space(m, at) < m->size &&
			m->data[skip_space(m, at)] == ':') {
			key = value;
			continue;
		}
		if (container && depth < DEEPEST)
			open[depth++] = out->count;
		out->at[out->count++] = (struct piece){start, value, at};
	}
	/* What breaks off ends with the text. */
	for (size_t i = 0; i < depth; i++)
		out->at[open[i]].end = m->size;
	out->left_open = out->count < MOST_PIECES ? depth : 0;
	out->before_value = key != SIZE_MAX;
}

static bool
append(struct tp_mutation *m, const char *text)
{
	return tp_mutation_splice(m, m->size, m->size, (const uint8_t *)text, strlen(text));
}

/* Whether the last piece is a member's key that the text ends in or right behind. */
static bool
is_bare_key(const struct tp_mutation *m, const struct pieces *all)
{
	size_t inside = all->open[all->left_open - 1];
	const struct piece *last = &all->at[all->count - 1];

	return inside != all->count - 1 && m->data[all->at[inside].value] == '{' &&
		last->start == last->value && m->data[last->value] == '"';
}

/* Ends what breaks off, so that the parser does not refuse all that is made of it. */
static void
close_up(struct tp_mutation *m, const struct pieces *all)
{
	const struct piece *last = &all->at[all->count - 1];
	bool at_end =
		last->end == m->size && last - all->at != (ptrdiff_t)all->open[all->left_open - 1];
	bool text = m->data[last->value] == '"', key = all->before_value || is_bare_key(m, all);

	while (m->size > last->value + 1 && is_space(m->data[m->size - 1]))
		m->size--;
	if (at_end && !text && !all->before_value)
		tp_mutation_splice(m, last->value, m->size, (const uint8_t *)"null", 4);
	else if (at_end && text && (m->size - last->value < 2 || m->data[m->size - 1] != '"'))
		append(m, "\"");
	if (key)
		append(m, m->data[m->size - 1] == ':' ? "null" : ":null");
	else if (m->data[m->size - 1] == ',')
		m->size--;
	for (size_t i = all->left_open; i-- > 0;)
		append(m, m->data[all->at[all->open[i]].value] == '{' ? "}" : "]");
}

/* Away, with the comma that it leaves alone. */
static void
take_away(struct tp_mutation *m, const struct piece *p)
{
	size_t start = p->start, end = skip_space(m, p->end);

	if (end < m->size && m->data[end] == ',') {
		end++;
	} else {
		end = p->end;
		while (start != 0 && is_space(m->data[start - 1]))
			start--;
		start = start != 0 && m->data[start - 1] == ',' ? start - 1 : p->start;
	}
	tp_mutation_splice(m, start, end, NULL, 0);
}

/* Once more, or many times, behind itself. */
static void
repeat(struct tp_mutation *m, const struct piece *p)
{
	size_t size = p->end - p->start + 1,
		   times = tp_mutation_any(m, 4) != 0 ? 1 : 1 + tp_mutation_any(m, 40);
	uint8_t *copy = malloc(size);

	copy[0] = ',';
	memcpy(copy + 1, m->data + p->start, size - 1);
	while (times-- != 0 && tp_mutation_splice(m, p->end, p->end, copy, size))
		;
	free(copy);
}

/* The value or, among members, the key of one in place of another's. */
static void
replace(struct tp_mutation *m, const struct piece *from, const struct piece *to)
{
	bool keys = from->start != from->value && to->start != to->value && tp_mutation_any(m, 3) == 0;
	size_t start = keys ? from->start : from->value,
		   end = keys ? skip_text(m, from->start) : from->end, at = keys ? to->start : to->value,
		   at_end = keys ? skip_text(m, to->start) : to->end;
	uint8_t *copy = malloc(end - start + 1);

	memcpy(copy, m->data + start, end - start);
	tp_mutation_splice(m, at, at_end, copy, end - start);
	free(copy);
}

static void
replace_by_odd(struct tp_mutation *m, const struct piece *p)
{
	static const char *const odd[] = {"null", "true", "false", "[]", "{}", "\"\"", "0", "-0", "-1",
		"1", "0.1", "1e308", "-1e308", "1e-308", "1e999", "NaN", "Infinity", "4294967296",
		"2147483647", "-2147483649", "9007199254740993", "9223372036854775807",
		"-9223372036854775808", "18446744073709551616", "\"0\"", "\"-1\"", "\"1e999\"", "\"NaN\"",
		"\"\\u0000\"", "\"\\ud800\"", "\"\\ufffe\"", "\"</script>\"", "[[]]", "[null]",
		"{\"\":{}}"};
	const char *text = odd[tp_mutation_any(m, sizeof odd / sizeof *odd)];

	tp_mutation_splice(m, p->value, p->end, (const uint8_t *)text, strlen(text));
}

/* What is between the quotes, mutated and escaped anew where it needs be. */
static void
change_text(struct tp_mutation *m, const struct piece *p)
{
	uint8_t text[MOST_TEXT], out[2 * MOST_TEXT + 2];
	size_t size = p->end - p->value - 2, written = 0;

	if (p->end - p->value < 2 || size > MOST_TEXT / 2)
		return;
	memcpy(text, m->data + p->value + 1, size);
	size = LLVMFuzzerMutate(text, size, MOST_TEXT);
	out[written++] = '"';
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\\' && i + 1 < size && strchr("\"\\/bfnrt", text[i + 1]) != NULL &&
			text[i + 1] != '\0') {
			out[written++] = text[i++];
		} else if (text[i] == '"' || text[i] == '\\') {
			out[written++] = '\\';
		}
		out[written++] = text[i] < 0x20 ? ' ' : text[i];
	}
	out[written++] = '"';
	tp_mutation_splice(m, p->value, p->end, out, written);
}

/* Another digit, one more, one less. */
static void
change_number(struct tp_mutation *m, const struct piece *p)
{
	uint8_t digit = (uint8_t)('0' + tp_mutation_any(m, 10));
	size_t at = p->value + tp_mutation_any(m, p->end - p->value);

	if (m->data[at] < '0' || m->data[at] > '9')
		return;
	switch (tp_mutation_any(m, 3)) {
	case 0:
		m->data[at] = digit;
		break;
	case 1:
		tp_mutation_splice(m, at, at, &digit, 1);
		break;
	default:
		if (p->end - p->value > 1)
			tp_mutation_splice(m, at, at + 1, NULL, 0);
		break;
	}
}

static void
mutate(struct tp_mutation *m, const struct pieces *all)
{
	const struct piece *p = &all->at[tp_mutation_any(m, all->count)],
					   *other = &all->at[tp_mutation_any(m, all->count)];
	uint8_t c = m->data[p->value];

	switch (tp_mutation_any(m, 8)) {
	case 0:
		take_away(m, p);
		break;
	case 1:
		repeat(m, p);
		break;
	case 2:
	case 3:
		replace(m, other, p);
		break;
	case 4:
		replace_by_odd(m, p);
		break;
	default:
		if (c == '"')
			change_text(m, p);
		else if (c == '-' || (c >= '0' && c <= '9'))
			change_number(m, p);
		else
			replace(m, other, p);
		break;
	}
}

/* One time in 32 bytes change as in any file: what is no JSON must be refused as well. What breaks off is ended three times in
 * four. */
size_t
tp_mutate_json(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	struct tp_mutation m = {data, size, most, seed};
	struct pieces *all = malloc(sizeof *all);

	find_pieces(&m, all);
	if (all->count != 0 && all->left_open != 0 && tp_mutation_any(&m, 4) != 0) {
		close_up(&m, all);
		find_pieces(&m, all);
	}
	if (all->count == 0 || tp_mutation_any(&m, 32) == 0)
		m.size = LLVMFuzzerMutate(data, m.size, most);
	else
		mutate(&m, all);
	free(all);
	return m.size;
}
