/* torch_sums FILE…: what the reader of PyTorch traces puts into columns and tables, as sums modulo 2^64 that another reader
 * can work out too; one line of JSON a file, or {"error": …}. */
#include <stdio.h>
#include <zlib.h>

#include "base/arena.h"
#include "ingest/reader.h"
#include "io/blob.h"
#include "model/build.h"
#include "model/torch.h"

struct file {
	struct tp_builder *b;
	const struct tp_profile *p;
	const struct tp_torch_trace *t;
	int64_t base_ns;
};

static uint64_t
hash(struct tp_slice s)
{
	return s.len == 0 ? 0 : crc32(0, (const Bytef *)s.ptr, (uInt)s.len);
}

static uint64_t
string_hash(const struct file *f, uint32_t id)
{
	return hash(tp_string(&f->p->strings, id));
}

static void
put(const char *key, uint64_t sum)
{
	printf(", \"%s\": %llu", key, (unsigned long long)sum);
}

static uint64_t
collective_hash(const struct file *f, uint32_t index)
{
	if (index == TP_NONE)
		return 0;
	const struct tp_torch_collective *c = &f->t->collectives[index];

	return hash(c->name) + 3 * hash(c->dtype) + 5 * hash(c->group_name) +
		7 * hash(c->group_description) + 11 * hash(c->group_ranks) + 13 * hash(c->in_split) +
		17 * hash(c->out_split) + (uint64_t)(c->in_elements * 19 + c->out_elements * 23) +
		(uint64_t)(c->group_size * 29 + c->rank * 31 + c->rank_start * 37 + c->rank_stride * 41 +
			c->from_rank * 43 + c->to_rank * 47);
}

static uint64_t
launch_hash(const struct file *f, uint32_t index)
{
	if (index == TP_NONE)
		return 0;
	const struct tp_torch_launch *l = &f->t->launches[index];
	uint64_t sum = 1;

	for (int i = 0; i < 3; i++)
		sum += l->grid[i] * (uint64_t)(43 + i) + l->block[i] * (uint64_t)(53 + i);
	sum += l->has_registers * (uint64_t)(l->registers + 1) * 61;
	sum += l->has_shared * ((uint64_t)l->shared_bytes + 1) * 67;
	if (l->occupancy >= 0)
		sum += (uint64_t)(l->occupancy * 10000 + 0.5F) * 71;
	if (l->blocks_per_sm >= 0)
		sum += (uint64_t)(l->blocks_per_sm * 16) * 73;
	return sum;
}

static uint64_t
detail_hash(const struct file *f, uint32_t event)
{
	const struct tp_torch_trace *t = f->t;
	uint32_t d = t->detail[event];

	if (d == TP_NONE)
		return 0;
	if (tp_torch_is_range(t->kind[event])) {
		const struct tp_torch_operator *o = &t->operators[d];
		const struct tp_torch_attributes *a = &t->attributes[o->attributes];

		return (uint64_t)o->external_id + (uint64_t)o->sequence * 3 + o->forward_thread * 5ull +
			string_hash(f, a->shapes) * 7 + string_hash(f, a->types) * 11 +
			string_hash(f, a->inputs) * 29 + string_hash(f, a->stack) * 13 +
			string_hash(f, a->modules) * 17 + a->flops * 19 +
			(a->peer == TP_NONE ? 0 : (a->peer + 1) * 23ull) + collective_hash(f, a->collective);
	}
	if (tp_torch_is_call(t->kind[event])) {
		const struct tp_torch_call *c = &t->calls[d];

		return (uint64_t)c->correlation + (uint64_t)c->external_id * 3 + launch_hash(f, c->launch);
	}
	if (tp_torch_is_work(t->kind[event])) {
		const struct tp_torch_work *w = &t->works[d];

		return (uint64_t)w->correlation + (uint64_t)w->external_id * 3 + (uint64_t)w->bytes * 5 +
			w->graph * 7ull + launch_hash(f, w->launch) + collective_hash(f, w->collective);
	}
	const struct tp_torch_python *p = &t->pythons[d];

	return (uint64_t)p->id + (uint64_t)p->parent * 3 + string_hash(f, p->module) * 5 +
		string_hash(f, p->called_from) * 7;
}

static void
put_lane(const struct file *f, const struct tp_torch_lane *lane)
{
	const struct tp_torch_trace *t = f->t;
	uint64_t start = 0, duration = 0, names = 0, kinds = 0, details = 0, disorder = 0, both = 0;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		uint64_t ns = (uint64_t)(f->base_ns + tp_torch_start_ps(t, i) / 1000);
		uint64_t name = hash(tp_built_op(f->b, tp_torch_op(t, i))->label),
				 detail = detail_hash(f, i);

		start += ns;
		duration += (uint64_t)tp_torch_duration_ps(t, i) / 1000;
		names += name;
		kinds += (uint64_t)1 << 4 * (t->kind[i] % 16);
		details += detail;
		both += (ns + 1) * (name + 1) + (ns + 3) * (detail + 1);
		disorder += i > lane->first &&
			(tp_torch_start_ps(t, i - 1) > tp_torch_start_ps(t, i) ||
				(tp_torch_start_ps(t, i - 1) == tp_torch_start_ps(t, i) &&
					tp_torch_duration_ps(t, i - 1) < tp_torch_duration_ps(t, i)));
	}
	printf("{\"place\": \"%d %.*s %.*s %d\", \"count\": %u", (int)lane->kind,
		TP_ARG(tp_string(&f->p->strings, lane->pid)), TP_ARG(tp_string(&f->p->strings, lane->tid)),
		(int)lane->gpu, lane->count);
	put("start", start);
	put("duration", duration);
	put("names", names);
	put("kinds", kinds);
	put("details", details);
	put("both", both);
	put("disorder", disorder);
	put("name", hash(lane->name));
	printf("}");
}

static void
put_memory(const struct file *f)
{
	uint64_t times = 0, all = 0, places = 0;

	for (uint32_t i = 0; i < f->t->memory_count; i++) {
		const struct tp_torch_memory *m = &f->t->memory[i];
		uint64_t ns = (uint64_t)(f->base_ns + m->time_ps / 1000);

		times += ns;
		all += m->address + (uint64_t)m->bytes * 3 + (uint64_t)m->allocated_bytes * 5 +
			(uint64_t)m->reserved_bytes * 7 + (uint64_t)m->device_type * 11 +
			(uint64_t)m->device_id * 13;
		places += m->lane != TP_NONE ? string_hash(f, f->t->lanes[m->lane].tid) : 0;
	}
	put("memory", f->t->memory_count);
	put("memory_times", times);
	put("memory_values", all);
	put("memory_places", places);
}

static void
put_trace(const struct file *f)
{
	const struct tp_torch_trace *t = f->t;

	printf("{\"events\": %u, \"kinds\": [", t->count);
	for (int k = 0; k < TP_TORCH_KIND_COUNT; k++)
		printf("%s%u", k ? ", " : "", t->kind_count[k]);
	printf("], \"lanes\": [");
	for (uint32_t i = 0; i < t->lane_count; i++) {
		printf("%s", i ? ", " : "");
		put_lane(f, &t->lanes[i]);
	}
	printf("]");
	put_memory(f);
	uint64_t gpus = 0;

	for (uint32_t i = 0; i < t->gpu_count; i++)
		gpus += t->gpus[i].id + hash(t->gpus[i].name) + t->gpus[i].memory_bytes +
			t->gpus[i].sm_count * 3ull + t->gpus[i].shared_per_sm * 5ull;
	put("gpus", gpus);
	put("asked", t->asked);
	printf(", \"rank\": %lld, \"world\": %lld, \"groups\": %u", (long long)t->distributed.rank,
		(long long)t->distributed.world_size, t->distributed.group_count);
	put("window", t->has_window ? (uint64_t)(f->base_ns + t->window_start_ps / 1000) : 0);
	put("window_end", t->has_window ? (uint64_t)(f->base_ns + t->window_end_ps / 1000) : 0);
	printf(", \"era\": %d, \"warnings\": %u}\n", (int)t->era, f->p->diags.warnings);
}

static void
report(const char *path)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_builder *b = tp_builder_new(arena);
	struct tp_err err = {.status = TP_OK};
	struct tp_blob *blob =
		tp_blob_open_as(path, (struct tp_blob_wish){.form = TP_BLOB_STORED}, &err);
	struct tp_input *input;
	struct tp_source source = {.path = path, .input = tp_build_input(b, &input)};
	enum tp_status status = err.status;

	if (blob != NULL) {
		source.bytes = tp_blob_bytes(blob);
		source.blob = blob;
		status = tp_reader_torch.read(&source, b, &err);
	}
	if (status == TP_OK) {
		uint32_t count;
		const struct tp_torch_trace *t = tp_built_torch_traces(b, &count)[0];
		struct file f = {b, tp_builder_profile(b), t, tp_built_host(b, t->host)->base_ns};

		put_trace(&f);
	} else {
		printf("{\"error\": %d}\n", (int)status);
	}
	tp_builder_finish(b);
	tp_blob_close(blob);
	tp_arena_free(arena);
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		report(argv[i]);
	return 0;
}
