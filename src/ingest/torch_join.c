/* Numbers of strings, lanes and shared entries are given one slice after the other; then each slice's tables are copied to their place
 * side by side. */
#include "ingest/torch_join.h"

#include "base/arena.h"
#include "base/pool.h"
#include "ingest/torch_slice.h"
#include "model/build.h"

static void
number_strings(struct tp_torch_whole *w, struct tp_torch_part *p, const struct tp_strings *of)
{
	struct tp_strings *strings = &tp_builder_profile(w->out)->strings;

	p->string_of = tp_new_array(w->scratch, uint32_t, of->count);
	for (uint32_t i = 0; i < of->count; i++)
		p->string_of[i] = tp_intern(strings, of->text[i]);
}

static void
number_lanes(struct tp_torch_whole *w, struct tp_torch_part *p)
{
	struct tp_torch_columns *c = p->columns;
	const struct tp_torch_lane *lanes = c->lanes.data;

	p->lane_of = tp_new_array(w->scratch, uint32_t, c->lanes.count);
	for (size_t i = 0; i < c->lanes.count; i++) {
		size_t before = w->all.lanes.count;
		uint32_t lane = tp_torch_columns_lane(
			&w->all, lanes[i].kind, p->string_of[lanes[i].pid], p->string_of[lanes[i].tid]);

		p->lane_of[i] = lane;
		if (w->all.lanes.count != before)
			((struct tp_torch_lane *)w->all.lanes.data)[lane].gpu = lanes[i].gpu;
	}
	for (uint32_t i = 0; i < c->names.capacity; i++) {
		const struct tp_map_entry *e = &c->names.entries[i];

		if (e->value != TP_MAP_NONE)
			tp_map_put(&w->all.names,
				(uint64_t)p->string_of[e->key >> 32] << 32 | p->string_of[(uint32_t)e->key],
				p->string_of[e->value]);
	}
}

static void
number_collectives(struct tp_torch_whole *w, struct tp_torch_part *p)
{
	struct tp_torch_columns *c = p->columns, *all = &w->all;
	const struct tp_torch_collective *collectives = c->collectives.data;
	const struct tp_torch_collective_key *keys = c->collective_keys.data;

	p->collective_of = tp_new_array(w->scratch, uint32_t, c->collectives.count);
	for (size_t i = 0; i < c->collectives.count; i++) {
		struct tp_torch_collective_key key = keys[i];

		for (size_t k = 0; k < sizeof key.texts / sizeof *key.texts; k++)
			key.texts[k] = p->string_of[key.texts[k]];
		p->collective_of[i] =
			tp_torch_once(&all->collective_keys, &all->collective_map, &key, sizeof key);
		if (all->collective_keys.count != all->collectives.count)
			*tp_buf_new(&all->collectives, struct tp_torch_collective) = collectives[i];
	}
}

static void
number_shared(struct tp_torch_whole *w, struct tp_torch_part *p)
{
	struct tp_torch_columns *c = p->columns, *all = &w->all;
	const struct tp_torch_attributes *attributes = c->attributes.data;
	const struct tp_torch_launch *launches = c->launches.data;

	number_collectives(w, p);
	p->launch_of = tp_new_array(w->scratch, uint32_t, c->launches.count);
	for (size_t i = 0; i < c->launches.count; i++)
		p->launch_of[i] =
			tp_torch_once(&all->launches, &all->launch_map, &launches[i], sizeof launches[i]);
	p->attribute_of = tp_new_array(w->scratch, uint32_t, c->attributes.count);
	for (size_t i = 0; i < c->attributes.count; i++) {
		struct tp_torch_attributes a;

		memcpy(&a, &attributes[i], sizeof a); /* with what lies between the fields */
		a.shapes = p->string_of[a.shapes];
		a.types = p->string_of[a.types];
		a.inputs = p->string_of[a.inputs];
		a.stack = p->string_of[a.stack];
		a.modules = p->string_of[a.modules];
		if (a.collective != TP_NONE)
			a.collective = p->collective_of[a.collective];
		p->attribute_of[i] = tp_torch_once(&all->attributes, &all->attribute_map, &a, sizeof a);
	}
	for (uint32_t i = 0; i < c->grid_of.capacity; i++) {
		const struct tp_map_entry *e = &c->grid_of.entries[i];

		if (e->value != TP_MAP_NONE)
			tp_map_put(&all->grid_of, e->key, p->launch_of[e->value]);
	}
}

static uint32_t
count_in(struct tp_buf *all, const struct tp_buf *part)
{
	size_t first = all->count;

	all->count += part->count;
	return (uint32_t)first;
}

static void
add_counts(struct tp_torch_columns *all, const struct tp_torch_columns *c)
{
	if (c->has_window) {
		if (!all->has_window || c->window_start_ns < all->window_start_ns)
			all->window_start_ns = c->window_start_ns;
		if (!all->has_window || c->window_end_ns > all->window_end_ns)
			all->window_end_ns = c->window_end_ns;
		all->has_window = true;
	}
	all->old_categories |= c->old_categories;
	all->fractions |= c->fractions;
	all->same_ids += c->same_ids;
	all->other_ids += c->other_ids;
	all->no_time += c->no_time;
	all->no_duration += c->no_duration;
	all->negative += c->negative;
	all->too_far += c->too_far;
}

/* More events than can be numbered: those of whole slices are left out. */
static void
drop_events(struct tp_torch_columns *all, struct tp_torch_columns *c)
{
	all->no_time += c->count;
	c->count = 0;
	for (struct tp_torch_chunk *k = c->first; k != NULL; k = k->next)
		k->count = 0;
}

static void
number(struct tp_torch_whole *w, struct tp_torch_part *p, struct tp_torch_slice *s)
{
	struct tp_torch_columns *c = &s->columns, *all = &w->all;

	p->columns = c;
	number_strings(w, p, &s->strings);
	number_lanes(w, p);
	number_shared(w, p);
	if (c->count >= UINT32_MAX - all->count)
		drop_events(all, c);
	all->count += c->count;
	p->first_operator = count_in(&all->operators, &c->operators);
	p->first_python = count_in(&all->pythons, &c->pythons);
	p->first_call = count_in(&all->calls, &c->calls);
	p->first_work = count_in(&all->works, &c->works);
	p->first_memory = count_in(&all->memory, &c->memory);
	add_counts(all, c);
	if (!w->last)
		return;
	tp_arena_join(tp_builder_profile(w->out)->arena, s->keep);
	s->keep = NULL;
}

/* Room for the entries of all slices. Those of the first are where they belong already: its room goes over, if nobody else needs it. */
static void
make_room(struct tp_torch_whole *w, struct tp_buf *all, struct tp_buf *first, size_t size)
{
	size_t count = all->count;

	if (w->last && first->data != NULL) {
		*all = *first;
		tp_buf_reserve(all, count, size);
		all->count = count;
		first->data = all->data;
		return;
	}
	all->count = 0;
	if (count != 0)
		tp_buf_reserve(all, count, size);
	all->count = count;
}

static void
make_rooms(struct tp_torch_whole *w)
{
	struct tp_torch_columns *all = &w->all, *first = w->parts[0].columns;

	make_room(w, &all->operators, &first->operators, sizeof(struct tp_torch_operator));
	make_room(w, &all->pythons, &first->pythons, sizeof(struct tp_torch_python));
	make_room(w, &all->calls, &first->calls, sizeof(struct tp_torch_call));
	make_room(w, &all->works, &first->works, sizeof(struct tp_torch_work));
	make_room(w, &all->memory, &first->memory, sizeof(struct tp_torch_memory));
}

static uint32_t
of(const uint32_t *numbers, uint32_t own)
{
	return own == TP_NONE ? TP_NONE : numbers[own];
}

static void
copy_tables(void *with, size_t index)
{
	struct tp_torch_whole *w = with;
	struct tp_torch_part *p = &w->parts[index];
	struct tp_torch_columns *c = p->columns, *all = &w->all;
	const struct tp_torch_operator *operators = c->operators.data;
	const struct tp_torch_python *pythons = c->pythons.data;
	const struct tp_torch_call *calls = c->calls.data;
	const struct tp_torch_work *works = c->works.data;
	const struct tp_torch_memory *memory = c->memory.data;

	for (size_t i = 0; i < c->operators.count; i++) {
		struct tp_torch_operator *to =
			(struct tp_torch_operator *)all->operators.data + p->first_operator + i;

		*to = operators[i];
		to->attributes = p->attribute_of[to->attributes];
	}
	for (size_t i = 0; i < c->pythons.count; i++) {
		struct tp_torch_python *to =
			(struct tp_torch_python *)all->pythons.data + p->first_python + i;

		*to = pythons[i];
		to->module = p->string_of[to->module];
		to->called_from = p->string_of[to->called_from];
	}
	for (size_t i = 0; i < c->calls.count; i++) {
		struct tp_torch_call *to = (struct tp_torch_call *)all->calls.data + p->first_call + i;

		*to = calls[i];
		to->launch = of(p->launch_of, to->launch);
	}
	for (size_t i = 0; i < c->works.count; i++) {
		struct tp_torch_work *to = (struct tp_torch_work *)all->works.data + p->first_work + i;

		*to = works[i];
		to->launch = of(p->launch_of, to->launch);
		to->collective = of(p->collective_of, to->collective);
	}
	for (size_t i = 0; i < c->memory.count; i++) {
		struct tp_torch_memory *to =
			(struct tp_torch_memory *)all->memory.data + p->first_memory + i;

		*to = memory[i];
		to->lane = p->lane_of[to->lane];
	}
	struct tp_buf *lists[] = {&c->operators, &c->pythons, &c->calls, &c->works, &c->memory};

	for (size_t i = 0; w->last && i < sizeof lists / sizeof *lists; i++) {
		if (index != 0)
			tp_buf_free(lists[i]);
		*lists[i] = (struct tp_buf){0};
	}
}

void
tp_torch_join(struct tp_torch_whole *w, struct tp_torch_slice **slices, size_t count, bool last,
	struct tp_builder *out, struct tp_pool *pool)
{
	struct tp_profile *profile = tp_builder_profile(out);

	*w = (struct tp_torch_whole){
		.out = out, .pool = pool, .scratch = tp_arena_new(), .part_count = count, .last = last};
	tp_torch_columns_open(&w->all, &profile->strings, profile->arena, w->scratch);
	w->parts = tp_new_array(w->scratch, struct tp_torch_part, count);
	for (size_t i = 0; i < count; i++)
		number(w, &w->parts[i], slices[i]);
	make_rooms(w);
	tp_pool_each(pool, count, copy_tables, w);
}

void
tp_torch_whole_close(struct tp_torch_whole *w)
{
	for (size_t i = 0; i < w->part_count; i++)
		tp_buf_free(&w->parts[i].names);
	tp_torch_columns_close(&w->all);
	tp_arena_free(w->scratch);
}
