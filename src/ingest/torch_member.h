/* What the keys of events and of their arguments mean, and the fields of an event that their values fill. */
#ifndef TP_INGEST_TORCH_MEMBER_H
#define TP_INGEST_TORCH_MEMBER_H

#include "base/slice.h"
#include "codec/json_pull.h"

#include <stdint.h>

struct tp_torch_event;
struct tp_torch_events;

enum tp_torch_form {
	TP_TORCH_WHOLE,  /* int64_t */
	TP_TORCH_TEXT,   /* uint32_t, the id of a string */
	TP_TORCH_REAL,   /* double */
	TP_TORCH_THREE,  /* uint32_t[3] */
	TP_TORCH_INPUTS, /* uint32_t, of a list; of some operators alone, see below */
	/* Of events alone. */
	TP_TORCH_PHASE,
	TP_TORCH_CATEGORY,
	TP_TORCH_START,
	TP_TORCH_DURATION,
	TP_TORCH_PLACE, /* the id of a process or thread */
	TP_TORCH_ARGUMENTS,
};

struct tp_torch_member {
	const char *key;
	enum tp_torch_form form;
	size_t at; /* of the field in struct tp_torch_event */
};

/* NULL: nobody asks for it. */
const struct tp_torch_member *tp_torch_member(struct tp_slice key);
const struct tp_torch_member *tp_torch_argument(
	const struct tp_torch_events *x, struct tp_slice key);

/* Puts a scalar into its field; a value of another kind than it asks for leaves it absent. */
void tp_torch_set(struct tp_torch_events *x, const struct tp_torch_member *m,
	enum tp_pull_type type, struct tp_slice text, struct tp_torch_event *e);

/* Of which operators inputs are asked for that are no tensors: with whom those of c10d are, and how convolutions go. An event's
 * name comes before its arguments. */
bool tp_torch_names_peer(const struct tp_torch_events *x, const struct tp_torch_event *e);
bool tp_torch_keeps_inputs(const struct tp_torch_events *x, const struct tp_torch_event *e);

/* The id of a list's or object's JSON without white space; raw is as written. */
uint32_t tp_torch_list(struct tp_torch_events *x, struct tp_slice raw);

#endif
