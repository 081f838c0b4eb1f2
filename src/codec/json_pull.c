/* The walk over JSON: one value a call, with what is open kept as one bit a level. */
#include "codec/json_pull.h"

#include <strings.h>

#include "codec/json_scan.h"
#include "codec/json_text.h"

void
tp_pull_open(struct tp_pull *j, struct tp_slice window, tp_pull_more *more, void *with)
{
	static const char nothing[1];
	const char *start = window.len != 0 ? window.ptr : nothing;

	*j = (struct tp_pull){
		.more = more,
		.with = with,
		.window = start,
		.mark = start,
		.at = start,
		.end = start + window.len,
	};
}

void
tp_pull_open_behind(
	struct tp_pull *j, const struct tp_pull *other, uint64_t offset, tp_pull_more *more, void *with)
{
	tp_pull_open(j, (struct tp_slice){NULL, 0}, more, with);
	j->window_offset = offset;
	j->after_value = true;
	j->depth = other->depth;
	memcpy(j->objects, other->objects, sizeof j->objects);
}

void
tp_pull_close(struct tp_pull *j)
{
	tp_buf_free(&j->key_room);
	tp_buf_free(&j->text_room);
}

/* More bytes behind those from mark on. */
static bool
refill(struct tp_pull *j)
{
	struct tp_slice window = {j->window, (size_t)(j->end - j->window)};
	size_t gone = (size_t)(j->mark - j->window), at = (size_t)(j->at - j->mark);
	size_t key = j->key_in_window ? (size_t)(j->key.ptr - j->mark) : 0;

	if (j->more == NULL || !j->more(j->with, &window, (size_t)(j->end - j->mark)))
		return false;
	j->window = j->mark = window.ptr;
	j->at = window.ptr + at;
	j->end = window.ptr + window.len;
	j->window_offset += gone;
	if (j->key_in_window)
		j->key.ptr = window.ptr + key;
	return true;
}

static uint64_t
offset_of(const struct tp_pull *j, const char *at)
{
	return j->window_offset + (uint64_t)(at - j->window);
}

static bool
stop(struct tp_pull *j, enum tp_pull_state state, const char *wrong)
{
	j->state = state;
	j->wrong = wrong;
	j->offset = offset_of(j, j->at);
	return false;
}

static bool
broken(struct tp_pull *j, const char *wrong)
{
	return stop(j, TP_PULL_BROKEN, wrong);
}

/* The bytes ended. */
static bool
ended(struct tp_pull *j)
{
	return stop(j, j->depth == 0 && j->after_value ? TP_PULL_END : TP_PULL_TRUNCATED, NULL);
}

/* To the next byte that is no white space; false when there is none. What lies before it is kept when asked for. */
static inline bool
skip_space(struct tp_pull *j, bool keep)
{
	for (;;) {
		if (j->at != j->end && (unsigned char)*j->at > ' ')
			return true;
		j->at = tp_scan_space(j->at, j->end);
		if (j->at != j->end)
			return true;
		if (!keep)
			j->mark = j->at;
		if (!refill(j))
			return false;
	}
}

/* Behind the opening quote. */
static bool
read_string(struct tp_pull *j, struct tp_slice *out, struct tp_buf *room)
{
	size_t start = (size_t)(j->at - j->mark);
	bool escaped = false;

	for (;;) {
		j->at = tp_scan_string(j->at, j->end);
		if (j->at == j->end) {
			if (!refill(j))
				return stop(j, TP_PULL_TRUNCATED, NULL);
			continue;
		}
		if (*j->at == '"')
			break;
		if (*j->at == '\\') {
			escaped = true;
			j->at++;
			if (j->at == j->end && !refill(j))
				return stop(j, TP_PULL_TRUNCATED, NULL);
		} else {
			j->repairs++;
		}
		j->at++;
	}
	*out = (struct tp_slice){j->mark + start, (size_t)(j->at - j->mark) - start};
	j->at++;
	if (escaped)
		*out = tp_json_unescape(*out, room, &j->repairs);
	return true;
}

/* To the first byte that is none of `kind`'s; false when the bytes end before, and something may be missing. */
static bool
read_run(struct tp_pull *j, const bool kind[static 256])
{
	size_t start = (size_t)(j->at - j->mark);

	for (;;) {
		const char *at = j->at, *end = j->end;

		while (at != end && kind[(unsigned char)*at])
			at++;
		j->at = at;
		if (at != end)
			break;
		if (!refill(j)) {
			if (j->depth != 0)
				return stop(j, TP_PULL_TRUNCATED, NULL);
			break;
		}
	}
	j->text = (struct tp_slice){j->mark + start, (size_t)(j->at - j->mark) - start};
	return true;
}

static bool
read_word(struct tp_pull *j)
{
	static const bool letters[256] = {
		['A' ... 'Z'] = true, ['a' ... 'z'] = true, ['-'] = true, ['+'] = true, ['/'] = true};
	static const struct {
		const char *word;
		enum tp_pull_type type;
	} words[] = {
		{"true", TP_PULL_TRUE},
		{"false", TP_PULL_FALSE},
		{"null", TP_PULL_NULL},
		{"none", TP_PULL_NON_FINITE},
		{"nan", TP_PULL_NON_FINITE},
		{"-nan", TP_PULL_NON_FINITE},
		{"inf", TP_PULL_NON_FINITE},
		{"+inf", TP_PULL_NON_FINITE},
		{"-inf", TP_PULL_NON_FINITE},
		{"infinity", TP_PULL_NON_FINITE},
		{"+infinity", TP_PULL_NON_FINITE},
		{"-infinity", TP_PULL_NON_FINITE},
		{"n/a", TP_PULL_NON_FINITE},
		{"undefined", TP_PULL_NON_FINITE},
	};
	size_t start = (size_t)(j->at - j->mark);

	if (!read_run(j, letters))
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strlen(words[i].word) != j->text.len ||
			strncasecmp(words[i].word, j->text.ptr, j->text.len) != 0)
			continue;
		j->type = words[i].type;
		j->non_finite_values += j->type == TP_PULL_NON_FINITE;
		return true;
	}
	j->at = j->mark + start;
	return broken(j, "this is not a JSON value");
}

static bool
read_number(struct tp_pull *j)
{
	static const bool digits[256] = {
		['0' ... '9'] = true, ['-'] = true, ['+'] = true, ['.'] = true, ['e'] = true, ['E'] = true};

	j->type = TP_PULL_NUMBER;
	return read_run(j, digits);
}

static bool
open_level(struct tp_pull *j, bool object)
{
	uint64_t bit = (uint64_t)1 << j->depth % 64;

	if (j->depth == TP_PULL_DEEPEST)
		return broken(j, "objects and arrays are nested too deep here");
	if (object)
		j->objects[j->depth / 64] |= bit;
	else
		j->objects[j->depth / 64] &= ~bit;
	j->depth++;
	j->at++;
	j->after_value = false;
	j->type = object ? TP_PULL_OBJECT : TP_PULL_ARRAY;
	return true;
}

static inline bool
in_object(const struct tp_pull *j)
{
	return j->depth != 0 && (j->objects[(j->depth - 1) / 64] >> (j->depth - 1) % 64 & 1) != 0;
}

static bool
close_level(struct tp_pull *j, bool object)
{
	if (in_object(j) != object)
		return broken(j, object ? "} ends what [ began" : "] ends what { began");
	j->depth--;
	j->at++;
	j->after_value = true;
	j->type = object ? TP_PULL_OBJECT_END : TP_PULL_ARRAY_END;
	return true;
}

/* The key, the colon, and white space around it; mark stays at the key. */
static bool
read_key(struct tp_pull *j)
{
	if (*j->at != '"')
		return broken(j, "a quoted key is missing");
	j->at++;
	if (!read_string(j, &j->key, &j->key_room))
		return false;
	j->key_in_window = j->key.ptr != j->key_room.data;
	if (!skip_space(j, true))
		return ended(j);
	if (*j->at != ':')
		return broken(j, "a colon is missing after a key");
	j->at++;
	return skip_space(j, true) ? true : ended(j);
}

static bool
read_value(struct tp_pull *j)
{
	switch (*j->at) {
	case '"':
		j->at++;
		j->type = TP_PULL_STRING;
		return read_string(j, &j->text, &j->text_room);
	case '{':
		return open_level(j, true);
	case '[':
		return open_level(j, false);
	case '-':
	case '+':
		/* A number, or an infinity. */
		if (j->at + 1 == j->end && !refill(j)) {
			j->at++;
			return stop(j, TP_PULL_TRUNCATED, NULL);
		}
		return (j->at[1] >= '0' && j->at[1] <= '9') || j->at[1] == '.' ? read_number(j)
																	   : read_word(j);
	case '0' ... '9':
	case '.':
		return read_number(j);
	default:
		return read_word(j);
	}
}

static void
skip_byte_order_mark(struct tp_pull *j)
{
	while (j->end - j->at < 3 && refill(j))
		;
	if (j->end - j->at >= 3 && memcmp(j->at, "\xef\xbb\xbf", 3) == 0)
		j->at += 3;
}

/* White space, mostly none or one byte of it. */
static inline const char *
behind_space(const char *at, const char *end)
{
	if (at == end || (unsigned char)*at > ' ')
		return at;
	return tp_scan_space(at + 1, end);
}

/* What nearly all values are: in the window as a whole with bytes to spare, without escapes, and in good order. False,
 * with nothing changed, for all others, which the long way handles; so this one may be left out and nothing is read
 * differently. */
static bool
next_usual(struct tp_pull *j)
{
	const char *end = j->end, *at = behind_space(j->at, end), *mark;
	struct tp_slice key = {NULL, 0}, text = {NULL, 0};
	enum tp_pull_type type = TP_PULL_NUMBER;
	bool object = in_object(j), comma = false;

	if (j->after_value && at != end && *at == ',') {
		comma = true;
		at = behind_space(at + 1, end);
	}
	if (at == end || j->after_value != comma)
		return false;
	mark = at;
	if (object) {
		if (*at != '"')
			return false;
		key.ptr = ++at;
		at = tp_scan_string(at, end);
		if (end - at < 2 || at[0] != '"' || at[1] != ':')
			return false;
		key.len = (size_t)(at - key.ptr);
		at = behind_space(at + 2, end);
		if (at == end)
			return false;
	}
	text.ptr = at;
	switch (*at) {
	case '"':
		type = TP_PULL_STRING;
		text.ptr = ++at;
		at = tp_scan_string(at, end);
		if (at == end || *at != '"')
			return false;
		text.len = (size_t)(at++ - text.ptr);
		break;
	case '0' ... '9':
		at = tp_scan_number(at, end);
		if (at == end || *at == '+' || (*at | 0x20) == 'e')
			return false;
		text.len = (size_t)(at - text.ptr);
		break;
	case '{':
	case '[':
		text = (struct tp_slice){NULL, 0};
		break;
	default:
		return false;
	}
	bool opens = text.ptr == NULL;

	j->key = key;
	j->text = text;
	j->key_in_window = object;
	j->mark = mark;
	j->offset = offset_of(j, mark);
	j->at = at;
	if (opens)
		return open_level(j, *at == '{');
	j->type = type;
	j->after_value = true;
	return true;
}

bool
tp_pull_next(struct tp_pull *j)
{
	bool comma = false;

	if (j->state != TP_PULL_MORE)
		return false;
	if (j->depth != 0 && j->depth != TP_PULL_DEEPEST && next_usual(j))
		return true;
	j->key = j->text = (struct tp_slice){NULL, 0};
	j->key_in_window = false;
	j->mark = j->at;
	if (j->at == j->window && j->window_offset == 0)
		skip_byte_order_mark(j);
	if (!skip_space(j, false))
		return ended(j);
	if (j->depth == 0 && j->after_value)
		return broken(j, "there is more text after the end");
	if (j->after_value && *j->at == ',') {
		comma = true;
		j->at++;
		if (!skip_space(j, false))
			return ended(j);
	}
	j->mark = j->at;
	j->offset = offset_of(j, j->at);
	if (j->depth != 0 && (*j->at == '}' || *j->at == ']')) {
		j->repairs += comma;
		return close_level(j, *j->at == '}');
	}
	if (j->after_value && !comma)
		return broken(j, "a comma is missing between two values");
	if (in_object(j) && !read_key(j))
		return false;
	j->after_value = true;
	return read_value(j);
}

/* Behind the opening quote of a string that nobody asks for. */
static bool
skip_string(struct tp_pull *j, bool keep)
{
	for (;;) {
		j->at = tp_scan_quote(j->at, j->end);
		/* A backslash takes the byte behind it along. */
		if (j->end - j->at >= 2 && *j->at == '\\') {
			j->at += 2;
			continue;
		}
		if (j->at != j->end && *j->at == '"') {
			j->at++;
			return true;
		}
		if (!keep)
			j->mark = j->at;
		if (!refill(j)) {
			j->at = j->end;
			return stop(j, TP_PULL_TRUNCATED, NULL);
		}
	}
}

/* Behind an opening bracket: behind the one that closes it. keep: the bytes from mark on stay in the window. */
static bool
pass_over(struct tp_pull *j, bool keep)
{
	unsigned outside = j->depth - 1;
	uint64_t beyond = 0; /* levels deeper than are told apart: no more than counted */
	bool goes_on = true;

	j->key_in_window = false;
	while (goes_on && j->depth != outside) {
		j->at = tp_scan_bracket(j->at, j->end);
		if (!keep)
			j->mark = j->at;
		if (j->at == j->end) {
			goes_on = refill(j) || ended(j);
			continue;
		}
		switch (*j->at) {
		case '"':
			j->at++;
			goes_on = skip_string(j, keep);
			break;
		case '{':
		case '[':
			if (j->depth == TP_PULL_DEEPEST) {
				beyond++;
				j->at++;
			} else {
				goes_on = open_level(j, *j->at == '{');
			}
			break;
		default:
			if (beyond != 0) {
				beyond--;
				j->at++;
			} else {
				goes_on = close_level(j, *j->at == '}');
			}
			break;
		}
	}
	j->key = j->text = (struct tp_slice){NULL, 0};
	return goes_on;
}

bool
tp_pull_skip(struct tp_pull *j)
{
	if (j->state != TP_PULL_MORE || (j->type != TP_PULL_OBJECT && j->type != TP_PULL_ARRAY))
		return j->state == TP_PULL_MORE;
	return pass_over(j, false);
}

bool
tp_pull_raw(struct tp_pull *j, struct tp_slice *raw)
{
	size_t start = (size_t)(j->at - j->mark) - 1;

	*raw = j->text;
	if (j->state != TP_PULL_MORE || (j->type != TP_PULL_OBJECT && j->type != TP_PULL_ARRAY))
		return j->state == TP_PULL_MORE;
	if (!pass_over(j, true))
		return false;
	*raw = (struct tp_slice){j->mark + start, (size_t)(j->at - j->mark) - start};
	return true;
}
