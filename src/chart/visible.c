/* Hostile characters made visible, for text that pango sets. */
#include "chart/visible.h"

bool
tp_visible(gunichar c)
{
	bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
	bool line_or_turn = (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
		c == 0x200e || c == 0x200f || c == 0x061c;
	bool nothing = c == 0x200b || c == 0x2060 || c == 0xfeff;

	return !control && !line_or_turn && !nothing;
}

void
tp_visible_append(GString *out, struct tp_slice text, size_t most)
{
	const char *at = text.len ? text.ptr : "", *end = at + text.len;

	for (size_t count = 0; at < end; count++) {
		gunichar c = g_utf8_get_char_validated(at, end - at);
		bool valid = c != (gunichar)-1 && c != (gunichar)-2;
		const char *next = valid ? g_utf8_next_char(at) : at + 1;

		if (count == most) {
			g_string_append(out, "…");
			return;
		}
		if (c == '\n' || c == '\r' || c == '\t')
			g_string_append_c(out, ' ');
		else if (valid && tp_visible(c))
			g_string_append_len(out, at, next - at);
		else
			g_string_append(out, "\ufffd");
		at = next;
	}
}
