/* Lines of a plane in pieces, by several threads. Each looks where a piece ends, from where another thread goes on, and decodes it into
 * columns, strings and operations of its own. Whoever has the piece that comes next brings it into the profile, and those behind it
 * that are ready. So all numbers are those that one walk over the lines would have given. */
#include "ingest/xspace_line.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/pool.h"

#include <pthread.h>
#include <stdlib.h>

/* Of a piece: its columns and bytes fit into the second level cache. */
enum { PIECE_BYTES = 256 << 10, MOST_EVENTS = 16384 };

/* Fewer bytes are not worth threads: in all lines, and in a line of usual length. */
enum { LEAST_BYTES = 4 * PIECE_BYTES, LEAST_LINE_BYTES = 16 << 10 };

/* A thread goes on while a piece that it has decoded waits for others. */
enum { PLACES_A_THREAD = 3 };

struct columns {
	int64_t start_ps[MOST_EVENTS], duration_ps[MOST_EVENTS];
	int64_t chip_start_ps[MOST_EVENTS], chip_duration_ps[MOST_EVENTS];
	uint32_t op[MOST_EVENTS];
};

/* A place for one piece after the other, with tables that stay: what it has met before needs no second look. */
struct piece {
	struct reading *reading;
	struct piece *next_free;
	struct tp_arena *arena; /* NULL: the place was not used yet */
	struct tp_xplane plane; /* whose builder, strings and own operations are of this place alone */
	struct tp_buf own;
	struct tp_buf room;
	struct columns *columns;
	/* From here on of the piece in hand. */
	struct tp_xline *line;
	bool first, last; /* of its line */
	bool ends_well;   /* it reaches to the end of its line, as that says */
	double share;     /* of the line, before it */
	struct tp_slice bytes;
	struct tp_line_columns c;
	struct tp_xevents events;
	/* What its numbers are in the profile; as many as it brought there so far. */
	struct tp_buf op_of_own, string_of_own;
};

struct reading {
	struct tp_xplane *plane;
	struct tp_xplane as_begun; /* what places begin with, while what is put changes the plane */
	struct tp_xline *lines;    /* opened */
	size_t line_count;
	uint64_t piece_bytes;
	uint64_t string_keys;
	const struct tp_slice *op_names;
	pthread_mutex_t cutting; /* over where the next piece begins, and its number */
	size_t line;
	uint64_t at; /* in the file */
	size_t number;
	pthread_mutex_t lock; /* over the rest */
	struct piece *free;   /* places */
	pthread_cond_t freed;
	struct piece **ready; /* by number, as many as there are places; NULL: is not */
	size_t place_count;
	size_t put; /* pieces that are in the profile */
	bool putting;
};

bool
tp_xplane_has_pieces(const struct tp_xplane *plane)
{
	const struct tp_xpart *lines = plane->lines.data;
	uint64_t bytes = 0;

	if (plane->in->slice_bytes != 0)
		return true;
	for (size_t i = 0; i < plane->lines.count; i++)
		bytes += lines[i].size;
	return tp_pool_threads(plane->in->pool) > 1 && bytes >= LEAST_BYTES &&
		bytes / LEAST_LINE_BYTES >= plane->lines.count;
}

static void
open_place(struct piece *p)
{
	const struct tp_xplane *of = &p->reading->as_begun;
	uint32_t strings = (uint32_t)of->stat_metadata.count;

	p->arena = tp_arena_new();
	p->plane = *of;
	p->columns = tp_memory_take(sizeof *p->columns);
	struct tp_xplane *plane = &p->plane;

	plane->out = tp_builder_new(p->arena);
	plane->scratch = p->arena;
	plane->file = NULL;
	plane->op_names = p->reading->op_names;
	plane->own = &p->own;
	tp_map_init(&plane->hlo_ops, p->arena);
	tp_map_init(&plane->unnamed, p->arena);
	plane->stat_strings = tp_new_array(p->arena, uint32_t, strings);
	memset(plane->stat_strings, 0xff, strings * sizeof *plane->stat_strings);
}

static void
close_place(struct piece *p)
{
	tp_builder_drop(p->plane.out);
	tp_buf_free(&p->own);
	tp_buf_free(&p->room);
	tp_buf_free(&p->op_of_own);
	tp_buf_free(&p->string_of_own);
	free(p->columns);
	tp_arena_free(p->arena);
}

/* Empty columns of its own, for a part of this line. */
static struct tp_line_columns
columns_of(const struct piece *p, const struct tp_line_columns *line)
{
	struct tp_line_columns c = *line;
	struct columns *own = p->columns;

	c.first = c.count = 0;
	c.capacity = MOST_EVENTS;
	c.start_ps = own->start_ps;
	c.duration_ps = own->duration_ps;
	c.chip_start_ps = c.chip ? own->chip_start_ps : own->start_ps;
	c.chip_duration_ps = c.chip ? own->chip_duration_ps : own->duration_ps;
	c.op = own->op;
	return c;
}

static void
decode(struct piece *p)
{
	struct tp_xwalk w = tp_xwalk_over(p->bytes);
	const struct tp_xline *line = p->line;
	struct tp_xpart part = {0, p->bytes.len};

	p->c = columns_of(p, &line->columns);
	p->events = (struct tp_xevents){.regions = {.open = TP_NONE}};
	tp_xevents_read(&p->plane, &w, part, line->zero_ps, line->placed ? &p->c : NULL, &p->events);
}

struct extent {
	size_t bytes; /* 0: not one whole field */
	bool ends;    /* nothing of the line is read behind them */
};

/* Goes past events of less than 128 bytes that are whole, at most so many; returns how many. */
static uint32_t
pass_short_events(struct tp_pb *p, uint32_t most)
{
	enum { EVENT = TP_XEVENT << 3 | TP_PB_BYTES, HEAD = 2, LONG = 0x80 };
	const uint8_t *at = p->at;
	uint32_t count = 0;

	while (count < most && p->end - at >= HEAD + LONG && at[0] == EVENT && at[1] < LONG) {
		at += HEAD + at[1];
		count++;
	}
	p->at = at;
	return count;
}

/* Whole fields with no more events than a piece has room for. all: there are no more bytes. */
static struct extent
whole_fields(struct tp_slice bytes, bool all)
{
	struct tp_pb p = tp_pb_open(bytes);

	for (uint32_t events = 0; events < MOST_EVENTS;) {
		events += pass_short_events(&p, MOST_EVENTS - events);
		if (events == MOST_EVENTS)
			break;
		const uint8_t *field = p.at;
		bool found = tp_pb_next(&p);

		if (p.state == TP_PB_BROKEN || (all && p.state != TP_PB_MORE))
			return (struct extent){bytes.len, true};
		if (!found || p.state != TP_PB_MORE)
			return (struct extent){(size_t)((const char *)field - bytes.ptr), false};
		events += p.field == TP_XEVENT && p.type == TP_PB_BYTES;
	}
	return (struct extent){(size_t)((const char *)p.at - bytes.ptr), false};
}

/* The next bytes of the line that is in turn, into a piece. */
static void
cut_bytes(struct reading *r, struct piece *p)
{
	const struct tp_xfile *file = r->plane->file;
	struct tp_xpart line = r->lines[r->line].part;
	struct extent extent = {0};

	p->line = &r->lines[r->line];
	p->first = r->at == line.at;
	struct tp_xpart rest = {r->at, line.at + line.size - r->at};

	for (uint64_t most = r->piece_bytes; extent.bytes == 0 && !extent.ends; most *= 2) {
		p->bytes = tp_xfile_read(file, rest, most, &p->room);
		extent = whole_fields(p->bytes,
			p->bytes.len < most || p->bytes.len == rest.size ||
				(file->in_pieces && most > TP_XFILE_MOST_WALKED));
	}
	p->bytes.len = extent.bytes;
	p->last = extent.ends;
	p->ends_well = extent.bytes == rest.size;
	p->share = line.size != 0 ? (double)(r->at - line.at) / (double)line.size : 1;
	r->at += extent.bytes;
	if (p->last && ++r->line < r->line_count)
		r->at = r->lines[r->line].part.at;
}

/* What the piece met for the first time gets its numbers, in the order in which one walk would have given them. */
static void
number_own(struct tp_xplane *plane, struct piece *p)
{
	struct tp_strings *strings = &tp_builder_profile(plane->out)->strings;
	const struct tp_strings *own_strings = &tp_builder_profile(p->plane.out)->strings;
	struct tp_xallocator *allocator = &p->plane.allocator;

	while (p->string_of_own.count < own_strings->count) {
		uint32_t id = tp_intern_copy(strings, own_strings->text[p->string_of_own.count]);

		*tp_buf_new(&p->string_of_own, uint32_t) = id;
	}
	while (p->op_of_own.count < p->own.count) {
		const struct tp_xown *own = (const struct tp_xown *)p->own.data + p->op_of_own.count;

		if (allocator->unusable != 0 && allocator->first_unusable < own->event) {
			tp_xallocator_unusable(plane, allocator->unusable);
			allocator->unusable = 0;
		}
		*tp_buf_new(&p->op_of_own, uint32_t) = tp_xown_op(plane, &own->what, own->known, 0);
	}
	tp_xallocator_unusable(plane, allocator->unusable);
	allocator->unusable = 0;
	const uint32_t *op = p->op_of_own.data;

	for (uint32_t i = 0; i < p->c.count; i++) {
		if (p->c.op[i] >= plane->end_op)
			p->c.op[i] = op[p->c.op[i] - plane->end_op];
	}
}

/* Regions that are open from one piece to another. first: the number of the piece's first event. */
static void
join_regions(struct tp_xplane *plane, struct tp_xline *line, struct piece *p, uint32_t first)
{
	struct tp_xregions *all = &line->events.regions;
	const struct tp_xregions *part = &p->events.regions;

	if (!part->met)
		return;
	if (part->stops)
		tp_xregions_stop(plane, &line->columns, all, part->stop_ps);
	all->open = part->open == TP_NONE ? TP_NONE : first + part->open;
	all->start_ps = part->start_ps;
}

/* Brings what was decoded into the profile. */
static void
put_piece(struct piece *p)
{
	struct tp_xplane *plane = p->reading->plane;
	struct tp_xline *line = p->line;
	struct tp_line_columns *c = &line->columns;

	if (p->first)
		tp_build_line_open(plane->out, c);
	uint32_t first = c->first + c->count;

	number_own(plane, p);
	join_regions(plane, line, p, first);
	tp_build_tags_of(
		plane->out, first, p->plane.out, p->reading->string_keys, p->string_of_own.data);
	tp_build_allocator_events_of(plane->out, p->plane.out, p->string_of_own.data);
	tp_build_line_part(plane->out, c, &p->c, p->share);
	line->events.count += p->events.count;
	line->events.unusable += p->events.unusable;
	if (!p->last)
		return;
	line->events.complete = p->events.complete && p->ends_well;
	tp_xline_close(plane, line);
}

/* The next piece and its number; false: there is none. */
static bool
cut(struct reading *r, struct piece *p, size_t *number)
{
	pthread_mutex_lock(&r->cutting);
	bool found = r->line < r->line_count;

	if (found) {
		cut_bytes(r, p);
		*number = r->number++;
	}
	pthread_mutex_unlock(&r->cutting);
	return found;
}

static struct piece *
take_place(struct reading *r)
{
	pthread_mutex_lock(&r->lock);
	while (r->free == NULL)
		pthread_cond_wait(&r->freed, &r->lock);
	struct piece *p = r->free;

	r->free = p->next_free;
	pthread_mutex_unlock(&r->lock);
	return p;
}

/* Under the lock. */
static void
give_place(struct reading *r, struct piece *p)
{
	p->next_free = r->free;
	r->free = p;
	pthread_cond_signal(&r->freed);
}

/* The piece is ready: it is put, and those behind it, unless one before it is not; then who puts that goes on. */
static void
put_in_turn(struct reading *r, struct piece *p, size_t number)
{
	pthread_mutex_lock(&r->lock);
	r->ready[number % r->place_count] = p;
	while (!r->putting && r->ready[r->put % r->place_count] != NULL) {
		struct piece *next = r->ready[r->put % r->place_count];

		r->putting = true;
		pthread_mutex_unlock(&r->lock);
		put_piece(next);
		pthread_mutex_lock(&r->lock);
		r->putting = false;
		r->ready[r->put++ % r->place_count] = NULL;
		give_place(r, next);
	}
	pthread_mutex_unlock(&r->lock);
}

/* One thread of several. It waits only for places, which are in the hands of others that work. */
static void
read_pieces(void *with, size_t thread)
{
	struct reading *r = with;
	struct piece *p = take_place(r);

	(void)thread;
	for (size_t number; cut(r, p, &number); p = take_place(r)) {
		if (p->arena == NULL)
			open_place(p);
		decode(p);
		put_in_turn(r, p, number);
	}
	pthread_mutex_lock(&r->lock);
	give_place(r, p);
	pthread_mutex_unlock(&r->lock);
}

static const struct tp_slice *
op_names_of(const struct tp_xplane *plane)
{
	uint32_t count = plane->end_op - plane->first_op;
	struct tp_slice *names = tp_new_array(plane->scratch, struct tp_slice, count);

	for (uint32_t i = 0; i < count; i++)
		names[i] = tp_built_op(plane->out, plane->first_op + i)->name;
	return names;
}

static struct reading
begin(struct tp_xplane *plane)
{
	const struct tp_xpart *parts = plane->lines.data;
	struct reading r = {
		.plane = plane,
		.as_begun = *plane,
		.lines = tp_new_array(plane->scratch, struct tp_xline, plane->lines.count),
		.line_count = plane->lines.count,
		.piece_bytes = plane->in->slice_bytes != 0 ? plane->in->slice_bytes : PIECE_BYTES,
		.string_keys = tp_xevents_string_keys(),
		.op_names = op_names_of(plane),
		.place_count = PLACES_A_THREAD * (size_t)tp_pool_threads(plane->in->pool),
	};

	for (size_t i = 0; i < r.line_count; i++)
		r.lines[i] = tp_xline_open(plane, parts[i]);
	r.at = r.line_count != 0 ? r.lines[0].part.at : 0;
	r.ready = tp_new_array(plane->scratch, struct piece *, r.place_count);
	pthread_mutex_init(&r.cutting, NULL);
	pthread_mutex_init(&r.lock, NULL);
	pthread_cond_init(&r.freed, NULL);
	return r;
}

void
tp_xplane_read_pieces(struct tp_xplane *plane)
{
	struct reading r = begin(plane);
	struct piece *places = tp_new_array(plane->scratch, struct piece, r.place_count);

	for (size_t i = r.place_count; i-- > 0;) {
		places[i].reading = &r;
		give_place(&r, &places[i]);
	}
	tp_pool_each(plane->in->pool, tp_pool_threads(plane->in->pool), read_pieces, &r);
	for (size_t i = 0; i < r.place_count; i++) {
		if (places[i].arena != NULL)
			close_place(&places[i]);
	}
	pthread_mutex_destroy(&r.cutting);
	pthread_mutex_destroy(&r.lock);
	pthread_cond_destroy(&r.freed);
}
