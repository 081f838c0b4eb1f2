/* Texts as CSV has them. */
#include "render/csv_text.h"

#include "codec/csv.h"
#include "io/sink.h"

#include <stdbool.h>
#include <string.h>

static bool
needs_quotes(struct tp_slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] != '\0' && strchr(",\"\r\n", text.ptr[i]) != NULL)
			return true;
	}
	return false;
}

/* Quotes are doubled; many programs end a text at NUL, so it is shown as a character that is none. */
void
tp_csv_put(struct tp_sink *out, struct tp_slice text)
{
	bool quoted = needs_quotes(text);

	tp_sink_puts(out, quoted ? "\"" : "");
	tp_sink_puts(out, tp_csv_is_formula(text) ? "'" : "");
	for (size_t plain; text.len != 0; text = tp_slice_from(text, plain + 1)) {
		for (plain = 0; plain < text.len && text.ptr[plain] != '"' && text.ptr[plain] != '\0';)
			plain++;
		tp_sink_write(out, text.ptr, plain);
		if (plain < text.len)
			tp_sink_puts(out, text.ptr[plain] == '"' ? "\"\"" : "\uFFFD");
	}
	tp_sink_puts(out, quoted ? "\"" : "");
}
