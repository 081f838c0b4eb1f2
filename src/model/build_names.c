/* Names of what was built: made clean, of bounded length, and told apart. */
#include "model/builder.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "model/graph.h"

#include <stdio.h>
#include <string.h>

/* Names longer than this are cut; the HLO text of an operation, which is looked into and not shown, may be longer. One
 * stored text may be the name of a million things, so that without a limit a small file would make an endless report. */
enum { LONGEST_NAME = 2048, LONGEST_HLO = 65536 };

static struct tp_slice
clean(struct tp_arena *a, struct tp_slice s, size_t most)
{
	char end[48];
	int end_length;

	if (s.len == 0)
		return TP_S("");
	if (s.len <= most)
		return tp_utf8_clean(a, s);
	/* Names that differ only beyond the cut stay different. */
	end_length = snprintf(
		end, sizeof end, "… (%zu bytes, %016llx)", s.len, (unsigned long long)tp_hash_bytes(s));
	struct tp_slice head = tp_utf8_clean(a, (struct tp_slice){s.ptr, tp_utf8_fit(s, most - 64)});
	char *text = tp_arena_alloc(a, head.len + (size_t)end_length);

	memcpy(text, head.ptr, head.len);
	memcpy(text + head.len, end, (size_t)end_length);
	return (struct tp_slice){text, head.len + (size_t)end_length};
}

static void
clean_texts(struct tp_profile *p)
{
	struct tp_arena *a = p->arena;

	p->name = clean(a, p->name, LONGEST_NAME);
	p->run = clean(a, p->run, LONGEST_NAME);
	for (uint32_t i = 0; i < p->input_count; i++)
		p->inputs[i].path = clean(a, p->inputs[i].path, LONGEST_NAME);
	for (uint32_t i = 0; i < p->host_count; i++) {
		p->hosts[i].name = clean(a, p->hosts[i].name, LONGEST_NAME);
		p->hosts[i].options.path = clean(a, p->hosts[i].options.path, LONGEST_NAME);
		for (struct tp_fact *f = p->hosts[i].facts; f != NULL; f = f->next) {
			f->key = clean(a, f->key, LONGEST_NAME);
			f->value = clean(a, f->value, LONGEST_NAME);
			f->where = clean(a, f->where, LONGEST_NAME);
		}
	}
	for (uint32_t i = 0; i < p->device_count; i++) {
		p->devices[i].name = clean(a, p->devices[i].name, LONGEST_NAME);
		p->devices[i].type = clean(a, p->devices[i].type, LONGEST_NAME);
		p->devices[i].vendor = clean(a, p->devices[i].vendor, LONGEST_NAME);
	}
	for (uint32_t i = 0; i < p->program_count; i++)
		p->programs[i].name = clean(a, p->programs[i].name, LONGEST_NAME);
	for (uint32_t i = 0; i < p->line_count; i++)
		p->lines[i].name = clean(a, p->lines[i].name, LONGEST_NAME);
	for (struct tp_graph *g = p->graphs; g != NULL; g = g->next) {
		g->name = clean(a, g->name, LONGEST_NAME);
		g->version = clean(a, g->version, LONGEST_NAME);
	}
	for (uint32_t i = 0; i < p->strings.count; i++)
		p->strings.text[i] = clean(a, p->strings.text[i], LONGEST_NAME);
	for (uint32_t i = 0; i < p->op_count; i++) {
		struct tp_op *op = &p->ops[i];

		op->name = clean(a, op->name, LONGEST_HLO);
		op->label = clean(a, op->label, LONGEST_NAME);
		if (op->label.len == 0)
			op->label = TP_S("(no name)");
		op->category = clean(a, op->category, LONGEST_NAME);
		op->framework = clean(a, op->framework, LONGEST_NAME);
		op->source = clean(a, op->source, LONGEST_NAME);
		op->shape = clean(a, op->shape, LONGEST_NAME);
		op->duplicates = clean(a, op->duplicates, LONGEST_NAME);
	}
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

void
tp_build_names(struct tp_profile *p)
{
	clean_texts(p);
	tell_names_apart(p);
}
