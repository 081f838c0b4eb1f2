/* A metric has a direction where a change that way alone is what somebody who tunes a program wants, or does not want.
 *
 * None have: what the run was told (batch, devices, precision, how much it evaluates); names and places; counts and sums over the capture, which
 * grow with its length; the share of one operation, kernel or module, and that of compute, which change when the rest does; traffic to memory, which
 * a fusion saves and so lowers its rate; occupancy, with less of which kernels often are faster (Volkov, Better Performance at Lower Occupancy,
 * 2010). */
#include "report/direction.h"

#include "report/scope.h"

#define NONE TP_NO_DIRECTION
#define LOWER TP_LOWER_IS_BETTER
#define HIGHER TP_HIGHER_IS_BETTER

const struct tp_direction_rule tp_direction_rules[] = {
	{"run.examples_per_s", HIGHER},
	{"run.hosts", NONE},
	{"step.seen_count", NONE},
	{"run.devices", NONE},
	{"run.cores", NONE},
	{"run.device_type", NONE},
	{"run.framework", NONE},
	{"run.batch.per_core", NONE},
	{"run.batch.global", NONE},
	{"run.capture_ms", NONE},
	{"run.step_source", NONE},

	/* Phases of a job: how long it trains and evaluates is what it was told to; the way there and between is not. */
	{"e2e.training_ms", NONE},
	{"e2e.eval_ms", NONE},
	{"e2e.predict_ms", NONE},
	{"e2e.beginning_to_init_ms", LOWER},
	{"e2e.init_system_ms", LOWER},
	{"e2e.init_to_model_fn_ms", LOWER},
	{"e2e.model_fn_ms", LOWER},
	{"e2e.setup_infeed_ms", LOWER},
	{"e2e.training_to_eval_ms", LOWER},
	{"e2e.eval_to_predict_ms", LOWER},
	{"sessions.training_ms", NONE},
	{"sessions.training", NONE},
	{"sessions.eval_ms", NONE},
	{"sessions.eval", NONE},
	{"sessions.predict_ms", NONE},
	{"sessions.predict", NONE},
	{"events.step_time_ms", LOWER},
	{"events.goodput_share", HIGHER},
	{"events.damaged", LOWER},
	{"events.again_s", LOWER},
	{"events.restart_s", LOWER},
	{"events.save_s", LOWER},
	{"events.gap_s", LOWER},
	{"events.before_s", LOWER},
	{"events.records", NONE},
	{"events.points", NONE},
	{"events.wall_s", NONE},
	{"events.steps_s", NONE},
	{"events.eval_s", NONE},
	{"events.after_s", NONE},

	{"tfprof.total_us", LOWER},
	{"tfprof.requested_bytes", LOWER},
	{"tfprof.float_ops", NONE},
	{"tfprof.params", NONE},

	{"graph.time_us", LOWER},
	{"graph.requested_bytes", LOWER},
	{"graph.tpu.compatible_share", HIGHER},
	{"graph.tpu.incompatible", LOWER},
	{"graph.tpu.tensorboard.valid_share", HIGHER},
	{"graph.nodes", NONE},
	{"graph.kinds", NONE},
	{"graph.edges", NONE},
	{"graph.control_edges", NONE},
	{"graph.scopes", NONE},
	{"graph.functions", NONE},
	{"graph.function_nodes", NONE},
	{"graph.functions_uncalled", NONE},
	{"graph.others", NONE},
	{"graph.variables", NONE},
	{"graph.variable_elements", NONE},
	{"graph.variable_bytes", NONE},
	{"graph.parameters", NONE},
	{"graph.tpu.judged", NONE},
	{"graph.tpu.host_work", NONE},
	{"graph.tpu.placed_elsewhere", NONE},
	{"graph.tpu.tensorboard.valid", NONE},
	{"graph.tpu.list", NONE},

	/* What a device can do. */
	{"flops.peak_per_s", NONE},
	{"flops.peak_source", NONE},
	{"memory_bandwidth.peak_per_s", NONE},
	{"memory_bandwidth.peak_source", NONE},
	{"memory_bandwidth.utilization_share", NONE},
	{"memory_bandwidth.busy_utilization_share", NONE},
	{"memory_bandwidth.counter_share", NONE},
	{"memory.capacity_bytes", NONE},
	{"memory.capacity_source", NONE},

	/* Steps and the classes of their time. */
	{"step.time.*_ms", LOWER},
	{"step.class.*_ms", LOWER},
	{"step.class.compute_share", NONE},
	{"step.class.other_share", NONE},
	{"step.class.*_share", LOWER},
	{"step.tpu.*_ms", LOWER},
	{"step.collective_wait_ms", LOWER},
	{"step.gap.mean_ms", LOWER},
	{"step.inferred.confidence_share", HIGHER},
	{"step.count", NONE},
	{"step.cut_count", NONE},

	{"input.wait_share", LOWER},
	{"input.worst_*_share", LOWER},
	{"input.worst_share", LOWER},
	{"input.tf_data.call.mean_us", LOWER},
	{"input.tf_data.call.max_us", LOWER},
	{"input.bottleneck.self_us", LOWER},
	{"input.wait_limit_share", NONE},
	{"input.verdict", NONE},
	{"input.host.enqueue_us", NONE},
	{"input.host.preprocessing_us", NONE},
	{"input.host.advanced_read_us", NONE},
	{"input.host.demanded_read_us", NONE},
	{"input.host.other_us", NONE},
	{"input.host.generator_us", NONE},
	{"input.tf_data.calls", NONE},
	{"input.tf_data.slow_calls", NONE},
	{"input.bottleneck.name", NONE},
	{"input.slowest_stage.name", NONE},
	{"input.slowest_stage.share", NONE},

	/* Use of the devices. */
	{"device.busy_share", HIGHER},
	{"device.capture_busy_share", HIGHER},
	{"device.duty_cycle_share", HIGHER},
	{"device.idle_share", LOWER},
	{"device.op_eager_share", LOWER},
	{"device.outside_compilation_share", LOWER},
	{"device.total_ps", NONE},
	{"device.busy_ps", NONE},
	{"host.op_eager_share", LOWER},
	{"host.idle_share", NONE},
	{"flops.utilization_share", HIGHER},
	{"flops.busy_utilization_share", HIGHER},
	{"flops.rate_per_s", HIGHER},
	{"flops.relative_to_roofline_share", HIGHER},
	{"matrix_unit.utilization_share", HIGHER},
	{"precision.compute_16bit_share", NONE},
	{"precision.compute_32bit_share", NONE},
	{"op.wasted_share", LOWER},
	{"op.poor_share", LOWER},
	{"op.on_device_share", HIGHER},
	{"op.top.self_share", NONE},
	{"op.top.name", NONE},
	{"kernels.launch_us", LOWER},
	{"kernels.short_share", LOWER},
	{"kernels.count", NONE},
	{"kernels.total_us", NONE},
	{"kernels.top.share", NONE},
	{"kernels.top.name", NONE},
	{"gpu.tensor_core_share", HIGHER},
	{"gpu.tensor_core_unused_share", LOWER},
	{"gpu.occupancy_share", NONE},
	{"padding.lost_share", LOWER},
	{"padding.lost_ms", NONE},
	{"roofline.*.flop_per_s", HIGHER},
	{"roofline.*.flops_share", HIGHER},
	{"roofline.*.efficiency_share", HIGHER},
	{"roofline.*.hbm_bytes_per_s", NONE},
	{"roofline.*.intensity_flop_per_byte", NONE},
	{"roofline.*.hbm_share", NONE},
	{"roofline.*.bound_by", NONE},
	{"roofline.ridge_flop_per_byte", NONE},

	{"pod.straggler.cost_ms", LOWER},
	{"pod.straggler.cost_share", LOWER},
	{"pod.straggler.name", NONE},
	{"pod.straggler.lost_ms", NONE},
	{"pod.straggler.steps", NONE},
	{"pod.imbalance_ms", LOWER},

	{"memory.peak_position", NONE},
	{"memory.peak_bytes", LOWER},
	{"memory.peak_unpadded_bytes", LOWER},
	{"memory.peak_share", LOWER},
	{"memory.scoped_vmem_bytes", NONE},
	{"memory.measured.peak_time_ms", NONE},
	{"memory.measured.peak_bytes", LOWER},
	{"memory.measured.peak_share", LOWER},
	{"memory.measured.stack_bytes", LOWER},
	{"memory.measured.heap_bytes", LOWER},
	{"memory.measured.free_bytes", HIGHER},
	{"memory.measured.fragmentation_share", LOWER},
	{"memory.measured.fragmentation_most_share", LOWER},
	{"memory.measured.lifetime_peak_bytes", LOWER},
	{"memory.measured.capacity_bytes", NONE},
	{"memory.measured.unrecorded_bytes", NONE},
	{"memory.measured.allocations", NONE},
	{"memory.measured.deallocations", NONE},
	{"memory.live.bytes", LOWER},
	{"memory.live.buffers", NONE},
	{"memory.live.executables", NONE},
	{"memory.live.top.share", NONE},
	{"memory.live.top.name", NONE},

	{"torch.step.count", NONE},
	{"torch.step.*_us", LOWER},
	{"torch.comm.overlap_us", NONE},
	{"torch.comm.clock_us", NONE},
	{"torch.comm.straggler.cost_us", LOWER},
	{"torch.comm.straggler.saving_us", LOWER},
	{"torch.comm.straggler.wait_us", LOWER},
	{"torch.comm.computation_us", LOWER},
	{"torch.comm.communication_us", LOWER},
	{"torch.comm.other_us", LOWER},
	{"torch.comm.transfer_us", LOWER},
	{"torch.comm.sync_us", LOWER},
	{"torch.comm.unmatched_us", LOWER},
	{"torch.comm.barrier_us", LOWER},
	{"torch.comm.late_us", LOWER},
	{"torch.comm.calls", NONE},
	{"torch.comm.unmatched_calls", NONE},
	{"torch.comm.messages", NONE},
	{"torch.comm.unmatched_messages", NONE},
	{"torch.comm.bytes", NONE},
	{"torch.comm.straggler.name", NONE},
	{"torch.comm.last_share", NONE},
	{"torch.op.flop_per_s", HIGHER},
	{"torch.op.flop_peak_share", HIGHER},
	{"torch.op.count", NONE},
	{"torch.op.calls", NONE},
	{"torch.op.host_self_us", NONE},
	{"torch.op.device_self_us", NONE},
	{"torch.op.top.name", NONE},
	{"torch.op.top.self_share", NONE},
	{"torch.op.flop", NONE},
	{"torch.device_work.before_window_us", NONE},
	{"torch.device_work.untold_us", NONE},
	{"torch.device_work.no_operator_us", NONE},
	{"torch.flops.utilization_share", HIGHER},
	{"torch.gpu.occupancy_share", NONE},
	{"torch.gpu.utilization_share", HIGHER},
	{"torch.gpu.sm_efficiency_share", HIGHER},
	{"torch.gpu.tensor_core_share", HIGHER},
	{"torch.module.count", NONE},
	{"torch.module.calls", NONE},
	{"torch.module.top.name", NONE},
	{"torch.module.top.share", NONE},
	{"torch.module.top_class.name", NONE},
	{"torch.module.top_class.share", NONE},
	{"torch.memory.peak_time_ms", NONE},
	{"torch.memory.capacity_bytes", NONE},
	{"torch.memory.peak_bytes", LOWER},
	{"torch.memory.reserved_at_peak_bytes", LOWER},
	{"torch.memory.peak_reserved_bytes", LOWER},
	{"torch.memory.unused_at_peak_bytes", LOWER},
	{"torch.memory.growth_bytes", LOWER},
	{"torch.memory.peak_share", LOWER},
	{"torch.memory.peak_reserved_share", LOWER},
	{"torch.memory.allocations", NONE},
	{"torch.memory.releases", NONE},
	{"torch.data.no_launch_share", LOWER},
	{"torch.data.trimmed_steps", NONE},
	{"torch.data.no_launch_count", NONE},
	{"torch.launch_us", LOWER},
	{"torch.host_bound_share", LOWER},
	{"torch.queued_share", LOWER},
	{"torch.setup_share", LOWER},
	{"torch.short_kernel_share", LOWER},
	{"torch.drained_share", LOWER},
	{"torch.pageable_copy_share", LOWER},
	{"torch.zero_grad_share", LOWER},
	{"torch.tensor_core_unused_share", LOWER},

	{"data.coverage_share", HIGHER},
	{"data.warnings", LOWER},
	{"data.open_events", NONE},
	{NULL, NONE},
};

static bool
fits(struct tp_slice id, struct tp_slice ids)
{
	const char *star = memchr(ids.ptr, '*', ids.len);

	if (star == NULL)
		return tp_slice_eq(id, ids);
	struct tp_slice before = {ids.ptr, (size_t)(star - ids.ptr)};
	struct tp_slice after = tp_slice_from(ids, before.len + 1);

	return tp_slice_starts(id, before) && tp_slice_ends(tp_slice_from(id, before.len), after);
}

const struct tp_direction_rule *
tp_direction_rule_for(struct tp_slice id)
{
	struct tp_slice base = tp_scope_base(id);

	for (const struct tp_direction_rule *rule = tp_direction_rules; rule->ids != NULL; rule++) {
		if (fits(base, tp_slice_of(rule->ids)))
			return rule;
	}
	return NULL;
}

enum tp_direction
tp_metric_direction(struct tp_slice id)
{
	const struct tp_direction_rule *rule = tp_direction_rule_for(id);

	return rule != NULL ? rule->direction : TP_NO_DIRECTION;
}
