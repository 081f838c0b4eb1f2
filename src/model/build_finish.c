/* The end of building: lists become arrays of the profile, and names become clean, different from each other and complete. */
#include "model/builder.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "model/allocator.h"
#include "model/graph.h"
#include "model/line_titles.h"
#include "model/precomputed.h"
#include "model/torch.h"

/* Names longer than this are cut; the HLO text of an operation, which is looked into and not shown, may be longer. One
 * stored text may be the name of a million things, so that without a limit a small file would make an endless report. */
enum { LONGEST_NAME = 2048, LONGEST_HLO = 65536 };

/* Texts that had to be changed, and what became of them: one that a million operations refer to is changed once. */
struct cleaner {
	struct tp_arena *arena;
	struct tp_map known;   /* where a text is stored → its number */
	struct tp_buf changed; /* struct tp_slice */
};

/* Names that differ only beyond the cut stay different. */
static struct tp_slice
cut(struct tp_arena *a, struct tp_slice s, size_t most)
{
	struct tp_slice head = tp_utf8_clean(a, (struct tp_slice){s.ptr, tp_utf8_fit(s, most - 64)});

	return tp_arena_printf(
		a, "%.*s… (%zu bytes, %016llx)", TP_ARG(head), s.len, (unsigned long long)tp_hash_bytes(s));
}

static struct tp_slice
clean(struct cleaner *c, struct tp_slice s, size_t most)
{
	if (s.len == 0)
		return TP_S("");
	if (s.len <= most && tp_utf8_valid(s))
		return s;
	uint64_t key = tp_hash_pair((uintptr_t)s.ptr, tp_hash_pair(s.len, most));
	uint32_t at = tp_map_get(&c->known, key);

	if (at == TP_MAP_NONE) {
		at = (uint32_t)c->changed.count;
		*tp_buf_new(&c->changed, struct tp_slice) =
			s.len <= most ? tp_utf8_clean(c->arena, s) : cut(c->arena, s, most);
		tp_map_put(&c->known, key, at);
	}
	return ((const struct tp_slice *)c->changed.data)[at];
}

/* Names come from outside. Here, once, they become valid UTF-8 of bounded length, so that nobody after has to ask. */
static void
clean_texts(struct tp_profile *p)
{
	struct cleaner c = {.arena = p->arena};

	tp_map_init(&c.known, p->arena);
	p->name = clean(&c, p->name, LONGEST_NAME);
	p->run = clean(&c, p->run, LONGEST_NAME);
	for (uint32_t i = 0; i < p->input_count; i++)
		p->inputs[i].path = clean(&c, p->inputs[i].path, LONGEST_NAME);
	for (uint32_t i = 0; i < p->host_count; i++) {
		p->hosts[i].name = clean(&c, p->hosts[i].name, LONGEST_NAME);
		p->hosts[i].options.path = clean(&c, p->hosts[i].options.path, LONGEST_NAME);
		for (struct tp_fact *f = p->hosts[i].facts; f != NULL; f = f->next) {
			f->key = clean(&c, f->key, LONGEST_NAME);
			f->value = clean(&c, f->value, LONGEST_NAME);
			f->where = clean(&c, f->where, LONGEST_NAME);
		}
	}
	for (uint32_t i = 0; i < p->device_count; i++) {
		p->devices[i].name = clean(&c, p->devices[i].name, LONGEST_NAME);
		p->devices[i].type = clean(&c, p->devices[i].type, LONGEST_NAME);
		p->devices[i].vendor = clean(&c, p->devices[i].vendor, LONGEST_NAME);
	}
	for (uint32_t i = 0; i < p->program_count; i++)
		p->programs[i].name = clean(&c, p->programs[i].name, LONGEST_NAME);
	for (uint32_t i = 0; i < p->line_count; i++) {
		p->lines[i].name = clean(&c, p->lines[i].name, LONGEST_NAME);
		p->lines[i].process = clean(&c, p->lines[i].process, LONGEST_NAME);
	}
	for (struct tp_graph *g = p->graphs; g != NULL; g = g->next) {
		g->name = clean(&c, g->name, LONGEST_NAME);
		g->version = clean(&c, g->version, LONGEST_NAME);
	}
	for (uint32_t i = 0; i < p->strings.count; i++)
		p->strings.text[i] = clean(&c, p->strings.text[i], LONGEST_NAME);
	for (uint32_t i = 0; i < p->op_count; i++) {
		struct tp_op *op = &p->ops[i];

		op->name = clean(&c, op->name, LONGEST_HLO);
		op->label = clean(&c, op->label, LONGEST_NAME);
		if (op->label.len == 0)
			op->label = TP_S("(no name)");
		op->category = clean(&c, op->category, LONGEST_NAME);
		op->framework = clean(&c, op->framework, LONGEST_NAME);
		op->source = clean(&c, op->source, LONGEST_NAME);
		op->shape = clean(&c, op->shape, LONGEST_NAME);
		op->duplicates = clean(&c, op->duplicates, LONGEST_NAME);
	}
	tp_buf_free(&c.changed);
}

/* A name that is taken gets a number: "vm~2". Figures of single hosts and devices are found by these names, and two
 * processes on one machine both say its name. */
static void
tell_apart(struct tp_arena *a, struct tp_map *taken, uint64_t among, struct tp_slice *name)
{
	struct tp_slice first = *name;
	uint64_t base = tp_hash_pair(tp_hash_bytes(first), among), key = base;
	uint32_t last = tp_map_get(taken, base), n = last == TP_MAP_NONE ? 1 : last;

	while (tp_map_get(taken, key) != TP_MAP_NONE) {
		*name = tp_arena_printf(a, "%.*s~%u", TP_ARG(first), ++n);
		key = tp_hash_pair(tp_hash_bytes(*name), among);
	}
	tp_map_put(taken, base, n);
	tp_map_put(taken, key, n);
}

static void
tell_names_apart(struct tp_profile *p)
{
	struct tp_map hosts, devices;

	tp_map_init(&hosts, p->arena);
	tp_map_init(&devices, p->arena);
	for (uint32_t i = 0; i < p->host_count; i++)
		tell_apart(p->arena, &hosts, 0, &p->hosts[i].name);
	for (uint32_t i = 0; i < p->device_count; i++)
		tell_apart(p->arena, &devices, p->devices[i].host, &p->devices[i].name);
}

static void *
settle(struct tp_arena *arena, struct tp_buf *list, size_t size, uint32_t *count)
{
	*count = (uint32_t)list->count;
	return tp_buf_settle(list, size, arena);
}

/* Hosts of which some file could be read. */
static void
finish_precomputed(struct tp_builder *b)
{
	struct tp_profile *p = b->profile;
	struct tp_precomputed *const *all = b->precomputed.data;
	const struct tp_precomputed **kept =
		tp_new_array(p->arena, const struct tp_precomputed *, b->precomputed.count);

	for (size_t i = 0; i < b->precomputed.count; i++) {
		if (all[i]->files != NULL)
			kept[p->precomputed_host_count++] = all[i];
	}
	p->precomputed_hosts = kept;
	if (p->precomputed_host_count != 0)
		p->precomputed = tp_precomputed_together(kept, p->precomputed_host_count, p->arena);
	tp_buf_free(&b->precomputed);
}

void
tp_builder_drop(struct tp_builder *b)
{
	struct tp_buf *lists[] = {&b->inputs, &b->hosts, &b->devices, &b->programs, &b->ops, &b->lines,
		&b->torch, &b->allocator_events, &b->precomputed, &b->named, &b->tags};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		tp_buf_free(lists[i]);
	tp_line_draft_free(&b->line);
}

struct tp_profile *
tp_builder_finish(struct tp_builder *b)
{
	struct tp_profile *p = b->profile;
	struct tp_arena *a = p->arena;

	p->inputs = settle(a, &b->inputs, sizeof *p->inputs, &p->input_count);
	p->hosts = settle(a, &b->hosts, sizeof *p->hosts, &p->host_count);
	p->devices = settle(a, &b->devices, sizeof *p->devices, &p->device_count);
	p->programs = settle(a, &b->programs, sizeof *p->programs, &p->program_count);
	p->ops = settle(a, &b->ops, sizeof *p->ops, &p->op_count);
	p->lines = settle(a, &b->lines, sizeof *p->lines, &p->line_count);
	p->torch = tp_torch_in_order(p, b->torch.data, (uint32_t)b->torch.count);
	p->allocator_events =
		settle(a, &b->allocator_events, sizeof *p->allocator_events, &p->allocator_event_count);
	finish_precomputed(b);
	tp_builder_drop(b);
	clean_texts(p);
	tell_names_apart(p);
	tp_title_lines(p);
	return p;
}
