/* Hosts mostly say the same; where they do not, a row a host would drown the rest. */
#include "analyze/core/facts.h"

#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"

enum { MOST_VALUES = 3 };

static struct tp_slice
label_of(struct tp_slice key)
{
	static const struct {
		const char *key, *label;
	} known[] = {
		{"jax_version", "JAX"},
		{"Framework", "Framework, as the trace names it"},
		{"jaxlib_version", "jaxlib"},
		{"libtpu_version", "libtpu"},
		{"tf_version", "TensorFlow"},
		{"tensorflow_version", "TensorFlow"},
		{"torch_xla_version", "PyTorch/XLA"},
		{"cuda_version", "CUDA"},
		{"cuda_runtime_version", "CUDA runtime"},
		{"cuda_driver_version", "CUDA driver"},
		{"cupti_version", "CUPTI"},
		{"hip_runtime_version", "HIP runtime"},
		{"hip_driver_version", "HIP driver"},
		{"roctracer_version", "roctracer"},
		{"nccl_version", "NCCL"},
		{"host_name", "Machine"},
		{"trace_id", "Trace id"},
		{"world_size", "World size"},
		{"rank", "Rank"},
		{"distributed backend", "Distributed backend"},
		{"cpu_version", "CPU platform"},
		{"process_id", "Process"},
		{"command_line", "Run command"},
		{"build_target", "Build command"},
		{"build_time", "Built"},
		{"change_list", "Change list"},
		{"start_time", "Job started"},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (tp_slice_eq(key, tp_slice_of(known[i].key)))
			return tp_slice_of(known[i].label);
	}
	return key;
}

/* "60443483" of HIP is 6.4.43483: 10⁷ × major + 10⁵ × minor + patch. */
static struct tp_slice
value_of(const struct tp_fact *f, struct tp_arena *keep)
{
	unsigned version = 0;

	if (!tp_slice_eq(f->key, TP_S("hip_runtime_version")) &&
		!tp_slice_eq(f->key, TP_S("hip_driver_version")))
		return f->value;
	if (f->value.len < 8 || f->value.len > 9)
		return f->value;
	for (size_t i = 0; i < f->value.len; i++) {
		if (f->value.ptr[i] < '0' || f->value.ptr[i] > '9')
			return f->value;
		version = version * 10 + (unsigned)(f->value.ptr[i] - '0');
	}
	return tp_arena_printf(
		keep, "%u.%u.%u", version / 10000000, version / 100000 % 100, version % 100000);
}

struct gathered {
	struct tp_said said;
	uint32_t values; /* different ones */
};

static void
take(struct gathered *g, const struct tp_fact *f, struct tp_map *values, struct tp_arena *keep)
{
	uint32_t number;

	if (!tp_map_number(
			values, tp_hash_pair(tp_hash_bytes(f->key), tp_hash_bytes(f->value)), &number))
		return;
	if (g->values++ == 0)
		g->said = (struct tp_said){f->key, label_of(f->key), value_of(f, keep), f->where};
	else if (g->values <= MOST_VALUES)
		g->said.value =
			tp_arena_printf(keep, "%.*s, %.*s", TP_ARG(g->said.value), TP_ARG(value_of(f, keep)));
}

size_t
tp_facts_said(const struct tp_pass_ctx *ctx, const struct tp_said **out)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_map keys, values;
	size_t most = 0, count = 0;

	for (uint32_t h = 0; h < p->host_count; h++) {
		for (const struct tp_fact *f = p->hosts[h].facts; f != NULL; f = f->next)
			most++;
	}
	struct gathered *all = tp_new_array(ctx->scratch, struct gathered, most);

	tp_map_init(&keys, ctx->scratch);
	tp_map_init(&values, ctx->scratch);
	for (uint32_t h = 0; h < p->host_count; h++) {
		for (const struct tp_fact *f = p->hosts[h].facts; f != NULL; f = f->next) {
			uint32_t at;

			count += tp_map_number(&keys, tp_hash_bytes(f->key), &at);
			take(&all[at], f, &values, ctx->keep);
		}
	}
	struct tp_said *said = tp_new_array(ctx->keep, struct tp_said, count);

	for (size_t i = 0; i < count; i++) {
		said[i] = all[i].said;
		if (all[i].values > MOST_VALUES)
			said[i].value = tp_arena_printf(
				ctx->keep, "%.*s and %u more", TP_ARG(said[i].value), all[i].values - MOST_VALUES);
	}
	*out = said;
	return count;
}
