/* The parts that a step is drawn with: the classes of time, in the order of the stack, compute less copies. */
#include "analyze/steps/steps.h"

/* Compute first, input wait at the end of the stack. The place of compute is taken twice: arithmetic, then copies. */
static const enum tp_class order[TP_STEP_PART_COUNT] = {
	TP_CLASS_COMPUTE,
	TP_CLASS_COMPUTE,
	TP_CLASS_HOST_COMPUTE,
	TP_CLASS_DEVICE_TO_DEVICE,
	TP_CLASS_HOST_TRANSFER,
	TP_CLASS_COLLECTIVE,
	TP_CLASS_SEND_RECV,
	TP_CLASS_SPARSE_CORE,
	TP_CLASS_OUTPUT,
	TP_CLASS_LAUNCH,
	TP_CLASS_COMPILE,
	TP_CLASS_IDLE,
	TP_CLASS_OTHER,
	TP_CLASS_INPUT_WAIT,
};
enum { ARITHMETIC = 0, COPIES = 1 };

struct tp_step_part
tp_step_part(size_t part)
{
	const struct tp_class_info *info = tp_class_info(order[part]);

	if (part == ARITHMETIC)
		return (struct tp_step_part){"arithmetic", "Compute", TP_HUE_COMPUTE, 0};
	if (part == COPIES)
		return (struct tp_step_part){"copy", "Memory, copy", TP_HUE_MEMORY, 0};
	return (struct tp_step_part){info->key, info->label, info->hue, info->tint};
}

static double
part_ps(const double *class_ps, double copy_ps, size_t part)
{
	if (part == COPIES)
		return copy_ps;
	return class_ps[order[part]] - (part == ARITHMETIC ? copy_ps : 0);
}

double
tp_step_part_ps(const struct tp_step *step, size_t part)
{
	return part_ps(step->class_ps, step->copy_ps, part);
}

double
tp_step_part_mean_ps(const struct tp_steps *steps, size_t part)
{
	return part_ps(steps->class_mean_ps, steps->copy_mean_ps, part);
}
