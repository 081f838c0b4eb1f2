/* The one section on cores, hosts and devices: who opens it, and whom it marks. */
#include "analyze/pod/side_by_side.h"

#include "analyze/core/say.h"
#include "analyze/pod/hosts.h"
#include "analyze/pod/pod.h"
#include "model/profile.h"
#include "report/doc.h"

struct tp_block *
tp_side_by_side(struct tp_doc *doc, const char *id, const char *title, const char *part_title)
{
	static const char *const openers[] = {"distributed", "hosts", NULL};

	return tp_say_part_of(doc, openers, id, title, part_title);
}

/* The one that the section's answer names, else what stands out from the median. */
struct tp_slow
tp_slow_of(const struct tp_pod *pod, const struct tp_hosts *hosts)
{
	if (pod != NULL) {
		const struct tp_pod_unit *unit = &pod->units[pod->straggler.unit];

		return tp_pod_has_straggler(pod)
			? (struct tp_slow){unit->host,
				  pod->straggler.level == TP_POD_HOST ? TP_NONE : unit->device}
			: (struct tp_slow){TP_NONE, TP_NONE};
	}
	return (struct tp_slow){
		hosts->step.times >= TP_STRAGGLER_STEP ? hosts->step.index : TP_NONE,
		hosts->work.times >= TP_STRAGGLER_WORK ? hosts->work.index : TP_NONE,
	};
}
