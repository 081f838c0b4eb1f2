/* The pod viewer's file: for each step what every core did. Two generations: parts by name (…Us, of TPUs), and
 * stepBreakdownUs by the numbers of stepBreakdownEvents (of any device). */
#include "ingest/tools_pod.h"
#include "base/arena.h"
#include "base/number.h"
#include "base/order.h"
#include "base/texts.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "model/build.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* More cores than any pod has; (step, core) pairs that are held. */
enum { MOST_CORES = 16384, MOST_CELLS = 1 << 20 };

static const struct {
	const char *key;
	enum tp_precomputed_pod_part part;
} named[] = {
	{"highFlopsComputeUs", TP_PRECOMPUTED_POD_HIGH_FLOPS},
	{"hostInfeedDurationUs", TP_PRECOMPUTED_POD_INFEED},
	{"hostOutfeedDurationUs", TP_PRECOMPUTED_POD_OUTFEED},
	{"allReduceComputeDurationUs", TP_PRECOMPUTED_POD_COLLECTIVE},
	{"allReduceSyncDurationUs", TP_PRECOMPUTED_POD_COLLECTIVE_SYNC},
	{"crsDurationUs", TP_PRECOMPUTED_POD_COLLECTIVE}, /* before the two were told apart */
	{"sendDurationUs", TP_PRECOMPUTED_POD_SEND},
	{"recvDurationUs", TP_PRECOMPUTED_POD_RECV},
	{"bcInfeedTransformDurationUs", TP_PRECOMPUTED_POD_SPARSE_CORE},
	{"bcInfeedWaitDurationUs", TP_PRECOMPUTED_POD_SPARSE_CORE},
	{"bcOutfeedDurationUs", TP_PRECOMPUTED_POD_SPARSE_CORE},
};

/* op_stats_to_pod_stats.cc */
static const struct {
	const char *name;
	enum tp_precomputed_pod_part part;
} events[] = {
	{"Device compute", TP_PRECOMPUTED_POD_COMPUTE},
	{"Device to device", TP_PRECOMPUTED_POD_COLLECTIVE},
	{"Device collective communication", TP_PRECOMPUTED_POD_COLLECTIVE},
	{"Device collectives", TP_PRECOMPUTED_POD_COLLECTIVE},
	{"Host compute", TP_PRECOMPUTED_POD_HOST},
	{"Kernel launch", TP_PRECOMPUTED_POD_HOST},
	{"Host prepare", TP_PRECOMPUTED_POD_HOST},
	{"Compilation", TP_PRECOMPUTED_POD_HOST},
	{"Compile", TP_PRECOMPUTED_POD_HOST},
	{"Input", TP_PRECOMPUTED_POD_INFEED},
	{"Output", TP_PRECOMPUTED_POD_OUTFEED},
};

/* "312" → 312; false for what is no number of a core. */
static bool
number_of(const char *text, uint32_t *out)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	unsigned long long n = strtoull(text, &end, 10);

	*out = (uint32_t)n;
	return *end == '\0' && errno == 0 && n < TP_NONE;
}

static bool
count_of(const json_t *value, uint32_t *out)
{
	double n = tp_json_figure(value);

	*out = n >= 0 && n < 1e9 ? (uint32_t)n : 0;
	return n >= 0 && n < 1e9;
}

/* A list, or an object with "0", "1" … as keys. */
static size_t
step_count(const json_t *steps)
{
	return json_is_array(steps) ? json_array_size(steps) : json_object_size(steps);
}

static const json_t *
step_at(const json_t *steps, size_t i)
{
	char key[24];

	if (json_is_array(steps))
		return json_array_get(steps, i);
	snprintf(key, sizeof key, "%zu", i);
	return json_object_get(steps, key);
}

static enum tp_precomputed_pod_part
part_of_event(const struct tp_pod_reading *r, const char *id)
{
	for (size_t i = 0; i < json_array_size(r->breakdown_events); i++) {
		const json_t *event = json_array_get(r->breakdown_events, i);
		const char *name = json_string_value(json_object_get(event, "name"));
		char number[24];

		snprintf(number, sizeof number, "%.0f", tp_json_figure(json_object_get(event, "id")));
		if (name == NULL || strcmp(number, id) != 0)
			continue;
		for (size_t k = 0; k < sizeof events / sizeof *events; k++) {
			if (strcmp(events[k].name, name) == 0)
				return events[k].part;
		}
	}
	return TP_PRECOMPUTED_POD_REST;
}

/* What no part has: low-FLOPS compute (with idle time) of TPUs, of other devices the rest. */
static void
read_parts(
	const struct tp_pod_reading *r, const json_t *core, double us[TP_PRECOMPUTED_POD_PART_COUNT])
{
	const json_t *breakdown = json_object_get(core, "stepBreakdownUs"), *value;
	double total = tp_pod_us(json_object_get(core, "totalDurationUs")), sum = 0;
	const char *key;

	memset(us, 0, TP_PRECOMPUTED_POD_PART_COUNT * sizeof *us);
	json_object_foreach((json_t *)breakdown, key, value) us[part_of_event(r, key)] +=
		tp_pod_us(value);
	for (size_t k = 0; breakdown == NULL && k < sizeof named / sizeof *named; k++)
		us[named[k].part] += tp_pod_us(json_object_get(core, named[k].key));
	for (int k = 0; k < TP_PRECOMPUTED_POD_PART_COUNT; k++)
		sum += us[k];
	if (total > sum)
		us[r->pod->coarse ? TP_PRECOMPUTED_POD_REST : TP_PRECOMPUTED_POD_COMPUTE] += total - sum;
}

/* Whether the step is on all cores, and on no others. */
static bool
is_whole(const struct tp_pod_reading *r, const json_t *cores)
{
	const char *key;
	const json_t *value;
	size_t there = 0;

	json_object_foreach((json_t *)cores, key, value)
	{
		uint32_t number;

		if (!number_of(key, &number) || tp_map_get(&r->core_of_number, number) == TP_MAP_NONE)
			return false;
		there++;
	}
	return there == r->pod->core_count;
}

TP_ORDER(by_number, struct tp_precomputed_core, TP_UP(number));

/* The cores are those of the step with the most. */
static void
read_cores(struct tp_pod_reading *r, const json_t *steps)
{
	const json_t *most = NULL, *value;
	const char *key;

	for (size_t i = 0; i < step_count(steps); i++) {
		const json_t *cores = json_object_get(step_at(steps, i), "podStatsPerCore");

		if (json_object_size(cores) > json_object_size(most))
			most = cores;
	}
	size_t room = json_object_size(most), n = 0;
	struct tp_precomputed_core *all =
		tp_new_array(r->f->arena, struct tp_precomputed_core, room <= MOST_CORES ? room : 0);

	json_object_foreach((json_t *)most, key, value)
	{
		struct tp_precomputed_core *core = &all[n];

		if (room > MOST_CORES)
			break;
		*core = (struct tp_precomputed_core){
			.host = tp_json_text(r->f->arena, json_object_get(value, "hostName"))};
		if (!number_of(key, &core->number) ||
			tp_map_get(&r->core_of_number, core->number) != TP_MAP_NONE)
			continue;
		/* In JSON of messages what is 0 may be left out. */
		count_of(json_object_get(value, "chipId"), &core->chip);
		count_of(json_object_get(value, "nodeId"), &core->core_on_chip);
		if (core->core_on_chip >= r->widest)
			r->widest = core->core_on_chip + 1;
		tp_map_put(&r->core_of_number, core->number, 0);
		r->pod->coarse |= json_object_get(value, "stepBreakdownUs") != NULL;
		r->pod->sync_known |= json_object_get(value, "allReduceSyncDurationUs") != NULL;
		n++;
	}
	if (n != 0)
		qsort(all, n, sizeof *all, by_number);
	r->pod->cores = all;
	r->pod->core_count = n;
	r->pod->cores_per_chip = r->widest;
	r->pod->numbers_from_chips = n != 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t place = (uint64_t)all[i].chip * r->widest + all[i].core_on_chip;

		tp_map_put(&r->core_of_number, all[i].number, (uint32_t)i);
		r->pod->numbers_from_chips &=
			place < TP_NONE && tp_map_get(&r->core_of_place, place) == TP_MAP_NONE;
		tp_map_put(&r->core_of_place, place, (uint32_t)i);
	}
}

static void
read_steps(struct tp_pod_reading *r, const json_t *steps)
{
	struct tp_precomputed_pod *pod = r->pod;
	size_t count = step_count(steps), fit = pod->core_count != 0 ? MOST_CELLS / pod->core_count : 0;
	size_t room = count < fit ? count : fit;
	struct tp_slice *names = tp_new_array(r->f->arena, struct tp_slice, room);
	size_t each = pod->core_count * TP_PRECOMPUTED_POD_PART_COUNT;
	double *us = tp_new_array(r->f->arena, double, room *each);

	for (size_t i = 0; i < count; i++) {
		const json_t *step = step_at(steps, i), *core;
		const json_t *cores = json_object_get(step, "podStatsPerCore");
		const char *key;

		if (pod->step_count == room || !is_whole(r, cores)) {
			pod->steps_left_out++;
			continue;
		}
		double *mine = us + pod->step_count * each;

		names[pod->step_count] = tp_json_text(r->f->arena, json_object_get(step, "stepNum"));
		if (names[pod->step_count].len == 0)
			names[pod->step_count] = tp_arena_printf(r->f->arena, "%zu", i);
		json_object_foreach((json_t *)cores, key, core)
		{
			uint32_t number = 0;

			number_of(key, &number);
			read_parts(r, core,
				mine +
					tp_map_get(&r->core_of_number, number) * (size_t)TP_PRECOMPUTED_POD_PART_COUNT);
		}
		tp_pod_read_channels(r, json_object_get(step, "channelDb"));
		tp_pod_read_collectives(r, json_object_get(step, "allReduceOpDb"));
		pod->step_count++;
	}
	pod->steps = names;
	pod->us = us;
}

static void
read_environment(struct tp_tool_file *f, const json_t *root, struct tp_precomputed_pod *pod)
{
	const json_t *run = json_object_get(root, "runEnvironment");
	const json_t *topology = json_object_get(run, "topology");
	const json_t *type = json_object_get(run, "tpuType");
	uint32_t x = 0, y = 0, z = 0;

	if (type == NULL)
		type = json_object_get(root, "deviceType");
	if (f->precomputed->device_type.len == 0 && json_is_string(type)) {
		f->precomputed->device_type = tp_json_text(f->arena, type);
		f->precomputed->environment_from = f->name;
		f->precomputed->core_count =
			f->precomputed->core_count ? f->precomputed->core_count : (uint32_t)pod->core_count;
	}
	if (count_of(json_object_get(topology, "xDimension"), &x) &&
		count_of(json_object_get(topology, "yDimension"), &y)) {
		count_of(json_object_get(topology, "zDimension"), &z);
		pod->mesh[0] = x;
		pod->mesh[1] = y;
		pod->mesh[2] = z > 1 ? z : 1;
		tp_tool_fact(f, "Chip arrangement",
			z > 1 ? tp_arena_printf(f->arena, "%u × %u × %u", x, y, z)
				  : tp_arena_printf(f->arena, "%u × %u", x, y));
	}
	if (json_object_get(run, "hostCount") != NULL)
		tp_tool_fact(
			f, "Hosts of the run", tp_json_text(f->arena, json_object_get(run, "hostCount")));
}

static void
say_left_out(struct tp_tool_file *f, const struct tp_precomputed_pod *pod)
{
	struct tp_diags *diags = &tp_builder_profile(f->out)->diags;

	if (pod->steps_left_out != 0)
		tp_diag_at(diags, TP_DIAG_NOTE, f->in->path, TP_NO_OFFSET,
			"%zu of its %zu %s not on all cores, or beyond the limit (%d cores × steps): left out",
			pod->steps_left_out, pod->steps_left_out + pod->step_count,
			tp_plural(pod->steps_left_out + pod->step_count, "step is", "steps are"), MOST_CELLS);
	if (pod->links_left_out != 0)
		tp_diag_at(diags, TP_DIAG_NOTE, f->in->path, TP_NO_OFFSET,
			"%zu %s cores that are not in it, or are too many: left out", pod->links_left_out,
			tp_plural(pod->links_left_out, "channel names", "channels name"));
}

static void
pod_viewer(struct tp_tool_file *f, const json_t *root)
{
	const json_t *sequence = json_object_get(root, "podStatsSequence");
	const json_t *steps = json_object_get(sequence, "podStatsMap");
	struct tp_pod_reading r = {
		.f = f,
		.pod = tp_new(f->arena, struct tp_precomputed_pod),
		.breakdown_events = json_object_get(root, "stepBreakdownEvents"),
	};

	if (steps == NULL)
		return;
	f->found = true;
	tp_map_init(&r.core_of_number, f->arena);
	tp_map_init(&r.core_of_place, f->arena);
	tp_map_init(&r.link_of_key, f->arena);
	tp_map_init(&r.collective_of_name, f->arena);
	read_cores(&r, steps);
	read_steps(&r, steps);
	tp_pod_settle_traffic(&r);
	r.pod->from = f->name;
	read_environment(f, root, r.pod);
	say_left_out(f, r.pod);
	if (f->precomputed->pod == NULL && r.pod->step_count != 0)
		f->precomputed->pod = r.pod;
	else
		tp_diag_at(&tp_builder_profile(f->out)->diags, TP_DIAG_NOTE, f->in->path, TP_NO_OFFSET,
			r.pod->step_count == 0
				? "holds no step that is on all its cores"
				: "another file of the run already gives the cores: not counted twice");
}

const struct tp_reader tp_reader_pod_viewer = {
	.name = "pod_viewer",
	.summary = "precomputed by a profiler: what each core of a pod did in each step",
	.suffixes = TP_TEXTS(".pod_viewer.json"),
	.marks = TP_TEXTS("\"podStatsSequence\"", "\"podStatsMap\""),
	.kind = TP_READS_PRECOMPUTED,
	.most_bytes = TP_TOOL_MOST_BYTES,
	.tool = TP_TOOL(.complaint = "not a pod viewer's file: it holds no podStatsSequence",
		.json = pod_viewer),
	.read = tp_tool_read,
};
