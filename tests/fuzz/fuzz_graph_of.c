/* Any bytes as a compiled program, and its instructions as those that --graph-of asks for. The first byte says how many of them
 * and how wide. */
#include "through.h"

#include "model/hlo.h"
#include "model/hlo_near.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_WISHES = 4 };

/* Its last instructions, and one that there hardly is. */
static size_t
wish(struct tp_slice program, uint8_t how, struct tp_arena *arena, struct tp_graph_wish *wishes)
{
	const struct tp_hlo_module *m;
	struct tp_err err;
	size_t count = 0;

	if (tp_hlo_read(program, arena, &m, &err) == TP_OK) {
		for (uint32_t i = m->instruction_count; i-- > 0 && count < 1u + how % MOST_WISHES; count++)
			wishes[count].op = m->instructions[i].name;
	}
	if (count == 0 || how % 32 == 31)
		wishes[count++].op = program;
	for (size_t i = 0; i < count; i++)
		wishes[i].width = 1 + (how / MOST_WISHES + (unsigned)i) % TP_HLO_WIDEST;
	return count;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_graph_wish wishes[MOST_WISHES + 1];

	if (size == 0)
		return 0;
	struct tp_slice program = {(const char *)data + 1, size - 1};
	struct tp_arena *arena = tp_arena_new();
	const struct tp_pass_options options = {
		.top = 10, .graphs = wishes, .graph_count = wish(program, data[0], arena, wishes)};

	tp_through_with(&tp_reader_hlo_proto, "run/jit_f(7).hlo_proto.pb", program, &options,
		tp_through_formats(program));
	tp_arena_free(arena);
	return 0;
}
