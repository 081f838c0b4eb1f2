/* What cores (or hosts) and their parts are called; what rows of them share: which columns there are, who a row is of, its parts. */
#include "analyze/pod/pod_tables.h"

#include "analyze/core/say.h"
#include "analyze/pod/pod_columns.h"
#include "analyze/pod/pod_words.h"
#include "base/arena.h"
#include "model/profile.h"

struct tp_slice
tp_pod_name(
	const struct tp_pass_ctx *ctx, const struct tp_pod *pod, enum tp_pod_level level, size_t unit)
{
	const struct tp_pod_unit *u = &pod->units[unit];

	if (level == TP_POD_HOST || !pod->cores)
		return u->host_name;
	if (level == TP_POD_CHIP)
		return tp_arena_printf(ctx->keep, "chip %u", u->chip);
	if (pod->placed)
		return tp_arena_printf(ctx->keep, "core %u", u->number);
	if (pod->by_host)
		return tp_arena_printf(ctx->keep, "device %u of host %u", u->number % TP_POD_HOST_DEVICES,
			u->number / TP_POD_HOST_DEVICES);
	if (u->device == TP_NONE)
		return tp_arena_printf(ctx->keep, "core %u", u->number);
	return tp_say_device(ctx, u->device);
}

struct tp_slice
tp_pod_place(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t unit)
{
	const struct tp_pod_unit *u = &pod->units[unit];
	struct tp_slice host = u->host_name;

	if (!pod->cores)
		return TP_S("");
	if (!pod->placed)
		return host;
	return tp_arena_printf(
		ctx->keep, "%.*s, chip %u, core %u", TP_ARG(host), u->chip, u->core_on_chip);
}

struct tp_slice
tp_pod_part_label(const struct tp_pod *pod, enum tp_pod_part part)
{
	if (pod->coarse && host_parts[part] != NULL)
		return tp_slice_of(host_parts[part]);
	if (pod->precomputed_ps != NULL && part == TP_POD_LOW_FLOPS)
		return TP_S(text_given_low_flops);
	if (!pod->coarse && !pod->sync_known && part == TP_POD_COLLECTIVE_SYNC)
		return TP_S(title_collectives);
	return tp_slice_of(tp_pod_part_info(part)->label);
}

int
tp_pod_part_tint(const struct tp_pod *pod, enum tp_pod_part part)
{
	bool waits_alone = !pod->coarse && pod->sync_known;

	return part == TP_POD_COLLECTIVE_SYNC && waits_alone ? TP_TINT_UNUSED
														 : tp_pod_part_info(part)->tint;
}

size_t
tp_pod_parts(const struct tp_pod *pod, enum tp_pod_part parts[static TP_POD_PART_COUNT])
{
	size_t n = 0;

	for (int k = 0; k < TP_POD_PART_COUNT; k++) {
		bool any = false;

		for (size_t u = 0; u < pod->count && !any; u++)
			any = pod->units[u].mean_ps[k] > 0;
		if (any)
			parts[n++] = (enum tp_pod_part)k;
	}
	return n;
}

static struct tp_column
ms_column(struct tp_slice key, struct tp_slice title)
{
	return (struct tp_column){.key = key, .title = title, .unit = TP_UNIT_MS, .decimals = 3};
}

/* Columns that say which unit a row is of. */
static size_t
who_columns(const struct tp_pod *pod, struct tp_column *c)
{
	size_t n = 0;

	if (pod->cores)
		c[n++] = core_column;
	c[n++] = host_column;
	if (pod->placed) {
		c[n++] = chip_column;
		c[n++] = core_on_chip_column;
	}
	return n;
}

/* Fills in who it is; returns the cells behind those. */
static struct tp_cell *
who_cells(
	const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t unit, struct tp_cell *cell)
{
	const struct tp_pod_unit *u = &pod->units[unit];

	if (pod->cores)
		(cell++)->value = tp_text_value(tp_pod_name(ctx, pod, TP_POD_CORE, unit));
	(cell++)->value = tp_text_value(u->host_name);
	if (pod->placed) {
		(cell++)->value = tp_count(u->chip);
		(cell++)->value = tp_count(u->core_on_chip);
	}
	return cell;
}

struct tp_slice
tp_pod_unit_key(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t unit)
{
	return pod->cores ? tp_arena_printf(ctx->keep, "%u", pod->units[unit].number)
					  : pod->units[unit].host_name;
}

/* Short, where the part has its usual name. */
static struct tp_slice
column_title(const struct tp_pod *pod, enum tp_pod_part part)
{
	const struct tp_pod_part_info *info = tp_pod_part_info(part);
	struct tp_slice label = tp_pod_part_label(pod, part);

	return tp_slice_eq(label, tp_slice_of(info->label)) ? tp_slice_of(info->column) : label;
}

struct tp_pod_layout
tp_pod_lay_out(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, bool steps)
{
	struct tp_pod_layout l = {
		.columns = tp_new_array(ctx->keep, struct tp_column, TP_POD_PART_COUNT + 10)};
	struct tp_column *c = l.columns;
	size_t n = 0;

	if (steps)
		c[n++] = step_column;
	n += who_columns(pod, c + n);
	c[n++] = own_column;
	c[n - 1].sorted = !steps;
	c[n++] = own_share_column;
	c[n++] = step_time_column;
	l.part_count = tp_pod_parts(pod, l.parts);
	for (size_t i = 0; i < l.part_count; i++)
		c[n++] = ms_column(tp_arena_printf(ctx->keep, "%s_ms", tp_pod_part_info(l.parts[i])->key),
			column_title(pod, l.parts[i]));
	c[n++] = largest_column;
	l.count = n;
	return l;
}

/* The cells behind those that say who it is. */
struct figure_cells {
	struct tp_cell own, own_share, step, parts[]; /* parts: and then the largest */
};

void
tp_pod_fill_row(const struct tp_pass_ctx *ctx, const struct tp_pod *pod,
	const struct tp_pod_layout *l, size_t unit, const double *part_ps, struct tp_cell *cell)
{
	struct figure_cells *cells = (struct figure_cells *)who_cells(ctx, pod, unit, cell);
	struct tp_cell *last = &cells->parts[l->part_count];
	enum tp_pod_part largest = *l->parts;
	double own = 0, total = 0;

	for (size_t i = 0; i < l->part_count; i++) {
		double ps = part_ps[l->parts[i]];

		total += ps;
		own += tp_pod_part_info(l->parts[i])->waits ? 0 : ps;
		cells->parts[i].value = tp_ps_in_ms(ps);
		if (ps > part_ps[largest])
			largest = l->parts[i];
	}
	cells->own.value = tp_ps_in_ms(own);
	cells->own_share.value = tp_share(own, total, TP_S(why_step_no_length));
	cells->step.value = tp_ps_in_ms(total);
	last->value = tp_text_value(tp_pod_part_label(pod, largest));
	last->swatch = tp_pod_part_info(largest)->hue;
	last->tint = (unsigned)tp_pod_part_tint(pod, largest);
}
