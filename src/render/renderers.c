/* The list of renderers and the ways to look one up. */
#include "render/renderer.h"

#include <string.h>

#include "base/path.h"

const struct tp_renderer *const tp_renderers[] = {
	&tp_render_html,
	&tp_render_pdf,
	&tp_render_end_to_end,
	&tp_render_sarif,
	&tp_render_json,
	&tp_render_text,
	&tp_render_markdown,
	&tp_render_csv,
	&tp_render_sqlite,
	&tp_render_summary,
	&tp_render_perfetto,
	&tp_render_chrome_trace,
	&tp_render_outline,
	NULL,
};

const struct tp_renderer *
tp_renderer_named(const char *name)
{
	for (size_t i = 0; tp_renderers[i] != NULL; i++) {
		if (strcmp(tp_renderers[i]->name, name) == 0)
			return tp_renderers[i];
	}
	return NULL;
}

static bool
ends_with(struct tp_slice path, const char *suffix)
{
	return suffix != NULL && tp_path_has_suffix(path, suffix);
}

/* Without the / behind the name of a folder. */
static struct tp_slice
without_slashes(struct tp_slice path)
{
	while (path.len > 1 && path.ptr[path.len - 1] == '/')
		path.len--;
	return path;
}

const struct tp_renderer *
tp_renderer_for_path(const char *path)
{
	for (size_t i = 0; tp_renderers[i] != NULL; i++) {
		const struct tp_renderer *r = tp_renderers[i];
		struct tp_slice name = tp_slice_of(path);

		name = r->render_folder != NULL ? without_slashes(name) : name;
		if (ends_with(name, r->suffix) || ends_with(name, r->other_suffix))
			return r;
	}
	return NULL;
}
