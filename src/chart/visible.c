/* Hostile characters made visible, for text that pango sets. */
#include "chart/visible.h"

#include "base/utf8.h"

void
tp_visible_append(GString *out, struct tp_slice text, size_t most)
{
	size_t length;

	for (size_t count = 0; text.len != 0; count++, text = tp_slice_from(text, length)) {
		uint32_t c = tp_utf8_next(text, &length);

		if (count == most) {
			g_string_append(out, "…");
			return;
		}
		if (c == '\n' || c == '\r' || c == '\t')
			g_string_append_c(out, ' ');
		else if (tp_utf8_shown(c))
			g_string_append_len(out, text.ptr, (gssize)length);
		else
			g_string_append(out, "\ufffd");
	}
}

unsigned
tp_columns_of(uint32_t character)
{
	return g_unichar_iszerowidth(character) ? 0 : g_unichar_iswide(character) ? 2 : 1;
}
