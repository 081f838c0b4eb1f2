/* Reports have no events; profiles that were read have. */
#include "render/events_asked.h"

#include "report/doc.h"
#include "report/run_events.h"

enum tp_status
tp_events_asked(const struct tp_doc *doc, struct tp_err *err)
{
	if (doc->about != TP_ABOUT_RUN)
		return tp_fail(
			err, TP_ERR_USAGE, "a comparison and a history hold no events: give one profile");
	if (doc->events == NULL)
		return tp_fail(err, TP_ERR_USAGE,
			"there are no events to write: reports, tool files and graphs have none; give the log "
			"directory or the profile");
	if (doc->events->refused.len != 0)
		return tp_fail(err, TP_ERR_UNSUPPORTED, "%.*s", TP_ARG(doc->events->refused));
	return TP_OK;
}
