/* The classes of time into which every instant of a step falls, exactly once. */
#ifndef TP_ANALYZE_TIME_CLASS_H
#define TP_ANALYZE_TIME_CLASS_H

#include "report/doc.h"

enum tp_class {
	TP_CLASS_COMPUTE,
	TP_CLASS_INPUT_WAIT, /* infeed included */
	TP_CLASS_OUTPUT,     /* outfeed included */
	TP_CLASS_COLLECTIVE, /* compute and sync */
	TP_CLASS_DEVICE_TO_DEVICE,
	TP_CLASS_SEND_RECV,
	TP_CLASS_SPARSE_CORE, /* waiting for the SparseCore's embeddings */
	TP_CLASS_HOST_COMPUTE,
	TP_CLASS_LAUNCH,
	TP_CLASS_COMPILE,
	TP_CLASS_HOST_TRANSFER,
	TP_CLASS_IDLE,
	TP_CLASS_OTHER, /* within a step marker, but covered by no event */
	/* of PyTorch's steps alone, told where it is seen which call launched what */
	TP_CLASS_SETUP,
	TP_CLASS_QUEUED,
	TP_CLASS_COUNT
};

struct tp_class_info {
	const char *key;   /* in metric ids: "input_wait" */
	const char *label; /* "Input wait" */
	enum tp_hue hue;
	int tint;
	const char *how; /* what falls into it */
};

const struct tp_class_info *tp_class_info(enum tp_class c);

/* The class of an operation on a TPU core, from its HLO category. */
enum tp_class tp_class_of_category(struct tp_slice category);

/* The same for colours of operations in tables and charts, where copies stand apart from arithmetic. */
enum tp_hue tp_hue_of_category(struct tp_slice category);

/* Of operations that a host runs itself: what they compute is the host's time, as in the classes of a step. */
static inline enum tp_hue
tp_hue_on_host(enum tp_hue hue)
{
	return hue == TP_HUE_COMPUTE ? TP_HUE_HOST : hue;
}

/* Whether operations of this category are mainly multiply-adds of the matrix unit: "high-FLOPS compute". */
bool tp_class_is_matrix(struct tp_slice category);

#endif
