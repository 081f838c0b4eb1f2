/* A gap that was not met before: which key it holds, and its text. */
#include "ingest/torch_gap.h"

#include "base/arena.h"
#include "codec/json_pull.h"
#include "codec/json_scan.h"
#include "ingest/torch_event.h"
#include "ingest/torch_member.h"
#include "model/torch.h"

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
read_gap(const struct tp_torch_events *x, enum tp_torch_level level, const char *at,
	const char *end, struct tp_torch_gap *g)
{
	bool first = false;
	struct tp_slice key;

	if (level == TP_TORCH_OUTSIDE) {
		at = behind_comma(at, end);
		if (at == NULL || at == end || *at != '{')
			return NULL;
		at++;
		level = TP_TORCH_IN_EVENT;
		first = true;
	}
	for (;;) {
		const char *next = tp_scan_space(at, end);

		if (next != end && *next == '}') {
			at = next + 1;
			first = false;
			if (--level == TP_TORCH_OUTSIDE)
				break;
			continue;
		}
		at = first ? next : behind_comma(at, end);
		at = at != NULL ? behind_key(at, end, &key) : NULL;
		if (at == NULL)
			return NULL;
		g->member = level == TP_TORCH_IN_EVENT ? tp_torch_member(key) : tp_torch_argument(x, key);
		first = g->member != NULL && g->member->form == TP_TORCH_ARGUMENTS && *at == '{';
		if (!first)
			break;
		at++;
		level = TP_TORCH_IN_ARGUMENTS;
	}
	g->level = level;
	return at;
}

/* Takes the value into the gap when it is a phase or a category. */
static const char *
take_value(struct tp_torch_events *x, const char *at, const char *end, struct tp_torch_gap *g)
{
	struct tp_torch_event said = tp_torch_no_event;

	if (g->level == TP_TORCH_OUTSIDE || g->member == NULL || *at != '"' ||
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
keep_text(struct tp_torch_gap *g, const char *text)
{
	static const unsigned char ones[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

	memcpy(g->words, text, g->length);
	g->word_count = (uint32_t)(g->length + 7) / 8;
	g->last = 0;
	memcpy(&g->last, ones, g->length - (size_t)8 * (g->word_count - 1));
}

struct tp_torch_gap *
tp_torch_gap_new(struct tp_torch_gaps *u, struct tp_torch_events *x, struct tp_torch_gap *from,
	const char *start, const char *end, unsigned tried)
{
	struct tp_torch_gap *g = &u->spare;
	/* Behind an unkept one none is kept, or nothing would lead there. */
	bool keep = from != g && tried < TP_TORCH_GAPS_AT_A_PLACE && u->count < TP_TORCH_GAPS;
	enum tp_torch_level level = from->level;

	*g = (struct tp_torch_gap){.category = TP_TORCH_CATEGORY_NONE};
	const char *at = read_gap(x, level, start, end, g);

	if (at == NULL)
		return NULL;
	at = take_value(x, at, end, g);
	g->length = (size_t)(at - start);
	if (!keep || g->length > TP_TORCH_GAP_BYTES)
		return g;
	keep_text(g, start);
	g->sibling = from->follower;
	from->follower = u->count;
	u->gaps[u->count] = *g;
	return &u->gaps[u->count++];
}
