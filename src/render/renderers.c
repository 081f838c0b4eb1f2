/* The list of renderers and the ways to look one up. */
#include "render/renderer.h"

#include <string.h>

const struct tp_renderer *const tp_renderers[] = {
	&tp_render_html,
	&tp_render_pdf,
	&tp_render_end_to_end,
	&tp_render_json,
	&tp_render_text,
	&tp_render_markdown,
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
ends_with(const char *path, const char *suffix)
{
	size_t length = strlen(path), suffix_length = suffix != NULL ? strlen(suffix) : length;

	return length > suffix_length && strcasecmp(path + length - suffix_length, suffix) == 0;
}

const struct tp_renderer *
tp_renderer_for_path(const char *path)
{
	for (size_t i = 0; tp_renderers[i] != NULL; i++) {
		if (ends_with(path, tp_renderers[i]->suffix) ||
			ends_with(path, tp_renderers[i]->other_suffix))
			return tp_renderers[i];
	}
	return NULL;
}
