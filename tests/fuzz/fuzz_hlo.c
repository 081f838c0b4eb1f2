/* Any bytes as an HLO module with its memory plan, and as the text of a shape: reading ends, and what was read can be
 * walked. */
#include "analyze/memory/memory_walk.h"
#include "base/arena.h"
#include "io/sink.h"
#include "model/hlo_near.h"
#include "model/hlo_pairs.h"
#include "model/hlo_text.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
walk_shape(const struct tp_shape *s, struct tp_arena *arena)
{
	struct tp_padding_of p;
	struct tp_shape back;
	struct tp_slice text = tp_shape_text(s, arena);

	if (tp_shape_pad(s, &p)) {
		must(p.count <= TP_SHAPE_DIMS && p.padded_elements >= p.elements);
		for (uint32_t i = 0; i < p.count; i++)
			must(p.dims[i].padded >= p.dims[i].size && p.dims[i].multiple > 0);
	}
	must(tp_shape_padded_bytes(s) >= tp_shape_bytes(s));
	/* The text of a type that is not known cannot be read, nor can sizes of more than 18 digits. */
	if (tp_shape_parse(text, arena, &back, NULL, NULL) == TP_OK)
		must(tp_slice_eq(tp_shape_text(&back, arena), text));
}

static void
walk_pairs(
	const struct tp_hlo_details *d, const struct tp_hlo_devices *devices, struct tp_arena *arena)
{
	struct tp_hlo_pairs pairs;
	uint32_t device;

	if (!tp_hlo_pairs_of(d, arena, &pairs))
		return;
	for (uint32_t i = 0; i < pairs.count; i++) {
		if (tp_hlo_device(devices, pairs.at[i].source, &device))
			must(devices->of == NULL || device < UINT32_MAX);
	}
}

static void
walk(const struct tp_hlo_module *m, struct tp_arena *arena)
{
	struct tp_hlo_devices devices = tp_hlo_devices_of(m, arena);

	must(m->entry < m->computation_count);
	for (uint32_t n = 0; n < m->instruction_count; n++) {
		const struct tp_hlo_instruction *i = &m->instructions[n];
		const struct tp_hlo_convolution *c = i->details->convolution;
		const struct tp_hlo_instruction *found = tp_hlo_find(m, i->name);

		must(i->computation < m->computation_count);
		must(found == NULL || tp_slice_eq(found->name, i->name));
		for (uint32_t k = 0; k < i->operands.count; k++)
			must(i->operands.at[k] < n);
		for (uint32_t k = 0; k < i->called.count; k++)
			must(i->called.at[k] < i->computation);
		if (c != NULL && tp_slice_eq(i->opcode, TP_S("convolution")))
			must(i->operands.count >= 2 && c->output_batch < i->shape.rank);
		walk_shape(&i->shape, arena);
		walk_pairs(i->details, &devices, arena);
	}
}

static void
walk_neighbours(const struct tp_hlo_module *m, struct tp_arena *arena)
{
	enum { MOST = 64 };
	struct tp_hlo_links *links = tp_hlo_links(m, arena);
	int64_t *weight = tp_new_array(arena, int64_t, m->instruction_count);

	for (uint32_t i = 0; i < m->instruction_count && i < MOST; i++) {
		const struct tp_hlo_near_wish wish = {i, 1 + i % TP_HLO_WIDEST, weight};
		struct tp_hlo_near near = tp_hlo_near(links, &wish, arena);

		must(near.node_count >= 1 && near.node_count <= 1 + 2 * TP_HLO_NEAR_MOST);
		for (size_t e = 0; e < near.edge_count; e++)
			must(near.nodes[near.edges[e].from].instruction <
				near.nodes[near.edges[e].to].instruction);
	}
}

/* Each line of the text is of one instruction, or of the module's frame. */
static void
walk_text(const struct tp_hlo_module *m)
{
	struct tp_sink *out = tp_sink_memory();

	must(tp_hlo_write_text(m, out) <= m->instruction_count);
	struct tp_slice text = tp_sink_bytes(out);
	size_t lines = 0;

	for (size_t i = 0; i < text.len; i++)
		lines += text.ptr[i] == '\n';
	must(lines == 2 + (size_t)m->instruction_count + 3 * (size_t)m->computation_count);
	tp_sink_close(out);
}

static void
walk_memory(struct tp_slice bytes, const struct tp_hlo_module *m, struct tp_arena *arena)
{
	const struct tp_buffers *b;
	struct tp_memory_walk w;
	struct tp_err err = {.text = ""};

	if (tp_buffers_read(bytes, m, arena, &b, &err) != TP_OK) {
		must(err.text[0] != '\0');
		return;
	}
	for (int64_t space = 0; space < 3; space++) {
		tp_memory_walk(b, space, arena, &w);
		must(w.event_count == 0 || w.peak_position < w.event_count);
		for (uint32_t i = 0; i <= w.event_count; i++)
			must(w.bytes[i] <= w.peak_bytes || w.peak_bytes == w.whole_bytes);
		for (uint32_t i = 0; i < w.at_peak_count; i++)
			must(w.at_peak[i].buffer != NULL && w.at_peak[i].start <= w.at_peak[i].end &&
				w.at_peak[i].end <= w.event_count);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_slice bytes = {(const char *)data, size}, rest;
	struct tp_arena *arena = tp_arena_new();
	const struct tp_hlo_module *m;
	struct tp_shape s;
	struct tp_err err = {.text = ""};

	if (tp_hlo_read(bytes, arena, &m, &err) == TP_OK) {
		walk(m, arena);
		walk_neighbours(m, arena);
		walk_text(m);
		walk_memory(bytes, m, arena);
	} else {
		must(m == NULL && err.text[0] != '\0');
	}
	if (tp_shape_parse(bytes, arena, &s, &rest, &err) == TP_OK)
		walk_shape(&s, arena);
	tp_arena_free(arena);
	return 0;
}
