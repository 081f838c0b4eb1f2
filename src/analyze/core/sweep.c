/* A sweep over the starts and ends of intervals, with a count of open ones for each type. Sources of the rules: xprof's
 * xplane_to_step_events.cc and event_span.cc. */
#include "analyze/core/sweep.h"

#include "analyze/core/intervals.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/texts.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

struct edge {
	int64_t at_ps;
	int32_t type, change;
};

TP_ORDER(by_time, struct edge, TP_UP(at_ps));

void
tp_sweep(const struct tp_class_interval *intervals, size_t count, int64_t start_ps, int64_t end_ps,
	int64_t out[static TP_EVENT_TYPE_COUNT], struct tp_arena *scratch)
{
	struct edge *edges = tp_new_array(scratch, struct edge, count * 2);
	uint32_t open[TP_EVENT_TYPE_COUNT] = {0};
	size_t n = 0;

	memset(out, 0, TP_EVENT_TYPE_COUNT * sizeof *out);
	for (size_t i = 0; i < count; i++) {
		int64_t from = tp_later(intervals[i].start_ps, start_ps);
		int64_t to = tp_earlier(intervals[i].end_ps, end_ps);

		if (from >= to)
			continue;
		edges[n++] = (struct edge){from, intervals[i].type, 1};
		edges[n++] = (struct edge){to, intervals[i].type, -1};
	}
	qsort(edges, n, sizeof *edges, by_time);
	int64_t at = start_ps;

	for (size_t i = 0; i <= n; i++) {
		int64_t next = i < n ? edges[i].at_ps : end_ps;

		if (next > at) {
			int highest = TP_EVENT_TYPE_COUNT - 1;

			while (highest > TP_EVENT_UNKNOWN && open[highest] == 0)
				highest--;
			out[highest] += next - at;
			at = next;
		}
		if (i < n)
			open[edges[i].type] += (uint32_t)edges[i].change;
	}
}

bool
tp_is_wrapper_event(struct tp_slice name)
{
	return tp_texts_any(name, tp_slice_starts,
		TP_TEXTS("EagerExecute", "EagerLocalExecute", "EagerKernelExecute", "FunctionRun"));
}

/* A program is made anew within the step: traced and lowered by JAX, compiled by XLA. xprof has the class, its step
 * breakdown even a column, but nothing ever falls into it, and such time counts as host compute or as all others. */
static bool
is_compilation(struct tp_slice name)
{
	static const char *const starts[] = {"backend_compile", "XlaCompile", "trace_to_jaxpr",
		"lower_jaxpr_to_module", "lower_sharding_computation", "lower_xla_callable", NULL};
	static const char *const ends[] = {"::Compile", "::CompileInternal", "::CompileAndLoad",
		":_XlaCompile", ":XlaCompileOnDemand", ":TPUCompile", ":_TPUCompileMlir", NULL};

	return tp_texts_any(name, tp_slice_ends, ends) || tp_texts_any(name, tp_slice_starts, starts);
}

enum tp_event_type
tp_type_of_host_event(struct tp_slice name, bool has_device, bool correlated)
{
	if (tp_slice_has(name, TP_S("InfeedEnqueue")) ||
		tp_texts_any(name, tp_slice_starts, TP_TEXTS("MemcpyHToD", "MemcpyHtoD")))
		return TP_EVENT_HOST_TO_DEVICE;
	if (tp_texts_any(name, tp_slice_starts, TP_TEXTS("MemcpyHToH", "MemcpyHtoH")))
		return TP_EVENT_HOST_TO_HOST;
	if (is_compilation(name))
		return TP_EVENT_COMPILE;
	if (has_device && (correlated || tp_slice_starts(name, TP_S("ExecutorState::Process"))))
		return TP_EVENT_PREPARE;
	if (tp_slice_starts(name, TP_S("IteratorGetNext")))
		return TP_EVENT_WAIT_INPUT;
	return TP_EVENT_HOST_COMPUTE;
}

bool
tp_name_marks_step(struct tp_slice name)
{
	return tp_texts_any(name, tp_slice_starts, TP_TEXTS("train", "test", "TraceContext")) &&
		!tp_slice_has(name, TP_S("/"));
}

static bool
starts_nccl(struct tp_slice name)
{
	return name.len >= 4 && strncasecmp(name.ptr, "nccl", 4) == 0;
}

/* cuBLAS's matrix products of Hopper and later: "nvjet_tst_…", "nvjet_sm90_tst_…", first the type of the operands. */
static bool
is_half_product(struct tp_slice name)
{
	static const char prefix[] = "nvjet_", generation[] = "sm";

	if (!tp_slice_starts(name, tp_slice_of(prefix)))
		return false;
	name = tp_slice_from(name, sizeof prefix - 1);
	if (tp_slice_starts(name, tp_slice_of(generation))) {
		const char *end = memchr(name.ptr, '_', name.len);

		name = tp_slice_from(name, end != NULL ? (size_t)(end + 1 - name.ptr) : name.len);
	}
	return name.len != 0 && (*name.ptr == 'h' || *name.ptr == 't');
}

/* Whether a kernel works on 16-bit numbers: by its operands where they are recorded, else by its name. xprof knows half and
 * fp16 only, so that training in bfloat16 counts as 32-bit there. Letters of libraries: H and B of Tensile's types, h and t
 * of nvjet's, h of cuBLAS's instructions. */
static bool
is_half(struct tp_slice name, struct tp_slice shapes)
{
	static const char *const parts[] = {"half", "fp16", "bf16", "bfloat16", "f16", "h884", "h1688",
		"_HHS_", "_HSS_", "_BBS_", "_BSS_", NULL};

	if (shapes.len != 0)
		return tp_slice_has(shapes, TP_S("half")) || tp_slice_has(shapes, TP_S("bfloat16"));
	return is_half_product(name) || tp_texts_any(name, tp_slice_has, parts);
}

enum tp_event_type
tp_type_of_gpu_event(struct tp_slice name, struct tp_slice shapes)
{
	static const struct {
		const char *prefix;
		enum tp_event_type type;
	} copies[] = {
		{"MemcpyHToD", TP_EVENT_HOST_TO_DEVICE},
		{"MemcpyH2D", TP_EVENT_HOST_TO_DEVICE},
		{"MemcpyDToH", TP_EVENT_DEVICE_TO_HOST},
		{"MemcpyD2H", TP_EVENT_DEVICE_TO_HOST},
		{"MemcpyDToD", TP_EVENT_DEVICE_TO_DEVICE},
		{"MemcpyD2D", TP_EVENT_DEVICE_TO_DEVICE},
		{"MemcpyPToP", TP_EVENT_DEVICE_TO_DEVICE},
		{"MemcpyP2P", TP_EVENT_DEVICE_TO_DEVICE},
		{"MemcpyHToH", TP_EVENT_HOST_TO_HOST},
		/* ROCm's */
		{"CopyHostToDevice", TP_EVENT_HOST_TO_DEVICE},
		{"CopyDeviceToHost", TP_EVENT_DEVICE_TO_HOST},
		{"CopyDeviceToDevice", TP_EVENT_DEVICE_TO_DEVICE},
	};

	for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
		if (tp_slice_starts(name, tp_slice_of(copies[i].prefix)))
			return copies[i].type;
	}
	if (starts_nccl(name))
		return TP_EVENT_COLLECTIVE;
	return is_half(name, shapes) ? TP_EVENT_COMPUTE_16 : TP_EVENT_COMPUTE_32;
}
