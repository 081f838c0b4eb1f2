#include "render/page_files.h"

#include <stdio.h>

#include "base/sha256.h"
#include "codec/base64.h"

const struct tp_page_file tp_page_scripts[] = {
	{"base.js", false},
	{"number.js", false},
	{"rows.js", false},
	{"tables.js", false},
	{"charts.js", false},
	{"redraw.js", false},
	{"steps.js", false},
	{"classes.js", false},
	{"maps.js", false},
	{"channels.js", false},
	{"flame.js", false},
	{"tops.js", false},
	{"list.js", false},
	{"memory.js", false},
	{"range.js", false},
	{"search.js", false},
	{"timeline_data.js", true},
	{"timeline_tiles.js", true},
	{"timeline_pieces.js", true},
	{"timeline_rows.js", true},
	{"timeline_look.js", true},
	{"timeline_paint.js", true},
	{"timeline_view.js", true},
	{"timeline_axis.js", true},
	{"timeline_pick.js", true},
	{"timeline_sums.js", true},
	{"timeline_flows.js", true},
	{"timeline_input.js", true},
	{"timeline_pane.js", true},
	{"timeline_search.js", true},
	{"timeline_links.js", true},
	{"timeline_words.js", true},
	{"timeline.js", true},
	{"report.js", false},
	{NULL, false},
};

const struct tp_page_file tp_page_styles[] = {
	{"report.css", false},
	{"views.css", true},
	{NULL, false},
};

void
tp_page_hash(const void *data, size_t size, char hash[static TP_PAGE_HASH_SIZE])
{
	unsigned char digest[TP_SHA256_SIZE];
	char text[TP_BASE64_SIZE(TP_SHA256_SIZE)];
	struct tp_sha256 state;

	tp_sha256_init(&state);
	tp_sha256_add(&state, data, size);
	tp_sha256_finish(&state, digest);
	snprintf(hash, TP_PAGE_HASH_SIZE, "'sha256-%.*s'",
		(int)tp_base64_encode(digest, sizeof digest, text), text);
}
