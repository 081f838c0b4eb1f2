/* One table of the classes of time, one of the HLO categories that belong to each. */
#include "analyze/core/time_class.h"

#include "base/texts.h"

static const struct tp_class_info classes[TP_CLASS_COUNT] = {
	[TP_CLASS_COMPUTE] = {"compute", "Compute", TP_HUE_COMPUTE, 0,
		"device operations in no other class, including copies within device memory"},
	[TP_CLASS_INPUT_WAIT] = {"input_wait", "Input wait", TP_HUE_INPUT, 0,
		"infeed on a TPU; else waiting for the next batch, copying it to the device, or the device "
		"waiting for the host"},
	[TP_CLASS_OUTPUT] = {"output", "Output", TP_HUE_OUTPUT, 0,
		"outfeed on a TPU; else copies from the device to the host"},
	[TP_CLASS_COLLECTIVE] = {"collective", "Collectives", TP_HUE_COLLECTIVE, 0,
		"all-reduce and the like, including waiting for other devices"},
	[TP_CLASS_DEVICE_TO_DEVICE] = {"device_to_device", "Device to device", TP_HUE_MEMORY, 0,
		"copies between devices"},
	[TP_CLASS_SEND_RECV] = {"send_recv", "Send, receive", TP_HUE_COLLECTIVE, 1,
		"sends and receives between cores"},
	[TP_CLASS_SPARSE_CORE] = {"sparse_core", "SparseCore", TP_HUE_MEMORY, 2,
		"waiting for the SparseCore; transforming its output counts as compute"},
	[TP_CLASS_HOST_COMPUTE] = {"host_compute", "Host compute", TP_HUE_HOST, 0,
		"host events of the step while no device works"},
	[TP_CLASS_LAUNCH] = {"launch", "Launch", TP_HUE_HOST, 1,
		"preparing and launching device work on the host"},
	[TP_CLASS_COMPILE] = {"compile", "Compile", TP_HUE_COMPILE, 0,
		"tracing, lowering and compiling programs during the step"},
	[TP_CLASS_HOST_TRANSFER] = {"host_transfer", "Host transfer", TP_HUE_MEMORY, 1,
		"sends to and receives from the host"},
	[TP_CLASS_IDLE] = {"idle", "Idle", TP_HUE_IDLE, 0,
		"no operation on the core, including the wait for the slowest core at the end of a step"},
	[TP_CLASS_OTHER] = {"other", "Not recorded", TP_HUE_IDLE, TP_TINT_UNRECORDED,
		"parts of the step in which no operation, call or device work was recorded"},
	[TP_CLASS_SETUP] = {"setup", "Set-up", TP_HUE_COMPILE, 0,
		"calls of 1 ms or more by which the host makes contexts, modules and streams or takes and "
		"returns memory, and launches of 0.1 s or more, which load a module, while no device works"},
	[TP_CLASS_QUEUED] = {"queued", "Work queued", TP_HUE_COMPILE, TP_TINT_UNUSED,
		"no device works although work was launched more than 0.1 ms ago: what it waits for is not "
		"in the trace"},
};

const struct tp_class_info *
tp_class_info(enum tp_class c)
{
	return &classes[c];
}

/* Prefixes, because asynchronous forms add "-start" and "-done"; longer ones first, and last what all begin with. */
static const struct category {
	const char *prefix;
	enum tp_class class;
	enum tp_hue hue;
} categories[] = {
	{"infeed", TP_CLASS_INPUT_WAIT, TP_HUE_INPUT},
	{"sparsecorev0 infeed transform", TP_CLASS_COMPUTE, TP_HUE_COMPUTE},
	{"sparsecorev0 infeed", TP_CLASS_SPARSE_CORE, TP_HUE_MEMORY},
	{"outfeed", TP_CLASS_OUTPUT, TP_HUE_OUTPUT},
	{"host send", TP_CLASS_HOST_TRANSFER, TP_HUE_MEMORY},
	{"host recv", TP_CLASS_HOST_TRANSFER, TP_HUE_MEMORY},
	{"send", TP_CLASS_SEND_RECV, TP_HUE_COLLECTIVE},
	{"recv", TP_CLASS_SEND_RECV, TP_HUE_COLLECTIVE},
	{"all-reduce", TP_CLASS_COLLECTIVE, TP_HUE_COLLECTIVE},
	{"all-gather", TP_CLASS_COLLECTIVE, TP_HUE_COLLECTIVE},
	{"all-to-all", TP_CLASS_COLLECTIVE, TP_HUE_COLLECTIVE},
	{"reduce-scatter", TP_CLASS_COLLECTIVE, TP_HUE_COLLECTIVE},
	{"collective", TP_CLASS_COLLECTIVE, TP_HUE_COLLECTIVE},
	{"copy", TP_CLASS_COMPUTE, TP_HUE_MEMORY},
	{"async-", TP_CLASS_COMPUTE, TP_HUE_MEMORY},
	{"data formatting", TP_CLASS_COMPUTE, TP_HUE_MEMORY},
	{"broadcast", TP_CLASS_COMPUTE, TP_HUE_MEMORY},
	{"transpose", TP_CLASS_COMPUTE, TP_HUE_MEMORY},
	{"memory copy", TP_CLASS_COMPUTE, TP_HUE_MEMORY},
	{"dynamic-slice", TP_CLASS_COMPUTE, TP_HUE_MEMORY},
	{"dynamic-update-slice", TP_CLASS_COMPUTE, TP_HUE_MEMORY},
	{"", TP_CLASS_COMPUTE, TP_HUE_COMPUTE},
};

static const struct category *
find_category(struct tp_slice text)
{
	const struct category *c = categories;

	while (!tp_slice_starts(text, tp_slice_of(c->prefix)))
		c++;
	return c;
}

enum tp_class
tp_class_of_category(struct tp_slice category)
{
	return find_category(category)->class;
}

enum tp_hue
tp_hue_of_category(struct tp_slice category)
{
	return find_category(category)->hue;
}

bool
tp_class_is_matrix(struct tp_slice category)
{
	/* Output fusions end in a convolution's or a dot's result. xprof's list in hlo_category terms. */
	return tp_texts_any(category, tp_slice_eq,
		TP_TEXTS("convolution", "convolution fusion", "output fusion", "convolution base-dilated",
			"convolution window-dilated"));
}
