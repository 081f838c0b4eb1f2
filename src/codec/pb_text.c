/* Tokens of the text format (https://protobuf.dev/reference/protobuf/textformat-spec), and which field they belong to. */
#include "codec/pb_text.h"

struct tp_text_pull
tp_text_open(struct tp_slice text)
{
	return (struct tp_text_pull){
		.at = text.ptr, .end = text.len != 0 ? text.ptr + text.len : text.ptr};
}

static void
pass_blanks(struct tp_text_pull *t)
{
	while (t->at < t->end) {
		char c = *t->at;

		if (c == '#') {
			const char *line = memchr(t->at, '\n', (size_t)(t->end - t->at));

			t->at = line != NULL ? line : t->end;
		} else if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ',' || c == ';' ||
			c == '\f' || c == '\v') {
			t->at++;
		} else {
			return;
		}
	}
}

/* Goes to behind the quote that ends the string at t->at; false: there is none. */
static bool
pass_string(struct tp_text_pull *t)
{
	char quote = *t->at;

	for (const char *p = t->at + 1; p < t->end; p++) {
		if (*p == '\\') {
			p++;
		} else if (*p == quote) {
			t->at = p + 1;
			return true;
		}
	}
	return false;
}

static bool
fail(struct tp_text_pull *t, enum tp_text_state state)
{
	t->state = state;
	return false;
}

/* What cannot go on here: the end of the text, or something else than was to come. */
static bool
stop(struct tp_text_pull *t)
{
	return fail(t, t->at == t->end ? TP_TEXT_TRUNCATED : TP_TEXT_BROKEN);
}

static bool
in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
		c == '.' || c == '-' || c == '+' || c == '/';
}

static struct tp_slice
take_word(struct tp_text_pull *t)
{
	const char *start = t->at;

	while (t->at < t->end && in_word(*t->at))
		t->at++;
	return (struct tp_slice){start, (size_t)(t->at - start)};
}

/* "name", or "[of.an.extension]". */
static bool
take_name(struct tp_text_pull *t)
{
	const char *start = t->at;

	if (*t->at == '[') {
		const char *close = memchr(t->at, ']', (size_t)(t->end - t->at));

		if (close == NULL) {
			t->at = t->end;
			return fail(t, TP_TEXT_TRUNCATED);
		}
		t->at = close + 1;
		t->names[t->depth] = (struct tp_slice){start, (size_t)(t->at - start)};
		return true;
	}
	t->names[t->depth] = take_word(t);
	return t->names[t->depth].len != 0 || stop(t);
}

/* Strings that follow each other are one. */
static bool
take_strings(struct tp_text_pull *t)
{
	const char *start = t->at, *last;

	do {
		if (!pass_string(t)) {
			t->at = t->end;
			return fail(t, TP_TEXT_TRUNCATED);
		}
		last = t->at;
		/* A comma ends a string in a list. */
		while (
			t->at < t->end && (*t->at == ' ' || *t->at == '\n' || *t->at == '\t' || *t->at == '\r'))
			t->at++;
	} while (t->at < t->end && (*t->at == '"' || *t->at == '\''));
	t->at = last;
	t->type = TP_TEXT_STRING;
	t->value = (struct tp_slice){start, (size_t)(last - start)};
	return true;
}

/* passed: it was a message that is too deep, and nothing is found yet. */
static bool
take_value(struct tp_text_pull *t, bool *passed)
{
	pass_blanks(t);
	if (t->at == t->end)
		return stop(t);
	t->name = t->names[t->depth];
	if (*t->at == '"' || *t->at == '\'')
		return take_strings(t);
	if (*t->at == '{' || *t->at == '<') {
		t->at++;
		t->type = TP_TEXT_OPEN;
		t->depth++;
		if (t->depth <= TP_TEXT_DEEPEST) {
			t->in_list[t->depth] = false;
			return true;
		}
		*passed = true;
		return tp_text_skip(t);
	}
	t->type = TP_TEXT_WORD;
	t->value = take_word(t);
	return t->value.len != 0 || stop(t);
}

static bool
take_close(struct tp_text_pull *t)
{
	if (t->depth == 0)
		return fail(t, TP_TEXT_BROKEN);
	t->at++;
	t->type = TP_TEXT_CLOSE;
	t->name = t->names[--t->depth];
	return true;
}

/* What stands between a name and its value. */
static void
pass_colon(struct tp_text_pull *t)
{
	pass_blanks(t);
	if (t->at < t->end && *t->at == ':') {
		t->at++;
		pass_blanks(t);
	}
	if (t->at < t->end && *t->at == '[') {
		t->in_list[t->depth] = true;
		t->at++;
		pass_blanks(t);
	}
}

bool
tp_text_next(struct tp_text_pull *t)
{
	while (t->state == TP_TEXT_MORE) {
		bool *in_list = &t->in_list[t->depth], passed = false;

		pass_blanks(t);
		if (t->at == t->end)
			return fail(t, t->depth == 0 && !*in_list ? TP_TEXT_END : TP_TEXT_TRUNCATED);
		if (!*in_list && (*t->at == '}' || *t->at == '>'))
			return take_close(t);
		if (!*in_list) {
			if (!take_name(t))
				return false;
			pass_colon(t);
		}
		if (*in_list && t->at < t->end && *t->at == ']') {
			*in_list = false;
			t->at++;
			continue;
		}
		if (!take_value(t, &passed))
			return false;
		if (!passed)
			return true;
	}
	return false;
}

bool
tp_text_skip(struct tp_text_pull *t)
{
	uint64_t open = 1;

	while (open > 0) {
		pass_blanks(t);
		if (t->at == t->end)
			return fail(t, TP_TEXT_TRUNCATED);
		char c = *t->at;

		if (c == '"' || c == '\'') {
			if (!pass_string(t)) {
				t->at = t->end;
				return fail(t, TP_TEXT_TRUNCATED);
			}
			continue;
		}
		open += c == '{' || c == '<';
		open -= c == '}' || c == '>';
		t->at++;
	}
	t->depth--;
	return true;
}

static unsigned
digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 16;
}

/* The byte of an escape whose letter or first digit p points at; moves p to its last character. */
static char
escaped(const char **p, const char *end)
{
	static const char letters[] = "n\nt\tr\ra\ab\bf\fv\v";
	unsigned number = 0, base = **p == 'x' || **p == 'X' ? 16 : 8;
	const char *at = *p + (base == 16), *stop = at + (base == 16 ? 2 : 3);

	if (base == 8 && digit(**p) >= 8) {
		for (size_t i = 0; i + 1 < sizeof letters; i += 2) {
			if (letters[i] == **p)
				return letters[i + 1];
		}
		return **p;
	}
	for (; at < end && at < stop && digit(*at) < base; at++)
		number = number * base + digit(*at);
	*p = at - 1;
	return (char)number;
}

size_t
tp_text_unescape(struct tp_slice value, char *out)
{
	const char *end = value.ptr + value.len;
	char *to = out, quote = '\0';

	for (const char *p = value.ptr; p < end; p++) {
		if (quote == '\0') {
			if (*p == '"' || *p == '\'')
				quote = *p;
		} else if (*p == quote) {
			quote = '\0';
		} else if (*p == '\\' && p + 1 < end) {
			p++;
			*to++ = escaped(&p, end);
		} else {
			*to++ = *p;
		}
	}
	return (size_t)(to - out);
}
