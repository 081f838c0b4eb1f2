/* The channels of programs: what their HLO says of sends and receives. */
#ifndef TP_ANALYZE_POD_CHANNELS_H
#define TP_ANALYZE_POD_CHANNELS_H

#include "analyze/pod/pod_traffic.h"
#include "base/map.h"

enum tp_pod_role { TP_POD_NO_ROLE, TP_POD_SENDS, TP_POD_RECEIVES };

struct tp_pod_channels {
	struct tp_pod_link *links; /* without figures yet */
	size_t count;
	/* enum tp_pod_role, by operation of the profile; NULL: there are no channels */
	uint8_t *role_of_op;
	uint32_t *channel_of_op; /* likewise: index of the channel */
	struct tp_map from, to;  /* (channel, unit) → link that leaves, that arrives */
	struct tp_slice damaged;
};

/* In ctx->scratch, but texts in ctx->keep. */
struct tp_pod_channels tp_pod_find_channels(
	const struct tp_pass_ctx *ctx, const struct tp_pod *pod);

#endif
