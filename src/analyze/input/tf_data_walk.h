/* Walking through the calls of one host's tf.data pipelines, from each call of a root down. */
#ifndef TP_ANALYZE_TF_DATA_WALK_H
#define TP_ANALYZE_TF_DATA_WALK_H

#include "base/buf.h"
#include "base/map.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_profile;

/* What is found, host after host. */
struct tp_tf_data_lists {
	struct tp_buf pipelines; /* struct tp_pipeline, without its stages */
	struct tp_buf stages;    /* struct tp_stage; parents before children */
	struct tp_map places;    /* of stages; to be initialised by the caller */
	bool by_name;            /* on some host iterators have no id */
};

/* events: as tp_iterator_events gives it. */
void tp_tf_data_walk(const struct tp_profile *p, uint32_t host, const uint8_t *events,
	struct tp_tf_data_lists *out, struct tp_arena *scratch);

#endif
