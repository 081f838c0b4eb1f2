/* Any bytes as what a timeline is made of, with tracks that are derived from it: an XSpace, an event file, a profile logger or a dump of tfprof, as
 * the first byte says. The report is made twice: with room for every event, and with room for cells alone. In each cell is what a plain count of
 * the events finds there. */
#include "plain_cells.h"
#include "through.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	MOST_EVENTS = 1000, /* of a track that is counted */
	ROOM = 1 << 26,
	NO_ROOM = 8 /* a further timeline has a quarter */
};

/* Beyond, a place in a page is not exact. */
#define LATEST_PS 0x1p53

static const struct {
	const struct tp_reader *reader;
	const char *path;
} kinds[] = {
	{&tp_reader_xspace, "run/vm.xplane.pb"},
	{&tp_reader_events, "run/events.out.tfevents.1.host"},
	{&tp_reader_phases, "run/events.out.tfevents.1.host.profile_logger"},
	{&tp_reader_tfprof, "run/profile_1"},
};

static struct tp_doc *
report_of(uint8_t kind, struct tp_slice bytes, uint64_t timeline_bytes, struct tp_arena *arena)
{
	size_t which = kind % (sizeof kinds / sizeof *kinds);
	struct tp_pass_options *options = tp_new(arena, struct tp_pass_options);
	struct tp_through out;
	struct tp_profile *profile =
		tp_through_profile(kinds[which].reader, kinds[which].path, bytes, arena, &out);

	*options = (struct tp_pass_options){.top = 10, .timeline_bytes = timeline_bytes};
	return out.status == TP_OK ? tp_through_doc(profile, options, arena) : NULL;
}

static const struct tp_timeline *
timeline_called(const struct tp_doc *doc, struct tp_slice id)
{
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		if (w.event == TP_WALK_ENTER && w.block->kind == TP_BLOCK_CHART &&
			w.block->chart.kind == TP_CHART_TIMELINE && tp_slice_eq(w.block->id, id))
			return w.block->chart.timeline;
	}
	return NULL;
}

static void
read_tile(struct tp_cell_track *t, const struct tp_timeline_tile *tile, uint64_t tick_ps)
{
	const unsigned char *at = (const unsigned char *)tile->data.ptr;
	struct tp_cell_event *e = t->events + t->count;
	uint64_t from = (uint64_t)tile->from_ps;

	for (uint64_t i = 0; i < tile->count; i++)
		e[i].from = from += tp_cell_number(&at) * tick_ps;
	for (uint64_t i = 0; i < tile->count; i++)
		e[i].to = e[i].from + tp_cell_number(&at) * tick_ps;
	for (uint64_t i = 0; i < tile->count; i++)
		e[i].name = (uint32_t)tp_cell_number(&at);
	for (uint64_t i = 0; i < tile->count; i++)
		e[i].lane = (unsigned)tp_cell_number(&at);
	t->count += tile->count;
}

/* All events of a track; false: there are too many, or the page does not hold them all. */
static bool
read_track(const struct tp_timeline *timeline, const struct tp_timeline_track *track,
	struct tp_arena *arena, struct tp_cell_track *t)
{
	if (track->events > MOST_EVENTS)
		return false;
	*t = (struct tp_cell_track){
		.events = tp_new_array(arena, struct tp_cell_event, track->events),
		.high = (uint64_t)timeline->high_ps,
		.name_count = (uint32_t)timeline->name_count,
		.by_name = tp_new_array(arena, uint64_t, timeline->name_count),
	};
	for (size_t i = 0; i < track->tile_count; i++) {
		if (track->tiles[i].cell_ps != 0)
			continue;
		tp_cells_must(t->count + track->tiles[i].count <= track->events);
		read_tile(t, &track->tiles[i], (uint64_t)track->tick_ps);
	}
	return t->count == track->events;
}

/* The first of the same looks; names have other numbers where other events come first. */
static uint32_t
find_name(const struct tp_timeline *in, const struct tp_timeline_name *name)
{
	uint32_t n = 0;

	while (n < in->name_count &&
		(!tp_slice_eq(in->names[n].name, name->name) ||
			!tp_slice_eq(in->names[n].more, name->more) || in->names[n].hue != name->hue ||
			in->names[n].tint != name->tint))
		n++;
	tp_cells_must(n < in->name_count);
	return n;
}

static void
rename_as(struct tp_cell_track *t, const struct tp_timeline *whole, const struct tp_timeline *cells,
	struct tp_arena *arena)
{
	uint32_t *name_here = tp_new_array(arena, uint32_t, cells->name_count);

	for (size_t i = 0; i < t->count; i++)
		t->events[i].name = find_name(cells, &whole->names[t->events[i].name]);
	for (uint32_t i = 0; i < cells->name_count; i++)
		name_here[i] = find_name(cells, &cells->names[i]);
	t->name_count = (uint32_t)cells->name_count;
	t->by_name = tp_new_array(arena, uint64_t, cells->name_count);
	t->name_here = name_here;
}

static void
compare(const struct tp_timeline *whole, const struct tp_timeline *cells, struct tp_arena *arena)
{
	tp_cells_must(whole->high_ps == cells->high_ps && whole->group_count == cells->group_count);
	for (size_t g = 0; g < whole->group_count; g++) {
		tp_cells_must(whole->groups[g].track_count == cells->groups[g].track_count);
		for (size_t k = 0; k < whole->groups[g].track_count; k++) {
			const struct tp_timeline_track *track = &cells->groups[g].tracks[k];
			struct tp_cell_track t;

			tp_cells_must(track->events == whole->groups[g].tracks[k].events);
			if (!read_track(whole, &whole->groups[g].tracks[k], arena, &t))
				continue;
			rename_as(&t, whole, cells, arena);
			for (size_t i = 0; i < track->tile_count; i++) {
				if (track->tiles[i].cell_ps != 0)
					tp_cells_check(&t, &track->tiles[i], arena);
			}
		}
	}
}

static void
compare_all(const struct tp_doc *whole, const struct tp_doc *cells, struct tp_arena *arena)
{
	for (struct tp_walk w = tp_walk_of(whole); tp_walk_next(&w);) {
		if (w.event != TP_WALK_ENTER || w.block->kind != TP_BLOCK_CHART ||
			w.block->chart.kind != TP_CHART_TIMELINE ||
			w.block->chart.timeline->high_ps > LATEST_PS)
			continue;
		const struct tp_timeline *same = timeline_called(cells, w.block->id);

		tp_cells_must(same != NULL);
		compare(w.block->chart.timeline, same, arena);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	struct tp_slice bytes = {(const char *)data + 1, size - 1};
	struct tp_arena *arena = tp_arena_new();
	const struct tp_doc *whole = report_of(data[0], bytes, ROOM, arena);

	if (whole != NULL)
		compare_all(whole, report_of(data[0], bytes, NO_ROOM, arena), arena);
	tp_arena_free(arena);
	return 0;
}
