/* Events gap by gap and value by value: only those in good order that lie in the window as a whole. What stands between the values
 * is kept as a tree: from each place in an event to what followed it before. */
#include "ingest/torch_usual.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "codec/json_list.h"
#include "codec/json_number.h"
#include "codec/json_plain.h"
#include "codec/json_pull.h"
#include "codec/json_scan.h"
#include "ingest/torch_event.h"
#include "ingest/torch_member.h"
#include "model/torch.h"

/* Real traces have some hundred gaps of up to 60 bytes, and one to three at a place. */
enum {
	LINE_BYTES = 64,
	MOST_GAPS = 1024,
	GAP_BYTES = 128,
	GAPS_AT_A_PLACE = 32,
	PLACES_AT_A_PLACE = 4
};

enum level { OUTSIDE, IN_EVENT, IN_ARGUMENTS };

/* What a gap says of its event. */
enum { SAYS_PHASE = 1, SAYS_CATEGORY = 2, SAYS_PROCESS = 4, SAYS_THREAD = 8, SAYS_NOTHING = 16 };

/* From behind a value, or an event, to the next value that has to be looked at, or to the event's end. Values of which few come again
 * and again are part of it: phases, categories, processes and threads, and a 0 that nobody asks for. */
struct gap {
	uint32_t length;            /* of the text */
	uint32_t whole;             /* bytes of it in whole blocks but for the last */
	uint64_t last;              /* which bytes of the last block count */
	uint32_t follower, sibling; /* the first behind it; the next at the same place; 0: none */
	enum level level;           /* behind it; OUTSIDE: the event ended */
	const struct tp_torch_member *member; /* of the value; NULL: nobody asks for it */
	bool with_value;                      /* it ends behind a value, and another gap follows */
	uint8_t says;                         /* of the next five */
	char phase;
	uint8_t category;
	bool old_category;
	uint32_t pid, tid;
	_Alignas(LINE_BYTES) char text[GAP_BYTES]; /* as written, then zeros */
};

/* A gap is looked at for each value: two lines of the cache where its text fits into one. */
_Static_assert(offsetof(struct gap, text) == LINE_BYTES, "all but the text is in one line");

struct tp_torch_gaps {
	struct gap gaps[MOST_GAPS]; /* the first is where events begin */
	struct gap spare;           /* for what is not worth keeping */
	uint32_t count;
};

struct tp_torch_gaps *
tp_torch_gaps_new(struct tp_arena *arena)
{
	uintptr_t room =
		(uintptr_t)tp_arena_alloc(arena, sizeof(struct tp_torch_gaps) + LINE_BYTES - 1);
	struct tp_torch_gaps *u =
		(struct tp_torch_gaps *)((room + LINE_BYTES - 1) & ~(uintptr_t)(LINE_BYTES - 1));

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
	g->with_value = false;
	return at;
}

static const char *read_aside(struct tp_torch_events *x, const struct tp_torch_member *m,
	const char *at, const char *end, struct tp_torch_event *e);

static bool
is_zero(const char *at, const char *end)
{
	return end - at >= 2 && *at == '0' &&
		(at[1] == ',' || at[1] == '}' || (unsigned char)at[1] <= ' ');
}

/* Of the value that begins at `at`: what a gap with it says. 0: the value is no part of a gap. */
static uint8_t
said_by(const struct gap *g, const char *at, const char *end, bool with_places)
{
	bool number = *at == '-' || (*at >= '0' && *at <= '9');

	if (g->level == OUTSIDE || (*at != '"' && !number))
		return 0;
	if (g->member == NULL)
		return is_zero(at, end) ? SAYS_NOTHING : 0;
	if (g->member->form == TP_TORCH_PLACE && with_places)
		return g->member->at == offsetof(struct tp_torch_event, pid) ? SAYS_PROCESS : SAYS_THREAD;
	if (number)
		return 0;
	return g->member->form == TP_TORCH_PHASE   ? SAYS_PHASE
		: g->member->form == TP_TORCH_CATEGORY ? SAYS_CATEGORY
											   : 0;
}

/* The place behind the value, which is part of the gap now; NULL when it is not usual. */
static const char *
take_value(struct tp_torch_events *x, uint8_t says, const char *at, const char *end, struct gap *g)
{
	struct tp_torch_event said = tp_torch_no_event;

	at = read_aside(x, g->member, at, end, &said);
	g->with_value = true;
	/* Of a phase that is no single letter nothing is said. */
	if (says == SAYS_PHASE && said.phase == 0)
		return at;
	g->says |= says;
	g->phase = says == SAYS_PHASE ? said.phase : g->phase;
	g->category = says == SAYS_CATEGORY ? said.category : g->category;
	g->old_category = says == SAYS_CATEGORY ? said.old_category : g->old_category;
	g->pid = says == SAYS_PROCESS ? said.pid : g->pid;
	g->tid = says == SAYS_THREAD ? said.tid : g->tid;
	return at;
}

static void
keep_text(struct gap *g, const char *text)
{
	uint32_t rest;

	memcpy(g->text, text, g->length);
	g->whole = (g->length - 1) / TP_SCAN_STEP * TP_SCAN_STEP;
	rest = g->length - g->whole;
	g->last = rest == TP_SCAN_STEP ? tp_scan_not(0)
								   : tp_scan_not(0) & ((1ull << (rest << TP_SCAN_SHIFT)) - 1);
}

/* What stands at `start`, with the values that may be part of a gap, as far as it fits; NULL when that is not usual. */
static const char *
read_gaps(struct tp_torch_events *x, enum level level, const char *start, const char *end,
	bool with_places, struct gap *g)
{
	const char *at = start, *behind = NULL;
	struct gap fits;

	for (;;) {
		at = read_gap(x, level, at, end, g);
		if (at == NULL || at - start > GAP_BYTES)
			break;
		uint8_t says = said_by(g, at, end, with_places);

		if (says == 0)
			return at;
		fits = *g;
		behind = at;
		at = take_value(x, says, at, end, g);
		if (at == NULL)
			return NULL;
		if (at - start > GAP_BYTES)
			break;
		fits = *g;
		behind = at;
		level = g->level;
	}
	if (behind == NULL)
		return at;
	*g = fits;
	return behind;
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

	*g = (struct gap){.with_value = false};
	const char *at = read_gaps(x, level, start, end, tried < PLACES_AT_A_PLACE, g);

	if (at == NULL)
		return NULL;
	g->length = (uint32_t)(at - start);
	if (!keep || g->length > GAP_BYTES)
		return g;
	keep_text(g, start);
	g->sibling = from->follower;
	from->follower = u->count;
	u->gaps[u->count] = *g;
	return &u->gaps[u->count++];
}

/* At least GAP_BYTES are there. */
static inline bool
stands_at(const struct gap *g, const char *at)
{
	for (uint32_t i = 0; i < g->whole; i += TP_SCAN_STEP) {
		if (tp_scan_not(tp_scan_same(tp_scan_load(at + i), tp_scan_load(g->text + i))) != 0)
			return false;
	}
	return (~tp_scan_same(tp_scan_load(at + g->whole), tp_scan_load(g->text + g->whole)) &
			   g->last) == 0;
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
	const char *at = tp_json_behind_list(start, end);

	if (at != NULL && m != NULL && (!inputs || tp_torch_keeps_inputs(x, e)))
		*(uint32_t *)to = tp_torch_list(x, (struct tp_slice){start, (size_t)(at - start)});
	return at;
}

/* A number that is no plain one, or nobody asks for, or that is read as something else. */
__attribute__((noinline)) static const char *
read_other_number(struct tp_torch_events *x, const struct tp_torch_member *m, const char *start,
	const char *end, struct tp_torch_event *e)
{
	const char *at = start + (*start == '-');

	if (at == end || *at < '0' || *at > '9')
		return NULL;
	at = tp_scan_number(at, end);
	if (at == end || *at == '+' || (*at | 0x20) == 'e')
		return NULL;
	if (m != NULL)
		tp_torch_set(x, m, TP_PULL_NUMBER, (struct tp_slice){start, (size_t)(at - start)}, e);
	return at;
}

__attribute__((always_inline)) static inline const char *
read_number(struct tp_torch_events *x, const struct tp_torch_member *m, const char *start,
	const char *end, struct tp_torch_event *e)
{
	const char *behind = NULL;
	bool point;

	if (m == NULL || end - start < TP_PLAIN_AHEAD)
		return read_other_number(x, m, start, end, e);
	int64_t *to = (int64_t *)(void *)((char *)e + m->at);

	switch (m->form) {
	case TP_TORCH_WHOLE:
		behind = tp_plain_number(start, 0, to, &point);
		break;
	case TP_TORCH_START:
		behind = tp_plain_number(start, 3, to, &point);
		if (behind != NULL) {
			e->has_start = true;
			e->fraction = point;
		}
		break;
	case TP_TORCH_DURATION:
		behind = tp_plain_number(start, 3, to, &point);
		e->has_duration = behind != NULL;
		break;
	default:
		break;
	}
	return behind != NULL ? behind : read_other_number(x, m, start, end, e);
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

/* Behind the value that begins here; NULL when it is not usual. Part of the loop that follows. */
__attribute__((always_inline)) static inline const char *
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

__attribute__((noinline)) static const char *
read_aside(struct tp_torch_events *x, const struct tp_torch_member *m, const char *at,
	const char *end, struct tp_torch_event *e)
{
	return read_value(x, m, at, end, e);
}

static inline void
take_said(const struct gap *g, struct tp_torch_event *e)
{
	if (g->says & SAYS_PHASE)
		e->phase = g->phase;
	if (g->says & SAYS_CATEGORY) {
		e->category = g->category;
		e->old_category = g->old_category;
	}
	if (g->says & SAYS_PROCESS)
		e->pid = g->pid;
	if (g->says & SAYS_THREAD)
		e->tid = g->tid;
}

/* In two halves: what is longer compilers copy by an instruction that takes its time to begin. */
static inline void
begin_event(struct tp_torch_event *e)
{
	enum { HALF_BYTES = sizeof *e / 2 };
	const char *none = (const char *)&tp_torch_no_event;

	memcpy(e, none, HALF_BYTES);
	memcpy((char *)e + HALF_BYTES, none + HALF_BYTES, sizeof *e - HALF_BYTES);
}

bool
tp_torch_usual_read(struct tp_torch_gaps *gaps, struct tp_torch_events *x, struct tp_pull *j,
	struct tp_torch_event *e)
{
	struct tp_slice ahead = tp_pull_ahead(j);
	const char *at = ahead.ptr, *end = ahead.ptr + ahead.len;
	struct gap *g = &gaps->gaps[0];

	begin_event(e);
	do {
		if (end - at < GAP_BYTES)
			return false;
		g = follow(gaps, x, g, at, end);
		if (g == NULL)
			return false;
		at += g->length;
		if (g->says != 0)
			take_said(g, e);
		if (!g->with_value && g->level != OUTSIDE)
			at = read_value(x, g->member, at, end, e);
	} while (at != NULL && g->level != OUTSIDE);
	if (at == NULL)
		return false;
	tp_pull_passed(j, (size_t)(at - ahead.ptr));
	return true;
}
