/* Values of events, gap by gap: only those in good order that lie in the window as a whole. */
#include "ingest/torch_usual.h"

#include <stdint.h>

#include "base/map.h"
#include "codec/json_number.h"
#include "codec/json_pull.h"
#include "codec/json_scan.h"
#include "ingest/torch_event.h"
#include "ingest/torch_gap.h"
#include "ingest/torch_member.h"
#include "model/torch.h"

/* Of each quote and all behind it up to the next; `inside`: the block begins in a string. */
static inline uint64_t
in_strings(uint64_t quotes, bool inside)
{
	for (unsigned step = 1; step < TP_SCAN_STEP; step *= 2)
		quotes ^= quotes << (step << TP_SCAN_SHIFT);
	return inside ? ~quotes : quotes;
}

/* Behind the list or object that begins here; NULL when it does not end well before the window does, is nested deep, or
 * has a backslash in it. */
static const char *
behind_list(const char *at, const char *end)
{
	enum { DEEPEST = 64 };
	uint64_t objects = 0;
	unsigned depth = 0;
	bool inside = false;

	for (; end - at >= TP_SCAN_STEP; at += TP_SCAN_STEP) {
		tp_scan_block block = tp_scan_load(at), lower = tp_scan_or(block, 0x20);
		uint64_t quotes = tp_scan_equal(block, '"'), strings = in_strings(quotes, inside);
		uint64_t found = (tp_scan_equal(lower, '{') | tp_scan_equal(lower, '}')) & ~strings;

		if (tp_scan_equal(block, '\\') != 0)
			return NULL;
		for (; found != 0; found &= found - 1) {
			const char *bracket = at + tp_scan_first(found);
			bool object = (*bracket & 0x20) != 0;

			if ((*bracket | 0x20) == '{') {
				if (depth++ == DEEPEST)
					return NULL;
				objects = objects << 1 | object;
				continue;
			}
			if ((objects & 1) != object)
				return NULL;
			objects >>= 1;
			if (--depth == 0)
				return bracket + 1;
		}
		inside ^= (__builtin_popcountll(quotes) & 1) != 0;
	}
	return NULL;
}

/* "[128, 1, 1]"; NULL for lists of other things, or of more or fewer. */
static const char *
read_three(const char *at, const char *end, uint32_t out[static 3])
{
	uint32_t n[3];

	for (int i = 0; i < 3; i++) {
		int64_t number;

		if (at == end || *at != (i == 0 ? '[' : ','))
			return NULL;
		const char *start = tp_scan_space(at + 1, end);

		at = tp_scan_number(start, end);
		if (!tp_decimal_integer((struct tp_slice){start, (size_t)(at - start)}, &number) ||
			number < 0 || number > UINT32_MAX)
			return NULL;
		n[i] = (uint32_t)number;
		at = tp_scan_space(at, end);
	}
	if (at == end || *at != ']')
		return NULL;
	memcpy(out, n, sizeof n);
	return at + 1;
}

static const char *
read_list(struct tp_torch_events *x, const struct tp_torch_member *m, const char *start,
	const char *end, struct tp_torch_event *e)
{
	void *to = m != NULL ? (char *)e + m->at : NULL;

	if (m != NULL && m->form == TP_TORCH_THREE)
		return read_three(start, end, to);
	bool inputs = m != NULL && m->form == TP_TORCH_INPUTS;

	/* That they are looked at one by one is rare. */
	if (inputs && tp_torch_names_peer(x, e))
		return NULL;
	if (m != NULL && m->form != TP_TORCH_TEXT && !inputs)
		return NULL;
	const char *at = behind_list(start, end);

	if (at != NULL && m != NULL && (!inputs || tp_torch_keeps_inputs(x, e)))
		*(uint32_t *)to = tp_torch_list(x, (struct tp_slice){start, (size_t)(at - start)});
	return at;
}

static const char *
read_number(struct tp_torch_events *x, const struct tp_torch_member *m, const char *start,
	const char *end, struct tp_torch_event *e)
{
	const char *at = start + (*start == '-');
	const char *behind =
		m != NULL && end - start >= TP_DECIMAL_AHEAD ? tp_torch_set_number(m, start, e) : NULL;

	if (behind != NULL)
		return behind;
	if (at == end || *at < '0' || *at > '9')
		return NULL;
	at = tp_scan_number(at, end);
	if (at == end || *at == '+' || (*at | 0x20) == 'e')
		return NULL;
	if (m != NULL)
		tp_torch_set(x, m, TP_PULL_NUMBER, (struct tp_slice){start, (size_t)(at - start)}, e);
	return at;
}

/* true, false or null; NULL for others, and where more letters may follow. */
static const char *
read_word(struct tp_torch_events *x, const struct tp_torch_member *m, const char *at,
	const char *end, struct tp_torch_event *e)
{
	static const struct {
		struct tp_slice word;
		enum tp_pull_type type;
	} words[] = {
		{{"true", 4}, TP_PULL_TRUE},
		{{"false", 5}, TP_PULL_FALSE},
		{{"null", 4}, TP_PULL_NULL},
	};
	struct tp_slice rest = {at, (size_t)(end - at)};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct tp_slice word = words[i].word;

		if (!tp_slice_starts(rest, word) || rest.len == word.len)
			continue;
		if (at[word.len] != ',' && at[word.len] != '}' && (unsigned char)at[word.len] > ' ')
			return NULL;
		if (m != NULL)
			tp_torch_set(x, m, words[i].type, (struct tp_slice){at, word.len}, e);
		return at + word.len;
	}
	return NULL;
}

/* Behind the value that begins here; NULL when it is not usual. */
static const char *
read_value(struct tp_torch_events *x, const struct tp_torch_member *m, const char *at,
	const char *end, struct tp_torch_event *e)
{
	const char *start = at;

	switch (*at) {
	case '"':
		start = ++at;
		at = tp_scan_string(at, end);
		if (at == end || *at != '"')
			return NULL;
		if (m != NULL)
			tp_torch_set(x, m, TP_PULL_STRING, (struct tp_slice){start, (size_t)(at - start)}, e);
		return at + 1;
	case '-':
	case '0' ... '9':
		return read_number(x, m, at, end, e);
	case '[':
	case '{':
		return read_list(x, m, at, end, e);
	default:
		return read_word(x, m, at, end, e);
	}
}

static void
take_said(const struct tp_torch_gap *g, struct tp_torch_event *e)
{
	if (g->phase != 0)
		e->phase = g->phase;
	if (g->category != TP_TORCH_CATEGORY_NONE) {
		e->category = g->category;
		e->old_category = g->old_category;
	}
}

bool
tp_torch_usual_read(struct tp_torch_gaps *gaps, struct tp_torch_events *x, struct tp_pull *j,
	struct tp_torch_event *e)
{
	struct tp_slice ahead = tp_pull_ahead(j);
	const char *at = ahead.ptr, *end = ahead.ptr + ahead.len;
	struct tp_torch_gap *g = &gaps->gaps[0];

	*e = tp_torch_no_event;
	do {
		if (end - at < TP_TORCH_GAP_BYTES)
			return false;
		g = tp_torch_gap_follow(gaps, x, g, at, end);
		if (g == NULL)
			return false;
		at += g->length;
		if (g->with_value)
			take_said(g, e);
		else if (g->level != TP_TORCH_OUTSIDE)
			at = read_value(x, g->member, at, end, e);
	} while (at != NULL && g->level != TP_TORCH_OUTSIDE);
	if (at == NULL)
		return false;
	tp_pull_passed(j, (size_t)(at - ahead.ptr));
	return true;
}
