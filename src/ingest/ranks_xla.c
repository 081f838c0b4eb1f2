/* A host of XLA's profiler out of its summary: what it says of itself, its devices, and on each TPU core the calls of operations that meet
 * those of other cores. All else of it is given (tp_host.given), and passes read it there. */
#include "ingest/ranks.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "model/build.h"
#include "model/rank.h"
#include "rank.pb-c.h"

static void
clean(struct tp_arena *a, char **text)
{
	*text = (char *)tp_utf8_clean(a, tp_arena_copy(a, tp_slice_of(*text))).ptr;
}

static void
clean_parts(struct tp_arena *a, Tp__RankXla *x)
{
	for (size_t i = 0; i < x->n_facts; i++) {
		clean(a, &x->facts[i]->key);
		clean(a, &x->facts[i]->value);
		clean(a, &x->facts[i]->where);
	}
	for (size_t i = 0; i < x->n_devices; i++) {
		clean(a, &x->devices[i]->name);
		clean(a, &x->devices[i]->type);
		clean(a, &x->devices[i]->vendor);
	}
	for (size_t i = 0; i < x->n_meetings; i++) {
		clean(a, &x->meetings[i]->name);
		clean(a, &x->meetings[i]->category);
		clean(a, &x->meetings[i]->shape);
	}
	for (size_t i = 0; i < x->n_channels; i++) {
		clean(a, &x->channels[i]->send);
		clean(a, &x->channels[i]->receive);
	}
	for (size_t i = 0; i < x->n_programs; i++)
		clean(a, &x->programs[i]);
	for (size_t i = 0; i < x->n_modules; i++)
		clean(a, &x->modules[i]->name);
	clean(a, &x->top_name);
	clean(a, &x->launched);
	clean(a, &x->window);
}

static void
build_device(struct tp_builder *b, uint32_t host, const Tp__RankDevice *d, uint32_t *number)
{
	struct tp_device *out;

	*number = tp_build_device(b, &out);
	*out = (struct tp_device){
		.kind = (enum tp_device_kind)d->kind,
		.host = host,
		.ordinal = d->ordinal,
		.name = tp_slice_of(d->name),
		.type = tp_slice_of(d->type),
		.vendor = tp_slice_of(d->vendor),
		.peak_flop_per_s = d->peaks[TP_RANK_PEAK_FLOP],
		.peak_hbm_bytes_per_s = d->peaks[TP_RANK_PEAK_HBM],
		.memory_bytes = d->peaks[TP_RANK_MEMORY],
		.peak_cmem_read = d->peaks[TP_RANK_CMEM_READ],
		.peak_cmem_write = d->peaks[TP_RANK_CMEM_WRITE],
		.peak_vmem_read = d->peaks[TP_RANK_VMEM_READ],
		.peak_vmem_write = d->peaks[TP_RANK_VMEM_WRITE],
		.plane_cores = d->plane_cores,
		.has_core_details = d->placed,
		.core_on_chip = d->core_on_chip,
		.local_chip = d->local_chip,
		.global_chip = d->global_chip,
		.global_core = d->global_core,
		.sm_count = d->sm_count,
		.clock_khz = d->clock_khz,
		.compute_major = d->compute_major,
		.compute_minor = d->compute_minor,
		.given = d,
	};
}

/* Operations of the profile, one after the other from the one that is returned. */
static uint32_t
build_meetings(struct tp_builder *b, const Tp__RankXla *x)
{
	uint32_t first = tp_built_op_count(b);

	for (size_t i = 0; i < x->n_meetings; i++) {
		const Tp__RankMeeting *m = x->meetings[i];
		struct tp_op *op;

		tp_build_op(b, &op);
		op->name = op->label = tp_slice_of(m->name);
		op->category = tp_slice_of(m->category);
		op->shape = tp_slice_of(m->shape);
		op->has_program = m->has_program;
		op->program_id = m->program_id;
		op->xla = true;
	}
	return first;
}

static void
build_calls(struct tp_builder *b, uint32_t host, uint32_t device, uint32_t first_op,
	const Tp__RankDevice *d)
{
	struct tp_line_columns c = {
		.kind = TP_LINE_OPS, .host = host, .device = device, .name = TP_S("XLA Ops"), .chip = true};
	int64_t at_ps = 0, host_at_ps = 0;
	size_t id = 0;

	tp_build_line_open(b, &c);
	for (size_t i = 0; i < d->n_call_meetings; i++) {
		if (c.count == c.capacity &&
			!tp_build_line_room(b, &c, (double)i / (double)d->n_call_meetings))
			break;
		at_ps += d->call_starts[i];
		host_at_ps += d->call_host_starts[i];
		c.chip_start_ps[c.count] = at_ps;
		c.chip_duration_ps[c.count] = d->call_lengths[i];
		c.start_ps[c.count] = host_at_ps;
		c.duration_ps[c.count] = d->call_host_lengths[i];
		c.op[c.count] = first_op + d->call_meetings[i];
		if (d->call_has_ids[i])
			tp_build_tag(b, c.first + c.count, TP_TAG_ALL_REDUCE, d->call_ids[id++]);
		c.count++;
	}
	tp_build_line_close(b, &c);
}

static void
build_host(struct tp_builder *b, const Tp__Rank *r, uint32_t input, uint32_t *number)
{
	const Tp__RankXla *x = r->xla;
	struct tp_host *host;

	*number = tp_build_host(b, &host);
	host->name = tp_slice_of(r->worker);
	host->input = input;
	host->base_ns = r->base_ns;
	host->start_unix_ns = r->start_unix_ns;
	host->stop_unix_ns = r->stop_unix_ns;
	host->matrix_unit_share = x->matrix_unit_share;
	host->hbm_share = x->hbm_share;
	host->given = r;
	for (size_t i = 0; i < x->n_facts; i++)
		tp_build_fact(b, *number, tp_slice_of(x->facts[i]->key), tp_slice_of(x->facts[i]->value),
			tp_slice_of(x->facts[i]->where));
}

static void
build_programs(struct tp_builder *b, uint32_t host, const Tp__RankXla *x)
{
	for (size_t i = 0; i < x->n_modules; i++) {
		struct tp_program *program;

		tp_build_program(b, &program);
		*program = (struct tp_program){.host = host,
			.id = x->modules[i]->id,
			.name = tp_slice_of(x->modules[i]->name),
			.fingerprint = x->modules[i]->fingerprint,
			.hlo_at = TP_NO_OFFSET};
	}
}

void
tp_rank_build_xla(struct tp_builder *b, Tp__Rank *r, uint32_t input)
{
	uint32_t host, device;

	clean_parts(tp_builder_profile(b)->arena, r->xla);
	build_host(b, r, input, &host);
	build_programs(b, host, r->xla);
	uint32_t first_op = build_meetings(b, r->xla);

	for (size_t i = 0; i < r->xla->n_devices; i++) {
		build_device(b, host, r->xla->devices[i], &device);
		build_calls(b, host, device, first_op, r->xla->devices[i]);
	}
}
