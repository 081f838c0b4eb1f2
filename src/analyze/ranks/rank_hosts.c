/* A host for a summary: what it says of itself, and its devices with the time that they worked. */
#include "analyze/ranks/rank_hosts.h"

#include "analyze/facts/devices.h"
#include "analyze/facts/environment.h"
#include "analyze/facts/op_times.h"
#include "analyze/steps/step_hosts.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/rank.h"

enum { MOST_FACTS = 64, MOST_FACT_BYTES = 200, MOST_PROGRAMS = 200 };

static void
put_facts(const struct tp_rank_host *h)
{
	Tp__RankXla *x = h->rank->xla;

	x->facts = tp_new_array(h->ctx->keep, Tp__RankFact *, MOST_FACTS);
	for (const struct tp_fact *f = h->ctx->profile->hosts[h->host].facts;
		 f != NULL && x->n_facts < MOST_FACTS; f = f->next) {
		Tp__RankFact *out;

		if (f->value.len > MOST_FACT_BYTES || f->key.len > MOST_FACT_BYTES)
			continue;
		out = tp_new(h->ctx->keep, Tp__RankFact);
		tp__rank_fact__init(out);
		out->key = tp_rank_text(h, f->key);
		out->value = tp_rank_text(h, f->value);
		out->where = tp_rank_text(h, f->where);
		x->facts[x->n_facts++] = out;
	}
}

/* Programs of hosts, in the order of the profile. */
static void
put_programs(const struct tp_pass_ctx *ctx, struct tp_rank_host *hosts)
{
	const struct tp_profile *p = ctx->profile;

	for (uint32_t i = 0; i < p->program_count; i++) {
		struct tp_rank_host *h = &hosts[p->programs[i].host];
		Tp__RankProgram *out = tp_new(ctx->keep, Tp__RankProgram);

		if (h->modules.count == MOST_PROGRAMS)
			continue;
		tp__rank_program__init(out);
		out->name = tp_rank_text(h, p->programs[i].name);
		out->id = p->programs[i].id;
		out->fingerprint = p->programs[i].fingerprint;
		*tp_buf_new(&h->modules, Tp__RankProgram *) = out;
	}
}

static Tp__RankDevice *
device(const struct tp_rank_host *h, const struct tp_device *d)
{
	Tp__RankDevice *out = tp_new(h->ctx->keep, Tp__RankDevice);

	tp__rank_device__init(out);
	out->name = tp_rank_text(h, d->name);
	out->type = tp_rank_text(h, d->type);
	out->vendor = tp_rank_text(h, d->vendor);
	out->kind = d->kind;
	out->ordinal = d->ordinal;
	out->plane_cores = d->plane_cores;
	out->placed = d->has_core_details;
	out->core_on_chip = d->core_on_chip;
	out->local_chip = d->local_chip;
	out->global_chip = d->global_chip;
	out->global_core = d->global_core;
	out->sm_count = d->sm_count;
	out->clock_khz = d->clock_khz;
	out->compute_major = d->compute_major;
	out->compute_minor = d->compute_minor;
	out->n_peaks = TP_RANK_PEAKS;
	out->peaks = tp_new_array(h->ctx->keep, double, TP_RANK_PEAKS);
	out->peaks[TP_RANK_PEAK_FLOP] = d->peak_flop_per_s;
	out->peaks[TP_RANK_PEAK_HBM] = d->peak_hbm_bytes_per_s;
	out->peaks[TP_RANK_MEMORY] = d->memory_bytes;
	out->peaks[TP_RANK_CMEM_READ] = d->peak_cmem_read;
	out->peaks[TP_RANK_CMEM_WRITE] = d->peak_cmem_write;
	out->peaks[TP_RANK_VMEM_READ] = d->peak_vmem_read;
	out->peaks[TP_RANK_VMEM_WRITE] = d->peak_vmem_write;
	return out;
}

static void
put_time(const struct tp_device_time *t, Tp__RankDevice *out)
{
	out->worked = true;
	out->busy_ps = t->busy_ps;
	out->total_ps = t->total_ps;
	out->flops = t->flops;
	out->hbm_bytes = t->hbm_bytes;
	out->has_costs = t->has_costs;
	out->has_flops = t->has_flops;
	out->duty_first = t->duty.first;
	out->duty_on_ps = t->duty.on_ps;
	out->duty_total_ps = t->duty.total_ps;
}

static void
put_devices(const struct tp_pass_ctx *ctx, struct tp_rank_host *hosts)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	size_t next = 0;

	for (uint32_t i = 0; i < p->device_count; i++) {
		struct tp_rank_host *h = &hosts[p->devices[i].host];
		Tp__RankDevice *out = device(h, &p->devices[i]);

		/* Both are in the order of the profile. */
		if (d != NULL && next < d->count && d->devices[next].device == i)
			put_time(&d->devices[next++], out);
		h->by_device[i] = out;
		*tp_buf_new(&h->devices, Tp__RankDevice *) = out;
	}
}

/* Which events there are, and those that the capture cuts. */
static void
look_at_lines(const struct tp_profile *p, struct tp_rank_host *hosts)
{
	for (uint32_t l = 0; l < p->line_count; l++) {
		const struct tp_line *line = &p->lines[l];
		Tp__RankXla *x = hosts[line->host].rank->xla;
		bool known = false;

		x->open_events += tp_steps_open_events(p, l, &known);
		x->capture_known |= known;
		if (line->kind == TP_LINE_OPS || line->kind == TP_LINE_STREAM)
			x->holds |= TP_RANK_HOLDS_DEVICE_OPS;
		if (line->kind != TP_LINE_THREAD)
			continue;
		x->holds |= TP_RANK_HOLDS_HOST_EVENTS;
		if (tp_environment_is_tensorflow(line))
			x->holds |= TP_RANK_HOLDS_TENSORFLOW;
		if ((x->holds & TP_RANK_HOLDS_HOST_XLA) == 0 && tp_line_has_xla(p, line))
			x->holds |= TP_RANK_HOLDS_HOST_XLA;
	}
}

static void
open_host(const struct tp_pass_ctx *ctx, uint32_t host, struct tp_rank_host *h)
{
	const struct tp_host *of = &ctx->profile->hosts[host];
	Tp__Rank *r = tp_new(ctx->keep, Tp__Rank);

	*h = (struct tp_rank_host){.ctx = ctx, .host = host, .rank = r};
	tp_map_init(&h->steps, ctx->scratch);
	tp_map_init(&h->program_index, ctx->scratch);
	tp__rank__init(r);
	r->xla = tp_new(ctx->keep, Tp__RankXla);
	tp__rank_xla__init(r->xla);
	r->worker = r->host = tp_rank_text(h, of->name);
	r->number = r->world_size = -1;
	r->base_ns = of->base_ns;
	r->start_unix_ns = of->start_unix_ns;
	r->stop_unix_ns = of->stop_unix_ns;
	r->xla->matrix_unit_share = of->matrix_unit_share;
	r->xla->hbm_share = of->hbm_share;
	put_facts(h);
}

static void
close_host(struct tp_rank_host *h)
{
	Tp__Rank *r = h->rank;

	r->n_step_names = h->names.count;
	r->step_names = tp_buf_settle(&h->names, sizeof(char *), h->ctx->keep);
	r->xla->n_devices = h->devices.count;
	r->xla->devices = tp_buf_settle(&h->devices, sizeof(Tp__RankDevice *), h->ctx->keep);
	r->xla->n_modules = h->modules.count;
	r->xla->modules = tp_buf_settle(&h->modules, sizeof(Tp__RankProgram *), h->ctx->keep);
	r->xla->n_programs = h->programs.count;
	r->xla->programs = tp_buf_settle(&h->programs, sizeof(char *), h->ctx->keep);
}

size_t
tp_rank_hosts_of(const struct tp_pass_ctx *ctx, Tp__Rank ***out)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_rank_host *hosts = tp_new_array(ctx->scratch, struct tp_rank_host, p->host_count);
	const struct tp_host_op *const names[] = {
		tp_read_host_names(p, false, ctx->scratch), tp_read_host_names(p, true, ctx->scratch)};
	Tp__RankDevice **by_device = tp_new_array(ctx->scratch, Tp__RankDevice *, p->device_count);
	size_t count = 0;

	*out = tp_new_array(ctx->keep, Tp__Rank *, p->host_count);
	for (uint32_t h = 0; h < p->host_count; h++) {
		open_host(ctx, h, &hosts[h]);
		hosts[h].by_device = by_device;
	}
	put_programs(ctx, hosts);
	put_devices(ctx, hosts);
	look_at_lines(p, hosts);
	tp_rank_put_cores(ctx, hosts);
	tp_rank_put_meetings(ctx, hosts);
	for (uint32_t h = 0; h < p->host_count; h++)
		tp_rank_put_host_steps(&hosts[h], names);
	tp_rank_put_sums(ctx, hosts);
	for (uint32_t h = 0; h < p->host_count; h++) {
		Tp__Rank *r = hosts[h].rank;

		close_host(&hosts[h]);
		/* A host without events is told of by its tool files, which no rank keeps; a profile that lies may be beyond what is sound. */
		if (r->xla->holds != 0 && tp_rank_is_sound(r))
			(*out)[count++] = r;
	}
	return count;
}
