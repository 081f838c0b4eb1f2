/* The list of passes: each below those that it comes after. */
#include "analyze/page/passes.h"

#include "analyze/core/pass.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/environment.h"
#include "analyze/facts/matrix_dtype.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/peaks.h"
#include "analyze/graph/graph.h"
#include "analyze/graph/tpu_compat.h"
#include "analyze/input/input_pipeline.h"
#include "analyze/job/end_to_end.h"
#include "analyze/job/scalars.h"
#include "analyze/judge/findings.h"
#include "analyze/kernels/kernels.h"
#include "analyze/llm/llm.h"
#include "analyze/llm/serving.h"
#include "analyze/memory/allocators.h"
#include "analyze/memory/live_buffers.h"
#include "analyze/memory/memory.h"
#include "analyze/ops/host_ops.h"
#include "analyze/ops/op_placement.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/ops.h"
#include "analyze/ops/padding.h"
#include "analyze/page/waiting.h"
#include "analyze/pod/devices_present.h"
#include "analyze/pod/hosts.h"
#include "analyze/pod/pod.h"
#include "analyze/ranks/rank_parts.h"
#include "analyze/ranks/ranks.h"
#include "analyze/roofline/roofline.h"
#include "analyze/steps/steps.h"
#include "analyze/tfprof/tfprof.h"
#include "analyze/timeline/run_events.h"
#include "analyze/timeline/timeline.h"
#include "analyze/timeline/timeline_more.h"
#include "analyze/torch/comm/torch_comm.h"
#include "analyze/torch/costs/torch_costs.h"
#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/torch/modules/torch_modules.h"
#include "analyze/torch/operators/torch_op_calls.h"
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_steps.h"
#include "analyze/tracks/tracks.h"

const struct tp_pass *const tp_passes[] = {
	&tp_pass_op_times,
	&tp_pass_timeline_lines,
	&tp_pass_environment,
	&tp_pass_environment_section,
	&tp_pass_end_to_end,
	&tp_pass_scalars,
	&tp_pass_graph,
	&tp_pass_tfprof,
	&tp_pass_peaks,
	&tp_pass_matrix_dtype,
	&tp_pass_torch_correlation,
	&tp_pass_torch_calls,
	&tp_pass_torch_steps,
	&tp_pass_torch_memory,
	&tp_pass_torch_ops,
	&tp_pass_torch_gpus,
	&tp_pass_torch_modules,
	&tp_pass_devices,
	&tp_pass_devices_section,
	&tp_pass_steps,
	&tp_pass_torch_comm,
	&tp_pass_torch_costs,
	&tp_pass_serving,
	&tp_pass_ops,
	&tp_pass_ops_section,
	&tp_pass_op_profile,
	&tp_pass_kernels,
	&tp_pass_performance,
	&tp_pass_pod,
	&tp_pass_pod_section,
	&tp_pass_waiting,
	&tp_pass_pod_parts,
	&tp_pass_hosts,
	&tp_pass_devices_each,
	&tp_pass_memory,
	&tp_pass_torch_memory_section,
	&tp_pass_allocators,
	&tp_pass_live_buffers,
	&tp_pass_input,
	&tp_pass_padding,
	&tp_pass_roofline,
	&tp_pass_llm,
	&tp_pass_host_ops,
	&tp_pass_op_placement,
	&tp_pass_tpu_compat,
	&tp_pass_findings,
	&tp_pass_summary,
	&tp_pass_quality,
	&tp_pass_tracks,
	&tp_pass_timeline,
	&tp_pass_timeline_more,
	&tp_pass_run_events,
	&tp_pass_rank_parts,
	&tp_pass_views,
	NULL,
};

const struct tp_pass *const tp_passes_of_ranks[] = {
	&tp_pass_environment,
	&tp_pass_torch_steps,
	&tp_pass_steps,
	&tp_pass_torch_comm,
	&tp_pass_waiting,
	&tp_pass_ranks,
	&tp_pass_findings,
	&tp_pass_summary_of_ranks,
	NULL,
};

const struct tp_pass *const tp_passes_of_hosts[] = {
	&tp_pass_environment,
	&tp_pass_environment_section,
	&tp_pass_peaks,
	&tp_pass_devices,
	&tp_pass_devices_section,
	&tp_pass_steps,
	&tp_pass_ranks,
	&tp_pass_ranks_operations,
	&tp_pass_pod,
	&tp_pass_pod_section,
	&tp_pass_waiting,
	&tp_pass_pod_parts,
	&tp_pass_hosts,
	&tp_pass_devices_each,
	&tp_pass_findings,
	&tp_pass_summary_of_ranks,
	NULL,
};

const struct tp_pass *const tp_passes_of_event_files[] = {
	&tp_pass_end_to_end,
	&tp_pass_scalars,
	NULL,
};
