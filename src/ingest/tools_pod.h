/* What the two parts of reading a pod viewer's file share: cores and steps (tools_pod.c), what they send each other
 * (tools_pod_traffic.c). */
#ifndef TP_INGEST_TOOLS_POD_H
#define TP_INGEST_TOOLS_POD_H

#include "base/buf.h"
#include "base/map.h"
#include "ingest/tools.h"

struct tp_pod_reading {
	struct tp_tool_file *f;
	struct tp_precomputed_pod *pod;
	const json_t *breakdown_events;
	struct tp_map core_of_number, core_of_place, link_of_key, collective_of_name;
	struct tp_buf links, collectives;
	uint32_t widest; /* the largest place of a core on its chip */
};

/* A time of the file in us; what cannot be one: 0. */
double tp_pod_us(const json_t *value);

/* Each adds what one step holds; the cores are known. */
void tp_pod_read_channels(struct tp_pod_reading *r, const json_t *channels);
void tp_pod_read_collectives(struct tp_pod_reading *r, const json_t *list);

/* After all steps: means, and the lists into the pod. */
void tp_pod_settle_traffic(struct tp_pod_reading *r);

#endif
