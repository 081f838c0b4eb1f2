/* Reading a slice, and finding where one may begin: an event ends, and another begins with a key that events have. Within a text that
 * cannot stand, for there the quote of the key would be escaped; in a list of objects within an event it can. */
#include "ingest/torch_slice.h"

#include "base/arena.h"
#include "base/memory.h"
#include "ingest/reader.h"
#include "ingest/torch_member.h"
#include "ingest/torch_usual.h"
#include "io/stream.h"

#include <stdlib.h>

static struct tp_torch_slice *
new_slice(struct tp_stream *stream, uint64_t from)
{
	struct tp_torch_slice *s = tp_memory_take(sizeof *s);

	*s = (struct tp_torch_slice){
		.keep = tp_arena_new(),
		.scratch = tp_arena_new(),
		.stream = stream,
		.from = from,
		.stop = UINT64_MAX,
	};
	tp_strings_init(&s->strings, s->keep);
	tp_torch_events_init(&s->events, s->scratch, s->keep, &s->strings);
	s->gaps = tp_torch_gaps_new(s->scratch);
	tp_torch_columns_open(&s->columns, &s->strings, s->keep, s->scratch);
	return s;
}

struct tp_torch_slice *
tp_torch_slice_first(const struct tp_source *in, bool ahead, struct tp_err *err)
{
	struct tp_stream *stream = ahead ? tp_stream_open(in->bytes, in->blob, in->path, err)
									 : tp_stream_open_alone(in->bytes, in->blob, 0, in->path, err);

	if (stream == NULL)
		return NULL;
	struct tp_torch_slice *s = new_slice(stream, 0);

	tp_pull_open(&s->json, (struct tp_slice){NULL, 0}, tp_stream_more, stream);
	return s;
}

struct tp_torch_slice *
tp_torch_slice_at(const struct tp_source *in, const struct tp_torch_slice *first, uint64_t from)
{
	struct tp_stream *stream = tp_stream_open_alone(in->bytes, in->blob, from, in->path, NULL);

	if (stream == NULL)
		return NULL;
	struct tp_torch_slice *s = new_slice(stream, from);

	tp_pull_open_behind(&s->json, &first->json, from, tp_stream_more, stream);
	return s;
}

bool
tp_torch_slice_read(struct tp_torch_slice *s)
{
	struct tp_torch_event e;

	while (tp_pull_at(&s->json) < s->stop) {
		if (tp_torch_usual_read(s->gaps, &s->events, &s->json, &e)) {
			tp_torch_columns_add(&s->columns, &e);
			continue;
		}
		if (!tp_pull_item(&s->json))
			break;
		if (s->json.type != TP_PULL_OBJECT) {
			s->other++;
			if (!tp_pull_skip(&s->json))
				return false;
			continue;
		}
		if (!tp_torch_event_read(&s->events, &s->json, &e))
			return false;
		tp_torch_columns_add(&s->columns, &e);
	}
	return s->json.state == TP_PULL_MORE;
}

void
tp_torch_slice_close(struct tp_torch_slice *s)
{
	if (s == NULL)
		return;
	tp_torch_columns_close(&s->columns);
	tp_pull_close(&s->json);
	tp_stream_close(s->stream);
	tp_arena_free(s->scratch);
	tp_arena_free(s->keep);
	free(s);
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Whether a key that events have stands at `at`, behind white space. */
static bool
key_follows(const char *at, const char *end)
{
	while (at != end && is_space(*at))
		at++;
	if (at == end || *at++ != '"')
		return false;
	const char *quote = at != end ? memchr(at, '"', (size_t)(end - at)) : NULL;

	if (quote == NULL || tp_torch_member((struct tp_slice){at, (size_t)(quote - at)}) == NULL)
		return false;
	for (at = quote + 1; at != end && is_space(*at); at++)
		;
	return at != end && *at == ':';
}

/* Behind the bracket that closes before `at`, with a comma and white space between; NULL: there is none. */
static const char *
behind_event(const char *start, const char *at)
{
	while (at != start && is_space(at[-1]))
		at--;
	if (at == start || *--at != ',')
		return NULL;
	while (at != start && is_space(at[-1]))
		at--;
	return at != start && at[-1] == '}' ? at : NULL;
}

bool
tp_torch_slice_find(const struct tp_source *in, uint64_t from, uint64_t to, uint64_t *at)
{
	enum { WINDOW_BYTES = 32 << 10, OVERLAP_BYTES = 256 };
	char window[WINDOW_BYTES];

	for (uint64_t start = from; start < to; start += WINDOW_BYTES - OVERLAP_BYTES) {
		struct tp_slice bytes = {window, 0};

		if (in->blob != NULL)
			bytes.len = tp_blob_read(in->blob, start, window, sizeof window);
		else if (start < in->bytes.len)
			bytes = tp_slice_from(in->bytes, (size_t)start);
		const char *end = bytes.ptr + bytes.len, *bracket = bytes.ptr;

		for (; (bracket = memchr(bracket, '{', (size_t)(end - bracket))) != NULL; bracket++) {
			const char *behind = behind_event(bytes.ptr, bracket);

			if (behind == NULL || !key_follows(bracket + 1, end))
				continue;
			*at = start + (uint64_t)(behind - bytes.ptr);
			return *at < to;
		}
		if (bytes.len < sizeof window)
			break;
	}
	return false;
}
