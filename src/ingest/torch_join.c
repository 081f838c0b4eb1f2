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
count_in(struct tp_buf *all, const struct tp_blocks *part)
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
	all->no_time += c->events.count;
	tp_blocks_free(&c->events);
}

static void
number(struct tp_torch_whole *w, struct tp_torch_part *p, struct tp_torch_slice *s)
{
	struct tp_torch_columns *c = &s->columns, *all = &w->all;

	p->columns = c;
	number_strings(w, p, &s->strings);
	number_lanes(w, p);
	number_shared(w, p);
	if (c->events.count >= UINT32_MAX - w->event_count)
		drop_events(all, c);
	w->event_count += (uint32_t)c->events.count;
	p->first_operator = count_in(&w->operators, &c->operators);
	p->first_python = count_in(&w->pythons, &c->pythons);
	p->first_call = count_in(&w->calls, &c->calls);
	p->first_work = count_in(&w->works, &c->works);
	p->first_memory = count_in(&w->memory, &c->memory);
	add_counts(all, c);
	if (!w->last)
		return;
	tp_arena_join(tp_builder_profile(w->out)->arena, s->keep);
	s->keep = NULL;
}

static void
make_room(struct tp_buf *all, size_t size)
{
	size_t count = all->count;

	all->count = 0;
	if (count != 0)
		tp_buf_reserve(all, count, size);
	all->count = count;
}

static void
make_rooms(struct tp_torch_whole *w)
{
	make_room(&w->operators, sizeof(struct tp_torch_operator));
	make_room(&w->pythons, sizeof(struct tp_torch_python));
	make_room(&w->calls, sizeof(struct tp_torch_call));
	make_room(&w->works, sizeof(struct tp_torch_work));
	make_room(&w->memory, sizeof(struct tp_torch_memory));
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
	struct tp_torch_columns *c = p->columns;
	struct tp_torch_operator *op =
		(struct tp_torch_operator *)w->operators.data + p->first_operator;
	struct tp_torch_python *python = (struct tp_torch_python *)w->pythons.data + p->first_python;
	struct tp_torch_call *call = (struct tp_torch_call *)w->calls.data + p->first_call;
	struct tp_torch_work *work = (struct tp_torch_work *)w->works.data + p->first_work;
	struct tp_torch_memory *memory = (struct tp_torch_memory *)w->memory.data + p->first_memory;

	TP_BLOCKS_EACH(&c->operators, const struct tp_torch_operator, row)
	{
		*op = *row;
		op++->attributes = p->attribute_of[row->attributes];
	}
	TP_BLOCKS_EACH(&c->pythons, const struct tp_torch_python, row)
	{
		*python = *row;
		python->module = p->string_of[row->module];
		python++->called_from = p->string_of[row->called_from];
	}
	TP_BLOCKS_EACH(&c->calls, const struct tp_torch_call, row)
	{
		*call = *row;
		call++->launch = of(p->launch_of, row->launch);
	}
	TP_BLOCKS_EACH(&c->works, const struct tp_torch_work, row)
	{
		*work = *row;
		work->launch = of(p->launch_of, row->launch);
		work++->collective = of(p->collective_of, row->collective);
	}
	TP_BLOCKS_EACH(&c->memory, const struct tp_torch_memory, row)
	{
		*memory = *row;
		memory++->lane = p->lane_of[row->lane];
	}
	struct tp_blocks *rows[] = {&c->operators, &c->pythons, &c->calls, &c->works, &c->memory};

	for (size_t i = 0; w->last && i < sizeof rows / sizeof *rows; i++)
		tp_blocks_free(rows[i]);
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
	struct tp_buf *tables[] = {&w->operators, &w->pythons, &w->calls, &w->works, &w->memory};

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		tp_buf_free(tables[i]);
	tp_torch_columns_close(&w->all);
	tp_arena_free(w->scratch);
}
