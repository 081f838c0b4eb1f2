/* Modules by class: which kind of layer the time goes to. */
#include "analyze/torch/modules/torch_modules.h"

#include "analyze/core/say.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

static const struct tp_column columns[] = {
	TP_COLUMN("class", "Class", .code = true),
	TP_COLUMN("own_ms", "Own time", .unit = TP_UNIT_MS, .decimals = 3, .sorted = true),
	TP_SHARE_COLUMN("own_share", "Of all", .bar = true),
	TP_COUNT_COLUMN("modules", "Modules"),
	TP_COUNT_COLUMN("calls", "Calls"),
	TP_COLUMN("mean_us", "A call", .unit = TP_UNIT_US, .decimals = 1),
};

void
tp_torch_module_classes(const struct tp_pass_ctx *ctx, const struct tp_torch_modules *m,
	struct tp_doc *doc, struct tp_block *parent)
{
	struct tp_draft draft =
		tp_draft_table(doc, parent, "modules/classes", columns, sizeof columns / sizeof *columns);
	bool device = false;

	for (uint32_t i = 0; i < ctx->profile->torch->trace_count; i++)
		device = device || m->traces[i].modules.device_ps != 0;
	for (uint32_t i = 0; i < m->class_count; i++) {
		const struct tp_torch_module *c = &m->classes[i];
		struct tp_cell *cell = tp_draft_row(&draft, c->name, TP_ROW_NORMAL, 0);

		cell[0].value = tp_text_value(c->name);
		cell[1].value = tp_integer(c->own_ps, TP_UNIT_PS);
		cell[2].value =
			tp_share((double)c->own_ps, (double)m->own_ps, TP_S("no module took any time"));
		cell[2].swatch = device ? TP_HUE_COMPUTE : TP_HUE_HOST;
		cell[3].value = tp_count(c->members);
		cell[4].value = tp_count(c->calls);
		cell[5].value = tp_number((double)c->own_ps / 1e6 / (double)c->calls, TP_UNIT_US);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Modules by class, over all workers and spans, without the modules that they call");
}
