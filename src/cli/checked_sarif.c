/* Findings of a checked run as SARIF: those of its report, whatever the budget says of them. */
#include "cli/checked.h"

#include "render/renderer.h"

void
tp_checked_sarif(const struct tp_checked *check, struct tp_sink *out)
{
	tp_render_sarif.render(check->doc, NULL, out, NULL);
}
