/* What a trace says beside its events: the other keys of the top level, in any order, before or after the events. */
#ifndef TP_INGEST_TORCH_META_H
#define TP_INGEST_TORCH_META_H

#include "base/buf.h"
#include "model/torch.h"

struct tp_diags;
struct tp_pull;
struct tp_torch_events;

struct tp_torch_meta {
	int64_t base_ns; /* zero of the file's times since 1970; 0: not said */
	unsigned asked;
	struct tp_slice framework;
	struct tp_torch_distributed distributed;
	struct tp_buf gpus;  /* struct tp_torch_gpu */
	struct tp_buf facts; /* struct tp_torch_meta_fact */
	bool amd, nvidia;    /* as versions of their software say */
};

struct tp_torch_meta_fact {
	struct tp_slice key, value;
};

/* A member of the top level that is not traceEvents. False when the text ends inside. */
bool tp_torch_meta_take(struct tp_torch_meta *m, struct tp_torch_events *x, struct tp_pull *j,
	struct tp_diags *diags, const char *path);

void tp_torch_meta_close(struct tp_torch_meta *m);

#endif
