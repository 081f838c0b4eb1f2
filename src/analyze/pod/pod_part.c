/* The parts that the step of a core, or of a host, is made of. Those of a core are the profiler's old pod viewer's, which newer
 * ones (op_stats_to_pod_stats.cc) no longer tell apart; but low-FLOPS compute there held idle time. */
#include "analyze/pod/pod.h"

#include "analyze/pod/pod_words.h"
#include "analyze/steps/steps.h"

const struct tp_pod_part_info *
tp_pod_part_info(enum tp_pod_part part)
{
	return &part_infos[part];
}

static double
above_zero(double ps)
{
	return ps > 0 ? ps : 0;
}

static double
cell_part(const struct tp_step_cell *cell, bool sync_known, enum tp_pod_part part)
{
	const double *k = cell->class_ps;
	double sync = cell->collective_total_ps - cell->collective_compute_ps;

	/* Without ids nothing tells the work of collectives from the wait within them. */
	sync = !sync_known || sync > k[TP_CLASS_COLLECTIVE] ? k[TP_CLASS_COLLECTIVE] : above_zero(sync);
	switch (part) {
	case TP_POD_HIGH_FLOPS:
		return cell->matrix_ps;
	case TP_POD_LOW_FLOPS:
		return above_zero(k[TP_CLASS_COMPUTE] - cell->matrix_ps - cell->copy_ps);
	case TP_POD_COPY:
		return cell->copy_ps;
	case TP_POD_INFEED:
		return k[TP_CLASS_INPUT_WAIT];
	case TP_POD_OUTFEED:
		return k[TP_CLASS_OUTPUT];
	case TP_POD_COLLECTIVE_COMPUTE:
		return k[TP_CLASS_COLLECTIVE] - sync;
	case TP_POD_COLLECTIVE_SYNC:
		return sync;
	case TP_POD_SEND:
		return above_zero(k[TP_CLASS_SEND_RECV] - cell->recv_ps);
	case TP_POD_RECV:
		return cell->recv_ps;
	case TP_POD_HOST_TRANSFER:
		return k[TP_CLASS_HOST_TRANSFER];
	case TP_POD_SPARSE_CORE:
		return k[TP_CLASS_SPARSE_CORE];
	case TP_POD_IDLE:
		return above_zero((double)cell->duration_ps - cell->busy_ps);
	case TP_POD_OTHER:
	case TP_POD_PART_COUNT:
		break;
	}
	return 0;
}

static double
host_part(const struct tp_step *step, enum tp_pod_part part)
{
	static const enum tp_pod_part of_class[TP_CLASS_COUNT] = {
		[TP_CLASS_COMPUTE] = TP_POD_LOW_FLOPS,
		[TP_CLASS_INPUT_WAIT] = TP_POD_INFEED,
		[TP_CLASS_OUTPUT] = TP_POD_OUTFEED,
		[TP_CLASS_COLLECTIVE] = TP_POD_COLLECTIVE_SYNC,
		[TP_CLASS_DEVICE_TO_DEVICE] = TP_POD_COLLECTIVE_SYNC,
		[TP_CLASS_SEND_RECV] = TP_POD_SEND,
		[TP_CLASS_SPARSE_CORE] = TP_POD_PART_COUNT, /* of cores alone */
		[TP_CLASS_HOST_COMPUTE] = TP_POD_OTHER,
		[TP_CLASS_LAUNCH] = TP_POD_OTHER,
		[TP_CLASS_COMPILE] = TP_POD_OTHER,
		[TP_CLASS_HOST_TRANSFER] = TP_POD_HOST_TRANSFER,
		[TP_CLASS_IDLE] = TP_POD_IDLE,
		[TP_CLASS_OTHER] = TP_POD_IDLE,
		[TP_CLASS_SETUP] = TP_POD_OTHER,
		[TP_CLASS_QUEUED] = TP_POD_IDLE,
	};
	double sum = part == TP_POD_COPY ? step->copy_ps
		: part == TP_POD_LOW_FLOPS   ? -step->copy_ps
									 : 0;

	for (int c = 0; c < TP_CLASS_COUNT; c++)
		sum += of_class[c] == part ? step->class_ps[c] : 0;
	return sum;
}

double
tp_pod_part_ps(const struct tp_pod *pod, size_t step, size_t unit, enum tp_pod_part part)
{
	const struct tp_steps *s = pod->steps;

	if (pod->precomputed_ps != NULL)
		return pod->precomputed_ps[(step * pod->count + unit) * TP_POD_PART_COUNT + part];
	return pod->cores ? cell_part(&s->cells[step * s->timelines + unit], pod->sync_known, part)
					  : host_part(&s->hosts[unit].steps[step], part);
}
