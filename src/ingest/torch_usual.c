/* Events gap by gap and value by value: only those in good order that lie in the window as a whole. What stands between the values
 * is kept as a tree: from each place in an event to what followed it before. */
#include "ingest/torch_usual.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "codec/json_number.h"
#include "codec/json_pull.h"
#include "codec/json_scan.h"
#include "ingest/torch_event.h"
#include "ingest/torch_member.h"
#include "model/torch.h"

/* Real traces have some hundred gaps of up to 60 bytes, and one to three at a place. */
enum { MOST_GAPS = 512, GAP_WORDS = 16, GAP_BYTES = 8 * GAP_WORDS, GAPS_AT_A_PLACE = 32 };

enum level { OUTSIDE, IN_EVENT, IN_ARGUMENTS };

/* From behind a value, or an event, to the next value, or to the event's end. */
struct gap {
	uint64_t words[GAP_WORDS]; /* as written, then zeros */
	uint64_t last;             /* the bits of the last word that count */
	uint32_t word_count;
	uint32_t follower, sibling; /* the first behind it; the next at the same place; 0: none */
	enum level level;           /* behind it; OUTSIDE: the event ended */
	size_t length;
	const struct tp_torch_member *member; /* of the value; NULL: nobody asks for it */
	/* Phases and categories are few words that come again and again: they count as part of the gap before them. */
	bool with_value;
	char phase; /* 0: not said here; likewise TP_TORCH_CATEGORY_NONE */
	uint8_t category;
	bool old_category;
};

struct tp_torch_gaps {
	struct gap gaps[MOST_GAPS]; /* the first is where events begin */
	struct gap spare;           /* for what is not worth keeping */
	uint32_t count;
};

struct tp_torch_gaps *
tp_torch_gaps_new(struct tp_arena *arena)
{
	struct tp_torch_gaps *u = tp_new(arena, struct tp_torch_gaps);

	u->count = 1;
	return u;
}

/* A comma, and white space around it; NULL: there is none. */
static const char *
behind_comma(const char *at, const char *end)
{
	at = tp_scan_space(at, end);
	return at != end && *at == ',' ? tp_scan_space(at + 1, end) : NULL;
}

/* A key without escapes; NULL: there is none. */
static const char *
behind_key(const char *at, const char *end, struct tp_slice *key)
{
	if (at == end || *at != '"')
		return NULL;
	const char *quote = tp_scan_string(++at, end);

	if (quote == end || *quote != '"')
		return NULL;
	*key = (struct tp_slice){at, (size_t)(quote - at)};
	at = tp_scan_space(quote + 1, end);
	if (at == end || *at != ':')
		return NULL;
	at = tp_scan_space(at + 1, end);
	return at != end ? at : NULL;
}

/* What stands at `at`, behind a value at `level`, into g; NULL when that is not usual, else the place behind it. */
static const char *
read_gap(const struct tp_torch_events *x, enum level level, const char *at, const char *end,
	struct gap *g)
{
	bool first = false;
	struct tp_slice key;

	if (level == OUTSIDE) {
		at = behind_comma(at, end);
		if (at == NULL || at == end || *at != '{')
			return NULL;
		at++;
		level = IN_EVENT;
		first = true;
	}
	for (;;) {
		const char *next = tp_scan_space(at, end);

		if (next != end && *next == '}') {
			at = next + 1;
			first = false;
			if (--level == OUTSIDE)
				break;
			continue;
		}
		at = first ? next : behind_comma(at, end);
		at = at != NULL ? behind_key(at, end, &key) : NULL;
		if (at == NULL)
			return NULL;
		g->member = level == IN_EVENT ? tp_torch_member(key) : tp_torch_argument(x, key);
		first = g->member != NULL && g->member->form == TP_TORCH_ARGUMENTS && *at == '{';
		if (!first)
			break;
		at++;
		level = IN_ARGUMENTS;
	}
	g->level = level;
	return at;
}

/* Takes the value into the gap when it is a phase or a category. */
static const char *
take_value(struct tp_torch_events *x, const char *at, const char *end, struct gap *g)
{
	struct tp_torch_event said = tp_torch_no_event;

	if (g->level == OUTSIDE || g->member == NULL || *at != '"' ||
		(g->member->form != TP_TORCH_PHASE && g->member->form != TP_TORCH_CATEGORY))
		return at;
	const char *quote = tp_scan_string(at + 1, end);

	if (quote == end || *quote != '"')
		return at;
	tp_torch_set(
		x, g->member, TP_PULL_STRING, (struct tp_slice){at + 1, (size_t)(quote - at) - 1}, &said);
	g->with_value = true;
	g->phase = said.phase;
	g->category = said.category;
	g->old_category = said.old_category;
	return quote + 1;
}

static void
keep_text(struct gap *g, const char *text)
{
	static const unsigned char ones[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

	memcpy(g->words, text, g->length);
	g->word_count = (uint32_t)(g->length + 7) / 8;
	g->last = 0;
	memcpy(&g->last, ones, g->length - (size_t)8 * (g->word_count - 1));
}

/* A gap not met at this place before: what stands at `start`. NULL when that is not usual. tried: how many others were. Rare, and no part
 * of the loop that follows. */
__attribute__((noinline)) static struct gap *
new_gap(struct tp_torch_gaps *u, struct tp_torch_events *x, struct gap *from, const char *start,
	const char *end, unsigned tried)
{
	struct gap *g = &u->spare;
	/* Behind an unkept one none is kept, or nothing would lead there. */
	bool keep = from != g && tried < GAPS_AT_A_PLACE && u->count < MOST_GAPS;
	enum level level = from->level;

	*g = (struct gap){.category = TP_TORCH_CATEGORY_NONE};
	const char *at = read_gap(x, level, start, end, g);

	if (at == NULL)
		return NULL;
	at = take_value(x, at, end, g);
	g->length = (size_t)(at - start);
	if (!keep || g->length > GAP_BYTES)
		return g;
	keep_text(g, start);
	g->sibling = from->follower;
	from->follower = u->count;
	u->gaps[u->count] = *g;
	return &u->gaps[u->count++];
}

static inline uint64_t
word_at(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof word);
	return word;
}

/* At least GAP_BYTES are there. */
static inline bool
stands_at(const struct gap *g, const char *at)
{
	uint32_t last = g->word_count - 1;

	for (uint32_t i = 0; i < last; i++) {
		if (word_at(at + (size_t)8 * i) != g->words[i])
			return false;
	}
	return ((word_at(at + (size_t)8 * last) ^ g->words[last]) & g->last) == 0;
}

/* The gap at `at`; the one met last at a place is tried first. */
static inline struct gap *
follow(struct tp_torch_gaps *u, struct tp_torch_events *x, struct gap *from, const char *at,
	const char *end)
{
	unsigned tried = 0;

	for (uint32_t *link = &from->follower; *link != 0; link = &u->gaps[*link].sibling, tried++) {
		uint32_t index = *link;
		struct gap *g = &u->gaps[index];

		if (!stands_at(g, at))
			continue;
		*link = g->sibling;
		g->sibling = from->follower;
		from->follower = index;
		return g;
	}
	return new_gap(u, x, from, at, end, tried);
}

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
take_said(const struct gap *g, struct tp_torch_event *e)
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
	struct gap *g = &gaps->gaps[0];

	*e = tp_torch_no_event;
	do {
		if (end - at < GAP_BYTES)
			return false;
		g = follow(gaps, x, g, at, end);
		if (g == NULL)
			return false;
		at += g->length;
		if (g->with_value)
			take_said(g, e);
		else if (g->level != OUTSIDE)
			at = read_value(x, g->member, at, end, e);
	} while (at != NULL && g->level != OUTSIDE);
	if (at == NULL)
		return false;
	tp_pull_passed(j, (size_t)(at - ahead.ptr));
	return true;
}
