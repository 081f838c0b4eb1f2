/* The style sheet of the page in a file of its own, for servers that refuse the one within the page. */
#include "base/arena.h"
#include "io/sink.h"
#include "render/renderer.h"
#include "template/fill.h"

static enum tp_status
render(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	struct tp_templates *templates = tp_templates_open(options->template_dir, NULL, NULL, NULL);

	(void)doc;
	/* It may be the style sheet of several pages. */
	tp_sink_put(out, tp_templates_file(templates, "report.css"));
	tp_sink_put(out, tp_templates_file(templates, "views.css"));
	enum tp_status status = tp_templates_status(templates, err);

	tp_templates_close(templates);
	return status;
}

const struct tp_renderer tp_render_css = {
	.name = "css",
	.suffix = ".css",
	.summary = "the style sheet of the page",
	.render = render,
};
