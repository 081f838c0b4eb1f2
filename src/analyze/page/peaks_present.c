/* Which peaks the report used, and where they come from: printed in the section on method. */
#include "analyze/page/method.h"

#include "analyze/core/say.h"
#include "analyze/facts/peaks.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

static const struct tp_column columns[] = {
	TP_COLUMN("device", "Device"),
	TP_COLUMN("peak", "Peak"),
	TP_COLUMN("value", "Value"),
	TP_COLUMN("source", "Source"),
	TP_COLUMN("how", "How", TP_TEXT_FIELD(struct tp_peak, how)),
};
struct cells {
	struct tp_cell device, peak, value, source, how;
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

static const struct {
	const char *label;
	enum tp_unit unit;
	bool always; /* also said when it is not known */
} kinds[TP_PEAK_COUNT] = {
	[TP_PEAK_FLOP] = {"FLOP/s, dense 16 bit", TP_UNIT_FLOP_PER_S, true},
	[TP_PEAK_HBM] = {"memory bandwidth", TP_UNIT_BYTES_PER_S, true},
	[TP_PEAK_CMEM_READ] = {"CMEM, reading", TP_UNIT_BYTES_PER_S, false},
	[TP_PEAK_CMEM_WRITE] = {"CMEM, writing", TP_UNIT_BYTES_PER_S, false},
	[TP_PEAK_VMEM_READ] = {"VMEM, reading", TP_UNIT_BYTES_PER_S, false},
	[TP_PEAK_VMEM_WRITE] = {"VMEM, writing", TP_UNIT_BYTES_PER_S, false},
	[TP_PEAK_SHARED] = {"shared memory", TP_UNIT_BYTES_PER_S, false},
	[TP_PEAK_CAPACITY] = {"size of memory", TP_UNIT_BYTES, true},
};

static void
rows_of(const struct tp_pass_ctx *ctx, uint32_t device, struct tp_draft *draft)
{
	const struct tp_peaks *peaks = tp_result(ctx, &tp_pass_peaks);
	const struct tp_device *d = &ctx->profile->devices[device];

	for (int kind = 0; kind < TP_PEAK_COUNT; kind++) {
		const struct tp_peak *peak = &peaks->devices[device].of[kind];

		if (!(peak->value > 0) && !kinds[kind].always)
			continue;
		struct cells *cells = tp_draft_row_of(draft,
			tp_arena_printf(ctx->keep, "%.*s/%s", TP_ARG(d->name), kinds[kind].label),
			TP_ROW_NORMAL, 0, peak);

		cells->device.value = tp_text_value(tp_device_type(d, ctx->keep));
		cells->peak.value = tp_text_value(tp_slice_of(kinds[kind].label));
		cells->value.value =
			peak->value > 0 ? tp_number(peak->value, kinds[kind].unit) : tp_missing(peak->how);
		cells->source.value = peak->value > 0 ? tp_text_value(tp_peak_source_name(peak->source))
											  : tp_text_value(TP_S("unknown"));
	}
}

static bool
same_peaks(const struct tp_device_peaks *a, const struct tp_device_peaks *b)
{
	for (int kind = 0; kind < TP_PEAK_COUNT; kind++) {
		if (a->of[kind].value != b->of[kind].value || a->of[kind].source != b->of[kind].source)
			return false;
	}
	return true;
}

void
tp_peaks_present(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_peaks *peaks = tp_result(ctx, &tp_pass_peaks);
	const struct tp_profile *p = ctx->profile;
	uint32_t last = TP_NONE;

	if (peaks == NULL)
		return;
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "method/peaks", "Peaks of the devices");

	tp_doc_paragraph(doc, fold, TP_PARAGRAPH_BODY, "method/peaks/order",
		TP_SAY(doc,
			"Taken in this order: `--peak`, the profile, the table of devices by name (version "
			"{}), and for GPUs multiprocessors × work a clock × clock. A peak is dense, with a "
			"multiply-add counting 2, for 16-bit numbers added up in 32 bit. What none of them "
			"knows stays unknown.",
			tp_text_value(tp_slice_of(tp_peak_table_version))));
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "method/peaks/table", columns);

	for (uint32_t i = 0; i < p->device_count; i++) {
		bool counts = p->devices[i].kind == TP_DEVICE_TPU || p->devices[i].kind == TP_DEVICE_GPU;

		if (!counts || peaks->devices[i].bare)
			continue;
		if (last == TP_NONE || !same_peaks(&peaks->devices[last], &peaks->devices[i]))
			rows_of(ctx, i, &draft);
		last = i;
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		TP_S("Peaks of one device: a TPU core, or the two of a megacore, or a GPU");
}
