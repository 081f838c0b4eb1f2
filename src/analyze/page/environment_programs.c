/* Which programs were compiled: names and fingerprints, by which reports of two runs tell whether they ran the same. */
#include "analyze/page/method.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"
#include "report/column.h"

static const struct tp_column columns[] = {
	TP_COLUMN("program", "Program", .code = true),
	TP_COLUMN("fingerprint", "Fingerprint", .code = true),
};
struct cells {
	struct tp_cell program, fingerprint;
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

void
tp_programs_present(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	enum { MOST = 200 };
	const struct tp_profile *p = ctx->profile;
	struct tp_map seen;
	struct tp_draft draft;
	uint32_t count = 0;

	tp_map_init(&seen, ctx->scratch);
	for (uint32_t i = 0; i < p->program_count && count < MOST; i++) {
		const struct tp_program *program = &p->programs[i];
		uint32_t number;

		if (program->fingerprint == 0 ||
			!tp_map_number(
				&seen, tp_hash_pair(tp_hash_bytes(program->name), program->fingerprint), &number))
			continue;
		if (count++ == 0)
			draft = TP_DRAFT_FOLD(
				doc, section, TP_S("environment/programs"), "Compiled programs", columns);
		struct cells *cells = tp_draft_row_of(&draft, program->name, TP_ROW_NORMAL, 0, NULL);

		cells->program.value = tp_text_value(program->name);
		cells->fingerprint.value = tp_text_value(
			tp_arena_printf(ctx->keep, "%016llx", (unsigned long long)program->fingerprint));
	}
	if (count != 0)
		tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(
			"Each program once; the fingerprint is of opcodes, shapes and operands, not of names, ids and layouts");
}
