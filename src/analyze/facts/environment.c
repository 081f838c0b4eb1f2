/* Run environment: hosts, devices and their peaks, framework, capture window, and what else the profile says of itself. */
#include "analyze/facts/environment.h"
#include "analyze/core/pass.h"

#include "analyze/facts/kernels_unrecorded.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/peaks.h"
#include "analyze/facts/precomputed.h"
#include "analyze/facts/torch_unrecorded.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/number.h"
#include "base/texts.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "model/rank.h"
#include "model/torch.h"
#include "rank.pb-c.h"

#include <string.h>

/* No job has more. */
enum { MOST_CORES = 1 << 20 };

bool
tp_environment_counts(const struct tp_device *d)
{
	return d->kind == TP_DEVICE_TPU || d->kind == TP_DEVICE_GPU;
}

bool
tp_environment_first_of_chip(const struct tp_device *d, struct tp_map *chips)
{
	uint64_t chip = tp_hash_pair(tp_hash_pair(d->global_chip, d->local_chip), d->host);

	uint32_t number;

	return !d->has_core_details || tp_map_number(chips, chip, &number);
}

static const struct tp_fact *
fact(const struct tp_profile *p, const char *key)
{
	for (uint32_t h = 0; h < p->host_count; h++) {
		for (const struct tp_fact *f = p->hosts[h].facts; f != NULL; f = f->next) {
			if (tp_slice_eq(f->key, tp_slice_of(key)))
				return f;
		}
	}
	return NULL;
}

/* Traces of PyTorch do not say its version, unless the program added it (add_metadata). */
static void
find_pytorch(const struct tp_pass_ctx *ctx, struct tp_environment *e)
{
	static const char *const keys[] = {"torch_version", "pytorch_version", "PyTorch Version"};
	const struct tp_fact *version = NULL;
	const struct tp_torch_trace *first = ctx->profile->torch->traces[0];
	bool by_lightning = tp_slice_eq(first->framework, TP_S(TP_LIGHTNING));
	const char *lightning = by_lightning ? " with Lightning" : "";

	for (size_t i = 0; i < sizeof keys / sizeof *keys && version == NULL; i++)
		version = fact(ctx->profile, keys[i]);
	e->framework = TP_FRAMEWORK_PYTORCH;
	e->framework_name = tp_text_value(version != NULL
			? tp_arena_printf(ctx->keep, "PyTorch %.*s%s", TP_ARG(version->value), lightning)
			: tp_arena_printf(ctx->keep, "PyTorch%s", lightning));
	e->framework_from = version != NULL ? "metadata of the trace"
		: by_lightning                  ? "its profiler wrote the traces, which name Lightning"
										: "its profiler wrote the traces";
}

bool
tp_environment_is_tensorflow(const struct tp_line *line)
{
	return line->kind == TP_LINE_THREAD &&
		tp_texts_any(line->name, tp_slice_starts, TP_TEXTS("tf_Compute", "tf_data", "tf_infeed"));
}

static bool
has_tensorflow(const struct tp_profile *p)
{
	for (uint32_t h = 0; h < p->host_count; h++) {
		if (p->hosts[h].given != NULL && p->hosts[h].given->xla->holds & TP_RANK_HOLDS_TENSORFLOW)
			return true;
	}
	for (uint32_t l = 0; l < p->line_count; l++) {
		if (tp_environment_is_tensorflow(&p->lines[l]))
			return true;
	}
	return false;
}

/* JAX says its version, or its programs have telling names, as those of PyTorch/XLA have; so have TensorFlow's threads, but JAX may run tf.data on them. */
static void
find_framework(const struct tp_pass_ctx *ctx, struct tp_environment *e)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_fact *jax = fact(p, "jax_version");

	if (p->torch != NULL) {
		find_pytorch(ctx, e);
		return;
	}
	if (jax != NULL) {
		e->framework = TP_FRAMEWORK_JAX;
		e->framework_name =
			tp_text_value(tp_arena_printf(ctx->keep, "JAX %.*s", TP_ARG(jax->value)));
		e->framework_from = "jax_version";
		return;
	}
	for (uint32_t i = 0; i < p->program_count; i++) {
		if (tp_texts_any(p->programs[i].name, tp_slice_starts, TP_TEXTS("jit_", "pmap_"))) {
			e->framework = TP_FRAMEWORK_JAX;
			e->framework_name = tp_text_value(TP_S("JAX"));
			e->framework_from = "not recorded: inferred from names of programs";
			return;
		}
		if (tp_slice_starts(p->programs[i].name, TP_S("SyncTensorsGraph"))) {
			e->framework = TP_FRAMEWORK_PYTORCH_XLA;
			e->framework_name = tp_text_value(TP_S("PyTorch/XLA"));
			e->framework_from = "not recorded: inferred from names of programs";
			return;
		}
	}
	if (has_tensorflow(p)) {
		e->framework = TP_FRAMEWORK_TENSORFLOW;
		e->framework_name = tp_text_value(TP_S("TensorFlow"));
		e->framework_from = "not recorded: inferred from names of threads";
		return;
	}
	e->framework_name = tp_missing(TP_S("the profile does not name its framework"));
}

static void
find_capture(const struct tp_profile *p, struct tp_environment *e)
{
	e->capture_start = e->capture_length =
		tp_missing(TP_S("the profile does not record when it was captured"));
	for (uint32_t h = 0; h < p->host_count; h++) {
		const struct tp_host *host = &p->hosts[h];

		if (host->start_unix_ns <= 0)
			continue;
		e->capture_start = tp_integer(host->start_unix_ns, TP_UNIT_UNIX_NS);
		if (host->stop_unix_ns > host->start_unix_ns)
			e->capture_length = tp_integer(host->stop_unix_ns - host->start_unix_ns, TP_UNIT_NS);
		return;
	}
}

/* Cores are numbered over the whole job from 0, so that the largest number tells how many there are at least. */
static uint32_t
unprofiled_cores(const struct tp_profile *p)
{
	uint32_t cores = 0, largest = 0;

	for (uint32_t i = 0; i < p->device_count; i++) {
		const struct tp_device *d = &p->devices[i];

		if (d->kind != TP_DEVICE_TPU)
			continue;
		if (!d->has_core_details || d->global_core >= MOST_CORES)
			return 0;
		largest = d->global_core > largest ? d->global_core : largest;
		cores++;
	}
	return cores != 0 && largest + 1 > cores ? largest + 1 - cores : 0;
}

static bool
only_programs(const struct tp_profile *p)
{
	for (uint32_t i = 0; i < p->input_count; i++) {
		if (!tp_slice_eq(p->inputs[i].reader, TP_S("hlo_proto")))
			return false;
	}
	return true;
}

/* A process of PyTorch has a place of its own among the hosts; several of them may run on one machine. That has the name that
 * the trace gives it, else the first part of the worker's, within a folder. */
static uint64_t
machine_of(const struct tp_profile *p, uint32_t host)
{
	for (const struct tp_fact *f = p->hosts[host].facts; f != NULL; f = f->next) {
		if (tp_slice_eq(f->key, TP_S("host_name")))
			return tp_hash_bytes(f->value);
	}
	for (uint32_t i = 0; i < p->torch->trace_count; i++) {
		const struct tp_torch_trace *t = p->torch->traces[i];

		if (t->host == host)
			return tp_hash_pair(tp_hash_bytes(t->run), tp_hash_bytes(t->node));
	}
	return tp_hash_bytes(p->hosts[host].name);
}

static uint32_t
count_hosts(const struct tp_profile *p, struct tp_arena *scratch)
{
	struct tp_map machines;

	if (p->torch == NULL)
		return p->host_count;
	tp_map_init(&machines, scratch);
	for (uint32_t h = 0; h < p->host_count; h++)
		tp_map_put(&machines, machine_of(p, h), h);
	return machines.count;
}

/* GPUs that were in use by what the host launched, though no plane and no stream is there. */
static void
find_unrecorded(const struct tp_pass_ctx *ctx, struct tp_environment *e)
{
	struct tp_slice type = tp_torch_unrecorded_gpu(ctx->profile);

	if (e->no_kernels.len != 0)
		type = TP_S("GPU");
	e->unrecorded = type.len != 0;
	e->device_type = e->unrecorded ? type : e->device_type;
}

/* A pod viewer has the cores of all hosts, whichever of them wrote the file. */
static void
take_pod(const struct tp_precomputed_pod *pod, struct tp_environment *e, struct tp_arena *scratch)
{
	struct tp_map names;

	if (pod == NULL)
		return;
	tp_map_init(&names, scratch);
	for (size_t i = 0; i < pod->core_count; i++)
		if (pod->cores[i].host.len != 0)
			tp_map_put(&names, tp_hash_bytes(pod->cores[i].host), i);
	if (names.count > e->hosts) {
		e->hosts = names.count;
		e->hosts_from = pod->from;
	}
	if (e->cores != 0 && pod->core_count > e->cores)
		e->cores = (uint32_t)pod->core_count;
}

/* Type and count of devices, where no device is in the profile. */
static void
take_precomputed(const struct tp_pass_ctx *ctx, struct tp_environment *e)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);

	if (g == NULL || e->cores != 0)
		return;
	struct tp_slice type = g->device_type.len != 0 ? g->device_type : g->hardware;

	/* That no device is in them says nothing of what there was. */
	e->device_type = type;
	if (type.len != 0) {
		e->precomputed_from = g->environment_from.len != 0 ? g->environment_from : g->steps_from;
		e->cores = g->core_count;
		e->devices = 0;
	}
	take_pod(g->pod, e, ctx->scratch);
}

/* Batch and capture, where a tool file states them. */
static void
take_stated(const struct tp_pass_ctx *ctx, struct tp_environment *e)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);

	if (g == NULL)
		return;
	e->stated_in = g->environment_from;
	if (g->batch != 0) {
		e->batch_of_step = g->batch;
		e->batch = (struct tp_batch){g->batch_of_core, TP_S("the tool file does not say")};
	}
	e->capture_precomputed = g->captured.len != 0 || g->capture_ms != 0;
	if (g->captured.len != 0)
		e->capture_start = tp_text_value(g->captured);
	if (g->capture_ms != 0)
		e->capture_length = tp_integer((int64_t)g->capture_ms * 1000000, TP_UNIT_NS);
}

static bool
is_given(const struct tp_profile *p)
{
	return p->host_count != 0 && p->hosts[0].given != NULL;
}

/* "AMD GPU" of "AMD GPU (gfx950)": how many bytes; all where there is no description. */
static size_t
before_description(struct tp_slice type)
{
	const char *at = type.len != 0 ? memmem(type.ptr, type.len, " (", 2) : NULL;

	return at != NULL ? (size_t)(at - type.ptr) : type.len;
}

/* Of an idle device a profiler may write less: "AMD GPU" is one more of "AMD GPU (gfx950)", if that alone is like it. */
static void
join_undescribed(
	struct tp_environment *e, struct tp_devices_of_type *types, struct tp_arena *scratch)
{
	const uint32_t several = e->type_count;
	uint32_t kept = 0;
	struct tp_map like; /* what stands before the description: the type, or several */

	tp_map_init(&like, scratch);
	for (uint32_t i = 0; i < e->type_count; i++) {
		size_t head = before_description(types[i].type);
		uint64_t key = tp_hash_bytes((struct tp_slice){types[i].type.ptr, head});

		if (head < types[i].type.len)
			tp_map_put(&like, key, tp_map_get(&like, key) == TP_MAP_NONE ? i : several);
	}
	for (uint32_t i = 0; i < e->type_count; i++) {
		uint32_t k = tp_map_get(&like, tp_hash_bytes(types[i].type));

		if (k == TP_MAP_NONE || k == several)
			continue;
		types[k].devices += types[i].devices;
		types[k].cores += types[i].cores;
		if (tp_slice_eq(e->device_type, types[i].type))
			e->device_type = types[k].type;
		types[i].cores = 0;
	}
	for (uint32_t i = 0; i < e->type_count; i++) {
		if (types[i].cores != 0)
			types[kept++] = types[i];
	}
	e->type_count = kept;
}

/* Those that ran any operation. All, where none did, or some of what a core did was lost. */
static uint32_t
count_working(const struct tp_pass_ctx *ctx, const struct tp_environment *e)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);
	bool *works = tp_new_array(ctx->scratch, bool, p->device_count);
	uint32_t count = 0;

	for (uint32_t l = 0; times != NULL && l < p->line_count; l++) {
		uint32_t d = p->lines[l].device;

		if (d == TP_NONE || times->self[l] == NULL || works[d])
			continue;
		works[d] = true;
		count += tp_environment_counts(&p->devices[d]) && !p->devices[d].again;
	}
	return count != 0 && p->dropped_events == 0 ? count : e->cores;
}

static void
count_devices(const struct tp_pass_ctx *ctx, struct tp_environment *e)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_devices_of_type *types =
		tp_new_array(ctx->keep, struct tp_devices_of_type, p->device_count);
	struct tp_map chips, numbers; /* of types */

	tp_map_init(&chips, ctx->scratch);
	tp_map_init(&numbers, ctx->scratch);
	for (uint32_t i = 0; i < p->device_count; i++) {
		const struct tp_device *d = &p->devices[i];

		if (!tp_environment_counts(d))
			continue;
		struct tp_slice type = tp_device_type(d, ctx->keep);

		if (e->first_device == TP_NONE) {
			e->first_device = i;
			e->device_type = type;
		}
		if (d->again)
			continue;
		uint32_t n;
		bool chip = tp_environment_first_of_chip(d, &chips);

		tp_map_number(&numbers, tp_hash_bytes(type), &n);
		types[n].type = type;
		types[n].cores++;
		types[n].devices += chip;
		e->cores++;
		e->devices += chip;
	}
	e->types = types;
	e->type_count = numbers.count;
	join_undescribed(e, types, ctx->scratch);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_environment *e = tp_new(ctx->keep, struct tp_environment);

	(void)err;
	e->hosts = count_hosts(p, ctx->scratch);
	e->first_device = TP_NONE;
	/* Programs on their own do not say where they ran; a profile logger names not even the host. */
	e->device_type = p->host_count == 0 ? TP_S("")
		: only_programs(p)              ? TP_S("device not recorded")
										: TP_S("CPU");
	count_devices(ctx, e);
	e->no_kernels = tp_kernels_unrecorded_reason(ctx, &e->launched);
	if (e->cores == 0)
		find_unrecorded(ctx, e);
	e->unprofiled = unprofiled_cores(p);
	take_precomputed(ctx, e);
	e->working = count_working(ctx, e);
	find_framework(ctx, e);
	find_capture(p, e);
	e->batch = is_given(ctx->profile)
		? (struct tp_batch){0, TP_S("summaries do not keep what programs take in")}
		: tp_infer_batch(ctx);
	take_stated(ctx, e);
	*result = e;
	return TP_OK;
}

static const struct tp_pass *const after[] = {&tp_pass_op_times, NULL};

/* Whether the profiler was told to leave something out on every host. */
static struct tp_slice
was_off(const struct tp_pass_ctx *ctx, bool python, const char *why)
{
	const struct tp_profile *p = ctx->profile;

	for (uint32_t h = 0; h < p->host_count; h++) {
		const struct tp_capture_options *o = &p->hosts[h].options;

		if (!o->recorded || (python ? o->python_level : o->host_level) != 0)
			return TP_S("");
	}
	return p->host_count != 0 ? tp_slice_of(why) : TP_S("");
}

static struct tp_slice
without_python(const struct tp_pass_ctx *ctx)
{
	return was_off(ctx, true, "the Python tracer was off");
}

static struct tp_slice
without_host(const struct tp_pass_ctx *ctx)
{
	return was_off(ctx, false, "the host tracer was off");
}

static struct tp_slice
without_dropped(const struct tp_pass_ctx *ctx)
{
	uint64_t dropped = ctx->profile->dropped_events;

	return dropped == 0
		? TP_S("")
		: tp_arena_printf(ctx->keep, "%llu %s dropped or could not be read",
			  (unsigned long long)dropped, tp_plural(dropped, "event was", "events were"));
}

static struct tp_slice
without_profile(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;

	for (uint32_t i = 0; i < p->input_count; i++) {
		if (p->inputs[i].trace)
			return TP_S("only a trace exported from the profile was read, which holds less");
	}
	return TP_S("");
}

static struct tp_slice
without_cores(const struct tp_pass_ctx *ctx)
{
	const struct tp_environment *e = tp_result(ctx, &tp_pass_environment);

	return e->unprofiled == 0
		? TP_S("")
		: tp_arena_printf(ctx->keep, "by its numbering the job has at least %u more %s",
			  e->unprofiled, tp_plural(e->unprofiled, "core", "cores"));
}

static const struct tp_lack lacks[] = {
	{"host", "What the host threads did", TP_LACK_TIMED, .why = without_host,
		.jax = "Set `options.host_tracer_level = 2` of `jax.profiler.ProfileOptions()`.",
		.tensorflow = "Set `tf.profiler.experimental.ProfilerOptions(host_tracer_level=2)`.",
		.any = "Set `host_tracer_level` of the profiler's options to 2."},
	{"python", "Which Python functions ran", TP_LACK_TIMED, .why = without_python,
		.jax = "Set `options.python_tracer_level = 1` of `jax.profiler.ProfileOptions()` and give "
			   "it to `jax.profiler.start_trace(DIR, profiler_options=options)`.",
		.tensorflow = "Set `tf.profiler.experimental.ProfilerOptions(python_tracer_level=1)`.",
		.any = "Set `python_tracer_level` of the profiler's options to 1."},
	{"dropped", "Dropped events", TP_LACK_TIMED, .why = without_dropped,
		.pytorch = "Record fewer steps at a time: `schedule(wait=1, warmup=1, active=3)`.",
		.any = "Record fewer steps at a time."},
	{"profile", "All events, with costs and programs", TP_LACK_TIMED, .why = without_profile,
		.any = "Give the `*.xplane.pb` of the same run."},
	{"cores", "Cores not profiled", TP_LACK_ON_TPU, .why = without_cores,
		.jax =
			"Call `jax.profiler.start_trace` on every host; each writes a `*.xplane.pb`. Put them "
			"in one folder.",
		.tensorflow = "Give the addresses of all hosts to `tf.profiler.experimental.client.trace`.",
		.any = "Profile every host, and put all `*.xplane.pb` in one folder."},
	{0},
};

bool
tp_environment_holds_all(const struct tp_pass_ctx *ctx)
{
	const struct tp_environment *e = tp_result(ctx, &tp_pass_environment);

	return ctx->profile->chosen.len == 0 && !ctx->profile->some_hosts &&
		(e == NULL || e->unprofiled == 0);
}

const struct tp_pass tp_pass_environment = {
	.name = "environment",
	.title = "Environment",
	.summary = "hosts, devices and their peaks, batch size, framework, capture window and options",
	.after = after,
	.place = TP_PLACE_ENVIRONMENT,
	.analyze = analyze,
	.lacks = lacks,
};
