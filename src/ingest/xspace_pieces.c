/* Lines of a plane in pieces: one thread cuts them where an event ends, any thread decodes a piece into columns, strings and operations of
 * its own, and the first thread brings these into the profile piece by piece. So all numbers are those that one walk over the lines
 * would have given. */
#include "ingest/xspace_line.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/pool.h"

#include <stdlib.h>

/* Of a piece: its columns and bytes fit into the second level cache. What is smaller is decoded at once, by who cut it. */
enum { PIECE_BYTES = 256 << 10, MOST_EVENTS = 16384, FEW_BYTES = 4 << 10 };

/* Fewer bytes in all lines are not worth threads. */
enum { LEAST_BYTES = 4 * PIECE_BYTES };

struct columns {
	int64_t start_ps[MOST_EVENTS], duration_ps[MOST_EVENTS];
	int64_t chip_start_ps[MOST_EVENTS], chip_duration_ps[MOST_EVENTS];
	uint32_t op[MOST_EVENTS];
};

/* A line that has pieces on their way. */
struct line {
	struct tp_xline line;
	struct line *next;
};

/* A place for one piece after the other, with tables that stay: what it has met before needs no second look. */
struct piece {
	struct tp_task task;
	bool alone; /* no task: it was decoded when it was cut */
	struct tp_arena *arena;
	struct tp_xplane plane; /* whose builder, strings and own operations are of this place alone */
	struct tp_buf own;
	struct tp_buf room;
	struct columns *columns;
	/* From here on of the piece in hand. */
	struct line *line;
	bool first, last; /* of its line */
	bool ends_well;   /* it reaches to the end of its line, as that says */
	double share;     /* of the line, before it */
	struct tp_slice bytes;
	struct tp_line_columns c;
	struct tp_xevents events;
	/* What its numbers are in the profile; as many as it brought there so far. */
	struct tp_buf op_of_own, string_of_own;
};

struct cutting {
	struct tp_xplane *plane;
	struct tp_arena *arena;
	size_t piece_bytes;
	uint64_t string_keys;
	const struct tp_slice *op_names;
	uint32_t next_line;
	struct line *line; /* that is being cut; NULL: the next one is to be opened */
	uint64_t at;       /* where the next piece of it begins in the file */
	struct line *done; /* lines that are closed: places for further ones */
};

static uint64_t
piece_bytes(const struct tp_source *in)
{
	return in->slice_bytes != 0 ? in->slice_bytes : PIECE_BYTES;
}

bool
tp_xplane_has_pieces(const struct tp_xplane *plane)
{
	const struct tp_xpart *lines = plane->lines.data;
	uint64_t bytes = 0;

	if (plane->in->slice_bytes != 0)
		return true;
	for (size_t i = 0; i < plane->lines.count; i++)
		bytes += lines[i].size;
	return bytes >= LEAST_BYTES && tp_pool_threads(plane->in->pool) > 1;
}

static void
open_piece(struct piece *p, const struct cutting *cut)
{
	uint32_t strings = (uint32_t)cut->plane->stat_metadata.count;

	*p = (struct piece){.arena = tp_arena_new(), .plane = *cut->plane};
	p->columns = tp_memory_take(sizeof *p->columns);
	struct tp_xplane *plane = &p->plane;

	plane->out = tp_builder_new(p->arena);
	plane->scratch = p->arena;
	plane->file = NULL;
	plane->op_names = cut->op_names;
	plane->own = &p->own;
	tp_map_init(&plane->hlo_ops, p->arena);
	tp_map_init(&plane->unnamed, p->arena);
	plane->stat_strings = tp_new_array(p->arena, uint32_t, strings);
	memset(plane->stat_strings, 0xff, strings * sizeof *plane->stat_strings);
}

static void
close_piece(struct piece *p)
{
	tp_builder_drop(p->plane.out);
	tp_buf_free(&p->own);
	tp_buf_free(&p->room);
	tp_buf_free(&p->op_of_own);
	tp_buf_free(&p->string_of_own);
	free(p->columns);
	tp_arena_free(p->arena);
}

static void
decode(void *with)
{
	struct piece *p = with;
	struct tp_xwalk w = tp_xwalk_over(p->bytes);
	const struct tp_xline *line = &p->line->line;
	struct tp_xpart part = {0, p->bytes.len};

	tp_xevents_read(&p->plane, &w, part, line->zero_ps, line->placed ? &p->c : NULL, &p->events);
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

struct extent {
	size_t bytes; /* 0: not one whole field */
	bool ends;    /* nothing of the line is read behind them */
};

/* Whole fields with no more events than a piece has room for. all: there are no more bytes. */
static struct extent
whole_fields(struct tp_slice bytes, bool all)
{
	struct tp_pb p = tp_pb_open(bytes);

	for (uint32_t events = 0; events < MOST_EVENTS;) {
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

/* The next bytes of the line. */
static void
cut_bytes(struct cutting *cut, struct piece *p)
{
	const struct tp_xfile *file = cut->plane->file;
	const struct tp_xpart *line = &cut->line->line.part;
	struct tp_xpart rest = {cut->at, line->at + line->size - cut->at};
	struct extent extent = {0};

	for (size_t most = cut->piece_bytes; extent.bytes == 0 && !extent.ends; most *= 2) {
		p->bytes = tp_xfile_read(file, rest, most, &p->room);
		extent = whole_fields(p->bytes,
			p->bytes.len < most || p->bytes.len == rest.size ||
				(file->in_pieces && most > TP_XFILE_MOST_WALKED));
	}
	p->bytes.len = extent.bytes;
	p->share = line->size != 0 ? (double)(cut->at - line->at) / (double)line->size : 1;
	cut->at += extent.bytes;
	p->last = extent.ends;
	p->ends_well = extent.bytes == rest.size;
}

static void
open_line(struct cutting *cut)
{
	struct line *line = cut->done;

	if (line != NULL)
		cut->done = line->next;
	else
		line = tp_new(cut->arena, struct line);
	line->line = tp_xline_open(
		cut->plane, ((const struct tp_xpart *)cut->plane->lines.data)[cut->next_line++]);
	cut->line = line;
	cut->at = line->line.part.at;
}

/* The next piece, on its way; false: there is none. */
static bool
start_piece(struct cutting *cut, struct piece *p)
{
	if (cut->line == NULL && cut->next_line == cut->plane->lines.count)
		return false;
	if (p->arena == NULL)
		open_piece(p, cut);
	p->first = cut->line == NULL;
	if (p->first)
		open_line(cut);
	p->line = cut->line;
	cut_bytes(cut, p);
	if (p->last)
		cut->line = NULL;
	p->c = columns_of(p, &p->line->line.columns);
	p->events = (struct tp_xevents){.regions = {.open = TP_NONE}};
	p->alone = p->bytes.len < FEW_BYTES;
	p->task = (struct tp_task){.run = decode, .with = p};
	if (p->alone)
		decode(p);
	else
		tp_pool_start(cut->plane->in->pool, &p->task);
	return true;
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
put_piece(struct cutting *cut, struct piece *p)
{
	struct tp_xplane *plane = cut->plane;
	struct tp_xline *line = &p->line->line;
	struct tp_line_columns *c = &line->columns;

	if (p->first)
		tp_build_line_open(plane->out, c);
	uint32_t first = c->first + c->count;

	number_own(plane, p);
	join_regions(plane, line, p, first);
	tp_build_tags_of(plane->out, first, p->plane.out, cut->string_keys, p->string_of_own.data);
	tp_build_allocator_events_of(plane->out, p->plane.out, p->string_of_own.data);
	tp_build_line_part(plane->out, c, &p->c, p->share);
	line->events.count += p->events.count;
	line->events.unusable += p->events.unusable;
	if (!p->last)
		return;
	line->events.complete = p->events.complete && p->ends_well;
	tp_xline_close(plane, line);
	p->line->next = cut->done;
	cut->done = p->line;
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

void
tp_xplane_read_pieces(struct tp_xplane *plane)
{
	struct tp_pool *pool = plane->in->pool;
	size_t places = 2 * (size_t)tp_pool_threads(pool), cut_so_far = 0, put = 0;
	struct piece *pieces = tp_new_array(plane->scratch, struct piece, places);
	struct cutting cut = {
		.plane = plane,
		.arena = plane->scratch,
		.piece_bytes = piece_bytes(plane->in),
		.string_keys = tp_xevents_string_keys(),
		.op_names = op_names_of(plane),
	};

	for (;;) {
		while (cut_so_far < put + places && start_piece(&cut, &pieces[cut_so_far % places]))
			cut_so_far++;
		if (put == cut_so_far)
			break;
		struct piece *p = &pieces[put++ % places];

		if (!p->alone)
			tp_pool_wait(pool, &p->task);
		put_piece(&cut, p);
	}
	for (size_t i = 0; i < places && pieces[i].arena != NULL; i++)
		close_piece(&pieces[i]);
}
